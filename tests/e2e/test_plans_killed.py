"""``kill -9`` in the middle of a plan: the next start knows how far it was, and it goes on with the step where it stopped."""

import random
import sys
from pathlib import Path
from typing import Any

import pytest

from desktop.conversation.context import assemble_context
from desktop.conversation.entities import Message, MessageStatus
from desktop.conversation.plans import StepState, plan_of
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.killing import run_and_kill
from tests.support.plan_world import PlanningModel, planning_chat
from tests.support.run_invariants import check_request

pytestmark = [
    pytest.mark.allowed_log(r"WARNING desktop\.storage\."),
    pytest.mark.skipif(sys.platform == "win32", reason="kill -9 as on POSIX"),
    pytest.mark.timeout(900),
]
OVER = (StepState.DONE, StepState.FAILED)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kills" in metafunc.fixturenames:
        metafunc.parametrize("kills", [20 if metafunc.config.getoption("long") else 1])


def places(message: Message, *states: StepState) -> list[int]:
    plan = plan_of(message.parts)
    return [] if plan is None else [place for place, each in enumerate(plan.steps) if each.state in states]


async def test_a_plan_goes_on_where_it_was_killed(tmp_path: Path, kills: int) -> None:
    chance = random.Random("plans")
    for number in range(kills):
        folder, told = tmp_path / f"data{number}", dict[str, list[int]]()

        def note(line: dict[str, Any], told: dict[str, list[int]] = told) -> None:
            told[line["id"]] = line["done"]

        await run_and_kill(
            "plan_writer", str(folder), str(number),
            note=note, lines=2 + chance.randint(0, 12), most_seconds=0.2, chance=chance,
        )  # fmt: skip
        store = await open_store(DataPaths(folder))
        try:
            await store.threads.recover()
            (thread,) = await store.threads.list_threads(limit=5)
            path = await store.threads.path(thread.id)
            answers = {message.id: message for message in path if message.role == "assistant"}
            for message_id, done in told.items():
                assert set(done) <= set(places(answers[message_id], StepState.DONE)), "what was shown as done is not"
            check_request(assemble_context(path))
            last = path[-1]
            if last.status is not MessageStatus.INTERRUPTED:
                continue  # it was killed between two answers
            over = places(last, *OVER)
            model = PlanningModel(random.Random(number))
            async with planning_chat(store.threads, model) as chat:
                run = await chat.continue_answer(thread.id)
                await run.wait_over()
            (whole,) = await store.threads.messages([last.id])
            assert whole.status is MessageStatus.COMPLETE
            assert not set(model.begun) & set(over), "a step that was over was carried out again"
            assert set(places(whole, *OVER)) >= set(over)
            assert whole.text.startswith(last.text)
            assert not places(whole, StepState.WAITING, StepState.RUNNING)
            check_request(assemble_context(await store.threads.path(thread.id)))
        finally:
            await store.close()
