"""What is searched for, as it was understood, and what was found: words, phrases and filters; pages of hits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from desktop.conversation.entities import Role, SearchHit
from desktop.conversation.shelf import Shelf


class SearchPlace(StrEnum):
    """Where it is searched."""

    TITLE = "title"
    MESSAGES = "messages"
    TOOLS = "tools"
    MEMORY = "memory"


class Holding(StrEnum):
    """What a message holds."""

    TOOL = "tool"
    FILE = "file"
    CODE = "code"


@dataclass(frozen=True)
class FoundFilter:
    """A filter as it was read, for showing it: in the English of the filters, with the place of its words."""

    name: str
    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Phrase:
    """Words that stand next to each other. ``is_whole``: the last of them is not the beginning of a word."""

    text: str
    is_whole: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchWish:
    """All phrases must occur, and all filters hold; of several places, folders, roles or models one is enough."""

    phrases: tuple[Phrase, ...] = ()
    places: frozenset[SearchPlace] = frozenset()
    """Empty: everywhere."""
    shelves: frozenset[Shelf] = frozenset()
    folders: frozenset[str] = frozenset()
    """Ids of folders."""
    roles: frozenset[Role] = frozenset()
    holding: frozenset[Holding] = frozenset()
    since: datetime | None = None
    """From this moment on."""
    until: datetime | None = None
    """Before this moment."""
    models: tuple[str, ...] = ()
    """Parts of names of models."""
    filters: tuple[FoundFilter, ...] = field(default=(), compare=False)

    @property
    def is_empty(self) -> bool:
        """Nothing is asked for."""
        return not self.phrases and not self.filters

    @property
    def text(self) -> str:
        """What was typed without the filters."""
        return " ".join(phrase.text for phrase in self.phrases)

    @property
    def asks_for_messages(self) -> bool:
        """Some filter is about messages, which a title alone cannot fulfil."""
        return bool(self.roles or self.holding or self.models)

    def looks_in(self, place: SearchPlace) -> bool:
        """Whether hits may be of this kind."""
        if self.places and place not in self.places:
            return False
        match place:
            case SearchPlace.TITLE:
                return not self.asks_for_messages
            case SearchPlace.MESSAGES | SearchPlace.TOOLS if not self.phrases:
                # Without words the chats themselves are found, unless the messages were asked for.
                if not (self.asks_for_messages or place in self.places):
                    return False
                return (Holding.TOOL in self.holding or place in self.places) == (place is SearchPlace.TOOLS)
            case SearchPlace.TOOLS:
                return Role.USER not in self.roles or len(self.roles) > 1
            case SearchPlace.MEMORY:
                has_others = self.asks_for_messages or self.shelves or self.folders
                return bool(self.phrases) and not has_others
            case _:
                return True


@dataclass(frozen=True, kw_only=True)
class SearchPage:
    """Hits, newest first."""

    hits: tuple[SearchHit, ...] = ()
    further: Mapping[str, int] = field(default_factory=dict[str, int])
    """By the id of the thread, how many more hits it has between the first and the last hit of this page."""
    older: int | None = None
    """Where the next page begins; None where there is nothing older."""
    is_building: bool = False
    """The index does not hold everything yet."""


def never() -> bool:
    """The usual ``stop``: nobody has changed his mind."""
    return False


Stop = Callable[[], bool]
"""True once nobody waits for the answer any more; asked in another thread."""
