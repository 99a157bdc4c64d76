"""Keys and addresses as people paste them: mended, told apart, and never made worse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.state.endpoint_entry import (
    Sorted,
    clean_key,
    host_of,
    is_address_usable,
    is_key_usable,
    looks_like_address,
    looks_like_key,
    sort_address,
    sort_key,
    tidy_address,
)

KEY = "sk-abcdefghij0123456789ABCDEF"
ZHIPU = "0123456789abcdef0123456789abcdef.AbCdEfGhIjKlMnOp"


@pytest.mark.parametrize(
    "pasted",
    [
        f"  {KEY}\n",
        f'"{KEY}"',
        f"“{KEY}”",
        f"Bearer {KEY}",
        f"Authorization: Bearer {KEY}",
        f"OPENAI_API_KEY={KEY}",
        f"export DEEPSEEK_API_KEY='{KEY}'",
        f"API_KEY: {KEY}",
        f"\u200b{KEY}\ufeff",
        f"{KEY[:12]}\n{KEY[12:]}",
    ],
)
def test_a_pasted_key_is_freed_of_what_stands_around_it(pasted: str) -> None:
    assert clean_key(pasted) == KEY


@pytest.mark.parametrize("key", ["", "a b", "schlüssel", "钥匙", "x" * 4001])
def test_a_key_that_cannot_be_sent_is_known(key: str) -> None:
    assert is_key_usable(key) is (key == "")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("", ""),
        ("127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("localhost:1234", "http://localhost:1234"),
        ("192.168.1.20:8080", "http://192.168.1.20:8080"),
        ("api.deepseek.com/v1", "https://api.deepseek.com/v1"),
        ("https://api.deepseek.com/v1/chat/completions/", "https://api.deepseek.com/v1"),
        (" <https://host/v1/models> ", "https://host/v1"),
        ("https://host/v1/?api-version=2", "https://host/v1?api-version=2"),
        ("no address at all", "no address at all"),
    ],
)
def test_an_address_is_completed_but_never_another_one(typed: str, meant: str) -> None:
    assert tidy_address(typed) == meant


@pytest.mark.parametrize(
    ("address", "usable"),
    [
        ("https://host/v1", True),
        ("http://[::1]:8080/v1", True),
        ("https://me:secret@host/v1", False),
        ("ftp://host", False),
        ("https://", False),
        ("https://host:99999", False),
        ("https://host/a b", False),
        ("javascript:alert(1)", False),
        ("", False),
    ],
)
def test_what_can_be_used_as_an_address(address: str, usable: bool) -> None:
    assert is_address_usable(address) is usable


@pytest.mark.parametrize("key", [KEY, ZHIPU, f" {KEY} ", f"Bearer {KEY}", "hf_abcdefghijklmnop"])
def test_a_key_in_the_address_field_is_moved(key: str) -> None:
    assert looks_like_key(key)
    assert sort_address(key) == Sorted(address="", key=clean_key(key))


@pytest.mark.parametrize(
    "address", ["https://api.openai.com/v1", "localhost:11434", "api.openai.com/v1", "10.0.0.3:80/v1"]
)
def test_an_address_in_the_key_field_is_moved(address: str) -> None:
    assert looks_like_address(address)
    assert sort_key(address) == Sorted(address=tidy_address(address), key="")


@pytest.mark.parametrize("text", ["api.openai.com", "gateway.internal.example.com", "localhost", "https://host/v1"])
def test_an_address_in_its_own_field_stays(text: str) -> None:
    assert sort_address(text).key is None


@pytest.mark.parametrize("text", [KEY, ZHIPU, "short", "a.b", "with.dots.in-it"])
def test_a_key_in_its_own_field_stays(text: str) -> None:
    assert sort_key(text) == Sorted(key=text)


def test_both_in_one_line_go_to_their_fields() -> None:
    assert sort_address(f"https://host/v1 {KEY}") == Sorted(address="https://host/v1", key=KEY)
    assert sort_address(f"{KEY} https://host/v1/chat/completions") == Sorted(address="https://host/v1", key=KEY)


@given(st.text(max_size=80))
def test_any_text_is_sorted_without_failing_and_mending_is_steady(text: str) -> None:
    for found in (sort_address(text), sort_key(text)):
        assert found.address is not None or found.key is not None
    assert clean_key(clean_key(text)) == clean_key(clean_key(clean_key(text)))
    address = tidy_address(text)
    if is_address_usable(address):
        assert is_address_usable(tidy_address(address))
    host_of(text)
