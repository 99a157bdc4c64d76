"""Whatever parts an answer has, and however they grew, they come back as they were written."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.entities import (
    ErrorPart,
    Message,
    MessageStatus,
    Part,
    RecalledRef,
    RecallPart,
    ResultStatus,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.plans import Failure, InstructionPart, PlanPart, PlanState, PlanStep, StepState
from desktop.core.language_model import Usage
from desktop.storage.rows import clean
from desktop.storage.store import Store
from tests.support.stores import opened

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
STEPS = st.integers(0, 30)
JSON_VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=6,
)
DURATIONS = st.floats(0, 1e6)
SCORES = st.floats(allow_nan=False)
RECALLED = st.builds(RecalledRef, kind=TEXTS, id=TEXTS, score=SCORES, words=SCORES, meaning=st.none() | SCORES)
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
    st.builds(
        RecallPart,
        found=st.lists(RECALLED, max_size=3).map(tuple),
        standing=st.lists(TEXTS, max_size=3).map(tuple),
        silence=TEXTS,
        had_meaning=st.booleans(),
        no_room=st.lists(RECALLED, max_size=3).map(tuple),
        standing_no_room=st.lists(TEXTS, max_size=3).map(tuple),
        step=STEPS,
    ),
    st.builds(InstructionPart, text=TEXTS, place=st.none() | st.integers(0, 11), step=STEPS),
    st.builds(
        PlanPart,
        steps=st.lists(
            st.builds(
                PlanStep,
                text=TEXTS,
                state=st.sampled_from(StepState),
                failure=st.none() | st.sampled_from(Failure),
                why=TEXTS,
                is_changed=st.booleans(),
            ),
            max_size=4,
        ).map(tuple),
        state=st.sampled_from(PlanState),
        replans=st.integers(0, 3),
        goes_on_alone=st.booleans(),
        step=STEPS,
    ),
)


VERSIONS = st.lists(st.lists(PARTS, max_size=6), min_size=1, max_size=4)


@pytest.mark.timeout(300)  # the full count of examples takes half a minute, and longer where others work, too
async def test_parts_come_back_as_they_were(tmp_path: Path) -> None:
    finished: list[Message] = []
    async with opened(tmp_path) as store:
        loop = asyncio.get_running_loop()

        @given(versions=VERSIONS, last=st.lists(PARTS, max_size=6))
        def each_in_a_chat_of_its_own(versions: list[list[Part]], last: list[Part]) -> None:
            written = asyncio.run_coroutine_threadsafe(write_and_compare(store, versions, last), loop)
            finished.append(written.result())

        # In a thread, and the store stays open on this loop: to open one takes longer than all that is done with it.
        await asyncio.to_thread(each_in_a_chat_of_its_own)
    assert finished
    async with opened(tmp_path) as store:
        for message in finished:
            assert (await store.threads.path(message.thread_id))[-1] == message


async def write_and_compare(store: Store, versions: list[list[Part]], last: list[Part]) -> Message:
    """Let an answer grow through all versions to the last; returns it as it was finished."""
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
    return finished


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
