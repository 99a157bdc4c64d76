"""What is removed from a chat by itself, a message or what a tool returned, and the words that models read in its place."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop.core.receipt import Receipt

REMOVED_RESULT = "The user removed this result."
REMOVED_QUESTION = "[The user removed this message.]"
"""Stands where an answer follows no message by the user any more: endpoints want the two in turn."""


@dataclass(frozen=True)
class Removed:
    """A message; with a ``call_id`` only what that call in it returned, with its files."""

    message_id: str
    call_id: str = ""


class RemovalStore(Protocol):
    """Takes messages and results out of chats. Until it is erased, what was removed can be taken back as it was.

    What follows a removed message stays, and so does what stands beside it. Where the path ended with it, it ends with
    what stood beside it and was shown last, else with the message above.
    """

    async def remove(self, removed: Removed) -> str:
        """Take it out of sight: no path, answer, search or request has it any more; returns the id of its thread.

        A call whose result is removed has ``REMOVED_RESULT`` as its one result. Raises
        ``StorageError("storage.thread_missing")`` when it is not there or its thread is in the Trash, and
        ``ThreadwellError("run.busy")`` for an answer that is being written.
        """
        ...

    async def take_back(self, removed: Removed) -> str | None:
        """Let it stand where it stood; returns the id of its thread, None where it is erased already."""
        ...

    async def erase(self, removed: Sequence[Removed] | None = None) -> Receipt:
        """Remove every byte of it from the data folder, with None of all that was removed; returns what went.

        Copies in threads that were branched off are their own, and what was remembered of it stays, without its words.
        """
        ...
