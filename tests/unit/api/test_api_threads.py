"""Chats over the local API: a real server on a real port, and httpx as any program would use it."""

import asyncio
from pathlib import Path

from desktop.conversation.assistants.entities import Assistant
from desktop.conversation.entities import ThreadOptions
from tests.support.api_world import ApiWorld, Event, answer_text, api_world
from tests.support.waiting import until


async def begun(world: ApiWorld, thread: str, words: str, *, detach: bool = False) -> "asyncio.Task[list[Event]]":
    """Send a message that holds, and wait until the model was asked."""
    task = asyncio.get_running_loop().create_task(world.say(thread, words, detach=detach))
    await world.chats.begun(words)
    return task


async def leave(task: "asyncio.Task[list[Event]]") -> None:
    """Go away in the middle, as a program that is killed."""
    task.cancel()
    await asyncio.wait({task})


async def test_a_message_is_answered_by_events_that_name_themselves(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread(title="From a program")
        events = await world.say(thread, "the sea 海")
        assert answer_text(events) == "about the sea 海"
        assert [event.kind for event in events][-1] == "done"
        assert [event.data["seq"] for event in events] == list(range(len(events)))
        assert [event.id for event in events] == [f"{e.data['message_id']}:{e.data['seq']}" for e in events]
        assert await world.texts(thread) == ["the sea 海", "about the sea 海"]
        listed = (await world.client.get("/v1/threads")).json()["threads"]
        assert [(each["id"], each["title"], each["running"]) for each in listed] == [(thread, "From a program", False)]


async def test_a_chat_may_name_an_assistant(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        made = await world.assistants.add(Assistant(id="", name="Researcher", instructions="Be exact."))
        assert made is not None
        for name in ("researcher", made.id):
            for temporary in (False, True):
                thread = await world.new_thread(assistant=name, temporary=temporary)
                options = (await world.chats.conversations.options_of(thread)).assistant
                assert options is not None
                assert (options.id, options.instructions) == (made.id, "Be exact.")
        answer = await world.client.post("/v1/threads", json={"assistant": "nobody"})
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "assistant_not_found")


async def test_tools_are_seen_and_an_approval_is_asked_where_the_person_is(tmp_path: Path) -> None:
    from tests.support.scripted_prompts import refuse

    async with api_world(tmp_path, refuse()) as world:
        events = await world.say(await world.new_thread(), "tool please")
        kinds = [event.kind for event in events]
        assert kinds.index("tool_call") < kinds.index("tool_result") < kinds.index("message")
        assert len(world.chats.prompts.asked) == 1
        result = next(event for event in events if event.kind == "tool_result")
        assert result.data["status"] == "denied"


async def test_an_idle_stream_is_kept_open_by_comments_and_its_first_event_comes_at_once(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread, seen = await world.new_thread(), list[Event]()
        async for event in world.events(thread, {"text": "hold it"}):
            seen.append(event)
            if [each.kind for each in seen[-3:]] == [":"] * 3 and answer_text(seen) == "begun":
                world.chats.endpoint.release("hold it")
        assert answer_text(seen) == "begun and done: hold it"


async def test_a_stream_goes_on_behind_the_last_event_that_came(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        running = await begun(world, thread, "hold on", detach=True)
        first = await world.client.get(f"/v1/threads/{thread}")
        assert first.status_code == 405
        await leave(running)
        assert world.chats.chat.runs_of(thread), "it was to go on"
        world.chats.endpoint.release("hold on")
        await world.chats.at_rest(thread)
        message = (await world.chats.path(thread))[-1].id
        whole = [e async for e in world.events(thread, {}, last_event_id=f"{message}:0")]
        assert [event.data["seq"] for event in whole] == list(range(1, len(whole) + 1))
        rest = [e async for e in world.events(thread, {}, last_event_id=whole[-2].id)]
        assert [event.kind for event in rest] == ["done"]
        assert len(await world.texts(thread)) == 2, "nothing was sent again"


async def test_an_event_that_nobody_knows_is_said_to_be_gone(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        for last in ("nonsense", "x:y", ":3", "gone:3", "gone:99999999999"):
            for method, path in (("POST", "messages"), ("GET", "events")):
                answer = await world.client.request(
                    method, f"/v1/threads/{thread}/{path}", headers={"Last-Event-ID": last}, json={"text": "x"}
                )
                assert answer.status_code == (410 if last == "gone:3" else 400), answer.text
                assert answer.json()["error"]["what_to_do"]


async def test_a_client_that_goes_away_stops_its_answer_and_no_other(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread, other = await world.new_thread(), await world.new_thread()
        running, stays = await begun(world, thread, "hold one"), await begun(world, other, "hold two")
        await leave(running)
        await until(lambda: not world.chats.chat.runs_of(thread))
        assert (await world.chats.path(thread))[-1].status == "stopped"
        world.chats.endpoint.release("hold two")
        assert answer_text(await stays) == "begun and done: hold two"


async def test_a_second_reader_keeps_an_answer_alive_when_the_first_goes(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        running = await begun(world, thread, "hold two")

        async def read() -> list[str]:
            async with world.client.stream("GET", f"/v1/threads/{thread}/events") as answer:
                return [line async for line in answer.aiter_lines()]

        second = asyncio.get_running_loop().create_task(read())
        await asyncio.sleep(0.1)
        await leave(running)
        await asyncio.sleep(0.1)
        world.chats.endpoint.release("hold two")
        assert "event: done" in await second
        assert (await world.chats.path(thread))[-1].status == "complete"


async def test_ten_messages_to_one_chat_are_answered_in_their_order(tmp_path: Path, long_run: bool) -> None:
    async with api_world(tmp_path) as world:
        thread, count = await world.new_thread(), 40 if long_run else 10
        answers = await asyncio.gather(*(world.say(thread, f"number {n}") for n in range(count)))
        for number, events in enumerate(answers):
            assert answer_text(events) == f"about number {number}"
        expected = [text for n in range(count) for text in (f"number {n}", f"about number {n}")]
        assert await world.texts(thread) == expected[-50:]


async def test_many_chats_are_answered_at_once(tmp_path: Path, long_run: bool) -> None:
    async with api_world(tmp_path) as world:
        count = 50 if long_run else 8
        threads = await asyncio.gather(*(world.new_thread() for _ in range(count)))
        running = [await begun(world, thread, f"hold {number}") for number, thread in enumerate(threads)]
        assert all(world.chats.chat.runs_of(thread) for thread in threads)
        for number in range(count):
            world.chats.endpoint.release(f"hold {number}")
        answers = await asyncio.gather(*running)
        assert [answer_text(events) for events in answers] == [f"begun and done: hold {n}" for n in range(count)]


async def test_what_waits_goes_on_when_another_client_leaves_and_ends_when_somebody_stops(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        first = await begun(world, thread, "hold first")
        second = asyncio.get_running_loop().create_task(world.say(thread, "second"))
        await until(lambda: world.chats.waiting(thread) == ["second"])
        await leave(first)
        assert answer_text(await second) == "about second"

        third = await begun(world, thread, "hold third")
        waiting = asyncio.get_running_loop().create_task(world.say(thread, "fourth"))
        await until(lambda: world.chats.waiting(thread) == ["fourth"])
        stopped = await world.client.post(f"/v1/threads/{thread}/stop")
        assert stopped.json() == {"id": thread, "stopped": 1}
        assert (await third)[-1].data["reason"] == "stopped"
        last = (await waiting)[-1]
        assert (last.kind, last.data["code"]) == ("error", "queue_paused")
        await until(lambda: world.chats.waiting(thread) == [])


async def test_a_message_whose_client_left_while_it_waited_is_not_sent(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        first = await begun(world, thread, "hold first")
        left = asyncio.get_running_loop().create_task(world.say(thread, "nobody waits"))
        stays = asyncio.get_running_loop().create_task(world.say(thread, "detached", detach=True))
        await until(lambda: len(world.chats.waiting(thread)) == 2)
        await leave(left)
        await leave(stays)
        await until(lambda: world.chats.waiting(thread) == ["detached"])
        world.chats.endpoint.release("hold first")
        await first
        await world.chats.at_rest(thread)
        assert await world.chats.said(thread) == ["hold first", "detached"]


async def test_a_chat_is_deleted_while_it_answers_and_a_temporary_one_leaves_nothing(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread, temporary = await world.new_thread(), await world.new_thread(temporary=True)
        await world.say(temporary, "the sea")
        running = await begun(world, thread, "hold it")
        gone = await world.client.delete(f"/v1/threads/{thread}")
        assert gone.json() == {"id": thread, "deleted": True, "lies_in": "trash"}
        assert (await running)[-1].kind == "done"
        gone = await world.client.delete(f"/v1/threads/{temporary}")
        assert gone.json()["lies_in"] == "nowhere"
        assert await world.chats.conversations.get_thread(temporary) is None
        for path in (f"/v1/threads/{thread}/messages", f"/v1/threads/{temporary}/messages"):
            assert (await world.client.get(path)).status_code == 404
        assert (await world.client.get("/v1/threads")).json() == {"threads": []}


async def test_a_long_chat_is_read_in_pages(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        for number in range(3):
            await world.say(thread, f"number {number}")
        path = f"/v1/threads/{thread}/messages"
        last = (await world.client.get(path, params={"limit": 2})).json()["messages"]
        assert [message["text"] for message in last] == ["number 2", "about number 2"]
        before = (await world.client.get(path, params={"limit": 3, "until": last[0]["id"]})).json()["messages"]
        assert [message["text"] for message in before] == ["number 1", "about number 1", "number 2"]


async def test_a_model_that_fails_is_an_error_event_and_the_chat_goes_on(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        events = await world.say(thread, "fail now")
        assert events[-1].kind == "error"
        assert events[-1].data["code"].startswith("model.")
        assert events[-1].data["detail"]
        assert answer_text(await world.say(thread, "the sea")) == "about the sea"


NO_MESSAGES = [
    (b"", "bad_json"),
    (b"{", "bad_json"),
    (b"[]", "bad_body"),
    (b"{}", "bad_body"),
    (b'{"text": 1}', "bad_body"),
    (b'{"text": "  "}', "bad_body"),
    (b'{"text": "x", "stream": true}', "bad_body"),
    (b'{"text": NaN}', "bad_json"),
    (b'{"text": "\\ud800"}', "bad_text"),
    (b'{"text": "\xff"}', "bad_text"),
    (b"[" * 50_000, "bad_json"),
    (b'{"text": ' + b"9" * 5_000 + b"}", "bad_json"),
]


async def test_a_body_that_is_none_is_refused_in_words(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        for body, code in NO_MESSAGES:
            answer = await world.client.post(
                f"/v1/threads/{thread}/messages", content=body, headers={"Content-Type": "application/json"}
            )
            assert (answer.status_code, answer.json()["error"]["code"]) == (400, code), body[:50]
            assert answer.json()["error"]["message"]
            assert answer.json()["error"]["what_to_do"]
        assert await world.texts(thread) == []


async def test_a_plan_is_made_only_where_the_request_says_that_it_is_approved(tmp_path: Path) -> None:
    async with api_world(tmp_path) as world:
        thread = await world.new_thread()
        await world.chats.conversations.set_options(thread, ThreadOptions(plans_first=True))
        events = await world.say(thread, "the sea")
        assert [event.data["code"] for event in events if event.kind == "remark"] == ["plan_not_asked"]
        assert answer_text(events) == "about the sea"
        events = await world.say(thread, "the sea", approve_plan=True)
        plans = [event.data["plan"] for event in events if event.kind == "plan"]
        assert plans[0]["state"] == "asked"
        assert [step["state"] for step in plans[-1]["steps"]] == ["done", "done"]
        assert [event.data["place"] for event in events if event.kind == "plan_step"][-1] is None
        assert events[-1].kind == "done"
        stored = (await world.client.get(f"/v1/threads/{thread}/messages")).json()["messages"][-1]
        assert stored["text"] == answer_text(events)
