"""The real loop over the real adapter and a loopback server: what only both together can mend, and going on."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from desktop.agent.chat_service import ChatService
from desktop.agent.events import AgentEvent, DoneEvent, DoneReason, ErrorEvent, RemarkEvent, WaitingEvent
from desktop.agent.loop import AgentLoop
from desktop.agent.run import Run
from desktop.conversation.service import ConversationService
from desktop.core.model_facts import FactsInMemory
from desktop.core.tasks import TaskSupervisor
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import Patience
from desktop.tools.service import ToolService
from tests.support.endpoint import (
    Answer,
    LoopbackEndpoint,
    RecordedRequest,
    Script,
    call,
    chunk,
    close,
    drop,
    finish,
    hold,
    raw,
    status,
    text,
    thinking,
)
from tests.support.in_memory_threads import InMemoryGrants, InMemoryJournal, InMemoryTaints, InMemoryThreadRepository
from tests.support.run_invariants import check_run
from tests.support.run_world import BehavingGateway, echo
from tests.support.scripted_prompts import Scripted, ScriptedPrompts, allow_once
from tests.support.waiting import until

QUICK = Patience(pauses=(0.001,), reconnect_seconds=0.001, loading_pause_seconds=0.001, hint_seconds=0.05)


class Talk:
    """A thread with a model behind a loopback server."""

    def __init__(self, endpoint: LoopbackEndpoint, *answers: Scripted) -> None:
        self.endpoint = endpoint
        self.facts = FactsInMemory()
        self.model = OpenAILanguageModel(base_url=endpoint.base_url, model="m", patience=QUICK, facts=self.facts)
        self.repository = InMemoryThreadRepository()
        self.gateway = BehavingGateway({"echo": echo})
        self.tasks = TaskSupervisor()
        tools = ToolService(
            gateway=self.gateway,
            prompts=ScriptedPrompts(*answers),
            journal=InMemoryJournal(),
            grants=InMemoryGrants(),
            taints=InMemoryTaints(),
            workspace=lambda: "/workspace",
        )
        loop = AgentLoop(
            model=self.model,
            repository=self.repository,
            tools=tools,
            system_prompt=lambda: "Be brief.",
            step_limit=10,
        )
        self.chat = ChatService(
            conversations=ConversationService(self.repository),
            repository=self.repository,
            loop=lambda _options: loop,
            tasks=self.tasks,
            titles_wanted=lambda: False,
        )
        self.thread_id: str | None = None
        self.answer = ""
        """The text of the last answer, as it is stored."""

    async def say(self, words: str) -> list[AgentEvent]:
        run = await self.chat.send(self.thread_id, words)
        self.thread_id = run.thread_id
        return await self._end(run)

    async def go_on(self) -> list[AgentEvent]:
        assert self.thread_id is not None
        return await self._end(await self.chat.continue_answer(self.thread_id))

    async def _end(self, run: Run) -> list[AgentEvent]:
        events = [event async for event in run.events()]
        await until(lambda: self.chat.run_of(run.thread_id) is None)
        (message,) = await self.repository.messages([run.message_id])
        check_run(events, message, run.turn.assistant_message)
        self.answer = message.text
        return events


@asynccontextmanager
async def talk(script: Script, *answers: Scripted) -> AsyncGenerator[Talk, None]:
    async with LoopbackEndpoint(script) as endpoint:
        world = Talk(endpoint, *answers)
        try:
            yield world
            assert endpoint.problems == []
        finally:
            await world.tasks.close()
            await world.model.close()


def remarks(events: list[AgentEvent]) -> list[str]:
    return [event.code for event in events if isinstance(event, RemarkEvent)]


def done(events: list[AgentEvent]) -> DoneReason:
    end = events[-1]
    assert isinstance(end, DoneEvent), end
    return end.reason


def size(request: RecordedRequest) -> int:
    return sum(len(message["content"] or "") for message in request.messages)


async def test_a_thread_that_outgrew_the_context_is_sent_shorter_and_the_limit_is_kept() -> None:
    def script(request: RecordedRequest) -> Answer:
        tokens = size(request) // 4
        if tokens > 1000:
            message = f"request ({tokens} tokens) exceeds the available context size (1000 tokens), try increasing it"
            error = {"code": 400, "message": message, "n_prompt_tokens": tokens, "n_ctx": 1000}
            return [status(400, {"error": error})]
        return [text("y" * 500)]

    async with talk(script) as world:
        said = [await world.say(f"{number} " + "x" * 500) for number in range(8)]
        assert {done(events) for events in said} == {DoneReason.COMPLETED}
        assert [remarks(events) for events in said] == [[]] * 4 + [["shortened"]] * 4
        assert world.facts.get(world.endpoint.base_url, "m").context_tokens == 1000
        last = world.endpoint.chats[-1]
        assert last.messages[0]["role"] == "system"
        assert last.last_user_text.startswith("7 ")
        assert size(last) > 1000


async def test_one_message_that_is_too_long_is_told_with_the_numbers() -> None:
    words = "This model's maximum context length is 1000 tokens. However, you requested 9000 tokens"
    async with talk([[status(400, {"error": {"message": words}})]]) as world:
        events = await world.say("x" * 36_000)
        assert isinstance(events[-1], ErrorEvent)
        assert events[-1].code == "model.context_full"
        assert (events[-1].params["limit"], events[-1].params["needed"]) == (1000, 9000)
        assert len(world.endpoint.chats) == 1


async def test_an_answer_cut_by_the_limit_goes_on_without_a_seam() -> None:
    async with talk([[text("Once upon a ti"), finish("length")], [text("me.")]]) as world:
        assert done(await world.say("Tell me a story.")) is DoneReason.LENGTH
        assert done(await world.go_on()) is DoneReason.COMPLETED
        assert world.answer == "Once upon a time."
        roles = [message["role"] for message in world.endpoint.chats[1].messages]
        assert roles == ["system", "user", "assistant", "user"]


async def test_an_answer_whose_connection_broke_goes_on() -> None:
    async with talk([[text("half an ans"), drop()], [text("wer")], [text("ok")]]) as world:
        events = await world.say("hi")
        assert isinstance(events[-1], ErrorEvent)
        assert events[-1].code == "model.connection_lost"
        assert world.answer == "half an ans"
        await world.go_on()
        assert world.answer == "half an answer"
        await world.say("more")
        assert [m["content"] for m in world.endpoint.chats[2].messages[1:]] == ["hi", "half an answer", "more"]


async def test_no_half_of_a_call_is_ever_run() -> None:
    half = call("files__echo", '{"x": "ha')
    whole = call("files__echo", {"x": 1})
    ends: list[Answer] = [
        [half, finish("tool_calls")],
        [half, finish("length")],
        [half, drop()],
        [half, close()],
        [half, chunk({"error": {"code": 500, "message": "boom"}})],
        [whole, finish("length")],
        [whole, finish("content_filter")],
        [whole, close()],
        [whole, drop()],
    ]
    for answer in ends:
        async with talk([answer]) as world:
            await world.say("hi")
            assert world.gateway.called == [], answer


async def test_a_whole_call_runs_whatever_the_finish_says() -> None:
    for reason in ("tool_calls", "stop", "eos"):
        async with talk([[call("files__echo", {"x": 1}), finish(reason)], [text("Done.")]], allow_once()) as world:
            assert done(await world.say("hi")) is DoneReason.COMPLETED
            assert len(world.gateway.called) == 1


async def test_a_call_that_the_server_could_not_read_is_asked_for_again_and_then_without_tools() -> None:
    failure = chunk({"error": {"code": 500, "message": "output that does not match the expected peg-native format"}})

    def script(request: RecordedRequest) -> Answer:
        return [thinking("hm"), failure] if "tools" in request.body else [text("Without them.")]

    async with talk(script) as world:
        events = await world.say("hi")
        assert remarks(events) == ["retried", "without_tools"]
        assert world.answer == "Without them."
        assert len(world.endpoint.chats) == 3
        await world.say("again")  # a fault of one answer is no fact about the model
        assert "tools" in world.endpoint.chats[3].body


async def test_what_is_waited_for_is_seen_and_can_be_stopped() -> None:
    script: list[Answer] = [
        [status(503, {"error": {"message": "Loading model"}})],
        [status(429, {"error": {"message": "slow"}}, {"retry-after-ms": "1"})],
        [raw(": ping\n\n"), hold("never")],
    ]
    async with talk(script) as world:
        run = await world.chat.send(None, "hi")
        seen: list[str] = []
        async for event in run.events():
            if isinstance(event, WaitingEvent):
                seen.append(event.code)
                if event.code == "prompt_reading":
                    run.stop()
        assert seen == ["model_loading", "rate_limited", "prompt_reading"]
        assert isinstance(run.terminal, DoneEvent)
        assert run.terminal.reason is DoneReason.STOPPED
        await world.endpoint.wait_until(lambda e: e.chats[-1].is_disconnected)


async def test_an_empty_answer_says_that_the_context_may_be_full() -> None:
    async with talk([[finish("stop")]]) as world:
        events = await world.say("hi")
        assert isinstance(events[-1], ErrorEvent)
        assert events[-1].code == "model.empty"


async def test_a_blank_at_the_seam_is_not_lost() -> None:
    async with talk([[text("Hello"), finish("length")], [text(" world")]]) as world:
        await world.say("hi")
        await world.go_on()
        assert world.answer == "Hello world"
