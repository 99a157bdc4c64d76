"""What the transcript needs of a message of which its body is at hand: the same as the store tells of one that is not."""

from desktop.conversation.entities import (
    Message,
    MessageOutline,
    Part,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.plans import InstructionPart, PlanPart


def outline_of(message: Message) -> MessageOutline:
    """Return the outline of a message whose body is at hand."""
    texts = [_text_of(part) for part in message.parts]
    return MessageOutline(
        id=message.id,
        role=message.role,
        status=message.status,
        text_length=sum(map(len, texts)),
        newline_count=sum(text.count("\n") for text in texts),
        part_count=len(message.parts),
    )


def _text_of(part: Part) -> str:
    match part:
        case TextPart() | ThinkingPart() | ToolResultPart() | PlanPart() | InstructionPart():
            return part.text
        case ToolCallPart():
            return part.arguments
        case _:
            return ""  # small, or folded
