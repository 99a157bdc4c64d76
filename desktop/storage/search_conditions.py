"""What a search asks of chats and messages beside its words, as SQL."""

from dataclasses import dataclass, field
from typing import Any

from desktop.conversation.search_wish import Holding, SearchWish
from desktop.conversation.shelf import Shelf
from desktop.storage.rows import ATTACHMENT, clean, placeholders, to_microseconds

_HOLDS = {
    Holding.TOOL: "m.is_call_indexed = 1",
    Holding.FILE: f"EXISTS (SELECT 1 FROM parts AS p WHERE p.message_seq = m.seq AND p.kind = '{ATTACHMENT}')",
    Holding.CODE: "EXISTS (SELECT 1 FROM parts AS p WHERE p.message_seq = m.seq AND p.kind = 'text'"
    " AND instr(p.text, '```') > 0)",
}


@dataclass
class Conditions:
    """Joined by AND; ``values`` are for the places in them."""

    clauses: list[str] = field(default_factory=list[str])
    values: list[Any] = field(default_factory=list[Any])

    def add(self, clause: str, *values: Any) -> None:
        self.clauses.append(clause)
        self.values += values

    @property
    def sql(self) -> str:
        return " AND ".join(self.clauses)


def of_threads(wish: SearchWish, thread_id: str) -> Conditions:
    """Return what must hold for a thread ``t``; with ``thread_id`` it is that one."""
    found = Conditions(["t.is_temporary = 0", "t.is_purging = 0"])
    found.add("t.deleted_at IS NOT NULL" if Shelf.TRASH in wish.shelves else "t.deleted_at IS NULL")
    if Shelf.ARCHIVE in wish.shelves:
        found.add("t.archived_at IS NOT NULL")
    if wish.folders:
        folders = sorted(wish.folders)
        chosen = placeholders(folders)
        found.add(f"t.folder_seq IN (SELECT f.seq FROM folders AS f WHERE f.id IN ({chosen}))", *map(clean, folders))
    if thread_id:
        found.add("t.id = ?", clean(thread_id))
    return found


def of_messages(wish: SearchWish) -> Conditions:
    """Return what must hold for a message ``m``."""
    found = Conditions(["m.deleted_at IS NULL"])
    if wish.roles:
        roles = sorted(role.value for role in wish.roles)
        found.add(f"m.role IN ({placeholders(roles)})", *roles)
    _add_days(found, "m.created_at", wish)
    if wish.models:
        names = " OR ".join(["instr(lower(u.model), lower(?)) > 0"] * len(wish.models))
        found.add(
            f"EXISTS (SELECT 1 FROM turns AS u WHERE u.answer_seq = m.seq AND ({names}))", *map(clean, wish.models)
        )
    for holding in sorted(wish.holding):
        found.add(_HOLDS[holding])
    return found


def of_titles(wish: SearchWish) -> Conditions:
    """Return what must hold for a thread ``t`` that is found itself."""
    found = Conditions()
    _add_days(found, "t.updated_at", wish)
    return found


def _add_days(found: Conditions, column: str, wish: SearchWish) -> None:
    if wish.since is not None:
        found.add(f"{column} >= ?", to_microseconds(wish.since))
    if wish.until is not None:
        found.add(f"{column} < ?", to_microseconds(wish.until))
