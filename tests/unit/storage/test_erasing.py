"""What erasing a message does to what was made of it: title, summaries, files, requests, words of memories, and the disk."""

from pathlib import Path

from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.conversation.removals import Removed
from desktop.conversation.request_records import Piece, PieceKind, Purpose, RequestRecord, SentMessage
from desktop.conversation.summaries import Summary
from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.memory.entities import MemorySource
from desktop.storage.store import Store
from tests.support.memory_items import NOW, item
from tests.support.stores import opened, say


async def file_for(store: Store, text: str) -> AttachmentPart:
    file_id = await store.attachments.add(text.encode(), suffix=".txt")
    return AttachmentPart(
        attachment_id=file_id, name=f"{text}.txt", kind=AttachmentKind.TEXT, size=len(text), text=text
    )


def is_on_disk(folder: Path, words: str) -> bool:
    return any(words.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_a_title_made_of_the_first_message_goes_with_it_and_one_by_the_user_stays(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        made, own = [(await store.threads.create_thread()).id for _ in range(2)]
        for thread_id in (made, own):
            await say(store, thread_id, "Secret plans for the party", "Fine.")
            await say(store, thread_id, "What about a cake?", "Yes.")
        await store.threads.rename_thread(made, "Planning a secret party", by_user=False)
        await store.threads.rename_thread(own, "Planning a secret party", by_user=True)
        for thread_id, title in ((made, "What about a cake?"), (own, "Planning a secret party")):
            await store.removals.remove(Removed((await store.threads.path(thread_id))[0].id))
            await store.removals.erase()
            thread = await store.threads.get_thread(thread_id)
            assert thread is not None
            assert thread.title == title


async def test_a_summary_of_it_is_emptied_and_made_again_and_ends_above(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="t")
        for number in range(3):
            await say(store, thread.id, f"question {number}", f"answer {number}")
        path = await store.threads.path(thread.id)
        state = await store.summaries.on_path(thread.id)
        summary = Summary(
            id=new_id(), thread_id=thread.id, until_id=path[3].id, text="All of it.", own_text="I like tea. Answer 1!",
            pinned=("Answer 1.", "Tea."), created_at=NOW, updated_at=NOW,
        )  # fmt: skip
        assert await store.summaries.put(summary, state)
        state = await store.summaries.on_path(thread.id)
        await store.removals.remove(Removed(path[3].id))
        receipt = await store.removals.erase()
        assert receipt.stale_summaries == 1
        left = (await store.summaries.on_path(thread.id)).summary
        assert left is not None
        assert (left.text, left.own_text, left.pinned, left.is_stale) == ("", "I like tea.", ("Tea.",), True)
        assert left.until_id == path[2].id
        assert not await store.summaries.put(summary, state), "what was being made of it is not stored"


async def test_files_go_unless_another_message_names_them(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="t")
        shared, own = await file_for(store, "shared words"), await file_for(store, "own words")
        first = await store.threads.begin_turn(thread.id, "first", model="m", attachments=[shared, own])
        await store.threads.begin_turn(
            thread.id, "changed", model="m", attachments=[shared], instead_of=first.user_message.id
        )
        await store.removals.remove(Removed(first.user_message.id))
        receipt = await store.removals.erase()
        assert receipt.files == 1
        assert store.attachments.original(own.attachment_id) is None
        assert store.attachments.original(shared.attachment_id) is not None
        assert not is_on_disk(tmp_path, "own words")
        assert is_on_disk(tmp_path, "shared words")


async def test_the_words_of_a_memory_go_and_the_memory_stays(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="t")
        await say(store, thread.id, "By the way, I am a vegetarian", "Noted.")
        path = await store.threads.path(thread.id)
        source = MemorySource(thread_id=thread.id, message_id=path[0].id, quote="I am a vegetarian")
        kept = item("Eats no meat", source=source)
        await store.memory.add(kept)
        await store.removals.remove(Removed(path[0].id))
        receipt = await store.removals.erase()
        assert (receipt.messages, receipt.quotes, receipt.items) == (1, 1, 0)
        found = (await store.memory.get_all([kept.id]))[kept.id]
        assert found.text == "Eats no meat"
        assert found.source is not None
        assert found.source.quote == ""
        assert not is_on_disk(tmp_path, "vegetarian")


async def test_requests_lose_what_they_hold_of_it_and_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="t")
        await say(store, thread.id, "the first words", "the first answer")
        answer = await say(store, thread.id, "the second words", "the second answer")
        path = await store.threads.path(thread.id)

        def sent(role: str, origin: str, text: str) -> SentMessage:
            return SentMessage(role=role, origins=(origin,), pieces=(Piece(kind=PieceKind.TEXT, text=text, size=9),))

        record = RequestRecord(
            id=new_id(), thread_id=thread.id, message_id=answer.id, purpose=Purpose.ANSWER, step=0, sent_at=utc_now(), model="m",
            messages=(
                sent("user", path[0].id, "the first words"),
                sent("assistant", path[1].id, "the first answer"),
                sent("user", path[2].id, "the second words"),
            ),
        )  # fmt: skip
        await store.requests.add(record)
        await store.removals.remove(Removed(path[0].id))
        receipt = await store.removals.erase()
        assert receipt.requests == 1
        (left,) = await store.requests.of_answer(answer.id)
        assert [each.pieces[0].text for each in left.messages] == [None, "the first answer", "the second words"]
        await store.removals.remove(Removed(answer.id))
        receipt = await store.removals.erase()
        assert receipt.requests == 1
        assert await store.requests.of_answer(answer.id) == ()
        assert not is_on_disk(tmp_path, "the second answer")


async def test_a_crash_before_the_wipe_is_gone_on_with(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        thread = await store.threads.create_thread(title="t")
        await say(store, thread.id, "unmistakable sentinel words", "fine")
        path = await store.threads.path(thread.id)
        await store.removals.remove(Removed(path[0].id))
    assert is_on_disk(tmp_path, "unmistakable")
    async with opened(tmp_path) as store:
        await store.threads.recover()
        assert [message.text for message in await store.threads.path(thread.id)] == ["fine"]
        assert not is_on_disk(tmp_path, "unmistakable")
