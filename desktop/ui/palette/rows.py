"""The rows of the palette for what was typed: chats, actions, and a search through all messages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum, auto

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.conversation.title_search import FoundThread
from desktop.ui.palette.actions import PaletteAction
from desktop.ui.sidebar.thread_groups import time_label
from desktop.ui.state.fuzzy_match import INSIDE, Match, folded, match

ACTIONS_SIGN = ">"
"""What is typed first where only actions are meant."""
CHATS_AMONG_ALL = 6
"""So many chats stand above the actions; all of them are there where only chats are meant."""
RECENT_SHOWN = 5


class Scope(Enum):
    """What the palette looks through."""

    ALL = auto()
    CHATS = auto()
    ACTIONS = auto()


@dataclass(frozen=True)
class Row:
    """One line. ``act`` is None for a heading; ``id`` stays the same while what is typed goes on."""

    id: str
    text: str
    act: Callable[[], object] | None = None
    icon: str = ""
    keys: str = ""
    """In a frame at the end."""
    note: str = ""
    """Quiet at the end."""
    place: str = ""
    """The folder of a chat, or that it is archived: quiet before the note."""
    matches: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Typed:
    """What stands in the field, as it is meant."""

    scope: Scope
    text: str

    @classmethod
    def of(cls, text: str, scope: Scope) -> "Typed":
        stripped = text.strip()
        if stripped.startswith((ACTIONS_SIGN, "》", "＞")):  # also as input methods for Chinese type it
            return cls(Scope.ACTIONS, stripped[1:].strip())
        return cls(scope, stripped)


def chat_rows(found: Sequence[FoundThread], typed: Typed, open_chat: Callable[[str], object], today: date) -> list[Row]:
    """Return a heading and the chats, in the order of the store; nothing where there are none."""
    if not found:
        return []
    translate, locale = QCoreApplication.translate, QLocale()
    heading = translate("palette", "Chats") if typed.text else translate("palette", "Recent chats")
    return [
        Row(id="heading:chats", text=heading),
        *(
            Row(
                id=f"chat:{each.thread_id}",
                text=each.title or translate("palette", "New chat"),
                act=lambda thread_id=each.thread_id: open_chat(thread_id),
                icon="archive" if each.is_archived else "message-square",
                place=translate("palette", "Archived") if each.is_archived else each.folder,
                note=time_label(each.updated_at, today, locale),
                matches=each.matches,
            )
            for each in found
        ),
    ]


def action_rows(
    actions: Sequence[PaletteAction], typed: Typed, recent: Sequence[str], run: Callable[[PaletteAction], object]
) -> list[Row]:
    """Return the actions that fit what is typed, the best first; of equal ones those used last.

    Without anything typed those used last stand above all.
    """
    translate = QCoreApplication.translate

    def rows(heading: str, chosen: Sequence[PaletteAction]) -> list[Row]:
        if not chosen:
            return []
        return [Row(id=f"heading:{heading}", text=heading), *(_row(each, typed, run) for each in chosen)]

    if typed.text:
        return rows(translate("palette", "Actions"), _fitting(actions, typed.text, recent))
    by_id = {action.id: action for action in actions}
    used = [by_id[each] for each in recent if each in by_id][:RECENT_SHOWN]
    others = [action for action in actions if action not in used]
    return rows(translate("palette", "Used last"), used) + rows(translate("palette", "Actions"), others)


def search_row(typed: Typed, search: Callable[[str], object]) -> list[Row]:
    """Return the way on to a search through all messages."""
    if not typed.text or typed.scope is Scope.ACTIONS:
        return []
    text = QCoreApplication.translate("palette", "Search all messages for “%1”").replace("%1", typed.text)
    return [Row(id="search", text=text, act=lambda: search(typed.text), icon="search")]


def _fitting(actions: Sequence[PaletteAction], text: str, recent: Sequence[str]) -> list[PaletteAction]:
    ranks = {action_id: place for place, action_id in enumerate(recent)}
    found = [(fit, action) for action in actions if (fit := _fit(action, text)) is not None]
    found.sort(key=lambda each: (-each[0].worth, ranks.get(each[1].id, len(ranks)), -each[0].nearness))
    return [action for _, action in found]


def _fit(action: PaletteAction, text: str) -> Match | None:
    by_name = [fit for name in (action.name, action.english) if (fit := match(text, name)) is not None]
    words = folded(f"{action.words} {action.name} {action.english}").split()
    if by_name and (best := max(by_name)).worth >= INSIDE:
        return best
    if all(any(word.startswith(part) for word in words) for part in folded(text).split()):
        return Match(INSIDE, -len(action.name) - 100)
    return max(by_name, default=None)


def _row(action: PaletteAction, typed: Typed, run: Callable[[PaletteAction], object]) -> Row:
    return Row(
        id=f"action:{action.id}",
        text=action.name,
        act=lambda: run(action),
        icon=action.icon,
        keys=action.keys,
        matches=_marks(action.name, typed.text),
    )


def _marks(name: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where ``text`` stands in a name: where a word begins with it, if there is such a place."""
    said, wanted = name.casefold(), text.casefold()
    places = [at for at in range(len(said)) if said.startswith(wanted, at)] if wanted else []
    if not places or len(said) != len(name):
        return ()
    at = next((each for each in places if each == 0 or not said[each - 1].isalnum()), places[0])
    return ((at, at + len(wanted)),)
