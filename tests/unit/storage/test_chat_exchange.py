"""Chats go out and come back without loss; what is here is known again, and nothing of it changes."""

import asyncio
import dataclasses
import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from desktop.conversation.entities import (
    AttachmentPart,
    MessageStatus,
    ResultStatus,
    Role,
    TextPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.interchange.chat_json import to_text
from desktop.conversation.interchange.records import (
    ChatRecord,
    ImportedChat,
    MessageRecord,
    Source,
    Verdict,
    Why,
)
from desktop.conversation.removals import Removed
from desktop.core.ids import new_id
from desktop.core.language_model import Usage
from desktop.core.memory_settings import MemoryUse
from desktop.core.paths import DataPaths
from desktop.core.permission_mode import PermissionMode
from desktop.core.tool_content import ItemKind, ResultItem
from desktop.storage.store import Store, open_store
from desktop.tools.taint import TaintCause
from tests.support.exchanged_chats import NOW, as_file, chats, exported, found_in, take_in
from tests.support.foreign_chats import chatgpt_chat, claude_chat
from tests.support.stores import opened, say


def without_order(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All but the order in which they were shown, which is written down for each once it is for one."""
    return [{name: value for name, value in message.items() if name != "shown"} for message in messages]


def bytes_in(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def at_now() -> datetime:
    return NOW


async def texts(store: Store, thread_id: str) -> list[str]:
    return [message.text for message in await store.threads.path(thread_id)]


def question(name: str, parent: str | None, said: str, minutes: int = 0) -> MessageRecord:
    return _record(name, parent, Role.USER, said, minutes)


def answer(name: str, parent: str | None, said: str, minutes: int = 0) -> MessageRecord:
    return _record(name, parent, Role.ASSISTANT, said, minutes)


def _record(name: str, parent: str | None, role: Role, said: str, minutes: int) -> MessageRecord:
    at = NOW + timedelta(minutes=minutes)
    return MessageRecord(
        id=name, parent_id=parent, role=role, parts=(TextPart(text=said),), created_at=at, updated_at=at
    )


def chat_of(*messages: MessageRecord, updated: datetime = NOW, **fields: Any) -> ImportedChat:
    record = ChatRecord(
        id=fields.pop("id", "foreign-1"),
        title=fields.pop("title", "A chat"),
        created_at=NOW,
        updated_at=updated,
        tip=fields.pop("tip", messages[-1].id),
        **fields,
    )
    return ImportedChat(source=Source.CHATGPT, chat=record, messages=messages)


TALK = (question("q1", None, "one"), answer("a1", "q1", "first"))


# -- out and in again


def test_what_is_exported_and_imported_is_exported_the_same(tmp_path: Path) -> None:
    with asyncio.Runner() as runner:
        one = runner.run(open_store(DataPaths(tmp_path / "a"), at_now))
        other = runner.run(open_store(DataPaths(tmp_path / "b"), at_now))

        @given(chat=chats())
        def check(chat: ImportedChat) -> None:
            assume(any(message.parts for message in chat.messages))
            runner.run(there_and_back(one, other, chat))

        try:
            check()
        finally:
            runner.run(one.close())
            runner.run(other.close())


async def there_and_back(one: Store, other: Store, chat: ImportedChat) -> None:
    (outcome,) = await take_in(one, as_file(chat))
    assert outcome.verdict is Verdict.IMPORTED
    first = await exported(one, outcome.thread_id)
    (again,) = await take_in(other, to_text(first).encode())
    assert again.verdict is Verdict.IMPORTED
    assert await exported(other, again.thread_id) == first
    assert await one.threads.outline(outcome.thread_id) == await other.threads.outline(again.thread_id)
    assert without_order(first["messages"]) == without_order(json.loads(as_file(chat))["messages"])
    (known,) = await take_in(other, to_text(first).encode())
    assert known.verdict is Verdict.KNOWN
    assert await exported(other, again.thread_id) == first


async def test_answers_beside_each_other_are_shown_again_as_they_were(tmp_path: Path) -> None:
    async with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        thread = await one.threads.create_thread(title="Beside")
        first = await say(one, thread.id, "question", "first answer")
        turn = await one.threads.add_answer(first.id, model="m", chosen=True)
        await one.threads.finish_turn(
            turn.turn_id, parts=[TextPart(text="second answer")], status=MessageStatus.COMPLETE, reason="completed",
            usage=Usage(), duration_seconds=1.0,
        )  # fmt: skip
        await say(one, thread.id, "goes on", "below the second")
        await one.threads.choose_answer(first.id)
        assert await texts(one, thread.id) == ["question", "first answer"]
        export = await exported(one, thread.id)
        (outcome,) = await take_in(other, to_text(export).encode())
        assert any("shown" in message for message in export["messages"])
        assert await exported(other, outcome.thread_id) == export
        assert await texts(other, outcome.thread_id) == ["question", "first answer"]
        path = await other.threads.path(outcome.thread_id)
        second = (await other.threads.answers(path[0].id))[1]
        await other.threads.choose_answer(second.id)
        assert await texts(other, outcome.thread_id) == ["question", "second answer", "goes on", "below the second"]


@pytest.mark.parametrize("is_erased", [False, True])
async def test_what_was_removed_is_not_exported_and_the_rest_is_shown_as_before(
    tmp_path: Path, is_erased: bool
) -> None:
    async with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        thread = await one.threads.create_thread(title="Removed")
        file_id = await one.attachments.add(b"herons", suffix=".txt")
        item = ResultItem(kind=ItemKind.TEXT, attachment_id=file_id, file_name="herons.txt", size=6)
        for number in range(3):
            turn = await one.threads.begin_turn(thread.id, f"question {number}", model="m")
            result = ToolResultPart(call_id="c", status=ResultStatus.OK, text=f"result {number}", items=(item,))
            await one.threads.finish_turn(
                turn.turn_id,
                parts=[ToolCallPart(call_id="c", name="look", arguments="{}"), result, TextPart(text=f"answer {number}")],
                status=MessageStatus.COMPLETE, reason="completed", usage=Usage(), duration_seconds=1.0,
            )  # fmt: skip
        path = await one.threads.path(thread.id)
        await one.removals.remove(Removed(path[1].id, "c"))
        await one.removals.remove(Removed(path[3].id, "c"))
        for removed in (path[0], path[5], path[4]):  # the first, and the last two, with which the way ends
            await one.removals.remove(Removed(removed.id))
        if is_erased:
            await one.removals.erase()
        export = await exported(one, thread.id)
        words = to_text(export)
        gone = ("question 0", "result 0", "result 1", "question 2", "answer 2", "result 2", file_id, "herons")
        assert not [text for text in gone if text in words]
        opened_chat = await one.exchange.open(thread.id)
        assert opened_chat is not None
        assert not opened_chat.files, "nothing that is left names it"
        (outcome,) = await take_in(other, words.encode())
        assert await texts(other, outcome.thread_id) == ["answer 0", "question 1", "answer 1"]
        again = await exported(other, outcome.thread_id)
        assert again["messages"] == export["messages"]
        assert again["chat"]["tip"] == export["chat"]["tip"]
        (known,) = await take_in(one, words.encode())
        assert known.verdict is Verdict.KNOWN


async def test_the_way_that_another_program_showed_is_come_back_to(tmp_path: Path) -> None:
    """Newer answers stand beside it, further down than where it is left."""
    other = question("q2", None, "another")
    chat = chat_of(*TALK, question("q3", "a1", "two"), answer("a2", "q3", "shown"), answer("a3", "q3", "newer"), other,
                   tip="a2")  # fmt: skip
    async with opened(tmp_path) as store:
        (outcome,) = await take_in_chats(store, chat)
        way = await store.threads.path(outcome.thread_id)
        assert [message.text for message in way] == ["one", "first", "two", "shown"]
        (aside,) = [node for node in await store.threads.tree(outcome.thread_id) if node.beginning == "another"]
        await store.threads.choose_answer(aside.id)
        assert await texts(store, outcome.thread_id) == ["another"]
        await store.threads.choose_answer(way[0].id)
        assert await texts(store, outcome.thread_id) == ["one", "first", "two", "shown"]


async def test_an_answer_that_is_being_written_comes_as_interrupted(tmp_path: Path) -> None:
    async with opened(tmp_path / "a") as one, opened(tmp_path / "b") as other:
        thread = await one.threads.create_thread()
        turn = await one.threads.begin_turn(thread.id, "hello", model="m")
        await one.threads.save_parts(turn.assistant_message.id, [TextPart(text="half an ans")])
        half = to_text(await exported(one, thread.id)).encode()
        (outcome,) = await take_in(other, half)
        assert (await other.threads.path(outcome.thread_id))[-1].status is MessageStatus.INTERRUPTED
        await one.threads.finish_turn(
            turn.turn_id, parts=[TextPart(text="half an answer and the rest")], status=MessageStatus.COMPLETE,
            reason="completed", usage=Usage(), duration_seconds=1.0,
        )  # fmt: skip
        assert [one.verdict for one in await take_in(one, half)] == [Verdict.KNOWN]


# -- what is here already


async def test_the_same_export_twice_changes_nothing(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        data = json.dumps([chatgpt_chat(), claude_chat()]).encode()
        first = await take_in(store, data)
        before = [await exported(store, outcome.thread_id) for outcome in first]
        second = await take_in(store, data)
        assert [outcome.verdict for outcome in second] == [Verdict.KNOWN] * 2
        assert [outcome.thread_id for outcome in second] == [outcome.thread_id for outcome in first]
        assert [await exported(store, outcome.thread_id) for outcome in first] == before


async def test_a_chat_that_grew_goes_on_where_it_ended(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (first,) = await take_in(store, json.dumps([chatgpt_chat()]).encode())
        (second,) = await take_in(store, json.dumps([chatgpt_chat(longer=True)]).encode())
        assert (second.verdict, second.thread_id, second.messages) == (Verdict.GREW, first.thread_id, 2)
        assert (await texts(store, first.thread_id))[-3:] == ["Welcome", "One more", "Of course"]
        thread = await store.threads.get_thread(first.thread_id)
        assert thread is not None
        assert thread.updated_at == datetime.fromtimestamp(1_700_000_021, UTC)


async def test_what_went_on_here_and_there_stands_side_by_side(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (first,) = await take_in(store, json.dumps([chatgpt_chat()]).encode())
        await say(store, first.thread_id, "said here", "answered here")
        (second,) = await take_in(store, json.dumps([chatgpt_chat(longer=True)]).encode())
        assert second.verdict is Verdict.BRANCHED
        assert (await texts(store, first.thread_id))[-2:] == ["said here", "answered here"]
        (hit,) = await store.threads.search("Of course")
        assert hit.message_id is not None
        await store.threads.choose_answer(hit.message_id)
        assert (await texts(store, first.thread_id))[-2:] == ["One more", "Of course"]


async def test_a_changed_message_of_the_same_id_stands_beside_the_one_that_is_here(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (first,) = await take_in_chats(store, chat_of(*TALK))
        changed = chat_of(TALK[0], answer("a1", "q1", "something else"))
        (second,) = await take_in_chats(store, changed)
        assert (second.verdict, second.messages) == (Verdict.BRANCHED, 1)
        assert await texts(store, first.thread_id) == ["one", "first"]
        answers = await store.threads.answers((await store.threads.path(first.thread_id))[0].id)
        assert [message.text for message in answers] == ["first", "something else"]


async def test_messages_without_lasting_ids_are_known_by_what_they_say(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await take_in_chats(store, chat_of(*TALK))
        renamed = chat_of(question("x", None, "one"), answer("y", "x", "first"), question("z", "y", "new"))
        (outcome,) = await take_in_chats(store, renamed)
        assert (outcome.verdict, outcome.messages) == (Verdict.GREW, 1)
        assert await texts(store, outcome.thread_id) == ["one", "first", "new"]


async def test_a_chat_in_the_trash_stays_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (first,) = await take_in_chats(store, chat_of(*TALK))
        await store.threads.delete_thread(first.thread_id)
        (second,) = await take_in_chats(store, chat_of(*TALK))
        assert (second.verdict, second.why) == (Verdict.KNOWN, Why.IN_TRASH)
        assert await store.threads.list_threads() == ()


async def test_what_was_deleted_for_good_can_be_imported_again_and_leaves_no_byte(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        secret = chat_of(
            question("id-qzxwvkpjmn", None, "word qzxwvkpjtt"), id="chat-qzxwvkpjss", title="title qzxwvkpjrr"
        )
        (first,) = await take_in_chats(store, secret)
        await store.threads.purge_thread(first.thread_id)
    assert b"qzxwvkpj" not in bytes_in(tmp_path)
    async with opened(tmp_path) as store:
        (again,) = await take_in_chats(store, secret)
        assert again.verdict is Verdict.IMPORTED


async def test_an_export_of_this_library_is_known_by_its_own_ids(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="Mine")
        await say(store, thread.id, "hello", "hi")
        data = to_text(await exported(store, thread.id)).encode()
        await say(store, thread.id, "more", "and more")
        (outcome,) = await take_in(store, data)
        assert (outcome.verdict, outcome.thread_id) == (Verdict.KNOWN, thread.id)
        assert await texts(store, thread.id) == ["hello", "hi", "more", "and more"]


async def test_ids_that_are_taken_here_are_not_taken_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="Mine")
        await say(store, thread.id, "hello", "hi")
        value = await exported(store, thread.id)
        value["chat"]["id"] = new_id()
        (outcome,) = await take_in(store, to_text(value).encode())
        assert outcome.verdict is Verdict.IMPORTED
        assert await texts(store, outcome.thread_id) == ["hello", "hi"]
        assert await texts(store, thread.id) == ["hello", "hi"]


# -- what an import must not bring


async def test_an_import_brings_no_folder_no_mode_and_no_more_memory(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        wanted = ThreadOptions(
            workspace="/etc", mode=PermissionMode.ASK_FOR_RISK, memory=MemoryUse.EVERYWHERE, system_prompt="Be brief."
        )
        (outcome,) = await take_in_chats(store, chat_of(*TALK, options=wanted))
        thread = await store.threads.get_thread(outcome.thread_id)
        assert thread is not None
        assert thread.options == ThreadOptions(system_prompt="Be brief.")
        assert outcome.options_dropped
        assert await store.grants.list() == ()


async def test_what_tools_said_counts_as_foreign_text(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (tools, plain) = await take_in(store, json.dumps([chatgpt_chat()]).encode()) + await take_in_chats(
            store, chat_of(*TALK)
        )
        taint = await store.taints.of(tools.thread_id)
        assert taint is not None
        assert taint.cause is TaintCause.ATTACHMENT or taint.cause is TaintCause.TOOL_OUTPUT
        assert await store.taints.of(plain.thread_id) is None


async def test_nothing_is_remembered_of_what_was_said_elsewhere(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (outcome,) = await take_in_chats(store, chat_of(*TALK))
        assert await store.readings.unread_threads() == ()
        await say(store, outcome.thread_id, "my cat is called Momo", "fine")
        unread = await store.readings.unread(outcome.thread_id, 10)
        assert [said.text for said in unread] == ["my cat is called Momo"]


async def test_an_id_of_a_file_never_names_a_file_that_is_here(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="Mine")
        key = await store.attachments.add(b"private", suffix=".txt")
        part = AttachmentPart(attachment_id=key, name="private.txt", kind="text", size=7, text="private")  # type: ignore[arg-type]
        await store.threads.begin_turn(thread.id, "look", model="m", attachments=[part])
        thief = dataclasses.replace(question("q1", None, "one"), parts=(part,))
        (outcome,) = await take_in_chats(store, chat_of(thief))
        (message, *_) = await store.threads.path(outcome.thread_id)
        assert message.attachments[0].attachment_id == ""
        assert outcome.files_missing == 1


async def test_what_other_programs_used_is_not_counted_here(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await take_in(store, json.dumps([chatgpt_chat()]).encode())
        assert await store.threads.usage_totals() == ()


async def test_a_call_without_a_result_gets_one(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread()
        await say(store, thread.id, "q", "a")
        value = await exported(store, thread.id)
        value["chat"]["id"], parts = new_id(), value["messages"][1]["parts"]
        parts.append({"type": "tool_call", "call_id": "c", "name": "x", "arguments": "{}"})
        (outcome,) = await take_in(store, to_text(value).encode())
        last = (await store.threads.path(outcome.thread_id))[-1].parts[-1]
        assert isinstance(last, ToolResultPart)
        assert last.call_id == "c"


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda v: v.update(version=2), Why.NEWER),
        (lambda v: v["chat"].pop("created_at"), Why.UNREADABLE),
        (lambda v: v["messages"][1].update(parent="nowhere"), Why.UNREADABLE),
        (lambda v: v["messages"][0]["parts"].append({"type": "program", "text": "x"}), Why.UNREADABLE),
        (lambda v: v["messages"][0].update(created_at="2026-01-01T00:00:00"), Why.UNREADABLE),
        (lambda v: v["chat"].update(options={"mode": "everything"}), Why.UNREADABLE),
    ],
    ids=["newer", "no time", "no parent", "unknown part", "no offset", "unknown mode"],
)
async def test_a_file_that_was_not_written_so_is_not_read(tmp_path: Path, change: Any, why: Why) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="x")
        await say(store, thread.id, "q", "a")
        value = await exported(store, thread.id)
        change(value)
        assert next(getattr(one, "why", None) for one in found_in(to_text(value).encode())) is why


# -- where it stands


async def test_imported_chats_stand_among_those_of_their_time(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        mine = await store.threads.create_thread(title="mine")
        await say(store, mine.id, "now", "yes")
        days = [40, 3, 700, 12, 3, 200, 1]
        for number, day in enumerate(days):
            when = datetime.now(UTC) - timedelta(days=day)
            made = chat_of(*TALK, id=f"c{number}", title=f"{day}", updated=when)
            await take_in_chats(store, made)
        listed = [thread.title for thread in await store.threads.list_threads()]
        assert listed == ["mine", *(f"{day}" for day in sorted(days))]
        paged = [t.title for at in range(0, 8, 2) for t in await store.threads.list_threads(limit=2, offset=at)]
        assert paged == listed


async def test_what_was_imported_is_found_and_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        (outcome,) = await take_in(store, json.dumps([claude_chat()]).encode())
        assert {hit.thread_id for hit in await store.threads.search("alpha")} == {outcome.thread_id}
        await say(store, outcome.thread_id, "again", "fine")
        assert (await texts(store, outcome.thread_id))[-2:] == ["again", "fine"]
        connection = sqlite3.connect(store.database.paths.database)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()


async def take_in_chats(store: Store, *made: ImportedChat) -> list[Any]:
    return [await store.exchange.take_in(chat, {}) for chat in made]
