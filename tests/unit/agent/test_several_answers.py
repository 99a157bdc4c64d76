"""Several models answer one message: each by itself, side by side, and what one does is nothing to the others."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from desktop.agent.events import DoneEvent, DoneReason, ErrorEvent, ToolResultEvent
from desktop.agent.run import Run
from desktop.agent.several import Answerers
from desktop.conversation.entities import (
    MOST_ANSWERS,
    MOST_ASKED_BESIDE,
    AskedModel,
    ErrorPart,
    Message,
    MessageStatus,
    Role,
    StartedTurn,
    ThreadOptions,
    ToolResultPart,
)
from desktop.core.endpoint_list import answering
from desktop.core.errors import ModelError, StorageError, ThreadwellError
from desktop.core.language_model import FinishReason, ModelRequest, TextDelta, Usage
from desktop.core.settings import EndpointSettings, Settings
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, CallState, Choice, ToolOutcome
from desktop.tools.timed_prompts import TimedPrompts
from tests.support.hand_clock import Clock
from tests.support.in_memory_threads import InMemoryThreadRepository
from tests.support.run_world import echo, hang
from tests.support.scripted_model import Step, called, said
from tests.support.scripted_prompts import ScriptedPrompts, allow_once
from tests.support.several_models import BROKEN, GONE, SeveralModels, at, beside
from tests.support.waiting import until


def held(text: str, until: asyncio.Event) -> Step:
    """A step that says its text when it may."""
    return [until, *said(text)]


def texts(request: ModelRequest) -> list[str]:
    return [message.text for message in request.messages]


async def test_every_model_answers_the_same_message_and_knows_nothing_of_the_others() -> None:
    world = SeveralModels({name: [said(f"I am {name}"), said(f"{name} again")] for name in ("own", "two", "three")})
    runs = await world.send(None, "two", "three")
    thread_id = runs[0].thread_id
    assert world.chat.runs_of(thread_id) == runs
    assert world.chat.run_of(thread_id) is runs[0]
    assert [world.chat.run_of_message(run.message_id) for run in runs] == list(runs)
    await world.finish(*runs)
    answers = await world.answers(runs[0])
    assert [(m.id, m.model, m.text, m.status) for m in answers] == [
        (run.message_id, name, f"I am {name}", MessageStatus.COMPLETE)
        for run, name in zip(runs, ("own", "two", "three"), strict=True)
    ]
    assert all(m.usage == Usage(input_tokens=10, output_tokens=5) for m in answers)
    assert world.chat.run_of(thread_id) is None

    await world.chat.choose_answer(answers[1].id)
    await world.finish(*await world.send(thread_id, "two", "three", text="more"))
    assert await world.path(thread_id) == ["hi", "I am two", "more", "own again"]
    for model in world.models.values():
        assert [texts(request) for request in model.requests] == [["hi"], ["hi", "I am two", "more"]]
    await world.close()


async def test_doubles_are_asked_once_and_no_more_than_some() -> None:
    names = ["own", *(f"m{number}" for number in range(8))]
    world = SeveralModels({name: [said(name)] for name in names})
    runs = await world.send(None, "own", "m0", "m0", AskedModel(endpoint_id="here"), *names)
    assert len(runs) == 1 + MOST_ASKED_BESIDE
    await world.finish(*runs)
    assert [m.model for m in await world.answers(runs[0])] == names[: 1 + MOST_ASKED_BESIDE]
    await world.close()


@pytest.mark.parametrize("lost", [GONE, BROKEN], ids=["removed", "no_key"])
async def test_a_model_that_cannot_be_asked_says_so_and_stops_no_other(lost: AskedModel) -> None:
    world = SeveralModels({"own": [said("mine")], "two": [said("yours")]})
    runs = await world.send(None, lost, "two")
    _, (failure,), _ = await world.finish(*runs)
    code = "model.endpoint_gone" if lost is GONE else "model.key_missing"
    assert isinstance(failure, ErrorEvent)
    assert failure.code == code
    own, failed, two = await world.answers(runs[0])
    assert (own.text, two.text) == ("mine", "yours")
    assert (failed.model, failed.status) == (lost.model, MessageStatus.FAILED)
    (part,) = failed.parts
    assert isinstance(part, ErrorPart)
    assert part.code == code
    await world.close()


async def test_the_threads_own_model_cannot_be_asked_but_another_one_can() -> None:
    world = SeveralModels({"two": [said("yours")]})
    own = ThreadOptions(endpoint_id=BROKEN.endpoint_id, model=BROKEN.model, asked_beside=(at("two"),))
    first = await world.chat.send(None, "hi", options=own)
    runs = world.chat.runs_of(first.thread_id)
    await world.finish(*runs)
    failed, two = await world.answers(first)
    assert (failed.status, failed.id, two.text) == (MessageStatus.FAILED, first.message_id, "yours")
    await world.close()


async def test_nothing_is_stored_when_no_model_can_be_asked() -> None:
    world = SeveralModels({})
    own = ThreadOptions(endpoint_id=BROKEN.endpoint_id, model=BROKEN.model, asked_beside=(GONE,))
    with pytest.raises(ModelError) as failure:
        await world.chat.send(None, "hi", options=own)
    assert failure.value.code == "model.key_missing"
    assert await world.repository.list_threads() == ()
    await world.close()


async def test_one_is_stopped_while_the_others_go_on() -> None:
    may_end = asyncio.Event()
    world = SeveralModels({name: [[TextDelta(text="So "), *held(name, may_end)]] for name in ("own", "two", "three")})
    runs = await world.send(None, "two", "three")
    thread_id = runs[0].thread_id
    await until(lambda: all(model.open_streams for model in world.models.values()))
    await world.chat.stop_answer(runs[0].message_id)
    assert world.chat.runs_of(thread_id) == runs[1:]
    assert world.chat.run_of(thread_id) is None, "the one on the path has ended"
    with pytest.raises(ThreadwellError) as failure:
        await world.chat.send(thread_id, "too early")
    assert failure.value.code == "run.busy"
    await world.chat.choose_answer(runs[2].message_id)
    assert world.chat.run_of(thread_id) is runs[2]
    may_end.set()
    await world.finish(*runs)
    assert [(m.status, m.text) for m in await world.answers(runs[0])] == [
        (MessageStatus.STOPPED, "So "),
        (MessageStatus.COMPLETE, "So two"),
        (MessageStatus.COMPLETE, "So three"),
    ]
    await world.chat.stop_answer(runs[0].message_id)  # nothing to do
    await world.close()


async def test_stop_ends_all_and_deleting_too() -> None:
    for end in ("stop", "delete_thread", "purge_thread", "close"):
        world = SeveralModels({name: [held(name, asyncio.Event())] for name in ("own", "two", "three")})
        runs = await world.send(None, "two", "three")
        thread_id = runs[0].thread_id
        await (world.chat.close() if end == "close" else getattr(world.chat, end)(thread_id))
        for run in runs:
            assert isinstance(run.terminal, DoneEvent)
            assert run.terminal.reason is DoneReason.STOPPED
        assert world.chat.runs_of(thread_id) == ()
        assert len(await world.answers(runs[0])) == (0 if end == "purge_thread" else 3)
        await world.close()


class SlowToAdd(InMemoryThreadRepository):
    """Another answer begins only when it may."""

    def __init__(self) -> None:
        super().__init__()
        self.is_adding, self.may_add = asyncio.Event(), asyncio.Event()

    async def add_answer(self, message_id: str, *, model: str, chosen: bool = False) -> StartedTurn:
        self.is_adding.set()
        await self.may_add.wait()
        return await super().add_answer(message_id, model=model, chosen=chosen)


async def test_deleting_waits_for_answers_that_are_just_being_begun() -> None:
    repository = SlowToAdd()
    world = SeveralModels({name: [held(name, asyncio.Event())] for name in ("own", "two")}, repository=repository)
    async with asyncio.TaskGroup() as group:
        sending = group.create_task(world.send(None, "two"))
        await repository.is_adding.wait()
        (thread,) = await repository.list_threads()
        for refused in (
            world.chat.send(thread.id, "more"),
            world.chat.continue_answer(thread.id),
            world.chat.ask_again(thread.tip or ""),
        ):
            with pytest.raises(ThreadwellError) as failure:
                await refused
            assert failure.value.code == "run.busy"
        deleting = group.create_task(world.chat.delete_thread(thread.id))
        await asyncio.sleep(0)
        repository.may_add.set()
        await deleting
        runs = await sending
    assert [run.terminal is not None for run in runs] == [True, True]
    assert all(m.status is MessageStatus.STOPPED for m in await world.answers(runs[0]))
    await world.close()


async def test_an_answer_that_begins_late_does_not_read_the_one_that_is_there() -> None:
    repository = SlowToAdd()
    world = SeveralModels({"own": [said("I was first")], "two": [said("me, too")]}, repository=repository)
    async with asyncio.TaskGroup() as group:
        sending = group.create_task(world.send(None, "two"))
        await until(lambda: world.models["own"].finished and not world.models["own"].open_streams)
        (thread,) = await repository.list_threads()
        await until(lambda: world.chat.runs_of(thread.id) == ())
        repository.may_add.set()
        runs = await sending
    await world.finish(*runs)
    assert [texts(request) for request in world.models["two"].requests] == [["hi"]]
    assert await world.path(thread.id) == ["hi", "I was first"]
    await world.close()


class FullDisk(InMemoryThreadRepository):
    async def add_answer(self, message_id: str, *, model: str, chosen: bool = False) -> StartedTurn:
        raise StorageError("storage.full")


async def test_an_answer_that_cannot_be_stored_is_told_and_the_first_goes_on() -> None:
    world = SeveralModels({"own": [said("mine")], "two": []}, repository=FullDisk())
    (run,) = await world.send(None, "two")
    await world.finish(run)
    assert [error.code for error in world.failures] == ["storage.full"]
    assert await world.path(run.thread_id) == ["hi", "mine"]
    await world.close()


# -- asking again ---------------------------------------------------------------------------------------------------


async def test_another_answer_becomes_the_path_when_it_begins() -> None:
    may_end = asyncio.Event()
    world = SeveralModels({"own": [said("first"), said("below"), held("again", may_end)], "two": [said("other")]})
    turned: list[str] = []
    world.chat.path_changed.connect(lambda thread_id: turned.append(thread_id))
    (run,) = await world.send(None)
    await world.finish(run)
    (later,) = await world.send(run.thread_id, text="more")
    await world.finish(later)

    again = await world.chat.ask_again(run.message_id)
    assert turned == [run.thread_id]
    assert world.chat.run_of(run.thread_id) is again
    assert [m.id for m in await world.repository.path(run.thread_id)][1:] == [again.message_id]
    other = await world.chat.ask_again(again.message_id, at("two"))  # while that one still runs
    assert (await world.repository.path(run.thread_id))[-1].id == other.message_id
    with pytest.raises(ThreadwellError) as failure:
        await world.chat.ask_again(later.message_id)  # an answer to another message must not run beside them
    assert failure.value.code == "run.busy"
    may_end.set()
    await world.finish(again, other)
    assert [texts(request) for request in world.models["own"].requests] == [["hi"], ["hi", "first", "more"], ["hi"]]
    assert [(m.model, m.text) for m in await world.answers(run)] == [
        ("own", "first"),
        ("own", "again"),
        ("two", "other"),
    ]
    await world.chat.choose_answer(run.message_id)
    assert await world.path(run.thread_id) == ["hi", "first", "more", "below"]
    await world.close()


async def test_no_more_answers_stand_beside_each_other_than_can_be_looked_at() -> None:
    """What failed before its first word is nothing to look at, and may be tried again as often as one likes."""
    tries: list[Step] = [[ModelError("model.unreachable")] for _ in range(MOST_ANSWERS + 1)]
    world = SeveralModels({"own": [said("first"), *tries, *(said("more") for _ in range(MOST_ANSWERS))]})
    (run,) = await world.send(None)
    await world.finish(run)
    for _ in range(MOST_ANSWERS + 1 + MOST_ANSWERS - 1):
        await world.finish(await world.chat.ask_again(run.message_id))
    before = await world.answers(run)
    assert [answer.text for answer in before if answer.text] == ["first", *["more"] * (MOST_ANSWERS - 1)]
    with pytest.raises(ThreadwellError) as failure:
        await world.chat.ask_again(run.message_id)
    assert failure.value.code == "run.too_many_answers"
    assert failure.value.params["most"] == MOST_ANSWERS
    assert await world.answers(run) == before
    await world.close()


async def test_what_cannot_be_asked_again_is_refused() -> None:
    world = SeveralModels({"own": [said("first")]})
    (run,) = await world.send(None)
    await world.finish(run)
    for asked, code in ((GONE, "model.endpoint_gone"), (BROKEN, "model.key_missing")):
        with pytest.raises(ModelError) as failure:
            await world.chat.ask_again(run.message_id, asked)
        assert failure.value.code == code
    for message_id in ("nothing", run.turn.user_message.id):
        with pytest.raises(StorageError):
            await world.chat.ask_again(message_id)
    with pytest.raises(StorageError):
        await world.chat.choose_answer("nothing")
    assert len(await world.answers(run)) == 1
    await world.close()


async def test_the_chosen_answer_goes_on_while_another_one_runs() -> None:
    may_end = asyncio.Event()
    cut = said("a mo", reason=FinishReason.LENGTH)
    world = SeveralModels({"own": [held("mine", may_end)], "two": [cut]})
    runs = await world.send(None, "two")
    thread_id = runs[0].thread_id
    await world.finish(runs[1])
    with pytest.raises(ThreadwellError) as failure:
        await world.chat.continue_answer(thread_id)  # the one on the path still runs
    assert failure.value.code == "run.busy"
    await world.chat.choose_answer(runs[1].message_id)
    world.models["two"].script(said("ment"))
    going_on = await world.chat.continue_answer(thread_id)
    assert world.chat.run_of(thread_id) is going_on
    await world.finish(going_on)
    may_end.set()
    await world.finish(runs[0])
    assert [(m.model, m.text) for m in await world.answers(runs[0])] == [("own", "mine"), ("two", "a moment")]
    await world.close()


async def test_who_wrote_an_answer_goes_on_with_it_and_writes_it_again() -> None:
    cut = said("a mo", reason=FinishReason.LENGTH)
    world = SeveralModels({"own": [said("mine"), said("ment")], "two": [cut, said("anew")]})
    runs = await world.send(None, "two")
    await world.finish(*runs)
    again = await world.chat.ask_again(runs[1].message_id)
    await world.finish(again)
    assert (again.turn.assistant_message.model, world.models["two"].finished) == ("two", True)
    await world.chat.choose_answer(runs[1].message_id)
    await world.repository.set_thread_options(again.thread_id, beside())  # that model is not asked any more
    going_on = await world.chat.continue_answer(again.thread_id)
    await world.finish(going_on)
    assert [(m.model, m.text) for m in await world.answers(again)] == [
        ("own", "mine"),
        ("own", "a moment"),
        ("two", "anew"),
    ]
    await world.close()


def test_the_same_model_at_another_endpoint_is_told_apart() -> None:
    """Asked again, the answer must not come from the other one: neither the chat nor a key is for that."""
    home, work = (
        EndpointSettings(id=name.lower(), name=name, base_url=f"https://{name}.example/v1", model="twin")
        for name in ("Home", "Work")
    )
    settings, asked = Settings(endpoints=(home, work)), AskedModel(endpoint_id="work", model="twin")
    options = ThreadOptions(endpoint_id="home", model="twin", asked_beside=(asked,))
    answerers = Answerers(
        loop=lambda _options: pytest.fail("nothing is asked"),
        answering=lambda own: answering(settings, home, endpoint_id=own.endpoint_id, model=own.model),
        repository=InMemoryThreadRepository(),
    )
    found = {name: answerers.who_wrote(answer_from(name), options) for name in ("twin · Work", "twin · Home", "twin")}
    assert found == {"twin · Work": asked, "twin · Home": None, "twin": None}


def answer_from(model: str) -> Message:
    moment = datetime(2026, 1, 1, tzinfo=UTC)
    return Message(
        id="m",
        thread_id="t",
        parent_id="q",
        role=Role.ASSISTANT,
        status=MessageStatus.COMPLETE,
        parts=(),
        created_at=moment,
        updated_at=moment,
        model=model,
    )


# -- tools ----------------------------------------------------------------------------------------------------------


async def test_calls_of_several_answers_are_kept_apart() -> None:
    """The endpoints give the same ids, one answer is stopped in its call, the other one's tool goes on."""
    script = {name: [called(("c1", "files__act", f'{{"by": "{name}"}}')), said("done")] for name in ("own", "two")}
    may_end = asyncio.Event()

    async def act(arguments: dict[str, object]) -> ToolOutcome:
        if arguments["by"] == "own":
            return await hang(arguments)
        await may_end.wait()
        return await echo(arguments)

    world = SeveralModels(script, tools={"act": act}, answers=(allow_once(), allow_once()))
    runs = await world.send(None, "two")
    await until(lambda: world.gateway.running == 2)
    await world.chat.stop_answer(runs[0].message_id)
    assert world.gateway.running == 1
    may_end.set()
    _, events = await world.finish(*runs)
    assert [e.text for e in events if isinstance(e, ToolResultEvent)] == ["echo {'by': 'two'}"]
    results = [[p.status for p in m.parts if isinstance(p, ToolResultPart)] for m in await world.answers(runs[0])]
    assert results == [["interrupted"], ["ok"]]
    assert {row.call_id: row.state for row in world.journal.rows} == {
        f"{run.turn.turn_id}:c1": CallState.FINISHED for run in runs
    }
    asked = [request for request in world.prompts.asked if isinstance(request, ApprovalRequest)]
    assert [(request.thread_title, request.model) for request in asked] == [("hi", "own"), ("hi", "two")]
    await world.close()


async def test_a_permission_for_the_chat_holds_for_every_answer() -> None:
    script = {name: [called(("c1", "files__echo", "{}")), said("done")] for name in ("own", "two")}
    asked = asyncio.Event()

    async def allow_when_both_have_asked(_request: ApprovalRequest) -> ApprovalAnswer:
        await asked.wait()
        return ApprovalAnswer(choice=Choice.ALLOW_THREAD)

    world = SeveralModels(script, tools={"echo": echo}, answers=(allow_when_both_have_asked, None))
    runs = await world.send(None, "two")
    await until(lambda: len(world.prompts.asked) == 2)
    asked.set()
    for events in await world.finish(*runs):
        assert [e.status for e in events if isinstance(e, ToolResultEvent)] == ["ok"]
    assert world.prompts.aborted == 1, "the other question was answered by the permission"
    await world.close()


async def test_only_the_answer_that_asks_waits_for_the_user() -> None:
    clock, may_answer = Clock(), asyncio.Event()

    async def think_it_over(_request: ApprovalRequest) -> ApprovalAnswer:
        await may_answer.wait()
        return allow_once()

    prompts = TimedPrompts(ScriptedPrompts(think_it_over), now=clock)
    script = {"own": [called(("c1", "files__echo", "{}")), said("done")], "two": [said("quick")]}
    world = SeveralModels(script, tools={"echo": echo}, prompts=prompts)
    world.timed = prompts
    runs = await world.send(None, "two")
    await world.finish(runs[1])
    clock.seconds += 1_000
    may_answer.set()
    await world.finish(runs[0])
    waits = [prompts.waited_seconds(run.thread_id, run.turn.turn_id) for run in runs]
    assert waits == [1_000, 0]
    assert (await world.answers(runs[0]))[0].duration_seconds == 0
    await world.close()


# -- the title ------------------------------------------------------------------------------------------------------


async def test_the_first_model_that_has_an_answer_names_the_chat_once() -> None:
    question, own, may_end = "How do tides come about?", [said("By the moon."), said("Moon and tides")], asyncio.Event()
    world = SeveralModels({"own": own, "two": [said("Gravity.")], "three": [held("No.", may_end)]}, writes_titles=True)
    runs = await world.send(None, "two", "three", text=question)
    await world.finish(*runs[:2])
    await until(lambda: world.models["own"].finished)
    may_end.set()
    await world.finish(runs[2])
    assert await world.title(runs[0].thread_id) == "Moon and tides"
    assert [len(world.models[name].requests) for name in ("own", "two", "three")] == [2, 1, 1]
    world.models["two"].script(said("Again."))
    await world.finish(await world.chat.ask_again(runs[0].message_id, at("two")))
    assert await world.title(runs[0].thread_id) == "Moon and tides"
    await world.close()


async def test_another_one_names_the_chat_when_the_first_has_no_answer() -> None:
    question = "How do tides come about?"
    failing: Step = [ModelError("model.timeout", seconds=1)]
    may_end = asyncio.Event()
    script = {"own": [failing], "two": [held("Gravity.", may_end), said("Tides explained")], "three": [said("No.")]}
    world = SeveralModels(script, writes_titles=True)
    runs = await world.send(None, BROKEN, "two", "three", text=question)
    await world.finish(runs[0], runs[1], runs[3])
    assert len(world.models["three"].requests) == 1, "a model that was named before it may still have an answer"
    may_end.set()
    await world.finish(runs[2])
    await until(lambda: world.models["two"].finished)
    assert await world.title(runs[0].thread_id) == "Tides explained"
    await world.close()


async def test_a_chat_whose_models_all_fail_keeps_the_beginning_of_the_question() -> None:
    failing: Step = [ModelError("model.timeout", seconds=1)]
    world = SeveralModels({"own": [failing, said("late"), said("Named late")], "two": [failing]}, writes_titles=True)
    runs = await world.send(None, "two", text="How come?")
    await world.finish(*runs)
    assert await world.title(runs[0].thread_id) == "How come?"
    await world.finish(await world.chat.ask_again(runs[0].message_id))
    await until(lambda: world.models["own"].finished)
    assert await world.title(runs[0].thread_id) == "Named late"
    await world.close()


# -- the record -----------------------------------------------------------------------------------------------------


async def test_options_hold_for_every_answer_of_the_thread() -> None:
    world = SeveralModels({"own": [said("mine")], "two": [said("yours")]})
    thread = await world.repository.create_thread(
        options=ThreadOptions(
            endpoint_id="here", model="own", asked_beside=(at("two"),), system_prompt="Rhyme.", temperature=0.25
        )
    )
    first = await world.chat.send(thread.id, "hi")
    await world.finish(*world.chat.runs_of(thread.id), first)
    for model in world.models.values():
        (request,) = model.requests
        assert texts(request) == ["Rhyme.", "hi"]
        assert request.sampling.temperature == 0.25
    await world.close()


class Readable(InMemoryThreadRepository):
    def texts(self, runs: Sequence[Run]) -> list[str]:
        return [self._messages[run.message_id].text for run in runs]


async def test_a_killed_program_leaves_every_answer_in_the_record() -> None:
    repository = Readable()
    script = {name: [[TextDelta(text=name), asyncio.Event()]] for name in ("own", "two")}
    world = SeveralModels(script, repository=repository)
    runs = await world.send(None, "two")
    thread_id = runs[0].thread_id

    await until(lambda: repository.texts(runs) == ["own", "two"])
    assert await world.repository.recover() == 2  # what the next start does
    assert [(m.text, m.status) for m in await world.answers(runs[0])] == [
        ("own", MessageStatus.INTERRUPTED),
        ("two", MessageStatus.INTERRUPTED),
    ]
    assert (await world.repository.path(thread_id))[-1].id == runs[0].message_id
    await world.close()
