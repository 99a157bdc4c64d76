"""A message as it is read in an exported file: its parts in order, each call with its result; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.conversation.entities import (
    AttachmentPart,
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    RemarkPart,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    Thread,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.interchange.plan_text import plan_piece, step_piece
from desktop.conversation.interchange.words import ENGLISH, ExportWords
from desktop.conversation.plans import InstructionPart, PlanPart, plan_of
from desktop.core.language_model import DEMO_MODEL_NAME


@dataclass(frozen=True)
class Call:
    """A tool call, with its result where there is one."""

    call: ToolCallPart
    result: ToolResultPart | None

    @property
    def name(self) -> str:
        """As people read it: without the marks between server and tool."""
        return self.call.name.replace("__", " · ", 1)


Piece = TextPart | ThinkingPart | Call | AttachmentPart | ErrorPart | RemarkPart | SourcesPart


def pieces_of(parts: Sequence[Part], words: ExportWords = ENGLISH) -> list[Piece]:
    """Return what people read of a message; what only models and this program need is left out."""
    plan = plan_of(parts)
    results = {part.call_id: part for part in parts if isinstance(part, ToolResultPart)}
    pieces: list[Piece] = []
    for part in parts:
        match part:
            case ToolCallPart():
                pieces.append(Call(part, results.get(part.call_id)))
            case TextPart(text=text) | ThinkingPart(text=text) if not text.strip():
                pass
            case InnerRunPart():
                pieces += _inner(part, results.get(part.call_id))
            case PlanPart():
                pieces.append(plan_piece(part, words))
            case InstructionPart() if (head := step_piece(part, plan, words)) is not None:
                pieces.append(head)
            case TextPart() | ThinkingPart() | AttachmentPart() | ErrorPart() | RemarkPart() | SourcesPart():
                pieces.append(part)
            case _:
                pass
    return pieces


def _inner(run: InnerRunPart, outcome: ToolResultPart | None) -> list[Piece]:
    """What an assistant did that was asked, below the call: its words as quotes, its calls with its name before theirs."""
    results = {part.call_id: part for part in run.parts if isinstance(part, ToolResultPart)}
    said = "" if outcome is None else outcome.text.strip()
    pieces: list[Piece] = []
    for part in run.parts:
        match part:
            case ToolCallPart():
                pieces.append(Call(replace(part, name=f"{run.assistant} › {part.name}"), results.get(part.call_id)))
            case InnerRunPart():
                deeper = replace(part, assistant=f"{run.assistant} › {part.assistant}")
                pieces += _inner(deeper, results.get(part.call_id))
            case TextPart(text=text) if text.strip() and text.strip() != said:
                quoted = "\n".join(f"> {line}".rstrip() for line in f"{run.assistant}:\n\n{text.strip()}".split("\n"))
                pieces.append(TextPart(text=quoted, step=part.step))
            case ErrorPart():
                pieces.append(part)
            case _:
                pass
    return pieces


def times_of(thread: Thread, words: ExportWords) -> list[str]:
    """Return when a chat was begun and when the last message came, each on a line."""
    times = ((words.created, thread.created_at), (words.last_message, thread.updated_at))
    return [f"{name}: {words.time(moment)}" for name, moment in times]


def speaker_of(message: Message, words: ExportWords) -> str:
    """Return who speaks: the person, or the model by its name."""
    if message.role is Role.USER:
        return words.you
    return words.demo if message.model == DEMO_MODEL_NAME else message.model or words.assistant


def figures_of(message: Message, words: ExportWords) -> str:
    """Return how a message came to be, on a line; empty where nobody knows."""
    usage, found = message.usage, list[str]()
    if message.answer_count > 1:
        one_of = words.version_of if message.role is Role.USER else words.answer_of
        found.append(one_of.format(number=message.answer_number, count=message.answer_count))
    if message.status is not MessageStatus.COMPLETE:
        found.append(words.statuses[message.status])
    if usage.input_tokens is not None and usage.output_tokens is not None:
        found.append(words.tokens.format(input=usage.input_tokens, output=usage.output_tokens))
    if message.duration_seconds:
        found.append(words.seconds.format(seconds=f"{message.duration_seconds:.1f}"))
    return " · ".join(found)


def result_line(call: Call, words: ExportWords) -> str:
    """Return how a call ended."""
    if call.result is None:
        return ""
    seconds = call.result.duration_seconds
    took = words.seconds.format(seconds=f"{seconds:.1f}") if seconds else ""
    return " · ".join(filter(None, (words.results[call.result.status], took)))
