"""How actions are found by what is typed: in English and Chinese, by words, beginnings and letters in their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.ui.state.fuzzy_match import BEGINNING, IN_ORDER, INSIDE, WHOLE, WORD_BEGINNINGS, match


@pytest.mark.parametrize(
    ("typed", "name", "worth"),
    [
        ("new chat", "New chat", WHOLE),
        ("NEW", "New chat", BEGINNING),
        ("chat", "New chat", WORD_BEGINNINGS),
        ("chat new", "New chat", WORD_BEGINNINGS),
        ("ex ch", "Export the chat…", WORD_BEGINNINGS),
        ("ew", "New chat", INSIDE),
        ("ntc", "New temporary chat", IN_ORDER),
        ("删除对话", "删除对话", WHOLE),
        ("删", "删除对话", BEGINNING),
        ("对话", "删除对话", WORD_BEGINNINGS),
        ("删话", "删除对话", IN_ORDER),
        ("ｎｅｗ", "New chat", BEGINNING),
        ("resume", "Résumé", WHOLE),
    ],
)
def test_what_fits_and_how_well(typed: str, name: str, worth: int) -> None:
    found = match(typed, name)
    assert found is not None
    assert found.worth == worth


@pytest.mark.parametrize(
    ("typed", "name"), [("zz", "New chat"), ("话删", "删除对话"), ("c", "New"), ("nwct", "New chat"), ("abc", "")]
)
def test_what_does_not_fit(typed: str, name: str) -> None:
    assert match(typed, name) is None


def test_a_shorter_name_and_an_earlier_place_are_better() -> None:
    assert (match("chat", "Chat options") or 0) > (match("chat", "Next chat in the list") or 0)  # type: ignore[operator]
    near, far = match("set", "Settings"), match("set", "Settings: Tool servers")
    assert near is not None
    assert far is not None
    assert near > far


@given(st.text(max_size=40), st.text(max_size=60))
def test_any_text_may_be_typed_and_what_stands_in_a_name_is_found(typed: str, name: str) -> None:
    match(typed, name)
    for word in name.split():
        assert match(word, name) is not None or not any(each.isalnum() for each in word)
