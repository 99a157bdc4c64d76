"""Questions of a server during its calls: what is shown, what is refused, and that only a person's answer is a yes."""

import asyncio
import json
import os
import signal
from typing import Any

import pytest

from desktop.core.errors import ToolError
from desktop.mcp_client.elicitation import MAX_OPEN_QUESTIONS
from desktop.tools.entities import ElicitationAnswer, ElicitationMode, ElicitationRequest, ServerState
from tests.support.mcp_world import McpWorld, hostile, mcp_world
from tests.support.scripted_prompts import ScriptedPrompts, accept, cancel, decline
from tests.support.waiting import until

REFUSED = "was refused"


async def _answer(world: McpWorld, what: str) -> Any:
    return json.loads(await world.act(what))


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        (accept(name="Ada"), {"action": "accept", "content": {"name": "Ada"}}),
        (accept(), {"action": "accept", "content": {}}),
        (decline(), {"action": "decline"}),
        (cancel(), {"action": "cancel"}),
    ],
)
async def test_the_three_endings_stay_apart(given: ElicitationAnswer, sent: Any) -> None:
    with ScriptedPrompts(given) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert await _answer(world, "ask") == sent
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert (request.server_id, request.message, request.thread_id) == ("bad", "Your name?", "thread")
        assert request.mode is ElicitationMode.FORM
        assert not request.bundled


@pytest.mark.expected_log(REFUSED)
@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("ask_nested", "its form has a field of a kind that forms cannot have"),
        ("ask_many", "its form is too long"),
        ("ask_endless_url", "its address is missing or too long"),
    ],
)
async def test_a_malformed_question_is_cancelled_unseen_and_the_person_is_told(what: str, reason: str) -> None:
    with ScriptedPrompts() as prompts:
        async with mcp_world([hostile()], prompts) as world:
            sent, note = (await world.act(what)).split("\n")
            assert json.loads(sent) == {"action": "cancel"}
            assert note.startswith("[Threadwell: It asked you something that was cancelled")
            assert reason in note
            await until(lambda: world.gateway.statuses()[0].remarks)
            (remark,) = world.gateway.statuses()[0].remarks
            assert remark.reason.partition(": ")[0] == reason
            assert await world.act("nothing") == "did act"


@pytest.mark.parametrize(
    ("what", "url"), [("ask_user_url", "https://a@b.example/"), ("ask_file_url", "file:///etc/passwd")]
)
async def test_an_address_that_must_not_be_opened_is_shown_for_the_person_to_decline(what: str, url: str) -> None:
    with ScriptedPrompts(decline()) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert await _answer(world, what) == {"action": "decline"}
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert (request.mode, request.url) == (ElicitationMode.URL, url)


@pytest.mark.expected_log(REFUSED)
async def test_no_acceptance_of_an_address_that_must_not_be_opened_is_sent() -> None:
    with ScriptedPrompts(accept()) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert (await world.act("ask_user_url")).startswith('{"action": "cancel"}')


async def test_a_pattern_is_never_run() -> None:
    with ScriptedPrompts(accept(a="a" * 60 + "!")) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert (await _answer(world, "ask_regex"))["action"] == "accept"
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert request.schema["properties"] == {"a": {"type": "string"}}


async def test_field_names_are_kept_exactly() -> None:
    names = ("class", "__init__", "a-b c", "")
    answer = accept(**dict.fromkeys(names, "x"))
    with ScriptedPrompts(answer) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert (await _answer(world, "ask_names"))["content"] == dict.fromkeys(names, "x")


@pytest.mark.expected_log(REFUSED)
async def test_an_answer_that_does_not_fit_is_not_sent() -> None:
    with ScriptedPrompts(accept(name=7)) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            sent, note = (await world.act("ask")).split("\n")
            assert json.loads(sent) == {"action": "cancel"}
            assert "the answer does not fit the form" in note


@pytest.mark.expected_log("could not be asked")
async def test_a_failing_dialog_is_a_cancel_and_tells_the_server_nothing() -> None:
    with ScriptedPrompts(RuntimeError("secret words")) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            sent, note = (await world.act("ask")).split("\n")
            assert json.loads(sent) == {"action": "cancel"}
            assert "it could not be shown" in note
            assert "secret" not in note
            assert world.failures == ["question of bad: RuntimeError('secret words')"]
            world.failures.clear()


async def test_a_page_is_shown_and_accepted_without_content() -> None:
    with ScriptedPrompts(accept()) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert await _answer(world, "ask_good_url") == {"action": "accept"}
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert (request.mode, request.url) == (ElicitationMode.URL, "https://example.org/a?b=1")


@pytest.mark.expected_log("no call of this server is running")
async def test_a_question_outside_any_call_is_refused() -> None:
    with ScriptedPrompts() as prompts:
        async with mcp_world([hostile("early_question")], prompts) as world:
            assert await world.act("nothing") == "did act"


async def test_the_deadlines_of_a_server_rest_while_its_question_is_open() -> None:
    async def answer(_request: ElicitationRequest) -> ElicitationAnswer:
        calls = world.gateway._sessions["bad"].calls
        # A second call starts, and would be over at once: it rests as well.
        others.append(world.tasks.spawn(_code_of(world, hanging, deadline=0.01), name="other call"))
        await until(lambda: len(calls._calls) == 2)
        assert [call._limit.when() for call in calls._calls] == [None, None]
        assert not others[0].done()
        return accept(name="late")

    others: list[asyncio.Task[str]] = []
    with ScriptedPrompts(answer) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            hanging = await world.intent("act", {"what": "hang"})
            assert json.loads(await world.act("ask"))["content"] == {"name": "late"}
            assert await others[0] == "tool.timeout"


async def test_a_call_says_for_how_long_its_question_was_open() -> None:
    async def answer(_request: ElicitationRequest) -> ElicitationAnswer:
        begun = loop.time()
        await until(lambda: loop.time() > begun)
        opened_for.append(loop.time() - begun)
        return accept(name="Ada")

    loop, opened_for = asyncio.get_running_loop(), list[float]()
    with ScriptedPrompts(answer) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            assert (await world.call("act", what="ask")).waited_seconds >= opened_for[0] > 0
            assert (await world.call("act", what="nothing")).waited_seconds == 0


async def test_a_question_is_withdrawn_when_its_call_is_cancelled() -> None:
    with ScriptedPrompts(None) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            intent = await world.intent("act", {"what": "ask"})
            call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=30), name="call")
            await until(lambda: prompts.open == 1)
            call.cancel()
            await until(lambda: prompts.aborted == 1)
            await asyncio.wait({call})
            assert call.cancelled()


async def test_a_question_is_withdrawn_when_its_call_ends_without_it() -> None:
    with ScriptedPrompts(None) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            text, _ = await asyncio.gather(world.act("ask_and_leave"), until(lambda: prompts.asked))
            assert text == "already done"
            await until(lambda: prompts.open == 0)


@pytest.mark.expected_log("MCP server bad")
async def test_a_question_is_withdrawn_when_the_server_dies() -> None:
    with ScriptedPrompts(None) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            pid = int(await world.act("pid"))
            intent = await world.intent("act", {"what": "ask"})
            call = world.tasks.spawn(_code_of(world, intent), name="call")
            await until(lambda: prompts.open == 1)
            os.kill(pid, signal.SIGKILL)
            await until(lambda: prompts.aborted == 1)
            assert await call == "tool.server_gone"
            await until(lambda: world.gateway.statuses()[0].state is ServerState.READY)


async def _code_of(world: McpWorld, intent: Any, *, deadline: float = 30.0) -> str:
    """Make the call and return the code of its error."""
    try:
        await world.gateway.call(intent, deadline_seconds=deadline)
    except ToolError as error:
        return error.code
    return "no error"


@pytest.mark.expected_log("too many of its questions are open")
async def test_a_flood_of_questions_is_refused_beyond_a_few() -> None:
    released = asyncio.Event()

    async def answer(_request: ElicitationRequest) -> ElicitationAnswer:
        await released.wait()
        return decline()

    with ScriptedPrompts(*[answer] * MAX_OPEN_QUESTIONS) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            intent = await world.intent("act", {"what": "ask_flood"})
            call = world.tasks.spawn(world.gateway.call(intent, deadline_seconds=30), name="call")
            child = world.gateway._sessions["bad"]._child
            assert child is not None
            await until(lambda: f"{30 - MAX_OPEN_QUESTIONS} answered" in child.stderr_tail())
            released.set()
            actions = json.loads((await call).text.partition("\n")[0])
    assert sorted(actions) == ["cancel"] * (30 - MAX_OPEN_QUESTIONS) + ["decline"] * MAX_OPEN_QUESTIONS


@pytest.mark.parametrize(("given", "expected"), [(accept(), "Try again"), (decline(), "did not agree")])
async def test_pages_that_a_call_requires_are_shown_and_the_model_is_told(
    given: ElicitationAnswer, expected: str
) -> None:
    with ScriptedPrompts(given) as prompts:
        async with mcp_world([hostile()], prompts) as world:
            outcome = await world.call("act", what="url_required")
            assert outcome.is_error
            assert expected in outcome.text
        request = prompts.asked[0]
        assert isinstance(request, ElicitationRequest)
        assert (request.url, request.message) == ("https://example.org/login", "Sign in")
