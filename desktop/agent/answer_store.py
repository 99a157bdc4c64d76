"""What an answer is read from and written to: the chat's record, or the record of a run inside another answer."""

from collections.abc import Sequence
from typing import Protocol

from desktop.conversation.entities import Message, MessageStatus, Part, Thread
from desktop.core.costs import Cost
from desktop.core.language_model import Usage


class AnswerStore(Protocol):
    """The part of ``ThreadRepository`` that making one answer needs; see there."""

    async def get_thread(self, thread_id: str) -> Thread | None: ...

    async def path(
        self, thread_id: str, *, last: int | None = None, until: str | None = None
    ) -> tuple[Message, ...]: ...

    async def save_parts(self, message_id: str, parts: Sequence[Part]) -> None: ...

    async def finish_turn(
        self,
        turn_id: str,
        *,
        parts: Sequence[Part],
        status: MessageStatus,
        reason: str,
        usage: Usage,
        duration_seconds: float,
        cost: Cost | None = None,
    ) -> Message: ...
