"""What an answer by a plan was told in all: memory is asked again for each of its steps."""

from dataclasses import replace

from desktop.conversation.entities import Message, RecalledRef, RecallPart


def with_earlier(answer: Message, part: RecallPart) -> RecallPart:
    """Return what ``answer`` was told before and ``part`` together, each thing once."""
    earlier = next((each for each in answer.parts if isinstance(each, RecallPart)), None)
    if earlier is None:
        return part
    found = _once((*earlier.found, *part.found))
    told = {(ref.kind, ref.id) for ref in found}
    no_room = _once((*earlier.no_room, *part.no_room))
    standing = tuple(dict.fromkeys((*earlier.standing, *part.standing)))
    return replace(
        part,
        found=found,
        standing=standing,
        silence="" if found else part.silence,
        had_meaning=earlier.had_meaning and part.had_meaning,
        no_room=tuple(ref for ref in no_room if (ref.kind, ref.id) not in told),
        standing_no_room=tuple(
            dict.fromkeys(each for each in (*earlier.standing_no_room, *part.standing_no_room) if each not in standing)
        ),
        step=earlier.step,
    )


def _once(refs: tuple[RecalledRef, ...]) -> tuple[RecalledRef, ...]:
    return tuple({(ref.kind, ref.id): ref for ref in reversed(refs)}.values())[::-1]
