"""Markdown of what is selected: whole blocks as they were written, parts of them with their marks put back."""

import re
from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlock, QTextCharFormat, QTextDocument, QTextListFormat

from desktop.ui.markdown.html_writer import Link, WrittenFormula
from desktop.ui.markdown.segments import CodeSegment
from desktop.ui.state import row_blocks
from desktop.ui.state.row_blocks import Block
from desktop.ui.transcript.blocks.formula_places import FORMULA

_NUMBERED = frozenset(
    (
        *(QTextListFormat.Style.ListDecimal, QTextListFormat.Style.ListLowerAlpha),
        *(QTextListFormat.Style.ListUpperAlpha, QTextListFormat.Style.ListLowerRoman),
    )
)
_SPECIAL = re.compile(r"([\\`*_\[\]<>$])")
_SEMIBOLD = 600


def block_markdown(block: Block) -> str:
    """Return the source of a block; nothing for what is no text of the message."""
    match block:
        case row_blocks.RichBlock() | row_blocks.TableBlock():
            return block.segment.source
        case row_blocks.CodeBlock():
            language = block.segment.language if isinstance(block.segment, CodeSegment) else None
            return block.segment.text if language is None else fenced(block.segment.text, language)
        case row_blocks.BubbleBlock():
            return block.text
        case _:
            return ""


def fenced(text: str, language: str) -> str:
    """Return code between marks that it does not hold itself."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    marks = "`" * (longest + 1)
    return f"{marks}{language}\n{text}\n{marks}"


def part_markdown(
    document: QTextDocument, links: Sequence[Link], formulas: Sequence[WrittenFormula], start: int, end: int
) -> str:
    """Return what stands between two positions of a document, with the marks of emphasis, code, links and lists."""
    lines: list[str] = []
    block = document.findBlock(start)
    while block.isValid() and block.position() <= end:
        text = "".join(_spans(block, links, formulas, start, end))
        if text.strip():
            is_item = block.textList() is not None
            if lines and not (is_item and lines[-1].lstrip().startswith(("- ", "1. "))):
                lines.append("")
            lines.append(_mark_of_item(block) + text if is_item and start <= block.position() else text)
        block = block.next()
    return "\n".join(lines)


def _spans(
    block: QTextBlock, links: Sequence[Link], formulas: Sequence[WrittenFormula], start: int, end: int
) -> Iterator[str]:
    iterator = block.begin()
    while not iterator.atEnd():
        fragment = iterator.fragment()
        iterator += 1
        low, high = max(start, fragment.position()), min(end, fragment.position() + fragment.length())
        if low >= high:
            continue
        format_ = fragment.charFormat()
        if format_.isImageFormat():
            name = format_.toImageFormat().name()
            if name.startswith(FORMULA):
                yield formulas[int(name.removeprefix(FORMULA))].source
            continue
        units = fragment.text().encode("utf-16-le", "surrogatepass")
        first = fragment.position()
        text = units[2 * (low - first) : 2 * (high - first)].decode("utf-16-le", "replace")
        yield _marked(text.replace("\u2028", "\n").replace("\xa0", " "), format_, links)


def _marked(text: str, format_: QTextCharFormat, links: Sequence[Link]) -> str:
    if not text.strip():
        return text
    inside = text.strip()
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    if format_.fontFixedPitch() or format_.background().style() is not Qt.BrushStyle.NoBrush:
        inside = f"`` {inside} ``" if "`" in inside else f"`{inside}`"
    elif format_.isAnchor() and (link := _link(format_.anchorHref(), links)) is not None:
        if link.target.startswith("#"):
            return "" if link.target.startswith("#ref-") else f"[^{inside}]"
        inside = inside if inside == link.target else f"[{_escaped(inside)}]({link.target})"
    else:
        inside = _escaped(inside)
        if format_.fontItalic():
            inside = f"*{inside}*"
        if format_.fontWeight() >= _SEMIBOLD:
            inside = f"**{inside}**"
        if format_.fontStrikeOut():
            inside = f"~~{inside}~~"
    return f"{before}{inside}{after}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _link(anchor: str, links: Sequence[Link]) -> Link | None:
    number = anchor.removeprefix("#")
    return links[int(number)] if number.isdecimal() and int(number) < len(links) else None


def _mark_of_item(block: QTextBlock) -> str:
    items = block.textList()
    format_ = items.format()
    indent = "  " * max(0, format_.indent() - 1)
    return f"{indent}{items.itemNumber(block) + 1}. " if format_.style() in _NUMBERED else f"{indent}- "
