"""What of chats was put into sessions: noted once, in order, and each session is owed a clear when some of it goes for good."""

from pathlib import Path

from desktop.conversation.removals import Removed
from desktop.core.paths import DataPaths
from desktop.storage.store import Store, open_store
from tests.support.stores import say

PLACE = "redis://nas"


async def owed(store: Store) -> list[tuple[str, str]]:
    return [(each.place, each.session) for each in await store.sessions.owed()]


async def test_messages_are_noted_once_and_sent_in_their_order(tmp_path: Path) -> None:
    store = await open_store(DataPaths(tmp_path))
    thread, other = await store.threads.create_thread(), await store.threads.create_thread()
    ids: list[str] = []
    for number in range(3):
        await say(store, thread.id, f"Question {number}", f"Answer {number}")
    ids = [message.id for message in await store.threads.path(thread.id)]
    await store.sessions.note([ids[3], ids[0], "nobody"], PLACE, "trip")
    await store.sessions.note(ids, PLACE, "trip")
    assert list(await store.sessions.unsent(PLACE, "trip")) == ids
    assert await store.sessions.unsent("", "trip") == []
    await store.sessions.sent(ids[0], PLACE, "trip")
    await store.sessions.note(ids, PLACE, "trip")
    assert list(await store.sessions.unsent(PLACE, "trip")) == ids[1:]
    assert list(await store.sessions.noted(thread.id, PLACE, "trip")) == ids[::-1]
    assert await store.sessions.noted(other.id, PLACE, "trip") == []
    assert await owed(store) == []
    await store.sessions.owe_all("")
    assert await owed(store) == [], "of another place"
    await store.close()


async def test_what_is_removed_for_good_owes_each_of_its_sessions_a_clear(tmp_path: Path) -> None:
    store = await open_store(DataPaths(tmp_path))
    one, two = await store.threads.create_thread(), await store.threads.create_thread()
    answers = [await say(store, thread.id, "A question", "An answer") for thread in (one, two)]
    await store.sessions.note([answers[0].id], PLACE, "trip")
    await store.sessions.note([answers[0].id], "", "home")
    await store.sessions.note([answers[1].id], "", "second")
    await store.threads.delete_thread(one.id)
    assert await owed(store) == [], "it may come back from the Trash"
    await store.threads.purge_thread(one.id)
    assert sorted(await owed(store)) == [("", "home"), (PLACE, "trip")]
    await store.sessions.cleared("", "home")
    await store.removals.remove(Removed(answers[1].id))
    assert await owed(store) == [(PLACE, "trip")], "it can be taken back"
    await store.removals.erase()
    assert sorted(await owed(store)) == [("", "second"), (PLACE, "trip")]
    await store.close()
    store = await open_store(DataPaths(tmp_path))
    assert len(await owed(store)) == 2, "also after a restart"
    await store.close()
