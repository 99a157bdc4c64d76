"""The states with messages that wait among the screenshots: while an answer runs, being changed, and paused."""

import dataclasses
from typing import TYPE_CHECKING

from shots_scenes import Scene, scene

from desktop.agent.queue_state import Pause
from tests.support.endpoint import RecordedRequest, Step, text

if TYPE_CHECKING:
    from shots_stage import Stage

QUEUE_SCENES: list[Scene] = []
QUESTION = "Plan a quiet weekend by the sea for two people."
WAITING = (
    "Then make a packing list out of it, in two columns, for warm days and for rainy ones, and leave out what one can rent.",
    "请把清单翻译成中文。",
    "How do we get there by train?",
)


def answer_with_queue(request: RecordedRequest) -> list[Step] | None:
    """What is answered to ``QUESTION``; None for any other one."""
    is_title = "name conversations" in str(request.body["messages"][0]["content"])
    if QUESTION not in request.last_user_text or is_title:  # what is remembered may stand before the question
        return None
    return [text("Leave on Friday after work, so that Saturday is whole. "), {"hold": "the weekend"}]


@scene(QUEUE_SCENES, "92-queue")
async def queue(stage: "Stage") -> None:
    await stage.open("")
    await stage.pilot.send(QUESTION)
    await stage.pilot.until(lambda: stage.is_held("the weekend"), "half of an answer")
    thread_id = stage.presenter.thread_id or ""
    service = stage.session.container.queue
    for words in WAITING:
        await service.add(thread_id, words)
    await stage.settle()
    await stage.picture("92-queue-1-waits")
    panel = stage.presenter.features.queue.panel
    assert panel is not None
    panel.rows[0].edit_requested.emit()
    await stage.settle()
    await stage.picture("92-queue-2-changed")
    panel.editor.cancel_button.click()
    await stage.session.container.chat.stop(thread_id)
    await stage.settle()
    await stage.picture("92-queue-3-paused")
    paused = service.queue_of(thread_id)
    for number, pause in enumerate((Pause.FAILED, Pause.CUT_OFF, Pause.UNSENT, Pause.KEPT), start=4):
        panel.show_queue(dataclasses.replace(paused, pause=pause), answers=False)
        await stage.picture(f"92-queue-{number}-{pause}")
    await service.remove(thread_id, [message.id for message in service.queue_of(thread_id).messages])
