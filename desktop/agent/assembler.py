"""Joins the pieces of tool calls that endpoints stream, however they number and repeat them, into whole calls.

Pure: pieces in, calls out. The deviations it copes with are those seen of real endpoints: no index, one index for
several calls, ids repeated, changing or missing, names repeated in every piece, arguments sent twice or as a whole.
"""

import secrets
import string
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, cast

from desktop.agent.call_arguments import is_cut, is_object, objects_in
from desktop.agent.text_calls import WrittenCall
from desktop.core.language_model import ToolCallDelta
from desktop.core.meant_names import begins_name, meant_name
from desktop.tools.strict_json import MAX_CHARS

MAX_CALLS = 1000
"""Far more than are ever run; what an endless stream makes beyond it is dropped."""

_MERGED_LEVELS = 4
_ID_ALPHABET = string.ascii_letters + string.digits


@dataclass(frozen=True, kw_only=True)
class AssembledCall:
    """One call. ``call_id`` is the endpoint's where it is usable, else ours; ``arguments`` is JSON text.

    ``name`` is that of the tool offered where it is plain which one is meant.
    """

    call_id: str
    name: str
    arguments: str
    extra: Mapping[str, Any]
    is_whole: bool = True
    """False where the arguments break off: the answer was cut, whatever the endpoint says, and no call of it may run."""


@dataclass
class _Slot:
    index: int | None
    call_id: str = ""
    name: str = ""
    extra: dict[str, Any] = field(default_factory=dict[str, Any])
    size: int = 0
    """Characters of the arguments so far."""
    _pieces: list[str] = field(default_factory=list[str])

    @property
    def arguments(self) -> str:
        self._pieces = ["".join(self._pieces)]
        return self._pieces[0]

    def add_arguments(self, piece: str) -> None:
        # Longer ones are refused; an endless stream must not fill the memory.
        if piece and self.size <= MAX_CHARS:
            self._pieces.append(piece)
            self.size += len(piece)

    @property
    def is_whole(self) -> bool:
        """The arguments so far are an object."""
        return self.size > 0 and self._pieces[-1].rstrip()[-1:] in ("}", "") and is_object(self.arguments)


class ToolCallAssembler:
    """Collects the pieces of one step. ``known_names`` are the tools offered; they decide what a name means."""

    def __init__(self, known_names: Collection[str]) -> None:
        self._known = frozenset(known_names)
        self._slots: list[_Slot] = []

    def add(self, piece: ToolCallDelta) -> None:
        """Take one piece, in the order of arrival."""
        slot = self._find(piece)
        if slot is None or self._begins_another(slot, piece):
            if len(self._slots) == MAX_CALLS:
                return
            slot = _Slot(index=piece.index)
            self._slots.append(slot)
        if slot.index is None:
            slot.index = piece.index
        slot.call_id = slot.call_id or piece.call_id
        _merge(slot.extra, piece.extra)
        self._add_name(slot, piece.name)
        slot.add_arguments(piece.arguments)

    def calls(self, used_ids: Collection[str]) -> list[AssembledCall]:
        """Return the calls in the model's order; an id that is missing or in ``used_ids`` is replaced by a new one.

        Slots that never got a name are left out: nothing can be called.
        """
        return list(islice(self._calls(set(used_ids)), MAX_CALLS))

    def _calls(self, taken: set[str]) -> Iterator[AssembledCall]:
        for slot in self._slots:
            if not slot.name:
                continue
            name = meant_name(slot.name, self._known)
            for number, arguments in enumerate(objects_in(slot.arguments)):
                call_id = slot.call_id if slot.call_id and slot.call_id not in taken else _new_call_id(taken)
                taken.add(call_id)
                yield AssembledCall(
                    call_id=call_id,
                    name=name,
                    arguments=arguments,
                    extra={} if number else slot.extra,
                    is_whole=slot.size > MAX_CHARS or not is_cut(arguments),
                )

    # -- which call a piece belongs to ------------------------------------------------------------------------------

    def _find(self, piece: ToolCallDelta) -> _Slot | None:
        """The call that the piece may go on with: by its index, then its id, then the last one; None for a new one."""
        last = self._slots[-1] if self._slots else None
        if last is not None and last.index == piece.index and piece.call_id in ("", last.call_id):
            return last  # as nearly always
        if piece.index is None:
            return self._with_id(piece.call_id) or last
        of_index = [slot for slot in self._slots if slot.index == piece.index]
        if of_index:
            same = (slot for slot in reversed(of_index) if piece.call_id and slot.call_id == piece.call_id)
            return next(same, of_index[-1])
        # The call may have begun before its index was said.
        begun = self._with_id(piece.call_id) or (last if last and not (last.name and piece.name) else None)
        return begun if begun is not None and begun.index is None else None

    def _with_id(self, call_id: str) -> _Slot | None:
        return next((s for s in reversed(self._slots) if s.call_id == call_id), None) if call_id else None

    def _begins_another(self, slot: _Slot, piece: ToolCallDelta) -> bool:
        if piece.begins_call:
            return True
        if not piece.name:
            return False  # nothing could be called; objects that are glued this way are told apart at the end
        has_other_id = bool(piece.call_id and slot.call_id and piece.call_id != slot.call_id)
        if not slot.name:
            return has_other_id
        starts = piece.arguments.lstrip()[:1] in ("", "{", '"')
        if has_other_id:
            return starts or slot.is_whole  # else an endpoint that makes a new id for every piece
        if piece.name != slot.name:
            return self._is_other_tool(slot, piece.name)
        return starts and slot.is_whole and slot.arguments.strip() != "{}" and slot.arguments != piece.arguments

    def _is_other_tool(self, slot: _Slot, name: str) -> bool:
        if self._continues_name(slot, name):
            return False
        if self._is_known(name):
            return bool(slot.size) or self._is_known(slot.name) or not name.startswith(slot.name)
        return slot.is_whole

    def _add_name(self, slot: _Slot, name: str) -> None:
        if not slot.name or (not slot.size and name.startswith(slot.name) and self._is_known(name)):
            slot.name = name
        elif name and not self._is_repeated(slot, name) and self._continues_name(slot, name):
            slot.name += name

    def _is_repeated(self, slot: _Slot, name: str) -> bool:
        """The whole name came again; two equal pieces of one, such as of ``oops``, are none."""
        return name == slot.name and self._is_known(name)

    def _continues_name(self, slot: _Slot, name: str) -> bool:
        """Only a name that a tool has, or begins with, may be made of pieces."""
        joined = slot.name + name
        return not slot.size and (self._is_known(joined) or begins_name(joined, self._known))

    def _is_known(self, name: str) -> bool:
        return meant_name(name, self._known) in self._known


def _merge(known: dict[str, Any], more: Mapping[str, Any], depth: int = 0) -> None:
    """Add fields to those that came before; objects grow, and nothing is replaced by an empty text."""
    for name, value in more.items():
        before = known.get(name)
        if isinstance(before, dict) and isinstance(value, Mapping) and depth < _MERGED_LEVELS:
            merged = cast(dict[str, Any], before).copy()
            _merge(merged, cast(Mapping[str, Any], value), depth + 1)
            known[name] = merged
        elif value != "" or name not in known:
            known[name] = value


def _new_call_id(taken: Collection[str]) -> str:
    # Nine letters and digits: the one form that every known endpoint accepts when it is sent back.
    while True:
        candidate = "".join(secrets.choice(_ID_ALPHABET) for _ in range(9))
        if candidate not in taken:
            return candidate


def assembled(
    found: Iterable[WrittenCall], known_names: Collection[str], used_ids: Collection[str]
) -> list[AssembledCall]:
    """Return calls that were written as text as if they had been streamed."""
    assembler = ToolCallAssembler(known_names)
    for index, call in enumerate(found):
        assembler.add(ToolCallDelta(index=index, name=call.name, arguments=call.arguments))
    return assembler.calls(used_ids)
