"""What is a formula in Markdown and what is not, and that no text is lost to either."""

import html
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from desktop.ui.markdown.html_writer import WrittenFormula
from desktop.ui.markdown.markdown_stream import MarkdownStream
from desktop.ui.markdown.segments import CodeSegment, RichSegment, TableSegment, normalized, split

_PIECES = st.sampled_from(
    [
        "word ", "中文", "\n", "\n\n", "$", "$$", "\\(", "\\)", "\\[", "\\]", "\\$", "x^2", "5", " and ", "`", "```\n",
        "```math\n", "\\begin{align}\n", "\\end{align}\n", "- ", "> ", "|", "\n|-|-|\n", "[^1]", "[^1]: note ", "[^b]",
        "\n[^b]: more\n", "    ", "**", "\\frac{1}{2}", "{", "}", "\\", "![a](https://e.org/a.png)",
    ]
)  # fmt: skip
_SOURCES = st.lists(_PIECES, max_size=40).map("".join)


def written(source: str) -> list[WrittenFormula]:
    segments = [piece.segment for piece in split(source)]
    return [one for each in segments if isinstance(each, RichSegment | TableSegment) for one in each.formulas]


def formulas(source: str) -> list[tuple[str, bool]]:
    return [(one.formula.tex, one.formula.is_display) for one in written(source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("a $x^2$ b", [("x^2", False)]),
        ("$x$", [("x", False)]),
        ("$a$ $b$", [("a", False), ("b", False)]),
        ("速度$v$等于\\(s/t\\)。", [("v", False), ("s/t", False)]),
        ("the $n$th of $k$s", [("n", False), ("k", False)]),
        ("US$5 and $x$", [("x", False)]),
        ("$`a_b`$", [("a_b", False)]),
        ("**$x$** and *$y$*", [("x", False), ("y", False)]),
        ("$a\\$b$", [("a\\$b", False)]),
        ("one $$x$$ two", [("x", True)]),
        ("$$\nx\n+y\n$$", [("x\n+y", True)]),
        ("text\n$$x$$\nmore", [("x", True)]),
        ("\\[\na\n\\]", [("a", True)]),
        ("- item\n  \\[ a \\]\n- b", [("a", True)]),
        ("> $$x$$", [("x", True)]),
        ("1. $$\n   a\n   $$", [("a", True)]),
        ("\\begin{align}\na&=b\n\\end{align}", [("\\begin{align}\na&=b\n\\end{align}", True)]),
        ("```math\na\n```", [("a", True)]),
        ("| a |\n|---|\n| $x$ |", [("x", False)]),
        ("[$x$](https://example.org)", [("x", False)]),
        ("# A $x$", [("x", False)]),
    ],
)
def test_formulas(source: str, expected: list[tuple[str, bool]]) -> None:
    assert formulas(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "It costs $5 and $10.",
        "between $5-$10",
        "US$5 or US$10",
        "5$ and 10$",
        "$10, or 10$ in all",
        "**$5** and **$10**",
        "从$5到$10",
        "$HOME/$USER/$SHELL",
        "echo $A$B",
        "a $ x $ b",
        "\\$5 and \\$6",
        "`$x$` and ``$y$``",
        "```\n$x$\n```",
        "    $x$",
        "$x\ny$",
        "$$",
        "$$$$",
        "\\(\\)",
        "\\[link\\](https://example.org)",
        "$x",
        "$$\nx\n\ny",
        "a $5\n\nb 6$",
    ],
)
def test_what_is_no_formula_stays_as_it_is(source: str) -> None:
    assert formulas(source) == []
    shown = "".join(_text(piece.segment) for piece in split(source))
    assert shown.count("$") == source.replace("\\$", "$").count("$")


def test_the_source_of_a_formula_is_kept_as_it_was_typed() -> None:
    source = "a $x^2$ b \\(y\\) c\n\n$$\nz\n$$"
    assert [one.source for one in written(source)] == ["$x^2$", "\\(y\\)", "$$\nz\n$$"]


def test_a_formula_that_still_grows_is_shown_as_it_was_typed_and_drawn_when_it_ends() -> None:
    stream, text, seen = MarkdownStream(), "", list[list[str]]()
    for character in "So:\n\n$$\na_1 * b * c\n$$\n\nand $x$.":
        text += character
        segments = stream.update(text, is_open=True)
        seen.append([one.formula.tex for each in segments if isinstance(each, RichSegment) for one in each.formulas])
        html_now = "".join(getattr(each, "html", "") for each in segments)
        assert "<i>" not in html_now, "half a formula was taken for emphasis"
    assert [] in seen
    assert seen[-1] == ["a_1 * b * c", "x"]


@given(chunks=st.lists(_SOURCES, max_size=6))
@example(chunks=["$$\nx\n", "$$\n", "y"])
@example(chunks=["a[^1]\n\n[^1]: b\n\n", "c[^2]\n\n[^2]: d"])
def test_streamed_text_ends_as_if_it_had_come_at_once(chunks: list[str]) -> None:
    stream, text = MarkdownStream(), ""
    for chunk in chunks:
        text += chunk
        stream.update(text, is_open=True)
    assert list(stream.update(text, is_open=False)) == [piece.segment for piece in split(normalized(text))]


@given(source=_SOURCES)
@example(source="[^1]: a\n[^1]: b")
@example(source="[^1]: [^1]")
def test_no_word_is_lost(source: str) -> None:
    """Words stand in the text, in formulas or in code, however marks stand around them."""
    shown = "".join(_text(piece.segment) for piece in split(normalized(source)))
    for word in ("word", "中文", "note", "more", "and"):
        assert shown.count(word) >= source.count(word), word


@given(source=st.text(alphabet="$\\()[]{}^1: \na`", max_size=200))
def test_nothing_raises(source: str) -> None:
    split(normalized(source))
    MarkdownStream().update(source, is_open=True)


def test_notes_are_numbered_as_the_text_refers_to_them_and_stand_at_the_end() -> None:
    source = "[^z]: last\n\nFirst[^b] then[^z], again[^b].\n\n[^b]: one *note*\n    of two lines\n\nThe end.[^gone]"
    segments = [piece.segment for piece in split(source)]
    whole = "".join(getattr(each, "html", "") for each in segments)
    assert re.findall(r'<a name="ref-\d" href="#\d">(\d)</a>', whole) == ["1", "2", "1"]
    assert whole.index("The end.") < whole.index("one <i>note</i>") < whole.index("last")
    assert "[^gone]" in whole
    links = [link.target for each in segments for link in getattr(each, "links", ())]
    assert {"#note-1", "#note-2", "#ref-1", "#ref-2"} <= set(links)
    assert [name for each in segments for name in getattr(each, "anchors", ())][-2:] == ["note-1", "note-2"]


def test_numbered_notes_are_references_before_they_have_come() -> None:
    stream = MarkdownStream()
    growing = stream.update("It is so[^1], or [^not] so.\n\nMore", is_open=True)
    text = "".join(getattr(each, "html", "") for each in growing)
    assert ">1</a></sup>" in text
    assert "[^not]" in text
    finished = stream.update("It is so[^1], or [^not] so.\n\nMore", is_open=False)
    assert "[^1]" in "".join(getattr(each, "html", "") for each in finished)


def test_many_marks_without_an_end_take_no_long_time() -> None:
    """Each was looked for through all that follows; it is a test of the work, by the size at which that would hang."""
    for mark in ("$$ a ", "\\[ a ", "\\( a ", "$a ", "[^"):
        split(mark * 30_000)


def _text(segment: object) -> str:
    if isinstance(segment, RichSegment | TableSegment):
        places = re.sub(
            r'<img src="formula:(\d+)">', lambda m: html.escape(segment.formulas[int(m[1])].source), segment.html
        )
        return html.unescape(re.sub(r"<[^>]*>", "", places))
    return segment.text if isinstance(segment, CodeSegment) else getattr(segment, "text", "")
