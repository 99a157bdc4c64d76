"""Revealed text: nothing hidden, nothing ambiguous, and the deceptive named."""

import json
import random
import re
import unicodedata

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from desktop.tools import findings
from desktop.tools.visible_text import (
    deceptive_characters,
    one_line_hint,
    reveal,
    spans,
    without_surrogates,
)

CONTROLS = (
    "NUL SOH STX ETX EOT ENQ ACK BEL BS TAB LF VT FF CR SO SI "
    "DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SPACE"
)
NAMES = {**dict(zip(CONTROLS.split(), map(chr, range(33)), strict=True)), "DEL": "\x7f", "LT": "<"}
LOOKS_LIKE_TOKENS = ["<ESC>", "<U+202E>", "<LT>", "<SPACE×3>", "   "]
UNSEEN = [*"\u202e\u200b\u00a0\ufe0f\u3164\ud800\U000e0041\ue000\u0378\u3000\u2028\u034f"]
COMPOSING = ["e\u0301", *"\u0301\u1100\u1161\u11a8\u0323\u0338\uac00\u212a"]
TRICKY = st.lists(
    st.one_of(
        st.sampled_from([*"<>×U+0123ABC \n\t\r\x1b\x7f\x00éа", *LOOKS_LIKE_TOKENS, *UNSEEN, *COMPOSING]),
        st.characters(exclude_categories=()),
    ),
    max_size=24,
).map("".join)


def unreveal(shown: str) -> str:
    """The inverse of ``reveal``, written apart from it: that it exists is the proof that nothing is ambiguous."""

    def original(match: re.Match[str]) -> str:
        name, count = match["name"], int(match["count"] or 1)
        return (chr(int(name[2:], 16)) if name.startswith("U+") else NAMES[name]) * count

    token = rf"<(?P<name>U\+[0-9A-F]{{4,6}}|{'|'.join(NAMES)})(?:×(?P<count>[0-9]+))?>"
    return re.sub(token, original, shown)


@given(TRICKY, st.booleans())
@example("<<ESC>", True)
@example("<LT>ESC>", True)
@example("<U+202E\u200b>", True)
@example("<SPACE×" + "9" * 30 + ">", True)
@settings(max_examples=500)
def test_revealed_text_can_be_turned_back(text: str, keep_newlines: bool) -> None:
    assert unreveal(reveal(text, keep_newlines=keep_newlines)) == text


@given(TRICKY, TRICKY)
def test_two_texts_never_look_the_same(one: str, other: str) -> None:
    def looks(text: str) -> str:
        return unicodedata.normalize("NFC", reveal(text))

    assert (looks(one) == looks(other)) == (one == other)


@given(TRICKY)
@settings(max_examples=300)
def test_nothing_unseen_is_left(text: str) -> None:
    shown = reveal(text)
    assert unicodedata.is_normalized("NFC", shown)
    for char in shown:
        assert char in "\n " or unicodedata.category(char) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
    assert "   " not in shown
    assert " \n" not in shown
    assert shown == shown.strip(" ")


def test_injective_over_many_random_texts(long_run: bool) -> None:
    rng = random.Random(7)
    alphabet = "<>×UESC+0E ab\n\t\u200b\u202e\u0301éе\u00a0"
    seen: dict[str, str] = {}
    for _ in range(100_000 if long_run else 20_000):
        text = "".join(rng.choices(alphabet, k=rng.randint(0, 9)))
        assert seen.setdefault(reveal(text), text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("ls -la", "ls -la"),
        ("echo 你好，世界！ → ok", "echo 你好，世界！ → ok"),
        ("a\u202eb", "a<U+202E>b"),
        ("\x1b[31mred", "<ESC>[31mred"),
        ("a\rb", "a<CR>b"),
        ("a\x00b", "a<NUL>b"),
        ("rm\u00a0-rf", "rm<U+00A0>-rf"),
        ("a\u200bb", "a<U+200B>b"),
        ("a\U000e0041b", "a<U+E0041>b"),
        ("a\ud800b", "a<U+D800>b"),
        ("ls    x", "ls<SPACE×4>x"),
        ("ls" + " " * 4000 + "; rm", "ls<SPACE×4000>; rm"),
        ("ls  x", "ls  x"),
        ("ls ", "ls<SPACE>"),
        (" ls", "<SPACE>ls"),
        ("a \nb", "a<SPACE>\nb"),
        ("a\t\tb", "a<TAB×2>b"),
        ("e\u0301", "e<U+0301>"),
        ("\u0301x", "<U+0301>x"),
        ("x" + "\u0335" * 9, "x" + "\u0335" * 4 + "<U+0335>" * 5),
        ("สวัสดี हिन्दी Tiếng Việt", "สวัสดี हिन्दी Tiếng Việt"),
        ("<b>x</b> <ESC> <EScape> < ESC>", "<b>x</b> <LT>ESC> <EScape> < ESC>"),
        ("<LT>", "<LT>LT>"),
    ],
)
def test_what_is_shown(text: str, shown: str) -> None:
    assert reveal(text) == shown


def test_newlines_as_tokens_on_one_line() -> None:
    assert reveal("a\nb\n\n", keep_newlines=False) == "a<LF>b<LF×2>"


@given(TRICKY, st.booleans())
def test_spans_cover_the_revealed_text(text: str, keep_newlines: bool) -> None:
    shown = reveal(text, keep_newlines=keep_newlines)
    position = 0
    rebuilt: list[str] = []
    for span in spans(text, keep_newlines=keep_newlines):
        assert span.start == position < span.end
        position = span.end
        piece = shown[span.start : span.end]
        assert not span.is_token or (piece[0] == "<" and piece[-1] == ">")
        rebuilt.append(unreveal(piece) if span.is_token else piece)
    assert position == len(shown)
    assert "".join(rebuilt) == text


def codes(text: str) -> dict[str, bool]:
    return {finding.code: finding.severe for finding in deceptive_characters(text)}


@pytest.mark.parametrize(
    "text",
    [
        "ls -la",
        "echo 你好 world",
        "用API写Python脚本",
        "привет мир",
        "10kΩ",
        "naïve café",
        "a – b",
        "日本語テスト",
        "ls\n\tx",
        "",
    ],
)
def test_honest_text_gives_no_finding(text: str) -> None:
    assert codes(text) == {}


@pytest.mark.parametrize(
    ("text", "code", "severe"),
    [
        ("a\u202eb", findings.HIDDEN_CHARACTERS, True),
        ("a\u200bb", findings.HIDDEN_CHARACTERS, True),
        ("rm\u00a0x", findings.HIDDEN_CHARACTERS, True),
        ("echo a\rrm b", findings.HIDDEN_CHARACTERS, True),
        ("a\U000e0041", findings.HIDDEN_CHARACTERS, True),
        ("\ud800", findings.HIDDEN_CHARACTERS, True),
        ("ok ❤\ufe0f", findings.HIDDEN_CHARACTERS, False),
        ("curl pаypal.com", findings.LOOK_ALIKE, True),
        ("ѕсоре", findings.LOOK_ALIKE, False),
        ("ｒｍ -rf x", findings.LOOK_ALIKE, False),
        ("ls –la", findings.LOOK_ALIKE, True),
        ("cat ∕etc∕passwd", findings.LOOK_ALIKE, True),
        ("ls" + " " * 4000 + "; rm x", findings.MANY_BLANKS, True),
        ("ls" + "\n" * 60 + "rm x", findings.MANY_BLANKS, True),
    ],
)
def test_deceptive_text_is_named(text: str, code: str, severe: bool) -> None:
    assert codes(text)[code] is severe


def test_a_look_alike_names_both_readings() -> None:
    (finding,) = deceptive_characters("pаypal")
    assert finding.detail == "pаypal ≠ paypal (Latin, Cyrillic)"


def test_huge_gaps_are_no_huge_work() -> None:
    assert codes(" " * 1_000_000) == {}
    assert codes(" \n" * 500_000 + "x") == {findings.MANY_BLANKS: True}


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ('{"command":"ls -la","timeout":10}', "ls -la"),
        ('{"command":"ls\\nrm x"}', "ls<LF>rm x"),
        ('{"city":"北京"}', "北京"),
        ('{"question":"茶还是水？","choices":["茶","水"]}', "茶还是水？"),
        ('{"a":1,"b":"x y","c":[true,null]}', "a: 1, b: x y, c: [true, null]"),
        ("{}", ""),
        ("", ""),
        ("[1]", "[1]"),
        ('{"half', '{"half'),
        ('{"city":"a\\u202eb"}', "a<U+202E>b"),
        ("[" * 100_000, "[" * 79 + "…"),
    ],
)
def test_one_line_hint(arguments: str, hint: str) -> None:
    assert one_line_hint(arguments) == hint


@given(st.text(st.characters(exclude_categories=()), max_size=300), st.integers(1, 60))
def test_a_hint_is_one_short_line(text: str, limit: int) -> None:
    for arguments in (text, json.dumps({"command": text})):
        hint = one_line_hint(arguments, limit)
        assert len(hint) <= limit
        assert "\n" not in hint


@given(st.text(st.characters(exclude_categories=())))
def test_without_surrogates_can_be_encoded(text: str) -> None:
    clean = without_surrogates(text)
    clean.encode()
    assert clean == text or any("\ud800" <= c <= "\udfff" for c in text)
