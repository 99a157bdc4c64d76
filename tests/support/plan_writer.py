"""A program for kill tests: answers by plans without end. ``FOLDER SEED``; says what of each plan is on disk as done."""

import asyncio
import json
import random
import sys
from pathlib import Path

from desktop.agent.events import PlanEvent
from desktop.conversation.entities import ThreadOptions
from desktop.conversation.plans import StepState
from desktop.core.paths import DataPaths
from desktop.storage.store import open_store
from tests.support.plan_world import PlanningModel, planning_chat


async def main(folder: Path, seed: int) -> None:
    store = await open_store(DataPaths(folder))
    model = PlanningModel(random.Random(seed), fails=0.2, pause=0.001)
    async with planning_chat(store.threads, model) as chat:
        thread_id: str | None = None
        while True:
            run = await chat.send(
                thread_id, f"Question {seed}", options=None if thread_id else ThreadOptions(plans_first=True)
            )
            thread_id = run.thread_id
            async for event in run.events():
                if isinstance(event, PlanEvent):
                    done = [place for place, each in enumerate(event.plan.steps) if each.state is StepState.DONE]
                    sys.stdout.write(json.dumps({"kind": "plan", "id": run.message_id, "done": done}) + "\n")
                    sys.stdout.flush()
            await run.wait_over()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
