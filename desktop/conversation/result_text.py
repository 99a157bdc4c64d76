"""The text of a tool's result as a model is sent it: cut where it is too long, with words for what it does not see."""

from collections.abc import Mapping

from desktop.conversation.entities import ResultStatus, ToolResultPart
from desktop.core.cut_text import cut_to_bytes
from desktop.core.language_model import Image
from desktop.core.tool_content import FAILED_MARK, ItemKind, ItemProblem, ResultItem

BYTES_PER_TOKEN = 2.5
"""Fewer than any usual text has."""
SHARE_OF_CONTEXT = 0.25
"""The part of what a model reads that one result may take."""
USUAL_BYTES = 120_000
"""Of one result, where nobody knows how much the model reads."""
LEAST_BYTES, MOST_BYTES = 2_000, 400_000


def result_room(context_tokens: int | None) -> int:
    """Return how many bytes of one result a model is sent that reads this much."""
    if context_tokens is None:
        return USUAL_BYTES
    return max(LEAST_BYTES, min(MOST_BYTES, int(context_tokens * SHARE_OF_CONTEXT * BYTES_PER_TOKEN)))


def is_cut(result: ToolResultPart, room: int) -> bool:
    """Whether a model with so much room is sent less than the whole text."""
    return _whole(result) is not None or cut_to_bytes(result.text, room) is not result.text


def result_text(result: ToolResultPart, images: Mapping[str, Image], *, room: int = USUAL_BYTES) -> str:
    """Return what a model is sent of a result. ``images`` holds those that are sent, by the ids of their files."""
    whole = _whole(result)
    length = whole.length if whole is not None else len(result.text)
    text = cut_to_bytes(result.text, room, whole_length=length)
    notes = [note for item in result.items if (note := _note(item, images))]
    if whole is not None or text is not result.text:
        notes.append(f"[The whole result has {length} characters. The user can open all of it; you cannot.]")
    if result.status is ResultStatus.ERROR:
        text = f"{FAILED_MARK}\n{text}"
    return "\n".join((text, *notes))


def _whole(result: ToolResultPart) -> ResultItem | None:
    return next((item for item in result.items if item.kind is ItemKind.WHOLE), None)


def _note(item: ResultItem, images: Mapping[str, Image]) -> str:
    match item.problem:
        case None if item.kind is ItemKind.IMAGE:
            return "" if item.attachment_id in images else f"[Image {item.number} is not sent along this time.]"
        case ItemProblem.NO_PICTURE:
            return f"[Image {item.number} is no picture that can be shown; it was kept as a file.]"
        case ItemProblem.SCHEMA:
            return f"[The structured content does not fit the tool's own output schema: {item.detail}]"
        case _:
            return ""
