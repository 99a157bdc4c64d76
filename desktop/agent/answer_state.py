"""What the loop keeps in mind while it makes one answer, and the bounds on what that may stream."""

from collections.abc import Mapping

from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.run import Run
from desktop.conversation.entities import ThreadOptions
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    Image,
    ModelChunk,
    Remark,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    Usage,
    Waiting,
)
from desktop.core.permission_mode import PermissionMode

MAX_ANSWER_CHARS = 16_000_000
MAX_ANSWER_CHUNKS = 500_000
"""Bounds on what one answer may stream, far above any real one: an endless stream must not fill memory and disk."""


class AnswerState:
    """What one execution keeps in mind."""

    def __init__(self, run: Run, writer: AnswerWriter) -> None:
        self.run = run
        self.writer = writer
        self.thread_title = ""
        self.options = ThreadOptions()
        self.usual_mode = PermissionMode.ASK_FOR_RISK
        """For a chat that has none of its own."""
        self.said_by_servers = ""
        """What servers say of themselves, quoted, for the system message."""
        self.step = 0
        before = run.turn.assistant_message
        self.usage = before.usage
        self.images: Mapping[str, Image] = {}
        self.used_ids: set[str] = set()
        self.unsure_calls: set[str] = set()
        """The ids of calls that the model wrote as text."""
        self.unreadable_calls = 0
        self.is_joining = False
        """This step goes on with the text in which the answer broke off."""
        self.allowed_bytes: int | None = None
        """How long the messages may be, once they were too long."""
        self.was_refused_as_long = False
        """The endpoint itself refused them, and was asked again."""
        self.is_circling = False
        """The model made the same calls over and over; it is offered no tools any more."""
        self.failed_calls = 0
        """How often the model's server could not read the calls that the model wrote."""
        self.has_begun = False
        """Something of the present step has come."""
        self.said: list[str] = []
        """The text of the present step, which is shown."""
        self.remarks: list[Remark] = []
        self._chars = 0
        self._chunks = 0

    @property
    def mode(self) -> PermissionMode:
        """When the tools of this chat ask."""
        return self.options.mode or self.usual_mode

    def count(self, chunk: ModelChunk) -> None:
        """Count what was streamed. Raises ``ModelError`` beyond the bounds."""
        self._chunks += 1
        self.has_begun = self.has_begun or not isinstance(chunk, Waiting | Remark)
        if isinstance(chunk, TextDelta | ThinkingDelta):
            self._chars += len(chunk.text)
        elif isinstance(chunk, ToolCallDelta):
            self._chars += len(chunk.name) + len(chunk.arguments)
        if self._chars > MAX_ANSWER_CHARS or self._chunks > MAX_ANSWER_CHUNKS:
            raise ModelError("model.too_long")

    def add_usage(self, usage: Usage) -> None:
        self.usage += usage
