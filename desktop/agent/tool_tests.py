"""Calls a tool once because the user wants to see what it does: by the same rules, questions and records as a model's call."""

import time
from collections.abc import Callable
from contextlib import nullcontext
from typing import TYPE_CHECKING

from desktop.agent.server_sampling import Lend, Lender
from desktop.conversation.entities import MessageStatus, ResultStatus, ToolCallPart, ToolResultPart
from desktop.conversation.ports import ThreadRepository
from desktop.core.errors import StorageError
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.tasks import uninterrupted
from desktop.tools.entities import ToolDescriptor
from desktop.tools.ports import ProgressListener

if TYPE_CHECKING:
    from desktop.tools.call_report import ToolCallReport
    from desktop.tools.gatekeeper import StateListener
    from desktop.tools.service import ToolService


class ToolTests:
    """The record of calls wants a chat for each: the tests of a server share one, which lies in the Trash.

    There it is in nobody's way, can be looked at, and goes with the Trash. ``tools`` gives the service when it is needed.
    ``lend`` lets the server use the model meanwhile that answers new chats, and tells what that took.
    """

    def __init__(
        self,
        repository: ThreadRepository,
        tools: "Callable[[], ToolService]",
        lend: Lend | None = None,
    ) -> None:
        self._repository = repository
        self._tools = tools
        self._lend = lend
        self._threads: dict[str, str] = {}

    async def run(
        self,
        tool: ToolDescriptor,
        arguments: str,
        *,
        title: str,
        on_state: "StateListener",
        on_progress: ProgressListener | None = None,
    ) -> "ToolCallReport":
        """Call ``tool`` with these arguments, JSON text. ``title`` names the chat, also in the question to the user.

        Raises ``StorageError`` when it cannot be recorded; then it does not run. Cancelling stops the call.
        """
        from desktop.tools.service import ToolCallRequest  # not before a call: the window opens without it

        thread_id, turn_id = await self._begin(tool, title)
        call = ToolCallPart(call_id=new_id(), name=tool.alias, arguments=arguments)
        request = ToolCallRequest(
            call_id=call.call_id,
            name=tool.alias,
            arguments=arguments,
            thread_id=thread_id,
            turn_id=turn_id,
            tools=(tool,),
            thread_title=title,
            on_progress=on_progress,
        )
        began = time.monotonic()
        report: ToolCallReport | None = None
        used: list[Usage] = []
        with self._lend(turn_id, used.append) if self._lend is not None else nullcontext() as lender:
            try:
                report = await self._tools().execute(request, on_state)
                return report
            finally:
                await uninterrupted(self._end(turn_id, call, report, time.monotonic() - began))
                if used and lender is not None:
                    await uninterrupted(self._count(tool, title, sum(used, Usage()), lender))

    async def _begin(self, tool: ToolDescriptor, title: str, *, model: str = "") -> tuple[str, str]:
        text = f"{tool.server_id}: {tool.name}"
        known = self._threads.get(tool.server_id)
        if known is not None:
            try:
                await self._repository.restore_thread(known)
                turn = await self._repository.begin_turn(known, text, model=model)
            except StorageError as error:
                if error.code != "storage.thread_missing":  # the Trash was emptied
                    raise
            else:
                await self._repository.delete_thread(known)
                return known, turn.turn_id
        thread = await self._repository.create_thread(title=title)
        self._threads[tool.server_id] = thread.id
        turn = await self._repository.begin_turn(thread.id, text, model=model)
        await self._repository.delete_thread(thread.id)
        return thread.id, turn.turn_id

    async def _end(
        self, turn_id: str, call: ToolCallPart, report: "ToolCallReport | None", duration_seconds: float
    ) -> None:
        result = ToolResultPart(
            call_id=call.call_id,
            status=ResultStatus.INTERRUPTED if report is None else ResultStatus(report.status.value),
            text="" if report is None else report.text,
            duration_seconds=0.0 if report is None else report.duration_seconds,
            items=() if report is None else report.items,
        )
        await self._repository.finish_turn(
            turn_id,
            parts=[call, result],
            status=MessageStatus.STOPPED if report is None else MessageStatus.COMPLETE,
            reason="stopped" if report is None else "completed",
            usage=Usage(),
            duration_seconds=duration_seconds,
        )

    async def _count(self, tool: ToolDescriptor, title: str, used: Usage, lender: Lender) -> None:
        """Record what the model took that the server asked, as an answer of its own: the test itself is nobody's."""
        _, turn_id = await self._begin(tool, title, model=lender.model().name)
        await self._repository.finish_turn(
            turn_id,
            parts=[],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=used,
            duration_seconds=0.0,
            cost=lender.cost_of(used),
        )
