"""Names and endings for what came from outside, and long texts cut in the middle."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.cut_text import cut, cut_to_bytes
from desktop.core.safe_files import LONGEST_NAME, OPENABLE, READABLE, safe_file_name, safe_suffix


@pytest.mark.parametrize(
    ("wanted", "name"),
    [
        ("../../.bashrc", "file.txt"),
        ("a/b", "b.txt"),
        ("C:\\Windows\\evil.exe", "evil.txt"),
        ("report.pdf", "report.txt"),
        ("report.txt. ", "report.txt"),
        ("CON", "file.txt"),
        ("com1.tar", "file.txt"),
        ("nul\0.png", "file.txt"),
        ("photo\u202egpj.exe", "photo gpj.txt"),
        ("x" * 300, "x" * (LONGEST_NAME - 4) + ".txt"),
        ("报告 🎉.lnk", "报告 🎉.txt"),
        ("-rf", "rf.txt"),
        ("", "file.txt"),
        ('a?b*c|d<e>f"g:h', "a b c d e f g h.txt"),
    ],
    ids=[f"name{number}" for number in range(14)],
)
def test_names_are_made_harmless(wanted: str, name: str) -> None:
    assert safe_file_name(wanted, ".txt") == name


@given(st.text(max_size=400), st.sampled_from(sorted(OPENABLE | READABLE | {".bin", ".zip"})))
def test_no_name_leads_anywhere_or_ends_otherwise(wanted: str, suffix: str) -> None:
    name = safe_file_name(wanted, suffix)
    assert name.endswith(suffix)
    assert len(name) <= LONGEST_NAME
    assert name.removesuffix(suffix).strip(" .") == name.removesuffix(suffix) != ""
    assert not re.search(r'[/\\<>:"|?*\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069\u200b-\u200f]', name)
    name.encode("utf-8")


@pytest.mark.parametrize(
    ("data", "claimed", "suffix"),
    [
        (b"\x89PNG\r\n\x1a\n", "text/plain", ".png"),
        (b"<svg onload=x>", "image/svg+xml", ".txt"),
        (b"<html>", "text/html", ".txt"),
        (b"#!/bin/sh\n", "application/pdf", ".txt"),
        (b"MZ\x90\0", "image/png", ".bin"),
        (b"\x7fELF\0", "audio/wav", ".bin"),
        (b"a,b\n", "text/csv", ".csv"),
        (b"RIFF\0\0\0\0WAVE", "", ".wav"),
        (b"RIFF\0\0\0\0AVI ", "audio/wav", ".bin"),
        (b"PK\x03\x04", "application/java-archive", ".zip"),
        ("ü".encode() * 60_000, "", ".txt"),
        (b"x" + "ü".encode() * 60_000, "", ".txt"),
    ],
    ids=[f"bytes{number}" for number in range(12)],
)
def test_an_ending_goes_by_the_bytes(data: bytes, claimed: str, suffix: str) -> None:
    assert safe_suffix(data, claimed) == suffix


def test_a_cut_says_how_much_is_missing() -> None:
    text = "".join(chr(ord("a") + number % 26) for number in range(3_000))
    short = cut(text, 300)
    assert short.startswith(text[:200])
    assert short.endswith(text[-100:])
    assert "2700 characters left out" in short
    assert cut(text, 3_000) is text
    # Cut a second time it counts from the beginning.
    assert "2940 characters left out" in cut(cut(text, 300), 60, whole_length=3_000)


@given(st.text(min_size=1, max_size=2_000), st.integers(min_value=50, max_value=2_000))
def test_a_cut_to_bytes_keeps_to_them(text: str, limit: int) -> None:
    short = cut_to_bytes(text, limit)
    if len(text.encode("utf-8", "replace")) <= limit:
        assert short is text
    else:
        found = re.search(r"\n\[\.\.\. (\d+) characters left out", short)
        assert found is not None
        assert 0 < int(found[1]) < len(text)
