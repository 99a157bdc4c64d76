"""Markdown tokens to the HTML subset that ``QTextDocument`` draws well.

Every tag is written here; content is only ever escaped text. Links carry a number, never an address: the addresses
stand beside the HTML in ``links``, so that the document itself has nothing that it could fetch or open. Formulas are
numbers in the same way, in ``formulas``; the place of one is ``<img src="formula:0">``.
"""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from desktop.conversation.formulas import Formula
from desktop.core.formula_limits import MOST_CHARACTERS
from desktop.ui.markdown.footnote_rules import CLOSE, OPEN, REFERENCE, Footnotes
from desktop.ui.markdown.long_tables import UNREAD_ROWS
from desktop.ui.markdown.parser import MAX_TABLE_ROWS
from desktop.ui.state.link_target import judge
from desktop.ui.state.readable import readable

if TYPE_CHECKING:
    from markdown_it.token import Token

_BARE_ADDRESS = re.compile(r"https?://[^\s<>\"'`（）()，。；：、！？“”‘’《》【】]+")
_TRAILING = ".,;:!?*_~'\""
_LONGEST_NAME = 60
MOST_FRAMED_QUOTES = 3
"""So deep in each other quotes have a line beside them, as tables; laying those out takes twice as long with each, so
that deeper ones are indented only."""

# Tags that are written as they are, by token type.
_PLAIN_TAGS = {
    "heading_close": "</p>",
    "bullet_list_close": "</ul>",
    "ordered_list_close": "</ol>",
    "list_item_close": "</li>",
    "strong_open": "<b>",
    "strong_close": "</b>",
    "em_open": "<i>",
    "em_close": "</i>",
    "s_open": "<s>",
    "s_close": "</s>",
    "table_open": '<table class="grid" cellspacing="0">',
    "table_close": "</table>",
    "thead_open": "<thead>",
    "thead_close": "</thead>",
    "tbody_open": "<tbody>",
    "tbody_close": "</tbody>",
    "tr_open": "<tr>",
    "tr_close": "</tr>",
    "th_close": "</th>",
    "td_close": "</td>",
    "hr": "<hr>",
    "hardbreak": "<br>",
}


@dataclass(frozen=True)
class Link:
    """One link of a piece of text: its address as written, and the words that are shown for it."""

    target: str
    """Beginning with ``#``: the name of an anchor in the same text."""
    label: str
    is_picture: bool = False
    """What it leads to was to be shown in its place."""


@dataclass(frozen=True)
class WrittenFormula:
    """A formula, and how it was typed."""

    formula: Formula
    source: str


@dataclass
class _OpenList:
    """A list that is being written; its items so far have been tasks, or others, or there are none."""

    is_numbered: bool = False
    has_tasks: bool | None = None
    place: int = 0
    """Where its opening tag stands."""


class HtmlWriter:
    """Writes one piece of text. ``links`` holds the addresses of its ``href="#0"``, ``href="#1"``, and so on."""

    def __init__(self, *, most_rows: int | None = MAX_TABLE_ROWS, footnotes: Footnotes | None = None) -> None:
        """A table has ``most_rows`` rows at most; with None all that it has. ``footnotes`` are those of the whole text."""
        self._most_rows = most_rows
        self._footnotes = footnotes or Footnotes(())
        self._notes: list[int] = []
        """The numbers of the notes that are being written."""
        self._out: list[str] = []
        self.links: list[Link] = []
        self.formulas: list[WrittenFormula] = []
        self.anchors: list[str] = []
        """The names of places in the text that links may lead to."""
        self._lists: list[_OpenList] = []
        self._quotes = 0
        """How many are being written in each other."""
        self.hidden_rows = 0
        """Rows of tables that were left out."""

    @property
    def html(self) -> str:
        return "".join(self._out)

    def write(self, tokens: "Sequence[Token]") -> None:
        """Write block tokens."""
        rows = 0
        skipping = False
        for token in tokens:
            if token.type == "table_open":
                rows = 0
                self.hidden_rows += token.meta.get(UNREAD_ROWS, 0)
            elif token.type == "tr_open":
                rows += 1
                skipping = self._most_rows is not None and rows > self._most_rows
                self.hidden_rows += skipping
            if not skipping:
                self._write_block(token)
            elif token.type == "tr_close":
                skipping = False

    def _write_block(self, token: "Token") -> None:
        if token.type in ("bullet_list_open", "ordered_list_open"):
            self._open_list(token)
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            self._lists.pop()
            self._out.append(_PLAIN_TAGS[token.type])
        elif token.type == "list_item_open":
            self._open_item(token)
        elif (tag := _PLAIN_TAGS.get(token.type)) is not None:
            self._out.append(tag)
        elif token.type == "inline":
            self.write_inline(token.children or ())
        elif token.type in ("fence", "code_block"):
            self._out.append(f"<pre>{html.escape(readable(token.content.rstrip(chr(10))))}</pre>")
        elif token.type in ("paragraph_open", "paragraph_close"):
            if not token.hidden:
                self._out.append("<p>" if token.type == "paragraph_open" else "</p>")
        elif token.type == "heading_open":
            # Qt gives its own headings a fixed size, whatever the style says.
            self._out.append(f'<p class="{token.tag}">')
        elif token.type in ("th_open", "td_open"):
            self._out.append(f'<{token.tag} align="{_alignment(token)}">')
        else:
            self._write_further_block(token)

    def _write_further_block(self, token: "Token") -> None:
        if token.type == "formula_block":
            self._formula_block(token)
        elif token.type == OPEN:
            self._open_note(token.meta["label"])
        elif token.type == CLOSE:
            self._close_note()
        elif token.type == "blockquote_open":
            self._quotes += 1
            framed = '<table class="quote" cellspacing="0"><tr><td class="quote">'
            self._out.append(framed if self._quotes <= MOST_FRAMED_QUOTES else '<div class="quote">')
        elif token.type == "blockquote_close":
            self._out.append("</td></tr></table>" if self._quotes <= MOST_FRAMED_QUOTES else "</div>")
            self._quotes -= 1
        elif token.content:
            # A token that this writer does not know is shown rather than lost.
            self._text(token.content)

    def _open_list(self, token: "Token") -> None:
        if token.type == "ordered_list_open":
            self._lists.append(_OpenList(is_numbered=True))
            start = token.attrGet("start")
            self._out.append(f'<ol start="{int(start)}">' if start is not None else "<ol>")
        else:
            self._lists.append(_OpenList())

    def _open_item(self, token: "Token") -> None:
        """Begin an item. Qt gives all items of a list a bullet or none, so tasks among others are lists of their own."""
        inner, is_task = self._lists[-1], "task-list-item" in str(token.attrGet("class") or "")
        if not inner.is_numbered and is_task is not inner.has_tasks:
            if inner.has_tasks is not None:
                self._out[inner.place] = '<ul class="tasks joined">' if inner.has_tasks else '<ul class="joined">'
                self._out.append("</ul>")
            inner.has_tasks, inner.place = is_task, len(self._out)
            self._out.append('<ul class="tasks">' if is_task else "<ul>")
        self._out.append("<li>")

    def _formula_block(self, token: "Token") -> None:
        """One whose end has not come, or that is too long to be drawn, stands there as it was typed."""
        if token.info == "open" or len(token.content) > MOST_CHARACTERS:
            self._out.append(f"<pre>{html.escape(readable(token.markup))}</pre>")
        else:
            self.write_formula(Formula(token.content, is_display=True), token.markup)

    def write_formula(self, formula: Formula, source: str) -> None:
        """Write a formula as a paragraph of its own."""
        self._out.append('<p class="formula">')
        self._formula(formula, source)
        self._out.append("</p>")

    def _formula(self, formula: Formula, source: str) -> None:
        self._out.append(f'<img src="formula:{len(self.formulas)}">')
        self.formulas.append(WrittenFormula(formula, source))

    def _open_note(self, label: str) -> None:
        number = self._footnotes.number_of_note(label)
        self._notes.append(number)
        self._out.append(f'<ol class="notes" start="{number}"><li>')

    def _close_note(self) -> None:
        """End a note with the way back, in its last line where that is text."""
        number = self._notes.pop()
        ending = self._out.pop() if self._out[-1] == "</p>" else ""
        self._out.append(" ")
        self._jump(f"note-{number}", f"ref-{number}", "↩")
        self._out.append(f"{ending}</li></ol>")

    def _reference(self, token: "Token") -> None:
        number = self._footnotes.number_of(token.info)
        if number is None:
            self._text(token.content)
            return
        self._out.append("<sup>")
        self._jump(f"ref-{number}", f"note-{number}", str(number))
        self._out.append("</sup>")

    def _jump(self, name: str, target: str, label: str) -> None:
        """A link to another place of the text, which is a place itself."""
        self._out.append(f'<a name="{name}" href="#{len(self.links)}">{label}</a>')
        self.links.append(Link(f"#{target}", label))
        self.anchors.append(name)

    def write_inline(self, tokens: "Sequence[Token]") -> None:
        """Write the children of an inline token."""
        position = 0
        while position < len(tokens):
            token = tokens[position]
            if token.type == "link_open":
                end = _matching_close(tokens, position)
                self._link(str(token.attrGet("href") or ""), tokens[position + 1 : end])
                position = end + 1
                continue
            self._write_span(token)
            position += 1

    def _write_span(self, token: "Token") -> None:
        if (tag := _PLAIN_TAGS.get(token.type)) is not None:
            self._out.append(tag)
        elif token.type == "text":
            self._text(token.content)
        elif token.type == "softbreak":
            self._out.append("\n")
        elif token.type == "code_inline":
            code = html.escape(readable(token.content)).replace("  ", "&#160; ")
            self._out.append(f"<code>{code}</code>")
        elif token.type == "formula":
            self._formula(Formula(token.content, is_display=token.info == "display"), token.markup)
        elif token.type == REFERENCE:
            self._reference(token)
        elif token.type == "image":
            self._image(token)
        elif token.type == "html_inline" and "task-list-item-checkbox" in token.content:
            # Raw HTML never becomes such a token (html is off); this one is made by the task list plugin.
            # The font of prose would take an emoji for the tick, in another size than the empty box.
            box = "☑" if "checked" in token.content else "☐"
            self._out.append(f'<span class="box">{box}</span>')
        elif token.content:
            self._text(token.content)

    def write_paragraph(self, tokens: "Sequence[Token]") -> None:
        """Write one paragraph of inline tokens."""
        self._out.append("<p>")
        self.write_inline(tokens)
        self._out.append("</p>")

    def write_text(self, text: str) -> None:
        """Write plain text; line breaks and blanks are kept by the style of its ``<p class="plain">``."""
        self._out.append('<p class="plain">')
        self._text(text)
        self._out.append("</p>")

    def _text(self, text: str) -> None:
        """Escaped text in which bare web addresses are links."""
        position = 0
        for match in _BARE_ADDRESS.finditer(text):
            address = match.group().rstrip(_TRAILING)
            if judge(address) is None:
                continue
            self._out.append(html.escape(readable(text[position : match.start()])))
            self._anchor(address, readable(address))
            position = match.start() + len(address)
        self._out.append(html.escape(readable(text[position:])))

    def _link(self, target: str, children: "Sequence[Token]") -> None:
        label = "".join(child.content for child in children)
        if judge(target) is None:
            # Never opened, so it is no link; its address is shown, so that nothing is hidden.
            self.write_inline(children)
            if target and target != label:
                self._out.append(f' <span class="target">({html.escape(readable(target))})</span>')
            return
        self._out.append(f'<a href="#{len(self.links)}">')
        self.links.append(Link(target, label))
        for child in children:
            self._write_child_of_link(child)
        self._out.append("</a>")

    def _write_child_of_link(self, token: "Token") -> None:
        if token.type == "text":
            self._out.append(html.escape(readable(token.content)))
        elif token.type == "image":
            self._out.append(html.escape(_image_label(token)))
        else:
            self._write_span(token)

    def _image(self, token: "Token") -> None:
        """An image is never loaded: it becomes a link that says what it would show and from where."""
        source = str(token.attrGet("src") or "")
        label = _image_label(token)
        if judge(source) is None:
            self._out.append(html.escape(label))
        else:
            host = readable(urlsplit(source).hostname or "")
            self._anchor(source, f"{label} ({host})", is_picture=True)

    def _anchor(self, target: str, label: str, *, is_picture: bool = False) -> None:
        self._out.append(f'<a href="#{len(self.links)}">{html.escape(label)}</a>')
        self.links.append(Link(target, label, is_picture))


def _image_label(token: "Token") -> str:
    """What a picture would show, else the name of its file, in brackets."""
    name = urlsplit(str(token.attrGet("src") or "")).path.rpartition("/")[2] if not token.content.strip() else ""
    return f"[{readable(token.content.strip() or name[:_LONGEST_NAME]) or '…'}]"


def _alignment(token: "Token") -> str:
    style = str(token.attrGet("style") or "")
    return next((side for side in ("right", "center") if side in style), "left")


def _matching_close(tokens: "Sequence[Token]", position: int) -> int:
    """The place of the ``link_close``; links do not nest."""
    for index in range(position + 1, len(tokens)):
        if tokens[index].type == "link_close":
            return index
    return len(tokens)
