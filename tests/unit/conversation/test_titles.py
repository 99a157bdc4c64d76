"""Titles made from first messages."""

import pytest

from desktop.conversation.titles import title_from_text


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("What is a monad?", "What is a monad?"),
        ("\n\n  # Heading\nmore", "Heading"),
        ("   ", "…"),
        ("今天天气怎么样？", "今天天气怎么样？"),
        ("**bold** `code`", "bold code"),
        ("run execute_command_local with _care_", "run execute_command_local with care"),
    ],
)
def test_title(text: str, title: str) -> None:
    assert title_from_text(text) == title


def test_long_texts_are_cut_at_a_word() -> None:
    title = title_from_text("Please explain to me how the parser module decides which of the blocks is open")
    assert title == "Please explain to me how the parser module…"


def test_chinese_counts_two_columns() -> None:
    assert title_from_text("人" * 60) == "人" * 24 + "…"
