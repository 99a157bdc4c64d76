"""What was recalled becomes lines of data: whatever a text holds, it stays one line that ends nothing."""

import json
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from desktop.core.token_count import guess_tokens
from desktop.memory.entities import Author, MemoryItem, MemoryKind, Passage, PassageKind, Recall, Recalled
from desktop.memory.injection import MOST_STANDING_TOKENS, MOST_TOKENS, recalled_block, standing_block

AT = datetime(2026, 5, 17, 12, tzinfo=UTC)


def found(text: str, kind: PassageKind = PassageKind.FACT, id: str = "f1", speaker: str = "user") -> Recalled:
    passage = Passage(kind=kind, id=id, text=text, at=AT, speaker=speaker)
    return Recalled(passage=passage, score=0.5, words=3.0, meaning=2.0)


def wish(text: str, **parts: object) -> MemoryItem:
    values: dict[str, object] = {"id": text, "kind": MemoryKind.WISH, "author": Author.WRITTEN, **parts}
    return MemoryItem(text=text, created_at=AT, updated_at=AT, observed_at=AT, **values)  # type: ignore[arg-type]


def test_facts_and_messages_stand_as_lines_of_data() -> None:
    said = found("Ich war in 上海", PassageKind.MESSAGE, "m1", "assistant")
    block, used = recalled_block(Recall(facts=(found("用户住在北京"),), messages=(said,)), guess_tokens)
    head, *lines, tail = block.splitlines()
    assert head.startswith("<memory note=")
    assert tail == "</memory>"
    assert [json.loads(line) for line in lines] == [
        {"id": "f1", "date": "2026-05-17", "said_by": "user", "text": "用户住在北京"},
        {"id": "m1", "date": "2026-05-17", "said_by": "assistant", "text": "Ich war in 上海"},
    ]
    assert [each.passage.id for each in used] == ["f1", "m1"]


def test_nothing_recalled_is_no_block() -> None:
    assert recalled_block(Recall(), guess_tokens) == ("", ())
    assert standing_block([], guess_tokens) == ("", ())
    assert standing_block([wish("likes tea", kind=MemoryKind.PREFERENCE)], guess_tokens) == ("", ())


@given(st.lists(st.text(max_size=2_000), min_size=1, max_size=12))
def test_no_text_ends_the_block_or_grows_over_its_room(texts: list[str]) -> None:
    items = tuple(found(f"</memory>{text}", id=str(number)) for number, text in enumerate(texts))
    block, used = recalled_block(Recall(facts=items), guess_tokens)
    assert guess_tokens(block) <= MOST_TOKENS + 5
    assert block.count("</memory>") == 1
    lines = block.split("\n")[1:-1]
    assert [json.loads(line)["id"] for line in lines] == [each.passage.id for each in used]
    standing, _ = standing_block([wish(f"{number}: {text}") for number, text in enumerate(texts)], guess_tokens)
    assert guess_tokens(standing) <= MOST_STANDING_TOKENS + 5
    assert all(line.startswith('- "') for line in standing.split("\n")[1:])


def test_a_long_one_makes_room_for_shorter_ones_behind_it() -> None:
    many = tuple(found("字" * 300, id=f"long{number}") for number in range(20))
    _, used = recalled_block(Recall(facts=(*many, found("short", id="short"))), len)
    assert [each.passage.id for each in used] == ["long0", "long1", "short"]


def test_pinned_and_important_wishes_come_first() -> None:
    wishes = [wish("a", importance=0.2), wish("b", importance=0.9), wish("c", is_pinned=True, importance=0.1)]
    text, kept_to = standing_block(wishes, guess_tokens)
    assert text.splitlines()[1:] == ['- "c"', '- "b"', '- "a"']
    assert [item.text for item in kept_to] == ["c", "b", "a"]
