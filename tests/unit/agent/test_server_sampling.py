"""What becomes of a server's request for the model: asked, recorded before anything follows, counted, without the chat."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.server_sampling import CHARS_PER_TOKEN, INTERRUPTED, KEPT_BACK, REFUSED, Lender, ServerSampling
from desktop.core.costs import Cost
from desktop.core.errors import ModelError, StorageError
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    LanguageModel,
    StreamEnd,
    SystemMessage,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    Usage,
    UserMessage,
)
from desktop.storage.store import Store
from desktop.tools.entities import CallState, Choice, Ending
from desktop.tools.ledger import LedgerEntry, LedgerVerdict
from desktop.tools.server_sampling import (
    SAMPLING_NAME,
    SAMPLING_REASON,
    ModelAnswer,
    Sampled,
    SamplingChoice,
    SamplingDecision,
    SamplingMessage,
    SamplingQuestion,
    SamplingRequest,
    SamplingRole,
    Unsampled,
)
from tests.support.scripted_model import ScriptedModel, Step, called, said
from tests.support.scripted_prompts import Scripted, ScriptedPrompts, lend
from tests.support.stores import opened
from tests.support.waiting import until

NO = lend(SamplingChoice.REFUSE)
AT_ONCE = lend(SamplingChoice.ALLOW_AND_SEND)


class World:
    """The service on a real store, with a turn of a chat that lends a scripted model."""

    def __init__(self, store: Store, steps: Sequence[Step], answers: Sequence[Scripted]) -> None:
        self.store = store
        self.model = ScriptedModel(*steps)
        self.prompts = ScriptedPrompts(*answers)
        self.service = ServerSampling(prompts=self.prompts, journal=store.journal, repository=store.threads)
        self.used: list[Usage] = []
        self.make_model: Callable[[], LanguageModel] = lambda: self.model
        self.most_tokens: int | None = None

    async def begin(self) -> None:
        thread = await self.store.threads.create_thread(title="Poems")
        turn = await self.store.threads.begin_turn(thread.id, "a secret of the chat", model="scripted")
        self.thread_id, self.turn_id = thread.id, turn.turn_id

    def request(self, **more: Any) -> SamplingRequest:
        given = {"messages": (SamplingMessage(role=SamplingRole.USER, text="Write a poem."),), "max_tokens": 50}
        ids = {"server_id": "poet", "thread_id": self.thread_id, "turn_id": self.turn_id, "asked_tokens": 50}
        return SamplingRequest(**{**ids, **given, **more})

    async def sample(self, **more: Any) -> Sampled | Unsampled:
        lender = Lender(
            model=lambda: self._made(),
            endpoint="Ollama",
            most_tokens=self.most_tokens,
            temperature=0.3,
            cost_of=lambda usage: Cost(amount=float(usage.output_tokens or 0), currency="$"),
        )
        with self.service.lending(lender, self.turn_id, self.used.append):
            return await self.service.sample(self.request(**more))

    def _made(self) -> LanguageModel:
        return self.make_model()

    async def entry(self) -> LedgerEntry:
        (entry,) = await self.store.ledger.search()
        return entry

    @property
    def questions(self) -> list[SamplingQuestion]:
        return [asked for asked in self.prompts.asked if isinstance(asked, SamplingQuestion)]


@asynccontextmanager
async def world_of(folder: Path, steps: Sequence[Step], *answers: Scripted) -> AsyncGenerator[World, None]:
    async with opened(folder) as store:
        world = World(store, steps, answers)
        await world.begin()
        yield world


async def test_it_is_asked_twice_and_the_server_gets_what_was_shown(tmp_path: Path) -> None:
    async with world_of(tmp_path, [said("Roses are red.")], lend(), lend()) as world:
        earlier = SamplingMessage(role=SamplingRole.ASSISTANT, text="Which one?")
        request = world.request()
        outcome = await world.sample(system_prompt="You are a poet.", messages=(*request.messages, earlier))
        answer = ModelAnswer(text="Roses are red.", stop_reason="endTurn", output_tokens=5)
        assert outcome == Sampled(answer=answer, model="scripted")
        first, second = world.questions
        assert (first.model, first.endpoint, first.thread_title, first.answer) == ("scripted", "Ollama", "Poems", None)
        assert first.most_cost == Cost(amount=50.0, currency="$")
        assert first.input_tokens > 0
        assert second.answer == answer
        (sent,) = world.model.requests
        assert sent.messages == (
            SystemMessage(text="You are a poet."),
            UserMessage(text="Write a poem."),
            AssistantMessage(text="Which one?"),
        )
        assert sent.tools == ()
        assert (sent.sampling.max_output_tokens, sent.sampling.temperature) == (50, 0.3)
        assert world.used == [Usage(input_tokens=10, output_tokens=5)]
        world.prompts.check()


async def test_the_record_has_the_request_the_decision_and_the_outcome(tmp_path: Path) -> None:
    async with world_of(tmp_path, [said("Roses.")], lend(), lend()) as world:
        await world.sample()
        entry = await world.entry()
        assert (entry.name, entry.server_id, entry.reason) == (SAMPLING_NAME, "poet", SAMPLING_REASON)
        assert (entry.verdict, entry.decided_by, entry.choice) == (LedgerVerdict.ALLOWED, "user", Choice.ALLOW_ONCE)
        assert (entry.status, entry.result, entry.thread_title) == ("ok", "Roses.", "Poems")
        arguments = json.loads(entry.arguments)
        assert arguments["messages"] == [{"role": "user", "text": "Write a poem."}]
        assert arguments["maxTokens"] == 50


async def test_at_once_asks_no_second_time(tmp_path: Path) -> None:
    async with world_of(tmp_path, [said("Roses.")], AT_ONCE) as world:
        assert isinstance(await world.sample(), Sampled)
        world.prompts.check()


@pytest.mark.parametrize("ending", [Ending.ANSWERED, Ending.CANCELLED])
async def test_a_refusal_reaches_no_model(tmp_path: Path, ending: Ending) -> None:
    async with world_of(tmp_path, [], SamplingDecision(choice=SamplingChoice.REFUSE, ending=ending)) as world:
        assert await world.sample() is Unsampled.REFUSED
        assert world.model.requests == []
        entry = await world.entry()
        assert (entry.verdict, entry.status, entry.result) == (LedgerVerdict.REFUSED, "denied", REFUSED)
        assert world.used == []


async def test_an_answer_that_is_kept_back_is_counted_and_not_sent(tmp_path: Path) -> None:
    async with world_of(tmp_path, [said("Roses.")], lend(), NO) as world:
        assert await world.sample() is Unsampled.REFUSED
        entry = await world.entry()
        assert (entry.verdict, entry.status) == (LedgerVerdict.REFUSED, "denied")
        assert entry.result == f"{KEPT_BACK}\nRoses."
        assert world.used == [Usage(input_tokens=10, output_tokens=5)]


async def test_an_allowance_that_was_taken_back_allows_nothing(tmp_path: Path) -> None:
    taken_back = SamplingDecision(choice=SamplingChoice.ALLOW, ending=Ending.ABORTED)
    async with world_of(tmp_path, [], taken_back) as world:
        assert await world.sample() is Unsampled.WITHDRAWN
        entry = await world.entry()
        assert (entry.verdict, entry.status) == (LedgerVerdict.UNDECIDED, "interrupted")


@pytest.mark.parametrize("place", ["first question", "model", "second question"])
async def test_cancelling_ends_all_of_it_and_is_recorded(tmp_path: Path, place: str) -> None:
    held = asyncio.Event()
    slow: Step = [TextDelta(text="Ro"), held] if place == "model" else said("Roses.")
    answers: list[Scripted] = [None] if place == "first question" else [lend(), None]
    async with world_of(tmp_path, [] if place == "first question" else [slow], *answers) as world:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(world.sample())
            await until(lambda: world.model.open_streams == 1 if place == "model" else world.prompts.open == 1)
            task.cancel()
        assert task.cancelled()
        assert world.model.open_streams == 0
        entry = await world.entry()
        assert entry.state is CallState.FINISHED
        assert (entry.status, entry.result.startswith(INTERRUPTED)) == ("interrupted", True)
        assert entry.result.endswith("Roses.") == (place == "second question")
        assert bool(world.used) == (place == "second question"), "what was used is used"


async def test_nothing_is_lent_outside_of_the_turn(tmp_path: Path) -> None:
    async with world_of(tmp_path, []) as world:
        assert await world.service.sample(world.request()) is Unsampled.NO_MODEL
        assert await world.store.ledger.search() == ()


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ([ModelError("model.unreachable", url="http://127.0.0.1:1")], "127.0.0.1"),
        (said("  "), "no answer"),
        ([TextDelta(text="Ro")], "ended before"),
        (called(("1", "poet__write", "{}")), "no answer"),
    ],
    ids=["unreachable", "empty", "broken-off", "a-call"],
)
async def test_a_model_that_fails_is_recorded_and_the_server_learns_nothing_of_it(
    tmp_path: Path, step: Step, words: str
) -> None:
    async with world_of(tmp_path, [step], AT_ONCE) as world:
        assert await world.sample() is Unsampled.FAILED
        entry = await world.entry()
        assert entry.status == "error"
        assert words in entry.result


async def test_a_model_that_cannot_be_used_any_more_is_recorded(tmp_path: Path) -> None:
    def fail() -> LanguageModel:
        raise ModelError("model.endpoint_gone", model="x")

    async with world_of(tmp_path, []) as world:
        world.make_model = fail
        assert await world.sample() is Unsampled.FAILED
        assert (await world.entry()).status == "error"


async def test_nothing_is_sent_that_could_not_be_recorded(tmp_path: Path) -> None:
    async with world_of(tmp_path, []) as world:
        await world.store.threads.delete_thread(world.thread_id)
        await world.store.threads.purge_thread(world.thread_id)
        with pytest.raises(StorageError):
            await world.sample()
        assert world.model.requests == []
        assert world.prompts.asked == []


async def test_reasoning_is_not_sent(tmp_path: Path) -> None:
    end = StreamEnd(reason=FinishReason.STOP)
    steps: list[Step] = [
        [ThinkingDelta(text="Hm."), TextDelta(text="Roses."), end],
        [TextDelta(text="Hm. "), TextWasThinking(), TextDelta(text="Roses."), end],
    ]
    async with world_of(tmp_path, steps, AT_ONCE, AT_ONCE) as world:
        for _ in steps:
            outcome = await world.sample()
            assert isinstance(outcome, Sampled)
            assert outcome.answer.text == "Roses."


async def test_the_answer_ends_where_the_server_wants_and_where_it_must(tmp_path: Path) -> None:
    endless: Step = [TextDelta(text="x" * 100)] * 1_000
    steps = [said("One STOP two END three", reason=FinishReason.LENGTH), endless]
    async with world_of(tmp_path, steps, AT_ONCE, AT_ONCE) as world:
        outcome = await world.sample(stop_sequences=("END", "STOP"))
        assert isinstance(outcome, Sampled)
        assert (outcome.answer.text, outcome.answer.stop_reason) == ("One ", "stopSequence")
        outcome = await world.sample(max_tokens=10)
        assert isinstance(outcome, Sampled)
        assert (len(outcome.answer.text), outcome.answer.stop_reason) == (10 * CHARS_PER_TOKEN, "maxTokens")
        assert world.model.open_streams == 0


async def test_the_users_own_limit_holds(tmp_path: Path) -> None:
    async with world_of(tmp_path, [said("Roses.")], AT_ONCE) as world:
        world.most_tokens = 20
        await world.sample(temperature=1.5)
        (sent,) = world.model.requests
        assert (sent.sampling.max_output_tokens, sent.sampling.temperature) == (20, 1.5)
        assert world.questions[0].request.max_tokens == 20
        assert world.questions[0].request.asked_tokens == 50
