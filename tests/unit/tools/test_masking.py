"""Secrets do not get out of a text, and ordinary words stay in it."""

import pytest

from desktop.tools.masking import HIDDEN, Masker

SENTINEL = "sentinel-9f31"


@pytest.mark.parametrize(
    "text",
    [
        f"token {SENTINEL}",
        f"https://host/?key={SENTINEL}&x=1",
        "Authorization: Bearer abcdef.ghijkl-123456",
        "OPENAI_API_KEY=sk-abcdefghijklmnop1234",
        "password: hunter2hunter2",
        '{"client_secret": "wholly secret"}',
        "ghp_abcdefghijklmnop1234",
    ],
)
def test_secrets_are_hidden(text: str) -> None:
    shown = Masker([SENTINEL]).text(text)
    assert HIDDEN in shown
    for secret in (SENTINEL, "abcdef.ghijkl", "sk-abc", "hunter2", "wholly", "ghp_"):
        assert secret not in shown


@pytest.mark.parametrize(
    "text", ["12 tokens in all", "progressToken: 4", "Reads a file", "no password is asked", "a: b"]
)
def test_ordinary_words_stay(text: str) -> None:
    assert Masker([SENTINEL, "", "a"]).text(text) == text


def test_an_excerpt_is_cut_and_hides_by_name() -> None:
    value = {
        "name": "read",
        "arguments": {"password": "correct horse", "path": "x" * 500, "deep": {"a": {"b": {"c": {"d": {"e": 1}}}}}},
        "list": list(range(1_000)),
        "_meta": {"progressToken": 4},
    }
    shown = Masker([SENTINEL]).excerpt(value, most=1_000)
    assert f"password: {HIDDEN}" in shown
    assert "correct" not in shown
    assert "(500)" in shown
    assert "progressToken: 4" in shown
    assert "999" not in shown
    assert len(shown) < 400


def test_a_secret_that_is_cut_in_two_is_hidden_whole() -> None:
    shown = Masker([SENTINEL]).excerpt({"text": "x" * 75 + SENTINEL}, most_of_text=80)
    assert "sentin" not in shown


def test_an_excerpt_of_anything_is_short() -> None:
    huge = {f"key{n}": "v" * 10_000 for n in range(5_000)}
    assert len(Masker().excerpt([huge] * 50)) <= 401
    assert Masker().excerpt(10**3000) == "…"
