"""What an assistant did that an answer asked: the record inside the answer, below the call that it belongs to."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.core.language_model import NO_USAGE, Usage

if TYPE_CHECKING:
    from desktop.conversation.entities import Part


@dataclass(frozen=True, kw_only=True)
class InnerRunPart:
    """The steps of the run that the call ``call_id`` began, as they are on disk; no model is sent them again.

    Its calls stand in the journal as the answer's do, with ``call_id/`` before their ids.
    """

    call_id: str
    assistant: str
    """Its name when it was asked."""
    model: str = ""
    parts: "tuple[Part, ...]" = ()
    usage: Usage = NO_USAGE
    """What it took by now, with all that it asked in turn."""
    step: int = 0


def with_inner(parts: "Iterable[Part]") -> "Iterator[Part]":
    """Yield the parts, and those of the runs in them, however deep."""
    for part in parts:
        yield part
        if isinstance(part, InnerRunPart):
            yield from with_inner(part.parts)
