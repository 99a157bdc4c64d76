"""A tool call: one line with its state; opened, its arguments, its result, and what came beside the result's text."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from desktop.conversation.removals import REMOVED_RESULT
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.tools.visible_text import one_line_hint
from desktop.ui.bundled_words import bundled_title
from desktop.ui.controls import set_property
from desktop.ui.result_item_words import shown_text
from desktop.ui.result_words import result_words
from desktop.ui.state.inner_steps import asked_in, is_for_assistant, steps_of, waits_for_user
from desktop.ui.state.pretty_json import pretty_json
from desktop.ui.state.readable import readable
from desktop.ui.state.row_blocks import Block, ToolBlock
from desktop.ui.state.tool_item import OPEN_STATES, ToolItem, ToolState
from desktop.ui.transcript.blocks.durations import duration_text
from desktop.ui.transcript.blocks.fold_header import FoldHeader, FoldHeaderText
from desktop.ui.transcript.blocks.inner_section import section_of, state_words
from desktop.ui.transcript.blocks.result_items import ResultItems
from desktop.ui.transcript.blocks.tool_section import SectionText, ToolSection, language_of
from desktop.ui.transcript.context import BlockContext, TextWidget

MARGIN, GAP = 12, 6


class _Look(NamedTuple):
    icon: str
    colour: str


_LOOKS: Mapping[ToolState, _Look] = {
    ToolState.PROPOSED: _Look("wrench", "muted"),
    ToolState.WAITING_APPROVAL: _Look("shield-alert", "warning"),
    ToolState.RUNNING: _Look("loader-circle", "accent"),
    ToolState.WAITING_ANSWER: _Look("message-circle-question-mark", "warning"),
    ToolState.OK: _Look("circle-check", "ok"),
    ToolState.ERROR: _Look("circle-x", "error"),
    ToolState.DENIED: _Look("ban", "muted"),
    ToolState.TIMEOUT: _Look("timer-off", "warning"),
    ToolState.INTERRUPTED: _Look("circle-stop", "muted"),
    ToolState.UNKNOWN: _Look("circle-question-mark", "warning"),
}
_STRONG = frozenset({"warning", "error"})


def _shown_state(item: ToolItem) -> ToolState:
    """An assistant that runs waits for the user when one of its own calls does."""
    waits = item.state is ToolState.RUNNING and waits_for_user(item)
    return ToolState.WAITING_APPROVAL if waits else item.state


class ToolCard(QFrame):
    """Everything in it that comes from the model or a server is shown as plain text with hidden characters visible."""

    def __init__(self, context: BlockContext, message_id: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._context = context
        self._message_id = message_id
        self._key = ""
        self._sections: list[ToolSection] = []
        self._items: ResultItems | None = None
        self._block: ToolBlock | None = None
        self.setObjectName("tool-card")
        self._header = FoldHeader(context, self)
        self._header.setObjectName("tool-card-header")
        self._header.clicked.connect(lambda: context.actions.fold_toggled.emit(message_id, self._key))

    def set_block(self, block: Block) -> None:
        assert isinstance(block, ToolBlock)
        self._block, self._key = block, block.key
        item = block.item
        set_property(self, "state", item.state.value)
        self._header.set_header(self._header_text(block), is_unfolded=block.is_unfolded)
        self._fill(block if block.is_unfolded else None)

    def height_for(self, width: int) -> int:
        inner = width - 2 * MARGIN
        body = sum(section.height_for(inner) for section in self._sections)
        if self._items is not None:
            body += GAP + self._items.height_for(inner)
        return self._header.height_for(width) + 2 + (body + MARGIN if self._sections else 0)

    def text_widget(self) -> TextWidget | None:
        return None

    @property
    def call_with_result(self) -> str:
        """The id of the call whose result can be removed; empty where there is none."""
        item = None if self._block is None else self._block.item
        return "" if item is None or not item.has_result or item.result == REMOVED_RESULT else item.call_id

    def text_widgets(self) -> list[TextWidget]:
        """The texts of a card that is open: the arguments, and the result if there is one."""
        return [section.view for section in self._sections]

    def focus_widgets(self) -> list[QWidget]:
        items = self._items.focus_widgets() if self._items is not None else []
        return [self._header, *(button for section in self._sections for button in section.buttons()), *items]

    def restyle(self) -> None:
        self._header.update()
        for section in self._sections:
            section.restyle()
        if self._items is not None:
            self._items.restyle()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        self._place()

    def _header_text(self, block: ToolBlock) -> FoldHeaderText:
        item, look = block.item, _LOOKS[_shown_state(block.item)]
        state = state_words(_shown_state(item))
        if item.state not in OPEN_STATES and item.duration_seconds >= 0.05:
            state = f"{state} · {duration_text(item.duration_seconds)}"
        said = ""
        if item.state is ToolState.RUNNING and item.progress is not None:
            said = readable(item.progress.message)
            if item.progress.fraction is not None:
                percent = self.tr("%1 %").replace("%1", str(int(100 * item.progress.fraction)))
                state = f"{state} {percent}"
        name = readable(block.tool) or self.tr("Unknown tool")
        title = bundled_title(block.server, block.tool)
        tool = title or name
        about = (said, readable(block.server), one_line_hint(item.arguments))
        if is_for_assistant(item):
            asked, task = asked_in(item)
            tool, about = readable(one_line_hint(asked)) or title, (said, title, one_line_hint(task))
        hint = " · ".join(part for part in about if part)
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
        wanted: list[SectionText] = []
        items: tuple[ResultItem, ...] = ()
        if block is not None:
            item = block.item
            if is_for_assistant(item) and (task := asked_in(item)[1]):
                wanted.append(SectionText(self.tr("Task"), task, is_prose=True))
            else:
                wanted.append(SectionText(self.tr("Arguments"), pretty_json(item.arguments), "json"))
            wanted += [section_of(step) for step in steps_of(item)]
            items = item.result_items
            text = shown_text(item.result, items) if item.has_result else ""
            if item.has_result and (text or not items):
                title = self.tr("Error") if item.state is ToolState.ERROR else self.tr("Result")
                whole = next((i.length for i in items if i.kind is ItemKind.WHOLE), 0)
                words = result_words(block.server, block.tool, text)
                wanted.append(SectionText(title, words, language_of(text), whole, is_for_assistant(item)))
        while len(self._sections) > len(wanted):
            self._sections.pop().drop()
        for index, text in enumerate(wanted):
            if index == len(self._sections):
                self._sections.append(ToolSection(self._context, self))
            self._sections[index].show_text(text)
        self._show_items(items, block.server if block is not None else "")
        self._place()

    def _show_items(self, items: tuple[ResultItem, ...], server: str) -> None:
        if items:
            if self._items is None:
                self._items = ResultItems(self._context, self)
            self._items.show_items(items, server)
        elif self._items is not None:
            self._items.hide()
            self._items.deleteLater()
            self._items = None

    def _place(self) -> None:
        width, y = self.width(), self._header.height_for(self.width())
        self._header.setGeometry(1, 1, width - 2, y)
        for section in self._sections:
            y += section.place(MARGIN, y, width - 2 * MARGIN)
        if self._items is not None:
            inner = width - 2 * MARGIN
            self._items.setGeometry(MARGIN, y + GAP, inner, self._items.height_for(inner))
