"""What is written while a chat answers: a real store, a real endpoint, and the queue that sends one message after the other."""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.agent.message_queue import MOST_QUEUED
from desktop.agent.queue_state import Pause
from desktop.conversation.attachments import Attachments
from desktop.conversation.entities import MessageStatus, ThreadOptions
from desktop.conversation.queued import QueuedMessage
from desktop.core.errors import ThreadwellError
from desktop.tools.entities import ApprovalRequest
from tests.support.endpoint import Answer, LoopbackEndpoint, status
from tests.support.endpoint_wire import RecordedRequest
from tests.support.in_memory_attachments import ReaderOnPaper
from tests.support.queue_world import QueueWorld, by_its_words, last_words, queue_world
from tests.support.scripted_prompts import allow_once
from tests.support.traces import Secrets, texts_left
from tests.support.waiting import until


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", range(100 if metafunc.config.getoption("long") else 4))


@pytest.fixture
def endpoint() -> Iterator[LoopbackEndpoint]:
    with LoopbackEndpoint(by_its_words) as endpoint:
        yield endpoint


async def test_what_waits_is_sent_in_order_each_after_the_answer_before(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.begun("hold 1")
        await world.add(thread_id, "second", "third")
        assert world.queue.takes(thread_id)
        assert world.waiting(thread_id) == ["second", "third"]
        assert [chat.last_user_text for chat in endpoint.chats] == ["hold 1"], "nothing is sent while it answers"
        endpoint.release("hold 1")
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "second", "third"]
        assert [m.text for m in (await world.path(thread_id))[1::2]] == [
            "begun and done: hold 1",
            "about second",
            "about third",
        ]
        told = [[m["content"] for m in chat.messages] for chat in endpoint.chats]
        assert told[-1] == ["hold 1", "begun and done: hold 1", "second", "about second", "third"]
        assert not world.queue.takes(thread_id)
        assert await world.store.queue.of_thread(thread_id) == ()


async def test_several_chats_go_on_side_by_side_and_nothing_lands_in_another(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        threads = [await world.ask(f"hold {n}") for n in range(4)]
        for n, thread_id in enumerate(threads):
            await world.add(thread_id, f"hold {n} again", f"last of {n}")
        for n in (2, 0, 3, 1):
            endpoint.release(f"hold {n}")
            await world.begun(f"hold {n} again")
        for n in (1, 3, 0, 2):
            endpoint.release(f"hold {n} again")
        for n, thread_id in enumerate(threads):
            await world.at_rest(thread_id)
            assert await world.said(thread_id) == [f"hold {n}", f"hold {n} again", f"last of {n}"]


@pytest.mark.parametrize(
    ("words", "pause"), [("fail", Pause.FAILED), ("long", Pause.CUT_OFF), ("hold stopped", Pause.STOPPED)]
)
async def test_after_an_answer_that_did_not_end_well_the_rest_waits_for_a_word_of_the_user(
    endpoint: LoopbackEndpoint, tmp_path: Path, words: str, pause: Pause
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, words, "next", "last")
        endpoint.release("hold 1")
        if pause is Pause.STOPPED:
            await world.begun(words)
            await world.chat.stop(thread_id)
        await world.at_rest(thread_id)
        assert world.queue.queue_of(thread_id).pause is pause
        assert world.waiting(thread_id) == ["next", "last"]
        assert not world.queue.takes(thread_id), "what is written now is sent at once"
        world.queue.go_on(thread_id)
        await until(lambda: not world.waiting(thread_id))
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", words, "next", "last"]


async def test_another_try_at_the_answer_that_failed_lets_the_rest_go_on_and_nothing_else_does(tmp_path: Path) -> None:
    is_right = False

    def script(request: RecordedRequest) -> Answer:
        is_refused = last_words(request) == "second" and not is_right
        return [status(401, {"error": {"message": "wrong key"}})] if is_refused else by_its_words(request)

    with LoopbackEndpoint(script) as endpoint:
        async with queue_world(tmp_path, endpoint) as world:
            thread_id = await world.ask("hold 1")
            await world.add(thread_id, "second", "third", "fourth")
            endpoint.release("hold 1")
            await world.at_rest(thread_id)
            assert world.queue.queue_of(thread_id).pause is Pause.FAILED
            failed = (await world.path(thread_id))[-1]
            again = await world.chat.ask_again(failed.id)
            await again.wait_over()
            await world.at_rest(thread_id)
            assert world.queue.queue_of(thread_id).pause is Pause.FAILED, "it failed again"
            await world.ask("between", thread_id)
            await world.at_rest(thread_id)
            assert world.waiting(thread_id) == ["third", "fourth"], "not after the answer to something else"
            await world.store.threads.choose_answer(failed.id)
            is_right = True
            again = await world.chat.ask_again(failed.id)
            await again.wait_over()
            assert world.queue.goes_on_after(again) or not world.waiting(thread_id)
            await until(lambda: not world.waiting(thread_id))
            await world.at_rest(thread_id)
            assert await world.said(thread_id) == ["hold 1", "second", "third", "fourth"]


async def test_after_a_restart_it_is_there_and_waits(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, "second", "third")
    async with queue_world(tmp_path, endpoint) as world:
        assert not world.queue.takes(thread_id)
        queue = await world.queue.load(thread_id)
        assert ([m.text for m in queue.messages], queue.pause) == (["second", "third"], Pause.KEPT)
        assert await world.said(thread_id) == ["hold 1"], "closing sent nothing"
        await world.ask("between", thread_id)
        await world.at_rest(thread_id)
        assert world.waiting(thread_id) == ["second", "third"], "also not after another answer"
        await world.add(thread_id, "fourth")
        world.queue.go_on(thread_id)
        await until(lambda: not world.waiting(thread_id))
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "between", "second", "third", "fourth"]


async def test_what_is_changed_moved_and_removed_is_sent_as_it_is_then(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        a, b, c, d = await world.add(thread_id, "a", "b", "c", "d")
        await world.queue.change(b, "B")
        await world.queue.move(d, -2)
        assert world.waiting(thread_id) == ["a", "d", "B", "c"]
        before = await world.queue.remove(thread_id, [a, c])
        assert world.waiting(thread_id) == ["d", "B"]
        await world.queue.put_back(thread_id, [c], before)
        await world.queue.move(b, 99)
        await world.queue.forget_removed([a])
        endpoint.release("hold 1")
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "d", "c", "B"]


async def test_one_that_is_being_changed_is_not_sent_and_nothing_overtakes_it(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        first, _ = await world.add(thread_id, "frist", "second")
        assert world.queue.hold(first)
        endpoint.release("hold 1")
        await until(lambda: not world.chat.runs_of(thread_id))
        await world.at_rest(thread_id)
        assert world.waiting(thread_id) == ["frist", "second"]
        await world.queue.change(first, "first")
        await until(lambda: not world.waiting(thread_id))
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "first", "second"]


async def test_send_now_stops_the_answer_and_goes_first(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.begun("hold 1")
        _, urgent, _ = await world.add(thread_id, "a", "urgent", "b")
        await world.queue.send_now(urgent)
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "urgent", "a", "b"]
        assert (await world.path(thread_id))[1].status is MessageStatus.STOPPED


async def test_it_waits_until_all_of_several_models_have_answered(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1", None, "two")
        await world.add(thread_id, "next")
        endpoint.release("hold 1")
        await until(lambda: len(world.chat.runs_of(thread_id)) == 1)
        assert world.waiting(thread_id) == ["next"]
        endpoint.release("hold 1 two")
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "next"]


async def test_a_question_in_between_is_waited_for(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    asked, may_answer = asyncio.Event(), asyncio.Event()

    async def answer(_request: ApprovalRequest) -> object:
        asked.set()
        await may_answer.wait()
        return allow_once()

    async with queue_world(tmp_path, endpoint, answer) as world:
        thread_id = await world.ask("tool")
        await asked.wait()
        await world.add(thread_id, "next")
        assert world.waiting(thread_id) == ["next"]
        may_answer.set()
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["tool", "next"]


async def test_what_cannot_be_sent_waits_and_the_user_is_told(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, "next")
        await world.conversations.set_options(thread_id, ThreadOptions(model="gone"))
        endpoint.release("hold 1")
        await world.at_rest(thread_id)
        assert world.queue.queue_of(thread_id).pause is Pause.UNSENT
        assert [error.code for error in world.shown_errors] == ["model.endpoint_gone"]
        await world.conversations.set_options(thread_id, ThreadOptions(model="two"))
        world.queue.go_on(thread_id)
        await until(lambda: not world.waiting(thread_id))
        await world.at_rest(thread_id)
        assert await world.said(thread_id) == ["hold 1", "next"]


async def test_so_many_wait_and_no_more(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, *(str(n) for n in range(MOST_QUEUED)))
        with pytest.raises(ThreadwellError) as failure:
            await world.add(thread_id, "too many")
        assert failure.value.code == "queue.full"


async def test_a_chat_in_the_trash_keeps_its_queue_and_nothing_is_sent_there(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, "second")
        await world.chat.delete_thread(thread_id)
        assert not world.queue.queue_of(thread_id).messages
        await world.conversations.restore(thread_id)
        queue = await world.queue.load(thread_id)
        assert ([m.text for m in queue.messages], queue.pause) == (["second"], Pause.KEPT)
        assert await world.said(thread_id) == ["hold 1"]


async def test_deleting_a_chat_just_when_its_answer_ends_sends_nothing_any_more(
    endpoint: LoopbackEndpoint, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    async with queue_world(tmp_path, endpoint) as world:
        for number in range(8):
            thread_id = await world.ask(f"hold {number}")
            await world.begun(f"hold {number}")
            await world.add(thread_id, "a", "b", "c")
            endpoint.release(f"hold {number}")
            for _ in range(chance.randrange(60)):
                await asyncio.sleep(0)
            if chance.random() < 0.3:
                await until(lambda thread_id=thread_id: len(world.waiting(thread_id)) < 3)
            await world.chat.delete_thread(thread_id)
            assert not world.chat.runs_of(thread_id)
            await world.conversations.restore(thread_id)
            left = [m.text for m in (await world.queue.load(thread_id)).messages]
            assert [*(await world.said(thread_id))[1:], *left] == ["a", "b", "c"], "each is sent once or waits still"


async def test_a_temporary_chat_keeps_its_queue_in_memory_and_leaves_nothing(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    words = Secrets(0)
    async with queue_world(tmp_path, endpoint) as world:
        thread = await world.chat.begin_temporary()
        await world.ask("hold 1", thread.id)
        waits = words()
        attachments = Attachments(world.store.attachments, ReaderOnPaper())
        file = await attachments.add("note.txt", words().encode())
        await world.add(thread.id, waits, files=[file])
        assert world.waiting(thread.id) == [waits]
        assert await world.store.queue.of_thread(thread.id) == ()
        await world.chat.leave_temporary(thread.id)
        assert texts_left(tmp_path, words) == set()


async def test_the_queue_of_a_temporary_chat_that_is_kept_goes_to_the_disk(
    endpoint: LoopbackEndpoint, tmp_path: Path
) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread = await world.chat.begin_temporary()
        await world.ask("hold 1", thread.id)
        await world.add(thread.id, "second")
        await world.conversations.keep(thread.id)
        await world.store.threads.save_draft(thread.id, "half a thought")
        while not await world.store.queue.of_thread(thread.id):  # noqa: ASYNC110 - there is no event for it
            await asyncio.sleep(0.005)
        assert await world.store.threads.load_draft(thread.id) == "half a thought"
        endpoint.release("hold 1")
        await world.at_rest(thread.id)
        assert await world.said(thread.id) == ["hold 1", "second"]


async def test_files_go_with_the_message_that_had_them(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        attachments = Attachments(world.store.attachments, ReaderOnPaper())
        file = await attachments.add("note.txt", b"what it says")
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, "read it", files=[file])
        endpoint.release("hold 1")
        await world.at_rest(thread_id)
        assert [part.name for part in (await world.path(thread_id))[2].attachments] == ["note.txt"]


async def test_options_of_the_chat_hold_when_it_is_sent(endpoint: LoopbackEndpoint, tmp_path: Path) -> None:
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 1")
        await world.add(thread_id, "next")
        await world.conversations.set_options(thread_id, ThreadOptions(model="two"))
        endpoint.release("hold 1")
        await world.at_rest(thread_id)
        assert [chat.body["model"] for chat in endpoint.chats] == ["own", "two"]


class RandomPerson:
    """Adds, changes places, removes, takes back, stops, sends now and lets it go on, in one chat."""

    def __init__(self, world: QueueWorld, thread_id: str, chance: random.Random) -> None:
        self._world, self._thread_id, self._chance = world, thread_id, chance
        self.count = 0
        self.removed: set[str] = set()

    async def act(self) -> None:
        queue, chance = self._world.queue, self._chance
        messages = queue.queue_of(self._thread_id).messages
        if not messages or chance.random() < 0.4:
            self.count += 1
            await self._world.add(self._thread_id, f"{chance.choice(('quick', 'quick', 'hold', 'fail'))} {self.count}")
            return
        chosen = chance.choice(messages)
        match chance.randrange(6):
            case 0:
                await queue.move(chosen.id, chance.choice((-1, 1, 3)))
            case 1:
                await self._remove(chosen)
            case 2:
                await queue.send_now(chosen.id)
            case 3:
                await self._world.chat.stop(self._thread_id)
            case _:
                queue.go_on(self._thread_id)

    async def _remove(self, message: QueuedMessage) -> None:
        queue = self._world.queue
        before = await queue.remove(self._thread_id, [message.id])
        if message in queue.queue_of(self._thread_id).messages or message not in before.messages:
            return  # it was on its way
        if self._chance.random() < 0.5:
            await queue.put_back(self._thread_id, [message.id], before)
        else:
            self.removed.add(message.text)


async def test_whatever_is_done_with_it_each_message_is_sent_once_or_waits_still(
    endpoint: LoopbackEndpoint, tmp_path: Path, seed: int
) -> None:
    chance = random.Random(seed)
    async with queue_world(tmp_path, endpoint) as world:
        thread_id = await world.ask("hold 0")
        person = RandomPerson(world, thread_id, chance)
        for _ in range(60):
            await person.act()
            for run in world.chat.runs_of(thread_id):
                if chance.random() < 0.7:
                    endpoint.release(run.turn.user_message.text)
            for _ in range(chance.randrange(30)):
                await asyncio.sleep(0)
            known = world.queue.queue_of(thread_id)
            on_disk = await world.store.queue.of_thread(thread_id)
            if not known.sending and world.queue.queue_of(thread_id) == known:
                assert on_disk == known.messages
        async with asyncio.timeout(20):
            while not world.rests(thread_id):  # a message that was about to be sent when all was stopped goes out still
                await world.chat.stop(thread_id)
                await asyncio.sleep(0.005)
        every = [*(await world.said(thread_id))[1:], *world.waiting(thread_id), *person.removed]
        numbers = sorted(int(text.split()[1]) for text in every)
        assert numbers == list(range(1, person.count + 1)), "none is lost, none sent twice"
