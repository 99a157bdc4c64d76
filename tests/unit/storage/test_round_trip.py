"""Whatever parts an answer has, and however they grew, they come back as they were written."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.entities import (
    ErrorPart,
    MessageStatus,
    Part,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.language_model import Usage
from desktop.storage.rows import clean
from tests.support.stores import opened

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
STEPS = st.integers(0, 30)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
DURATIONS = st.floats(0, 1e6)
PARTS: st.SearchStrategy[Part] = st.one_of(
    st.builds(TextPart, text=TEXTS, step=STEPS),
    st.builds(ThinkingPart, text=TEXTS, step=STEPS),
    st.builds(
        ToolCallPart,
        call_id=TEXTS,
        name=TEXTS,
        arguments=TEXTS,
        step=STEPS,
        extra=st.dictionaries(TEXTS, JSON_VALUES, max_size=3),
    ),
    st.builds(
        ToolResultPart,
        call_id=TEXTS,
        status=st.sampled_from(ResultStatus),
        text=TEXTS,
        duration_seconds=DURATIONS,
        step=STEPS,
    ),
    st.builds(
        ErrorPart,
        code=TEXTS,
        params=st.dictionaries(TEXTS, TEXTS | st.integers(-(2**60), 2**60) | DURATIONS),
        step=STEPS,
    ),
)


@given(versions=st.lists(st.lists(PARTS, max_size=6), min_size=1, max_size=4), last=st.lists(PARTS, max_size=6))
async def test_parts_come_back_as_they_were(versions: list[list[Part]], last: list[Part]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        async with opened(Path(folder)) as store:
            thread = await store.threads.create_thread()
            turn = await store.threads.begin_turn(thread.id, "question", model="m")
            answer_id = turn.assistant_message.id
            for parts in versions:
                await store.threads.save_parts(answer_id, parts)
                (stored,) = await store.threads.messages([answer_id])
                assert stored.parts == tuple(parts)
                _, outline = await store.threads.outline(thread.id)
                texts = [getattr(part, "text", getattr(part, "arguments", "")) for part in parts]
                assert outline.text_length == sum(map(len, texts))
                assert outline.newline_count == sum(text.count("\n") for text in texts)
                assert outline.part_count == len(parts)
            finished = await store.threads.finish_turn(
                turn.turn_id,
                parts=last,
                status=MessageStatus.STOPPED,
                reason="stopped",
                usage=Usage(input_tokens=None, output_tokens=None),
                duration_seconds=0.5,
            )
            assert finished.parts == tuple(last)
        async with opened(Path(folder)) as store:
            assert (await store.threads.path(thread.id))[-1] == finished


@given(text=st.text(st.characters()))
def test_cleaned_text_can_be_stored_and_sound_text_is_not_touched(text: str) -> None:
    cleaned = clean(text)
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert clean(cleaned) == cleaned
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return
    assert cleaned == text
