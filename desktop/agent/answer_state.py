"""What the loop keeps in mind while it makes one answer, and the bounds on what that may stream."""

from collections.abc import Mapping, Sequence

from desktop.agent.answer_writer import AnswerWriter
from desktop.agent.events import DoneReason
from desktop.agent.recall_merging import with_earlier
from desktop.agent.recaller import NOTHING_TOLD, Told
from desktop.agent.run import Run
from desktop.agent.sent_pieces import Label
from desktop.conversation.entities import Message, RemarkPart, ThreadOptions
from desktop.conversation.request_records import PieceKind
from desktop.conversation.summaries import NO_SUMMARY
from desktop.conversation.window import Window
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    FinishReason,
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

REASONS = {
    FinishReason.STOP: DoneReason.COMPLETED,
    FinishReason.TOOL_CALLS: DoneReason.COMPLETED,
    FinishReason.LENGTH: DoneReason.LENGTH,
    FinishReason.CONTENT_FILTER: DoneReason.CONTENT_FILTER,
    FinishReason.REFUSAL: DoneReason.REFUSAL,
}
"""Why an answer is done, by how its model's last step ended."""
PROPER_ENDS = (FinishReason.STOP, FinishReason.TOOL_CALLS)
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
        self.told = NOTHING_TOLD
        """What it is told of what was said before."""
        self.said_by_servers = ""
        """What servers say of themselves, quoted, for the system message."""
        self.summary = NO_SUMMARY
        """What stands for the earlier part of its chat."""
        self.window: Window | None = None
        """What was sent of the chat with the last request, and what was not."""
        self.labels: list[Label] = []
        """What else the app put into the messages, for the record of what was sent."""
        self.path: Sequence[Message] = ()
        """The messages before the answer, as they were read for it."""
        self.step = 0
        before = run.turn.assistant_message
        self.usage = before.usage
        self.images: Mapping[str, Image] = {}
        self.used_ids: set[str] = set()
        self.unsure_calls: set[str] = set()
        """The ids of calls that the model wrote as text."""
        self.unreadable_calls = 0
        self.asked_for = ""
        """With what words the model is asked for a plan; empty while it answers."""
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

    def take_window(self, window: Window) -> None:
        """Keep what is sent, for what is done after the answer and for the record of what was sent."""
        self.window = self.run.window = window
        self.labels = [label for label in self.labels if label.kind is not PieceKind.SUMMARY]
        self.labels.append(Label(PieceKind.SUMMARY, window.summary_text))

    def hear(self, told: Told) -> None:
        """Take in what the answer is told of what was said before; it is stored and shown beside it."""
        self.told = told
        self.labels += [
            Label(PieceKind.WISHES, told.standing, told.standing_quotes),
            Label(PieceKind.MEMORIES, told.block, told.quotes),
            Label(PieceKind.SESSION, told.shared),
        ]
        if told.part is not None:
            self.writer.recalled(with_earlier(self.writer.message(), told.part))

    def remark(self, remark: Remark) -> None:
        """Say something about how the answer is made, once."""
        if remark not in self.remarks:  # else it was said in an earlier step
            self.remarks.append(remark)
            self.writer.beside(RemarkPart(code=remark.code, params=dict(remark.params), step=self.step))

    def add_usage(self, usage: Usage) -> None:
        self.usage += usage
