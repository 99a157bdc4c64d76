"""Joins the pieces of tool calls that endpoints stream, however they number and repeat them, into whole calls.

Pure: pieces in, calls out. The deviations it copes with are those seen of real endpoints: no index, one index for
several calls, ids repeated or missing, names repeated in every piece, arguments sent twice or as a whole.
"""

import json
import secrets
import string
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop.core.language_model import ToolCallDelta
from desktop.tools.strict_json import MAX_CHARS

MAX_CALLS = 1000
"""Far more than are ever run; what an endless stream makes beyond it is dropped."""

_ID_ALPHABET = string.ascii_letters + string.digits


@dataclass(frozen=True, kw_only=True)
class AssembledCall:
    """One whole call. ``call_id`` is the endpoint's where it is usable, else ours; ``arguments`` is JSON text."""

    call_id: str
    name: str
    arguments: str
    extra: Mapping[str, Any]


@dataclass
class _Slot:
    index: int | None
    call_id: str = ""
    name: str = ""
    arguments: str = ""
    extra: dict[str, Any] = field(default_factory=dict[str, Any])


class ToolCallAssembler:
    """Collects the pieces of one step. ``known_names`` are the tools offered; they decide whether names are joined."""

    def __init__(self, known_names: Collection[str]) -> None:
        self._known = known_names
        self._slots: list[_Slot] = []

    def add(self, piece: ToolCallDelta) -> None:
        """Take one piece, in the order of arrival."""
        slot = self._slot_for(piece)
        if slot is None:
            return
        if piece.call_id and not slot.call_id:
            slot.call_id = piece.call_id
        slot.extra.update(piece.extra)
        self._add_name(slot, piece.name)
        if len(slot.arguments) <= MAX_CHARS:  # longer ones are refused; an endless stream must not fill the memory
            slot.arguments = _joined(slot.arguments, piece.arguments)

    def calls(self, used_ids: Collection[str]) -> list[AssembledCall]:
        """Return the calls in the model's order; an id that is missing or in ``used_ids`` is replaced by a new one.

        Slots that never got a name are left out: nothing can be called.
        """
        taken = set(used_ids)
        calls: list[AssembledCall] = []
        for slot in self._slots:
            if not slot.name:
                continue
            call_id = slot.call_id if slot.call_id and slot.call_id not in taken else _new_call_id(taken)
            taken.add(call_id)
            calls.append(
                AssembledCall(
                    call_id=call_id, name=slot.name, arguments=slot.arguments.strip() or "{}", extra=dict(slot.extra)
                )
            )
        return calls

    def _slot_for(self, piece: ToolCallDelta) -> _Slot | None:
        """The call that the piece belongs to, a new one where needed; None beyond ``MAX_CALLS``."""
        slot = self._find(piece)
        if slot is None or self._begins_another(slot, piece):
            if len(self._slots) == MAX_CALLS:
                return None
            slot = _Slot(index=piece.index)
            self._slots.append(slot)
        return slot

    def _find(self, piece: ToolCallDelta) -> _Slot | None:
        newest_first = reversed(self._slots)
        if piece.index is not None:
            return next((s for s in newest_first if s.index == piece.index), None)
        if piece.call_id:
            return next((s for s in newest_first if s.call_id == piece.call_id), None)
        return self._slots[-1] if self._slots else None

    @staticmethod
    def _begins_another(slot: _Slot, piece: ToolCallDelta) -> bool:
        if not piece.name:
            return _is_second_object(slot.arguments, piece.arguments)
        if piece.call_id and slot.call_id and piece.call_id != slot.call_id:
            return True
        if piece.index is None and not piece.call_id and slot.name and _is_object(slot.arguments):
            return True
        return _is_second_object(slot.arguments, piece.arguments)

    def _add_name(self, slot: _Slot, name: str) -> None:
        if not slot.name:
            slot.name = name
        elif name and name != slot.name and slot.name + name in self._known:
            slot.name += name


def _joined(before: str, piece: str) -> str:
    if not piece:
        return before
    if before.strip() in ("{}", "null") and piece.lstrip().startswith("{"):
        return piece
    if before and before == piece and _is_object(before):
        return before
    return before + piece


def _is_object(text: str) -> bool:
    if not text.rstrip().endswith("}"):  # cheap test first: this runs for every piece
        return False
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _is_second_object(before: str, piece: str) -> bool:
    if before.strip() == "{}" or before == piece or not piece.lstrip().startswith("{"):
        return False
    return _is_object(before)


def _new_call_id(taken: Collection[str]) -> str:
    # Nine letters and digits: the one form that every known endpoint accepts when it is sent back.
    while True:
        candidate = "".join(secrets.choice(_ID_ALPHABET) for _ in range(9))
        if candidate not in taken:
            return candidate
