"""Regular expressions that wait for their first use."""

import re

import pytest

from desktop.core.expressions import Expression


def test_nothing_is_compiled_before_it_is_used() -> None:
    broken = Expression("(")
    with pytest.raises(re.error):
        broken.search("text")


def test_it_finds_what_the_compiled_one_finds() -> None:
    word, text = Expression("W(o+)rd", re.IGNORECASE), "a word, a WOORD"
    assert [match.group(1) for match in word.finditer(text)] == ["o", "OO"]
    assert [match.start() for match in word.finditer(text, 3, 20)] == [10]
    assert word.compiled is word.compiled
    first = word.search(text)
    assert first is not None
    assert first.group() == "word"
    assert word.match(text) is None
    assert word.match(text, 2) is not None
    assert word.fullmatch("word") is not None
    assert word.fullmatch(text) is None
    assert word.sub("name", text) == "a name, a name"
