"""What becomes of candidates beside what is remembered: something new, something in the place of an older item, or nothing."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from desktop.core.clock import Clock
from desktop.core.ids import new_id
from desktop.memory.candidates import Candidate
from desktop.memory.entities import Author, MemoryItem, MemorySource, MemoryStatus
from desktop.memory.ports import Found
from desktop.memory.refusals import refusal_of
from desktop.memory.sentences import meaning_of, plain, say_the_same
from desktop.memory.slots import says, slot_of, without

_MOST_OF_IT = 0.6
"""Of the words of two texts that are about the same, so many are in both."""


@dataclass(frozen=True)
class Origin:
    """What holds for everything that was said in a thread."""

    status: MemoryStatus = MemoryStatus.ACTIVE
    """PENDING where its texts are not the user's alone."""
    only_thread_id: str | None = None


def merged(by_rules: Sequence[Candidate], by_model: Sequence[Candidate]) -> list[Candidate]:
    """Return both without what comes from the same words twice: there the model's, which says more, counts.

    Several sentences about one thing may come as several candidates; those that say the same are one, the last.
    """
    asked = [rule for rule in by_rules if rule.is_asked_for]
    by_model = [replace(one, is_asked_for=any(one.overlaps(rule) for rule in asked)) for one in by_model]
    both = [*(rule for rule in by_rules if not _is_told(rule, by_model)), *by_model]
    both.sort(key=lambda candidate: (candidate.said.at, candidate.start))
    kept: list[Candidate] = []
    for candidate in both:
        twin = next(
            (one for one in kept if say_the_same(one.text, candidate.text) or _same_words(one, candidate)), None
        )
        if twin is None:
            kept.append(candidate)
        elif candidate.replaces and not twin.replaces:
            kept[kept.index(twin)] = candidate
    return kept


def _is_told(rule: Candidate, by_model: Sequence[Candidate]) -> bool:
    """Whether the model tells what a rule found: a sentence holds several things, of which it may have told another one."""
    near = [one for one in by_model if one.overlaps(rule)]
    if not near:
        return False
    slot = slot_of(rule.text, rule.kind)
    if slot is not None and any(says(one.text, one.kind, slot) for one in near):
        return True
    if not rule.is_asked_for and any(rule.start <= one.start and one.end <= rule.end for one in near):
        return True  # from these very words, which hold one thing alone
    own = _telling(rule.text)
    return len(own & set[str]().union(*(_telling(one.text) for one in near))) >= _MOST_OF_IT * len(own)


def _same_words(one: Candidate, other: Candidate) -> bool:
    """Whether both quote the very same words, from wherever, and take the same from them."""
    if not one.overlaps(other) or plain(one.quote) != plain(other.quote) or one.kind is not other.kind:
        return False
    slots = {slot_of(each.text, each.kind) for each in (one, other)}
    first, second = _telling(one.text), _telling(other.text)
    is_alike = len(first & second) >= _MOST_OF_IT * min(len(first), len(second))
    return len(slots) == 1 and (slots != {None} or is_alike)


def _telling(text: str) -> set[str]:
    """The words of a text that tell it from others."""
    return {*meaning_of(text)} - {"i", "my", "me", "to", "in", "and", "我"}


def reconciled(
    candidates: Sequence[Candidate], known: Sequence[MemoryItem], origin: Origin, clock: Clock
) -> list[Found]:
    """Return what is to be added; an item that takes an older one's place names it (``supersedes_id``).

    What is refused, and what is known already, is left out. ``known`` are those that are in force, or wait.
    """
    present = {item.id: item for item in known}
    added: list[Found] = []
    for candidate in candidates:
        if refusal_of(candidate.text, candidate.quote) is not None:
            continue
        beside = [*present.values()]
        if any(say_the_same(item.text, candidate.text) for item in beside if _counts_beside(item, origin)):
            continue
        item = _item(candidate, origin, clock)
        if (old := _replaced(candidate, present, origin)) is not None:
            item = replace(item, supersedes_id=old.id, is_pinned=item.is_pinned or old.is_pinned)
            del present[old.id]
            if (rest := rest_of(old, item, clock)) is not None and not any(
                say_the_same(rest.text, known.text) for known in present.values()
            ):
                added.append(Found(rest))
                present[rest.id] = rest
            if any(old.id == new.item.id for new in added):  # of this very reading: nobody has seen it yet
                added = [new for new in added if new.item.id != old.id]
                item = replace(item, supersedes_id=old.supersedes_id)
        added.append(Found(item, candidate.is_asked_for))
        present[item.id] = item
    return added


def rest_of(old: MemoryItem, new: MemoryItem, clock: Clock) -> MemoryItem | None:
    """Return what an item says besides that of which another one takes the place; None where that is nothing, or waits."""
    slot = slot_of(new.text, new.kind)
    if slot is None or new.status is not MemoryStatus.ACTIVE or old.status is not MemoryStatus.ACTIVE:
        return None
    text = without(old.text, old.kind, slot)
    if not text or _telling(text) <= _telling(new.text):
        return None
    now = clock()
    return replace(old, id=new_id(), text=text, created_at=now, updated_at=now, supersedes_id=None)


def _counts_beside(item: MemoryItem, origin: Origin) -> bool:
    """Whether an item stands in for saying it again: not one of another thread alone, nor one that waits."""
    is_near = item.only_thread_id is None or item.only_thread_id == origin.only_thread_id
    return is_near and (item.status is MemoryStatus.ACTIVE or origin.status is MemoryStatus.PENDING)


def _replaced(candidate: Candidate, present: dict[str, MemoryItem], origin: Origin) -> MemoryItem | None:
    """The item whose place it takes; what counts in one thread alone leaves those of all threads as they are."""
    slot = slot_of(candidate.text, candidate.kind)
    for item in present.values():
        if item.only_thread_id == origin.only_thread_id and _counts_beside(item, origin):
            is_named = candidate.replaces == item.id
            is_same = candidate.replaces is None and slot is not None and says(item.text, item.kind, slot)
            if is_named or is_same:
                return item
    return None


def _item(candidate: Candidate, origin: Origin, clock: Clock) -> MemoryItem:
    now, said = clock(), candidate.said
    return MemoryItem(
        id=new_id(),
        text=candidate.text,
        kind=candidate.kind,
        author=Author.SAID,
        created_at=now,
        updated_at=now,
        observed_at=said.at,
        status=origin.status,
        importance=candidate.importance,
        is_pinned=candidate.is_asked_for,
        only_thread_id=origin.only_thread_id,
        source=MemorySource(thread_id=said.thread_id, message_id=said.message_id, quote=candidate.quote),
    )
