"""An address tells its host and what is odd about it; only what can be trusted to be what it looks like may open."""

import pytest

from desktop.ui.state.url_facts import UrlWarning, url_facts


@pytest.mark.parametrize(
    ("url", "host", "warnings"),
    [
        ("https://example.com/a?b=https://evil.example/", "example.com", ()),
        ("https://EXAMPLE.com", "EXAMPLE.com", ()),
        ("https://example.com:443/", "example.com", ()),
        ("http://127.0.0.1:8000/callback", "127.0.0.1", (UrlWarning.OWN_MACHINE,)),
        ("http://localhost/", "localhost", (UrlWarning.OWN_MACHINE,)),
        ("https://[::1]:99/", "[::1]", (UrlWarning.OWN_MACHINE,)),
        ("https://example.com:8443/", "example.com", (UrlWarning.ODD_PORT,)),
        ("https://g\u043e\u043egle.com/", "g\u043e\u043egle.com", (UrlWarning.FOREIGN_LETTERS,)),
        ("https://xn--80ak6aa92e.com/", "xn--80ak6aa92e.com", (UrlWarning.PUNYCODE,)),
        ("https://192.168.1.1/", "192.168.1.1", (UrlWarning.NUMBERS_FOR_HOST,)),
        ("https://2130706433/", "2130706433", (UrlWarning.NUMBERS_FOR_HOST,)),
        ("https://0x7f.1/", "0x7f.1", (UrlWarning.NUMBERS_FOR_HOST,)),
    ],
)
def test_what_may_be_opened(url: str, host: str, warnings: tuple[UrlWarning, ...]) -> None:
    facts = url_facts(url)
    assert facts.host == host
    assert url[slice(*facts.host_span)] == host
    assert facts.warnings == warnings
    assert facts.may_open


@pytest.mark.parametrize(
    ("url", "warning"),
    [
        ("http://example.com/", UrlWarning.NOT_ENCRYPTED),
        ("http://localhost.evil.example/", UrlWarning.NOT_ENCRYPTED),
        ("https://bank.com@evil.example/", UrlWarning.USER_BEFORE_HOST),
        ("https://user:pw@example.com/", UrlWarning.USER_BEFORE_HOST),
        ("https://exa\u202emple.com/", UrlWarning.HIDDEN_CHARACTERS),
        ("https://example.com\\@evil.example/", UrlWarning.HIDDEN_CHARACTERS),
        ("https://exam ple.com/", UrlWarning.HIDDEN_CHARACTERS),
        ("https://example.com/\r\nHost: x", UrlWarning.HIDDEN_CHARACTERS),
        ("javascript:alert(1)", UrlWarning.NO_WEB_ADDRESS),
        ("file:///etc/passwd", UrlWarning.NO_WEB_ADDRESS),
        ("data:text/html,x", UrlWarning.NO_WEB_ADDRESS),
        ("smb://server/share", UrlWarning.NO_WEB_ADDRESS),
        ("--flag", UrlWarning.NO_WEB_ADDRESS),
        ("https:///path", UrlWarning.NO_WEB_ADDRESS),
        ("https://[::1/", UrlWarning.NO_WEB_ADDRESS),
        ("https://a:99999/", UrlWarning.NO_WEB_ADDRESS),
        ("", UrlWarning.NO_WEB_ADDRESS),
        ("https://example.com/" + "a" * 100_000, UrlWarning.TOO_LONG),
    ],
)
def test_what_may_not_be_opened(url: str, warning: UrlWarning) -> None:
    facts = url_facts(url)
    assert warning in facts.warnings
    assert not facts.may_open


def test_both_spellings_of_a_host_are_told() -> None:
    assert url_facts("https://xn--80ak6aa92e.com/").other_name == "аррӏе.com"
    assert url_facts("https://аррӏе.com/").other_name == "xn--80ak6aa92e.com"
