"""Nothing of another way through a chat comes into a request, a summary or a title."""

from pathlib import Path

import pytest

from desktop.conversation.entities import ThreadOptions
from desktop.conversation.summaries import SummaryState
from tests.support.summary_world import summary_world

HERE, THERE = "lighthouse", "windmill"


def notes(asked: str) -> str:
    return "It is about a lighthouse." if HERE in asked else "It is about a windmill."


async def test_a_summary_of_another_way_is_not_extended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with summary_world(tmp_path, notes) as world:
        await world.talk(8, HERE)
        of_here = await world.state()
        assert of_here.summary is not None
        first = (await world.store.threads.path(world.thread_id))[0]
        run = await world.chat.send(world.thread_id, f"{THERE} 0", instead_of=first.id)
        await run.wait_over()
        await world.settled()
        before = len(world.model.requests)
        on_path = world.store.summaries.on_path

        async def turned_meanwhile(thread_id: str, *, until: str | None = None) -> SummaryState:
            return of_here if until is None else await on_path(thread_id, until=until)

        monkeypatch.setattr(world.store.summaries, "on_path", turned_meanwhile)
        await world.talk(8, THERE)
        asked = [request for request in world.model.asked_for_notes if request in world.model.requests[before:]]
        assert asked, "the other way is long enough, too"
        assert not [request for request in asked if HERE in str(request.messages)]
        assert not [request for request in world.model.requests[before:] if HERE in str(request.messages)]


async def test_a_message_that_is_sent_anew_names_the_chat_only_if_the_one_before_did(tmp_path: Path) -> None:
    async with summary_world(tmp_path, notes) as world:
        run = await world.chat.send(None, HERE, options=ThreadOptions())
        await run.wait_over()
        again = await world.chat.send(run.thread_id, THERE, instead_of=run.turn.user_message.id)
        await again.wait_over()
        thread = await world.store.threads.get_thread(run.thread_id)
        assert thread is not None
        assert thread.title == THERE
        await world.store.threads.rename_thread(run.thread_id, "Trips", by_user=False)
        last = await world.chat.send(run.thread_id, HERE, instead_of=run.turn.user_message.id)
        await last.wait_over()
        thread = await world.store.threads.get_thread(run.thread_id)
        assert thread is not None
        assert thread.title == "Trips"
        assert [m.answer_count for m in await world.store.threads.path(run.thread_id)] == [3, 1]
