"""What waits in a thread to be sent, as it is at one moment, and why it is not sent by itself."""

from dataclasses import dataclass
from enum import StrEnum

from desktop.conversation.queued import QueuedMessage


class Pause(StrEnum):
    """Why nothing of a queue is sent by itself."""

    KEPT = "kept"
    """It was there before the program started, or before its chat came back."""
    STOPPED = "stopped"
    """The user stopped the answer before it."""
    FAILED = "failed"
    """The answer before it failed."""
    CUT_OFF = "cut_off"
    """The answer before it is not whole."""
    UNSENT = "unsent"
    """The first of it could not be sent."""


@dataclass(frozen=True)
class Queue:
    """What waits in a thread, as it is at one moment."""

    messages: tuple[QueuedMessage, ...] = ()
    pause: Pause | None = None
    sending: str = ""
    """The id of the one that is on its way; it cannot be changed any more."""
    held: str = ""
    """The id of the one that is being changed: it is not sent meanwhile, nor what stands behind it."""
