"""Text and folded pastes as one plain text and back: exact for every text, and quick for hostile ones."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.state.pasted_text import (
    FOLD_CHARACTERS,
    FOLD_LINES,
    Composed,
    is_long,
    joined,
    left_over,
    line_count,
    split,
)

TEXTS = st.text(alphabet=st.sampled_from("`ab\n 中🙂pasted-text"), max_size=60)
PASTES = st.lists(TEXTS, max_size=4).map(tuple)


@given(TEXTS, PASTES)
def test_what_is_joined_is_split_into_the_same(text: str, pasted: tuple[str, ...]) -> None:
    composed = Composed(text, pasted)
    whole = joined(composed)
    assert split(whole) == composed or "pasted-text\n" in text
    assert joined(split(whole)) == whole


@given(TEXTS)
def test_any_text_survives_as_a_paste(text: str) -> None:
    assert split(joined(Composed("", (text, text)))).pasted == (text, text)


@given(st.text(max_size=200))
def test_other_text_is_left_alone(text: str) -> None:
    whole = split(text)
    assert joined(whole) == text


@pytest.mark.parametrize(
    "text",
    [
        "```pasted-text\nno end",
        "```pasted-text\n```",
        "```pasted-text\nx\n```\nmore",
        "a\n```pasted-text\nx\n```",
        "```python\nx\n```",
    ],
)
def test_what_only_looks_like_a_paste_is_text(text: str) -> None:
    assert split(text) == Composed(text)


def test_a_fence_inside_does_not_end_the_paste() -> None:
    inner = "````pasted-text\nx\n````\n``` \n`````"
    assert split(joined(Composed("look", (inner, "second\n")))) == Composed("look", (inner, "second\n"))


def test_hostile_text_is_given_up_on() -> None:
    """Each beginning is looked at to the very end of the text; only so many are."""
    false_ones = "".join("\n\n" + "`" * (3 + number % 50) + "pasted-text\nx" for number in range(40_000))
    assert split(false_ones).pasted == ()
    assert split(false_ones + "\n\n" + joined(Composed("", ("y",)))).pasted == ()


def test_only_long_pastes_are_folded() -> None:
    assert not is_long("x" * FOLD_CHARACTERS)
    assert is_long("x" * (FOLD_CHARACTERS + 1))
    assert not is_long("x\n" * (FOLD_LINES - 1))
    assert is_long("x\n" * FOLD_LINES)
    assert (line_count("a"), line_count("a\n"), line_count("a\nb"), line_count("")) == (1, 1, 2, 1)


def test_what_came_meanwhile_is_left_over() -> None:
    sent = Composed("one", ("p", "p"))
    assert left_over(Composed("one two", ("p", "p", "q")), sent) == Composed(" two", ("q",))
    assert left_over(sent, sent) == Composed("")
