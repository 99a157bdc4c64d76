"""Finds what was remembered of the messages of a thread, for the lines below their answers, and takes it back."""

import dataclasses
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktop.conversation.entities import Message, Role
from desktop.memory.entities import MemoryItem, MemoryStatus
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices
from desktop.ui.state.remembered import RememberedLine, remembered_lines
from desktop.ui.state.transcript_state import RowState
from desktop.ui.transcript.context import BlockActions


class MemoryNotes(QObject):
    """What ``learn`` has seen is kept up to date until ``forget``.

    Signals:
        undone: something is not remembered any more, as the user wished.
        edit_requested: the ``MemoryItem`` that the user wants to change.
    """

    undone = Signal()
    edit_requested = Signal(object)

    def __init__(self, services: UiServices, changed: Callable[[list[str]], None], parent: QObject) -> None:
        """``changed`` is told the ids of the answers below which something else stands now."""
        super().__init__(parent)
        self._memory = services.memory
        self._worker = Worker(services)
        self._changed = changed
        self._questions: dict[str, str] = {}
        """Of each answer the message that it answers."""
        self._lines: dict[str, tuple[RememberedLine, ...]] = {}
        self._number = 0
        self._memory.changed.connect(self._refresh)
        self.destroyed.connect(lambda: self._memory.changed.disconnect(self._refresh))

    def serve(self, actions: BlockActions) -> None:
        """Do what the lines of a transcript ask for."""
        actions.memory_undo_requested.connect(lambda item_id: self._worker.start(self._undo(item_id), "undo a memory"))
        actions.memory_edit_requested.connect(
            lambda item_id: self._worker.start_once(self._edit(item_id), f"edit the memory {item_id}")
        )
        actions.memory_accept_requested.connect(
            lambda item_id: self._worker.start(self._accept(item_id), "accept a memory")
        )

    def forget(self) -> None:
        """Another thread is shown."""
        self._questions.clear()
        self._lines.clear()
        self._number += 1

    def learn(self, messages: Sequence[Message]) -> None:
        """Look for what was remembered of what these answer; what was learned before is not looked for again."""
        new = {m.id: m.parent_id for m in messages if m.role is Role.ASSISTANT and m.parent_id is not None}
        new = {answer: question for answer, question in new.items() if answer not in self._questions}
        if new:
            self._questions.update(new)
            self._worker.start(self._look(new), "look for memories")

    def with_lines(self, row: RowState) -> RowState:
        """Return the row with what stands below it."""
        lines = self._lines.get(row.message_id, ())
        return row if lines == row.remembered else dataclasses.replace(row, remembered=lines)

    def _refresh(self) -> None:
        if self._questions:
            self._worker.start(self._look(dict(self._questions)), "look for memories")

    async def _look(self, questions: dict[str, str]) -> None:
        number = self._number
        found = await self._memory.of_messages(list(questions.values()))
        before = await self._memory.get([item.supersedes_id for item in found if item.supersedes_id is not None])
        if number != self._number:
            return
        of_question: dict[str, list[MemoryItem]] = {}
        for item in found:
            if item.source is not None:
                of_question.setdefault(item.source.message_id, []).append(item)
        changed: list[str] = []
        for answer, question in questions.items():
            lines = remembered_lines(of_question.get(question, ()), before)
            if lines != self._lines.get(answer, ()):
                self._lines[answer] = lines
                changed.append(answer)
        if changed:
            self._changed(changed)

    async def _undo(self, item_id: str) -> None:
        if (item := (await self._memory.get([item_id])).get(item_id)) is not None:
            await self._memory.undo(item)
            self.undone.emit()

    async def _accept(self, item_id: str) -> None:
        item = (await self._memory.get([item_id])).get(item_id)
        if item is not None and item.status is MemoryStatus.PENDING:
            await self._memory.accept(item)

    async def _edit(self, item_id: str) -> None:
        if (item := (await self._memory.get([item_id])).get(item_id)) is not None:
            self.edit_requested.emit(item)
