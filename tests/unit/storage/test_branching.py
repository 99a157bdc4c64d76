"""A chat that was branched off is whole in itself: texts, files, summary, foreign text; a purge of either leaves the other."""

import asyncio
import dataclasses
import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    MessageStatus,
    ResultStatus,
    TextPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.summaries import Summary, SummaryState
from desktop.core.costs import Cost
from desktop.core.errors import StorageError
from desktop.core.language_model import Usage
from desktop.core.tasks import TaskSupervisor
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.memory.entities import MemorySource, PassageKind, RecallScope
from desktop.storage import branching
from desktop.storage.store import Store
from desktop.tools.taint import Taint, TaintCause
from tests.support.memory_items import item
from tests.support.sentinels import Sentinels, fill
from tests.support.stores import opened, say

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


async def attached(store: Store, name: str) -> AttachmentPart:
    attachment_id = await store.attachments.add(name.encode(), suffix=".txt", thumbnail=b"small")
    return AttachmentPart(attachment_id=attachment_id, name=name, kind=AttachmentKind.TEXT, size=len(name), text=name)


async def with_files(store: Store, question: str, name: str) -> tuple[str, str]:
    """A chat of one round with a file from the user and one from a tool; returns its id and that of the answer."""
    thread = await store.threads.create_thread(title="Plans", options=ThreadOptions(system_prompt="Be brief."))
    turn = await store.threads.begin_turn(
        thread.id, question, model="m", attachments=[await attached(store, f"{name}-given")]
    )
    returned = await attached(store, f"{name}-returned")
    key = f"{turn.turn_id}:c"
    await store.journal.propose(key, turn_id=turn.turn_id, thread_id=thread.id, name="s__t", arguments="{}")
    things = [ResultItem(kind=ItemKind.FILE, attachment_id=returned.attachment_id, file_name="a.txt")]
    await store.journal.finish(key, status="ok", result="done", duration_seconds=1.0, items=things)
    await store.threads.finish_turn(
        turn.turn_id,
        parts=[
            ToolCallPart(call_id="c", name="s__t", arguments="{}"),
            ToolResultPart(call_id="c", status=ResultStatus.OK, text="done", items=tuple(things)),
            TextPart(text="an answer", step=1),
        ],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=10, output_tokens=5),
        duration_seconds=2.0,
        cost=Cost(amount=0.5, currency="€"),
    )
    return thread.id, turn.assistant_message.id


async def files_of(store: Store, thread_id: str) -> list[str | None]:
    """What is in the files of a chat, by the messages that name them."""
    found: list[str | None] = []
    for message in await store.threads.path(thread_id):
        ids = [part.attachment_id for part in message.attachments]
        ids += [i.attachment_id for p in message.parts if isinstance(p, ToolResultPart) for i in p.items]
        for attachment_id in ids:
            path = store.attachments.original(attachment_id)
            found.append(None if path is None else path.read_text())
    return found


@pytest.mark.parametrize("first", ["origin", "branch"])
async def test_a_purge_of_either_leaves_the_other_whole_and_no_byte_of_itself(tmp_path: Path, first: str) -> None:
    words, own = Sentinels(1), Sentinels(2)
    async with opened(tmp_path) as store:
        origin, answer = await with_files(store, words(), words())
        branch = await store.threads.branch(answer, title=words())
        assert branch.options.system_prompt == "Be brief."
        before = [dataclasses.replace(m, id="", thread_id="", parent_id=None) for m in await store.threads.path(origin)]
        after = [
            dataclasses.replace(m, id="", thread_id="", parent_id=None) for m in await store.threads.path(branch.id)
        ]
        assert await files_of(store, branch.id) == await files_of(store, origin)
        assert [m.text for m in after] == [m.text for m in before]
        assert [(m.created_at, m.model, m.usage, m.cost) for m in after] == [
            (m.created_at, m.model, m.usage, m.cost) for m in before
        ]
        gone, kept = (origin, branch.id) if first == "origin" else (branch.id, origin)
        await say(store, gone, own(), own())
        texts, files = [m.text for m in await store.threads.path(kept)], await files_of(store, kept)
        assert None not in files
        await store.threads.purge_thread(gone)
        assert own.left_in(tmp_path) == set()
        assert [m.text for m in await store.threads.path(kept)] == texts
        assert await files_of(store, kept) == files
        left = await store.threads.get_thread(kept)
        assert left is not None
        assert left.branched_from is None
        await store.threads.purge_thread(kept)
        assert words.left_in(tmp_path) == set()
        assert list((tmp_path / "attachments").iterdir()) == []


async def test_where_it_comes_from_is_said_as_long_as_that_is_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="Plans")
        answer = await say(store, thread.id, "one", "an answer")
        branch = await store.threads.branch(answer.id, title="Plans (branch)")
        origin = branch.branched_from
        assert origin is not None
        assert (origin.thread_id, origin.message_id, origin.title) == (thread.id, answer.id, "Plans")
        await store.threads.rename_thread(thread.id, "Other plans", by_user=True)
        await store.threads.delete_thread(thread.id)
        found = await store.threads.get_thread(branch.id)
        assert found is not None
        assert found.branched_from == dataclasses.replace(origin, title="Other plans", is_deleted=True)
        assert (await store.threads.list_threads())[0] == found
        with pytest.raises(StorageError):
            await store.threads.branch(answer.id, title="again")
        with pytest.raises(StorageError):
            await store.threads.branch("nobody", title="again")


async def test_a_message_by_the_user_becomes_the_draft_with_its_files(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "one", "an answer")
        turn = await store.threads.begin_turn(
            thread.id, "two", model="m", attachments=[await attached(store, "given.txt")]
        )
        branch = await store.threads.branch(turn.user_message.id, title="b")
        assert [m.text for m in await store.threads.path(branch.id)] == ["one", "an answer"]
        assert await store.threads.load_draft(branch.id) == "two"
        (part,) = await store.attachments.load_draft(branch.id)
        assert part.attachment_id != turn.user_message.attachments[0].attachment_id
        await store.threads.purge_thread(thread.id)
        path = store.attachments.original(part.attachment_id)
        assert path is not None
        assert path.read_text() == "given.txt"
        again = await store.threads.begin_turn(branch.id, "two", model="m", attachments=[part])
        assert again.user_message.attachments == (part,)
        first = await store.threads.path(branch.id)
        empty = await store.threads.branch(first[0].id, title="c")
        assert empty.tip is None
        assert await store.threads.path(empty.id) == ()
        await store.threads.purge_thread(branch.id)
        await store.threads.purge_thread(empty.id)
        assert list((tmp_path / "attachments").iterdir()) == []


async def test_what_is_being_written_counts_as_stopped(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        turn = await store.threads.begin_turn(thread.id, "one", model="m")
        await store.threads.save_parts(turn.assistant_message.id, [TextPart(text="half")])
        branch = await store.threads.branch(turn.assistant_message.id, title="b")
        answer = (await store.threads.path(branch.id))[-1]
        assert (answer.text, answer.status, answer.reason) == ("half", MessageStatus.STOPPED, "stopped")
        assert await store.threads.recover() == 1, "only the one that was being written"


async def test_what_answers_took_is_counted_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        answer = await say(store, thread.id, "one", "an answer")
        turn = await store.threads.begin_turn(thread.id, "two", model="m")
        taken = {"parts": [TextPart(text="half")], "status": MessageStatus.STOPPED, "reason": "stopped"}
        last = await store.threads.finish_turn(
            turn.turn_id, **taken, usage=Usage(input_tokens=10, output_tokens=5), duration_seconds=1.0
        )
        before = await store.threads.usage_totals()
        branch = await store.threads.branch(last.id, title="b")
        assert await store.threads.usage_totals() == before
        assert await store.threads.usage_totals(thread_id=branch.id) == ()
        assert (await store.threads.path(branch.id))[-1].usage == last.usage, "it is shown all the same"
        tip = (await store.threads.path(branch.id))[-1]
        on = await store.threads.reopen_turn(tip.id, model="m", parts=tip.parts)
        assert on.assistant_message.usage == Usage(), "only what comes to it is its own"
        await store.threads.finish_turn(on.turn_id, **taken, usage=Usage(output_tokens=3), duration_seconds=1.0)
        (own,) = await store.threads.usage_totals(thread_id=branch.id)
        assert (own.answers, own.output_tokens) == (1, 3)
        assert answer.id != tip.id


async def test_foreign_text_and_what_was_read_come_along_and_permissions_do_not(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread, clean = await store.threads.create_thread(), await store.threads.create_thread()
        answer, other = [await say(store, each.id, "I like tea", "I see") for each in (thread, clean)]
        await store.taints.add(thread.id, Taint(cause=TaintCause.WEB_PAGE, detail="secret.example", at=NOW))
        branch = await store.threads.branch(answer.id, title="b")
        taint = await store.taints.of(branch.id)
        assert taint is not None
        assert (taint.cause, taint.detail) == (TaintCause.BRANCH, "")
        assert await store.taints.of((await store.threads.branch(other.id, title="b")).id) is None
        assert await store.readings.unread(branch.id, 10) == ()
        assert [said.text for said in await store.readings.unread(thread.id, 10)] == ["I like tea"]
        await say(store, branch.id, "I like cake", "I see")
        assert [said.text for said in await store.readings.unread(branch.id, 10)] == ["I like cake"]


async def test_what_was_forgotten_stays_forgotten_in_every_copy(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        answer = await say(store, thread.id, "My safe is behind the clock, and I like tea.", "I see")
        question = (await store.threads.path(thread.id))[0]
        early = await store.threads.branch(answer.id, title="before")
        source = MemorySource(thread_id=thread.id, message_id=question.id, quote="My safe is behind the clock")
        fact = item("The safe is behind the clock", source=source)
        await store.memory.add(fact)
        await store.memory.forget([fact.id])
        late = await store.threads.branch(answer.id, title="after")
        again = await store.threads.branch((await store.threads.path(late.id))[-1].id, title="after that")
        for thread_id in (thread.id, early.id, late.id, again.id):
            message = (await store.threads.path(thread_id))[0]
            left = await store.summaries.without_forgotten({message.id: message.text})
            assert "clock" not in left[message.id], thread_id
            assert "tea" in left[message.id]


async def test_the_summary_of_the_beginning_comes_along(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        answers = [await say(store, thread.id, f"question {n}", "I see") for n in range(3)]
        for number in (0, 2):
            made = Summary(
                id=f"s{number}",
                thread_id=thread.id,
                until_id=answers[number].id,
                text=f"To {number}.",
                pinned=("Word for word.",),
                created_at=NOW,
                updated_at=NOW,
                model="m",
                usage=Usage(input_tokens=5, output_tokens=5),
            )
            assert await store.summaries.put(made, SummaryState())
        before = await store.threads.usage_totals()
        branch = await store.threads.branch(answers[1].id, title="b")
        state = await store.summaries.on_path(branch.id)
        assert state.in_use is not None
        assert (state.in_use.text, state.in_use.pinned) == ("To 0.", ("Word for word.",))
        assert state.in_use.until_id == (await store.threads.path(branch.id))[1].id
        assert await store.threads.usage_totals() == before
        await store.threads.purge_thread(thread.id)
        assert (await store.summaries.on_path(branch.id)).in_use == state.in_use


async def test_branches_of_one_chat_are_told_nothing_of_each_other(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        answer = await say(store, thread.id, "Bettina breeds bees", "Bees, I see")
        branch = await store.threads.branch(answer.id, title="b")
        last = (await store.threads.path(branch.id))[-1]
        again = await store.threads.branch(last.id, title="c")
        await say(store, thread.id, "Bettina sells honey", "I see")
        await say(store, branch.id, "Bettina sold bees", "I see")
        await store.passages.catch_up()

        async def told(asking: str | None) -> set[str]:
            sent = frozenset(m.id for m in await store.threads.path(asking)) if asking else frozenset[str]()
            scope = RecallScope(thread_id=asking, sent=sent)
            return {hit.passage_id for hit in await store.passages.by_words("Bettina", PassageKind.MESSAGE, 50, scope)}

        for asking in (thread.id, branch.id, again.id):
            assert await told(asking) == set()
        elsewhere = await store.threads.create_thread()
        assert await told(elsewhere.id) == await told(None)
        assert len(await told(None)) == 10
        await store.threads.purge_thread(branch.id)
        assert len(await told(again.id)) == 4, "nobody knows any more that they were one"


async def test_no_byte_is_left_of_a_change_that_was_begun(tmp_path: Path) -> None:
    words, rng = Sentinels(3), random.Random(3)
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await fill(store, thread.id, words, rng, turns=2)
        question = (await store.threads.path(thread.id))[0]
        await store.threads.save_draft(question.id, words.text(8))
        await store.attachments.save_draft(question.id, [await attached(store, words())])
        assert await store.threads.edited_message(thread.id) == question.id
        files = len(list((tmp_path / "attachments").iterdir()))
        assert (await store.threads.purge_thread(thread.id)).files == files
        assert await store.threads.edited_message(thread.id) == ""
        assert words.left_in(tmp_path) == set()
        assert list((tmp_path / "attachments").iterdir()) == []


async def test_of_a_temporary_chat_no_change_is_kept(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(options=ThreadOptions(is_temporary=True))
        await say(store, thread.id, "one", "an answer")
        question = (await store.threads.path(thread.id))[0]
        await store.threads.save_draft(question.id, "changed")
        assert await store.threads.load_draft(question.id) == ""
        assert await store.threads.edited_message(thread.id) == ""


async def test_nothing_is_left_of_a_branch_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with opened(tmp_path) as store:
        thread_id, answer = await with_files(store, "one", "file")
        before = sorted(folder.name for folder in (tmp_path / "attachments").iterdir())

        def fail(*_: object) -> None:
            raise StorageError("storage.full")

        monkeypatch.setattr("desktop.storage.branching.memory_items.copy_traces", fail)
        with pytest.raises(StorageError):
            await store.threads.branch(answer, title="b")
        assert [each.id for each in await store.threads.list_threads()] == [thread_id]
        assert sorted(folder.name for folder in (tmp_path / "attachments").iterdir()) == before


async def test_a_draft_keeps_its_files_where_nobody_waits_for_the_branch_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        files = [await attached(store, "given.txt")]
        turn = await store.threads.begin_turn(thread.id, "two", model="m", attachments=files)
        loop, take_along = asyncio.get_running_loop(), branching._take_along  # pyright: ignore[reportPrivateUsage]

        def cancel(*args: Any) -> None:
            take_along(*args)
            loop.call_soon_threadsafe(making.cancel)

        monkeypatch.setattr(branching, "_take_along", cancel)
        making = TaskSupervisor().spawn(store.threads.branch(turn.user_message.id, title="b"), name="branch")
        with pytest.raises(asyncio.CancelledError):
            await making
        branch = next(each for each in await store.threads.list_threads() if each.id != thread.id)
        (part,) = await store.attachments.load_draft(branch.id)
        path = store.attachments.original(part.attachment_id)
        assert path is not None
        assert path.read_text() == "given.txt"


async def test_what_was_said_otherwise_since_is_not_read(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "I live in Berlin", "I see")
        first = (await store.threads.path(thread.id))[0]
        turn = await store.threads.begin_turn(thread.id, "I live in Bonn", model="m", instead_of=first.id)
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text="I see")],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(),
            duration_seconds=1.0,
        )
        assert [said.text for said in await store.readings.unread(thread.id, 10)] == ["", "I live in Bonn"]


async def test_an_answer_is_told_of_its_own_way_whichever_is_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "Bettina breeds bees", "I see")
        first = (await store.threads.path(thread.id))[0]
        turn = await store.threads.begin_turn(thread.id, "Bettina breeds bulls", model="m", instead_of=first.id)
        last = await store.threads.begin_turn(thread.id, "and then?", model="m")
        await store.threads.recover()
        await store.threads.choose_answer(first.id)  # while the answer to the last one begins
        await store.passages.catch_up()
        scope = RecallScope(thread_id=thread.id, asked=last.user_message.id)
        found = await store.passages.by_words("Bettina breeds", PassageKind.MESSAGE, 10, scope)
        assert [hit.passage_id for hit in found] == [turn.user_message.id]
        shown = await store.passages.by_words(
            "Bettina breeds", PassageKind.MESSAGE, 10, RecallScope(thread_id=thread.id)
        )
        assert {hit.passage_id for hit in shown} == {m.id for m in await store.threads.path(thread.id)}
