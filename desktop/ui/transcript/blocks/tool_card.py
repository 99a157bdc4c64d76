"""A tool call: one line with its state; opened, its arguments and its result."""

import json
from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from desktop.core.error_texts import QT_TRANSLATE_NOOP
from desktop.tools.visible_text import one_line_hint
from desktop.ui.bundled_words import bundled_title
from desktop.ui.result_words import result_words
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, ToolBlock
from desktop.ui.state.transcript_state import OPEN_STATES, ToolState
from desktop.ui.transcript.blocks.code_view import CodeView
from desktop.ui.transcript.blocks.copy_button import CopyButton
from desktop.ui.transcript.blocks.durations import duration_text
from desktop.ui.transcript.blocks.fold_header import FoldHeader, FoldHeaderText
from desktop.ui.transcript.context import BlockContext, TextWidget

MOST_LINES = 14
SHOWN_CHARACTERS = 100_000
LABEL, MARGIN, FRAME = 26, 12, 10


class _Look(NamedTuple):
    icon: str
    colour: str
    words: str


_LOOKS: Mapping[ToolState, _Look] = {
    ToolState.PROPOSED: _Look("wrench", "muted", QT_TRANSLATE_NOOP("ToolCard", "Preparing…")),
    ToolState.WAITING_APPROVAL: _Look(
        "shield-alert", "warning", QT_TRANSLATE_NOOP("ToolCard", "Waiting for your approval")
    ),
    ToolState.RUNNING: _Look("loader-circle", "accent", QT_TRANSLATE_NOOP("ToolCard", "Running…")),
    ToolState.WAITING_ANSWER: _Look(
        "message-circle-question-mark", "warning", QT_TRANSLATE_NOOP("ToolCard", "Waiting for your answer")
    ),
    ToolState.OK: _Look("circle-check", "ok", QT_TRANSLATE_NOOP("ToolCard", "Done")),
    ToolState.ERROR: _Look("circle-x", "error", QT_TRANSLATE_NOOP("ToolCard", "Failed")),
    ToolState.DENIED: _Look("ban", "muted", QT_TRANSLATE_NOOP("ToolCard", "Refused")),
    ToolState.TIMEOUT: _Look("timer-off", "warning", QT_TRANSLATE_NOOP("ToolCard", "Timed out")),
    ToolState.INTERRUPTED: _Look("circle-stop", "muted", QT_TRANSLATE_NOOP("ToolCard", "Interrupted")),
    ToolState.UNKNOWN: _Look(
        "circle-question-mark", "warning", QT_TRANSLATE_NOOP("ToolCard", "Outcome unknown, not repeated")
    ),
}
_STRONG = frozenset({"warning", "error"})


class ToolCard(QFrame):
    """Everything in it that comes from the model or a server is shown as plain text with hidden characters visible."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._message_id = message_id
        self._key = ""
        self._sections: list[_Section] = []
        self._block: ToolBlock | None = None
        self.setObjectName("tool-card")
        self._header = FoldHeader(context, self)
        self._header.setObjectName("tool-card-header")
        self._header.clicked.connect(lambda: context.actions.fold_toggled.emit(message_id, self._key))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, ToolBlock)
        self._block, self._key = block, block.key
        item = block.item
        if self.property("state") != item.state.value:
            self.setProperty("state", item.state.value)
            self.style().unpolish(self)
            self.style().polish(self)
        self._header.set_header(self._header_text(block), is_unfolded=block.is_unfolded)
        self._fill(block if block.is_unfolded else None)

    def height_for(self, width: int) -> int:
        inner = width - 2 * MARGIN
        body = sum(section.height_for(inner) for section in self._sections)
        return self._header.height_for(width) + 2 + (body + MARGIN if self._sections else 0)

    def text_widget(self) -> TextWidget | None:
        return None

    def focus_widgets(self) -> list[QWidget]:
        return [self._header, *(section.copy for section in self._sections)]

    def restyle(self) -> None:
        self._header.update()
        for section in self._sections:
            section.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _header_text(self, block: ToolBlock) -> FoldHeaderText:
        item, look = block.item, _LOOKS[block.item.state]
        state = QCoreApplication.translate("ToolCard", look.words)
        if item.state not in OPEN_STATES and item.duration_seconds >= 0.05:
            state = f"{state} · {duration_text(item.duration_seconds)}"
        name = readable(block.tool) or self.tr("Unknown tool")
        title = bundled_title(block.server, block.tool)
        tool = title or name
        hint = " · ".join(part for part in (readable(block.server), one_line_hint(item.arguments)) if part)
        return FoldHeaderText(
            icon=look.icon,
            icon_colour=look.colour,
            title=tool,
            hint="" if hint in ("{}", "") else hint.removesuffix(" · {}"),
            state=state,
            state_colour=look.colour if look.colour in _STRONG else "muted",
            spoken=self.tr("Tool {tool} of {server}: {state}").format(
                tool=f"{tool} ({name})" if title else name, server=readable(block.server) or "?", state=state
            ),
        )

    def _fill(self, block: ToolBlock | None) -> None:
        """Make, update or drop the body; a closed card has none."""
        wanted: list[tuple[str, str, str]] = []
        if block is not None:
            item = block.item
            wanted.append((self.tr("Arguments"), pretty_json(item.arguments), "json"))
            if item.has_result:
                result = result_words(block.server, block.tool, item.result)
                wanted.append((self.tr("Result"), result, _language_of(item.result)))
        while len(self._sections) > len(wanted):
            self._sections.pop().drop()
        for index, (title, text, language) in enumerate(wanted):
            if index == len(self._sections):
                self._sections.append(_Section(self._context, self))
            self._sections[index].show_text(title, text, language)
        self._place()

    def _place(self) -> None:
        width, y = self.width(), self._header.height_for(self.width())
        self._header.setGeometry(1, 1, width - 2, y)
        for section in self._sections:
            y += section.place(MARGIN, y, width - 2 * MARGIN)


class _Section:
    """A label with a Copy button, and the text below."""

    def __init__(self, context: BlockContext, card: ToolCard) -> None:
        self._text = ""
        self._context = context
        self._label = QLabel(card)
        self._label.setProperty("role", "small")
        self.copy = CopyButton(context.theme, card, grows_left=True)
        self.copy.clicked.connect(lambda: context.actions.copy_requested.emit(self._text))
        self._view = CodeView(context, card, most_lines=MOST_LINES)
        self._view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._widgets = (self._label, self.copy, self._view)
        for widget in self._widgets:
            widget.show()

    def show_text(self, title: str, text: str, language: str) -> None:
        self._label.setText(title)
        self._view.setAccessibleName(title)
        self.copy.set_name(QCoreApplication.translate("ToolCard", "Copy: {what}").format(what=title))
        self._text = text
        shown = text[:SHOWN_CHARACTERS]
        if len(text) > SHOWN_CHARACTERS:
            more = len(text) - SHOWN_CHARACTERS
            shown += "\n" + QCoreApplication.translate(
                "ToolCard", "… %Ln more characters; Copy gives them all.", "", more
            )
        self._view.show_code(shown or "—", language)

    @property
    def _label_height(self) -> int:
        return max(self._context.look.sizes.px(LABEL), self.copy.sizeHint().height() + 2)

    def height_for(self, width: int) -> int:
        return self._label_height + self._view.height_for(width - 2 * FRAME) + FRAME

    def place(self, x: int, y: int, width: int) -> int:
        """Set the geometry; returns the height used."""
        button = self.copy.sizeHint().width()
        label = self._label_height
        self._label.setGeometry(x + 2, y, width - button, label)
        self.copy.setGeometry(x + width - button, y + 1, button, label - 2)
        height = self.height_for(width)
        self._view.setGeometry(x, y + label, width, height - label)
        return height

    def restyle(self) -> None:
        self.copy.restyle()
        self._view.restyle()

    def drop(self) -> None:
        for widget in self._widgets:
            widget.hide()
            widget.deleteLater()


def pretty_json(text: str) -> str:
    """Return JSON text on several lines; anything else, and what is too long or too deep, as it came."""
    if len(text) > SHOWN_CHARACTERS:
        return text
    try:
        value = json.loads(text, object_pairs_hook=_without_twins)
        return json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False)
    except (ValueError, RecursionError):
        return text


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """An object as it was written. Raises ``ValueError`` when a key comes twice, since one of them would be hidden."""
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key comes twice")
    return result


def _language_of(text: str) -> str:
    return "json" if text.lstrip()[:1] in ("{", "[") else ""
