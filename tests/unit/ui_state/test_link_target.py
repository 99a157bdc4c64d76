"""Which addresses may be opened at all, and which deserve a warning."""

import pytest

from desktop.ui.state.link_target import judge, label_contradicts
from desktop.ui.state.readable import readable, shortened_lines
from desktop.ui.state.url_facts import UrlWarning


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/a?b=c#d",
        "http://example.org",
        "https://例子.example/",
        "mailto:someone@example.org",
        "http://127.0.0.1:8000/",
    ],
)
def test_plain_web_and_mail_addresses_may_be_opened(address: str) -> None:
    target = judge(address)
    assert target is not None
    assert target.url == address


@pytest.mark.parametrize(
    "address",
    [
        "",
        "file:///etc/passwd",
        "smb://host/share",
        "javascript:alert(1)",
        "ms-msdt:/id",
        "app://x",
        "calculator://",
        "data:text/html,x",
        "--flag",
        "example.org",
        "//example.org",
        "https://user@example.org/",
        "https://user:pw@example.org/",
        "https://example.org\\@evil.example/",
        "https://exa\u200bmple.org/",
        "https://example.org/\u202egnp",
        "https://example.org/\x00",
        "https://example.org/ x",
        "https://",
        "https://example.org:99999999/",
        "https://example.org/" + "a" * 20_000,
        "mailto:a@b.example?attach=/etc/passwd",
        "mailto:a@b.example,c@d.example",
        "mailto:",
    ],
)
def test_everything_else_is_never_opened(address: str) -> None:
    assert judge(address) is None


def test_the_host_is_named_with_what_is_odd_about_it() -> None:
    target = judge("http://xn--e1afmkfd.example/")
    assert target is not None
    assert target.other_name == "пример.example"
    assert {UrlWarning.PUNYCODE, UrlWarning.NOT_ENCRYPTED} <= set(target.warnings)


def test_a_label_that_names_another_host_contradicts() -> None:
    target = judge("https://evil.example/login")
    assert target is not None
    assert label_contradicts("bank.example", target)
    assert label_contradicts("https://www.bank.example/login", target)
    assert not label_contradicts("www.evil.example", target)
    assert not label_contradicts("click here", target)


def test_readable_marks_what_deceives_and_leaves_listings_alone() -> None:
    listing = "drwxr-xr-x   2 user\n\tindented\n    four"
    assert readable(listing) == listing
    assert readable("a\x00\x1b[31m\u202eb\r") == "a<NUL><ESC>[31m<U+202E>b<CR>"
    assert readable("👩‍👩‍👧 مرحبا") == "👩‍👩‍👧 مرحبا"


def test_long_lines_are_cut_for_display() -> None:
    assert shortened_lines("x" * 10 + "\nshort", 4) == "xxxx … (+6)\nshor … (+1)"
    assert shortened_lines("short", 10) == "short"
