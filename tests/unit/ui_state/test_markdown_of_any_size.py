"""However a text is made, each piece of it is small enough to be drawn in a moment, and nothing of it is lost."""

import re

import pytest

from desktop.ui.markdown.html_writer import MOST_FRAMED_QUOTES
from desktop.ui.markdown.long_paragraphs import MOST_FORMULAS, PARAGRAPH_CHARACTERS, UNBROKEN_CHARACTERS
from desktop.ui.markdown.long_tables import MOST_CELLS, MOST_COLUMNS
from desktop.ui.markdown.markdown_stream import (
    JUMP,
    MOST_OPEN,
    MarkdownStream,
    is_growing_prepared,
    prepare_growing,
)
from desktop.ui.markdown.segments import (
    MOST_UNDIVIDED,
    CodeSegment,
    PlainSegment,
    RichSegment,
    Segment,
    TableSegment,
    split,
)
from desktop.ui.state.text_blocks import MoreRowsBlock, TableBlock, text_blocks


def segments(source: str) -> list[Segment]:
    return [piece.segment for piece in split(source)]


def rich(source: str) -> list[RichSegment]:
    found = segments(source)
    assert all(isinstance(each, RichSegment) for each in found)
    return [each for each in found if isinstance(each, RichSegment)]


def words_of(pieces: list[RichSegment]) -> str:
    return "".join(re.sub(r"<[^>]*>", "", piece.html) for piece in pieces)


def test_quotes_in_quotes_are_few_tables_in_each_other() -> None:
    source = "".join(f"{'> ' * depth}line {depth}\n{'> ' * depth}\n" for depth in range(1, 10))
    (piece,) = rich(source)
    assert piece.html.count("<table") == piece.html.count("</table>") == MOST_FRAMED_QUOTES
    assert piece.html.count('<div class="quote">') == piece.html.count("</div>") == 9 - MOST_FRAMED_QUOTES
    assert all(f"line {depth}" in piece.html for depth in range(1, 10))


def test_a_long_quote_is_cut_between_its_blocks() -> None:
    pieces = rich("\n>\n".join(f"> Block {number} of a long quote, with some words." for number in range(200)))
    assert len(pieces) > 5
    assert all(piece.html.count("<table") == 1 for piece in pieces)
    assert all(piece.follows for piece in pieces[1:])
    assert re.findall(r"Block (\d+) ", words_of(pieces)) == [str(number) for number in range(200)]


@pytest.mark.parametrize("begin", ["> ", "- ", "1. ", "# "])
def test_what_cannot_be_divided_is_shown_as_it_is(begin: str) -> None:
    source = begin + "word " * (MOST_UNDIVIDED // 4)
    assert segments(source) == [PlainSegment(source)]


def test_a_paragraph_with_many_formulas_is_cut_before_one_of_them() -> None:
    source = " and ".join(f"$a_{{{number}}} + b$" for number in range(150))
    pieces = rich(source)
    assert max(len(piece.formulas) for piece in pieces) == MOST_FORMULAS
    assert [one.formula.tex for piece in pieces for one in piece.formulas] == [f"a_{{{n}}} + b" for n in range(150)]


def test_only_what_cannot_be_broken_is_cut_anywhere() -> None:
    unbroken = rich(f"Before {'0123456789' * 300} behind it.")
    assert words_of(unbroken) == f"Before {'0123456789' * 300} behind it."
    assert max(len(words_of([piece])) for piece in unbroken) < 3 * UNBROKEN_CHARACTERS
    chinese = "中文段落也会正确换行" * 300
    assert len(rich(chinese)) == 1, "Chinese breaks between its characters"
    sentences = rich("中文段落也会正确换行。" * 800)
    assert all(words_of([piece]).endswith("。") for piece in sentences)
    assert max(len(words_of([piece])) for piece in sentences) <= PARAGRAPH_CHARACTERS


def test_a_wide_table_has_fewer_rows_and_says_how_many_more() -> None:
    columns, rows = 30, 50
    source = "|" + " c |" * columns + "\n|" + "---|" * columns + "\n" + ("|" + " x |" * columns + "\n") * rows
    (table,) = segments(source)
    assert isinstance(table, TableSegment)
    assert table.html.count("<td") <= MOST_CELLS
    assert table.html.count("<tr>") - 1 + table.hidden_rows == rows
    assert table.source == source.strip()


def test_what_has_hundreds_of_columns_is_no_table() -> None:
    wide = MOST_COLUMNS + 5
    source = "|" + " c |" * wide + "\n|" + "---|" * wide + "\n|" + " x |" * wide
    assert not any(isinstance(each, TableSegment) for each in segments(source))
    assert words_of(rich(source)).count("x") == wide


def test_rows_that_come_to_a_long_table_change_only_the_line_below_it() -> None:
    stream, head = MarkdownStream(), "| a |\n|---|\n"
    before = [b for s in stream.update(head + "| 1 |\n" * 300, is_open=True) for b in text_blocks(s, is_quiet=False)]
    after = [b for s in stream.update(head + "| 1 |\n" * 350, is_open=True) for b in text_blocks(s, is_quiet=False)]
    assert isinstance(before[0], TableBlock)
    assert isinstance(before[1], MoreRowsBlock)
    assert before[0] == after[0]
    assert before[1] != after[1]


def _growing_text() -> str:
    return "".join(
        f"Paragraph {number} with **words**[^1], and more of them.\n\n{number}. one\n{number + 1}. two\n\n"
        for number in range(300)
    )


def test_a_text_that_was_parsed_beside_the_window_goes_on_as_if_it_had_grown_here() -> None:
    text = _growing_text()
    assert not is_growing_prepared(text)
    prepare_growing(text)
    assert is_growing_prepared(text)
    assert is_growing_prepared(text + "a few more words")
    assert not is_growing_prepared(text + "word " * JUMP)
    stream, slowly = MarkdownStream(), MarkdownStream()
    for end in range(0, len(text), JUMP // 2):
        slowly.update(text[:end], is_open=True)
    assert stream.update(text, is_open=True) == slowly.update(text, is_open=True)
    longer = text + "And one more paragraph.\n\n> With a quote.\n\nEnd"
    assert stream.update(longer, is_open=True) == slowly.update(longer, is_open=True)
    assert stream.update(longer, is_open=False) == slowly.update(longer, is_open=False)


def test_two_that_show_the_same_growing_text_do_not_disturb_each_other() -> None:
    text = _growing_text() + "The same.\n\n"
    prepare_growing(text)
    one, other = MarkdownStream(), MarkdownStream()
    one.update(text, is_open=True)
    ended = one.update(text + "Here it ends otherwise.\n\nYes.", is_open=True)
    other.update(text, is_open=True)
    assert other.update(text + "Here it ends otherwise.\n\nYes.", is_open=True) == ended


def test_a_block_that_grows_without_end_is_shown_as_it_comes_and_rendered_at_its_end() -> None:
    stream, text = MarkdownStream(), "Before.\n\n> "
    shown = stream.update(text, is_open=True)
    while len(text) < MOST_OPEN + 2_000:
        text += "quoted words " * 40
        shown = stream.update(text, is_open=True)
    last = shown[-1]
    assert isinstance(last, CodeSegment)
    assert not last.is_closed
    assert text.endswith(last.text)
    assert stream.update(text, is_open=False) == tuple(segments(text))
