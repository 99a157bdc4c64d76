"""Markdown of models: nothing lost, nothing interpreted that must not be, pieces small enough to redraw."""

import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop.ui.markdown.highlighting import highlight
from desktop.ui.markdown.html_writer import MAX_TABLE_ROWS
from desktop.ui.markdown.long_paragraphs import PARAGRAPH_CHARACTERS
from desktop.ui.markdown.markdown_stream import MarkdownStream
from desktop.ui.markdown.segments import (
    RENDERED_CHARACTERS,
    SEGMENT_CHARACTERS,
    CodeSegment,
    GrowingBlocks,
    PlainSegment,
    RichSegment,
    TableSegment,
    normalized,
    split,
)

if TYPE_CHECKING:
    from markdown_it.token import Token

_PIECES = st.sampled_from(
    [
        "word ", "中文", "\n", "\n\n", "# ", "- ", "1. ", "> ", "```py\n", "```\n", "    ", "**", "`", "[a](", ")", "|",
        "\n|-|-|\n", "<b>", "[x]: https://e.org\n", "[x]", "![", "---\n", "===\n", "\r\n", "&amp;", "\x00", "~~", "* ",
    ]
)  # fmt: skip
_SOURCES = st.lists(_PIECES, max_size=40).map("".join)


def html_of(source: str) -> str:
    return "".join(getattr(piece.segment, "html", "") for piece in split(source))


def segments_of(source: str) -> list[object]:
    return [piece.segment for piece in split(normalized(source))]


@given(chunks=st.lists(_SOURCES, max_size=8))
@example(chunks=["a" * 3000 + "\n", "#", "foo"])
@example(chunks=["1. a\n" * 900, "2. b\n"])
@example(chunks=["word " * 2000, "more ", "words "])
def test_streamed_text_ends_as_if_it_had_come_at_once(chunks: list[str]) -> None:
    stream = MarkdownStream()
    text = ""
    for chunk in chunks:
        text += chunk
        stream.update(text, is_open=True)
    assert list(stream.update(text, is_open=False)) == segments_of(text)


@given(chunks=st.lists(_PIECES.filter(lambda piece: "]: " not in piece and "\r" not in piece), max_size=40))
def test_blocks_of_growing_text_are_those_of_the_whole(chunks: list[str]) -> None:
    """But for definitions of links, which ``finish`` makes good."""
    growing, source = GrowingBlocks(), ""
    for chunk in chunks:
        source += chunk
        assert tokens_of(growing.of(source)) == tokens_of(GrowingBlocks().of(source))


def tokens_of(blocks: "list[list[Token]]") -> list[list[tuple[object, ...]]]:
    return [[(token.type, token.map, token.level, token.content) for token in block] for block in blocks]


def test_only_the_last_block_of_growing_text_is_parsed_again() -> None:
    growing = GrowingBlocks()
    (first, _) = growing.of("One.\n\nTwo\n")
    blocks = growing.of("One.\n\nTwo\nand more\n\nThree")
    assert blocks[0] is first
    assert [block[1].content for block in blocks] == ["One.", "Two\nand more", "Three"]


@given(source=_SOURCES)
def test_the_html_has_only_our_tags_and_no_address(source: str) -> None:
    allowed = "p|b|i|s|a|ul|ol|li|table|thead|tbody|tr|th|td|code|pre|hr|br|span|h[1-6]"
    for piece in split(normalized(source)):
        html = getattr(piece.segment, "html", "")
        for tag in re.findall(r"<[^>]*>", html):
            assert re.fullmatch(rf"</?(?:{allowed})(?: (?:class|align|start|cellspacing|href)=\"[\w#]*\")*>", tag), tag
        for number in re.findall(r'href="#(\d+)"', html):
            assert int(number) < len(piece.segment.links)  # type: ignore[union-attr]


def test_closed_pieces_stay_the_same_objects_while_text_streams() -> None:
    stream = MarkdownStream()
    text = "First paragraph.\n\n" * 300 + "```py\nx = 1\n```\n"
    before = stream.update(text, is_open=True)
    after = stream.update(text + "\nAnd so on", is_open=True)
    assert len(before) >= 3
    assert all(a is b for a, b in zip(before[:-1], after, strict=False))
    end = stream.update(text + "\nAnd so on", is_open=False)
    assert all(a is b for a, b in zip(after, end, strict=True))


def test_a_late_link_definition_changes_the_earlier_paragraph() -> None:
    stream = MarkdownStream()
    text = "See [the page].\n\n```\ncode\n```\n"
    stream.update(text, is_open=True)
    (first, *_) = stream.update(text + "\n[the page]: https://example.org/\n", is_open=False)
    assert isinstance(first, RichSegment)
    assert [link.target for link in first.links] == ["https://example.org/"]


def test_raw_html_is_text() -> None:
    html = html_of("<script>alert(1)</script>\n\n<img src=https://e.org/x.png> <b>bold</b>")
    assert "&lt;script&gt;" in html
    assert "&lt;img" in html
    assert "<img" not in html


@pytest.mark.parametrize(
    "target", ["file:///etc/passwd", "smb://host/x", "javascript:alert(1)", "ms-msdt:/id", "//h/x"]
)
def test_addresses_that_are_never_opened_are_shown_but_no_links(target: str) -> None:
    (piece,) = split(f"[click]({target})")
    assert isinstance(piece.segment, RichSegment)
    assert piece.segment.links == ()
    assert target.split(":")[0] in piece.segment.html


def test_an_image_becomes_a_link_that_names_its_host() -> None:
    (piece,) = split("![a cat](https://pics.example/cat.png) ![b][r]\n\n[r]: https://two.example/b.png")
    assert isinstance(piece.segment, RichSegment)
    assert [link.target for link in piece.segment.links] == [
        "https://pics.example/cat.png",
        "https://two.example/b.png",
    ]
    assert "[a cat] (pics.example)" in piece.segment.html


def test_bare_addresses_are_links_without_the_punctuation_behind() -> None:
    (piece,) = split("看（https://例子.example/路径）and https://a.example/x_y?z=1.")
    assert isinstance(piece.segment, RichSegment)
    assert [link.target for link in piece.segment.links] == ["https://例子.example/路径", "https://a.example/x_y?z=1"]


def test_direction_overrides_and_controls_are_visible() -> None:
    assert "&lt;U+202E&gt;" in html_of("safe \u202egnp.exe")
    assert "&lt;ESC&gt;[31m" in html_of("`\x1b[31mred`")


def test_task_lists_numbers_and_alignment_are_kept() -> None:
    assert "☑" in html_of("- [x] done")
    assert '<ul class="tasks">' in html_of("- [ ] open")
    assert "<ul>" in html_of("- plain")
    assert '<ol start="7">' in html_of("7. seven")
    assert 'align="right"' in html_of("|a|\n|-:|\n|1|")


def test_ordinary_items_among_tasks_keep_their_bullet() -> None:
    mixed = html_of("- [ ] open\n- plain **b**\n  - nested\n- [x] done\n- [ ] next\n- \n")
    assert mixed == (
        '<ul class="tasks joined"><li><span class="box">☐</span> open</li></ul>'
        '<ul class="joined"><li>plain <b>b</b><ul><li>nested</li></ul></li></ul>'
        '<ul class="tasks joined"><li><span class="box">☑</span> done</li><li><span class="box">☐</span> next</li></ul>'
        "<ul><li></li></ul>"
    )
    nested = html_of("- plain\n  - [ ] task\n    1. [ ] numbered\n    2. other\n- plain")
    assert nested.startswith('<ul><li>plain<ul class="tasks"><li><span class="box">☐</span> task<ol')
    assert nested.endswith("<li>other</li></ol></li></ul></li><li>plain</li></ul>")


def test_what_nests_too_deeply_is_shown_as_it_is() -> None:
    source = "> " * 10_000 + "deep"
    (piece,) = split(source)
    assert piece.segment == PlainSegment(source)


def test_long_lists_paragraphs_and_tables_are_cut_into_small_pieces() -> None:
    items = split("\n".join(f"{n}. item number {n} of many" for n in range(1, 400)))
    assert len(items) > 3
    assert [piece.list_number for piece in items][1] == 1 + items[0].segment.html.count("<li>")  # type: ignore[union-attr]
    assert sum(piece.segment.html.count("<li>") for piece in items) == 399  # type: ignore[union-attr]
    words = split("lorem ipsum " * 2_000)
    assert all(len(piece.segment.html) <= PARAGRAPH_CHARACTERS + 100 for piece in words)  # type: ignore[union-attr]
    assert all(piece.segment.follows for piece in words[1:])  # type: ignore[union-attr]
    unbroken = split("x" * 20_000)
    assert sum(piece.segment.html.count("x") for piece in unbroken) == 20_000  # type: ignore[union-attr]
    (table,) = split("|a|\n|-|\n" + "|1|\n" * 1_000)
    assert isinstance(table.segment, TableSegment)
    assert (table.segment.rows, table.segment.hidden_rows) == (MAX_TABLE_ROWS, 1_001 - MAX_TABLE_ROWS)


def test_prose_is_joined_but_not_beyond_the_limit() -> None:
    pieces = split("A short paragraph of some words.\n\n" * 400)
    assert all(piece.segment.size <= SEGMENT_CHARACTERS + 100 for piece in pieces)  # type: ignore[union-attr]
    assert len(pieces) < 20


def test_text_beyond_the_limit_is_counted_not_rendered() -> None:
    stream = MarkdownStream()
    text = "line\n" * (RENDERED_CHARACTERS // 5 + 100)
    stream.update(text, is_open=False)
    assert 0 < stream.hidden_characters <= RENDERED_CHARACTERS
    assert stream.hidden_characters >= 500


def test_a_fence_knows_whether_it_is_closed() -> None:
    def last(source: str) -> CodeSegment:
        segment = split(source, is_final=False)[-1].segment
        assert isinstance(segment, CodeSegment)
        return segment

    assert not last("```py\nx").is_closed
    assert not last("````\n```\n").is_closed
    assert last("```py\nx\n```").is_closed
    assert last("```py\nx\n```").language == "py"


def test_highlighting_covers_the_lines_and_counts_as_qt_does() -> None:
    lines = highlight("python", '🎉 = "中文"  # note\nreturn 1')
    assert [span.kind for span in lines[0]][-1] == "comment"
    assert lines[0][-1].start == len('🎉 = "中文"  ') + 1  # the emoji takes two units
    assert lines[1][0].kind == "keyword"
    assert highlight("no-such-language", "x") == ()
