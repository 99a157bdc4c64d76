"""What may become a remembered item: said by the user in words that stand in a message, and not looked at further yet."""

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from desktop.memory.entities import MemoryKind
from desktop.memory.own_words import own_words
from desktop.memory.sentences import Sentence, sentences


@dataclass(frozen=True, kw_only=True)
class Said:
    """A message by the user that was not read yet."""

    message_id: str
    thread_id: str
    text: str
    at: datetime
    before: str = ""
    """The end of the answer that it follows."""

    @cached_property
    def own(self) -> str:
        """The text with everything that is not the user's own speech as blanks."""
        return own_words(self.text)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Of the user's own words."""
        return tuple(sentences(self.own))


@dataclass(frozen=True, kw_only=True)
class Candidate:
    text: str
    kind: MemoryKind
    importance: float
    said: Said = field(repr=False)
    start: int
    """Where the words begin, in the message, that it comes from."""
    end: int
    is_asked_for: bool = False
    """The user asked that it be remembered, in so many words."""
    replaces: str | None = None
    """The id of the item whose place it takes."""

    @property
    def quote(self) -> str:
        return self.said.text[self.start : self.end]

    def overlaps(self, other: "Candidate") -> bool:
        """Whether both come from the same words."""
        same = self.said.message_id == other.said.message_id
        return same and self.start < other.end and other.start < self.end
