"""The states of a plan among the screenshots: asked, running, planned anew after a failure, stopped, done and refused."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QPushButton
from shots_scenes import Scene, scene

from desktop.ui.transcript.blocks.plan_card import PlanCard
from tests.support.endpoint import RecordedRequest, Step, call, text

if TYPE_CHECKING:
    from shots_stage import Stage

PLAN_SCENES: list[Scene] = []
QUESTION = "Find out why the two bills of October differ, and write to the accountant."
_LETTER = (
    "Compare the sum with the one that stands in the letter of the accountant, line by line, and note each difference"
)
_FIRST = ("List the bills in the folder", _LETTER, "Write a short mail about the difference")
_SECOND = ("Ask me for the sum in the letter", "Write a short mail about the difference")


def answer_with_plan(request: RecordedRequest) -> list[Step] | None:
    """What is answered in the chat of ``QUESTION``; None in any other one."""
    said = request.last_user_text
    if any(tool["function"]["name"] == "propose_plan" for tool in request.body.get("tools", ())):
        return [call("propose_plan", {"steps": list(_SECOND if "failed" in said else _FIRST)})]
    if "All steps of the plan are done." in said or "The plan ends here" in said:
        return [text("The bill of the 14th was counted twice, 86.40 € too much. The mail is ready to be sent.")]
    if "Carry out step" not in said:
        return None
    if "Compare the sum" in said.partition("nothing else:")[2]:
        return [text("STEP FAILED: The letter is protected with a password."), {"hold": "the letter"}]
    if "Ask me" in said.partition("nothing else:")[2]:
        return [text("It says 1,204.50 €."), {"hold": "the sum"}]
    return [text("There are **14** bills, together 1,290.90 €.")]


@scene(PLAN_SCENES, "97-plans")
async def plans(stage: "Stage") -> None:
    await stage.open("")
    stage.presenter.options.change(plans_first=True)
    await stage.settle()
    await stage.pilot.send(QUESTION)
    await stage.pilot.until(lambda: _asks(stage), "a plan that waits")
    await stage.settle()
    await stage.picture("97-plans-1-asked")
    _press(stage, "plan-approve")
    await stage.pilot.until(lambda: stage.is_held("the letter"), "the second step")
    await stage.settle()
    await stage.picture("97-plans-2-running")
    stage.release("the letter")
    await stage.pilot.until(lambda: _asks(stage), "the rest that is planned anew")
    await stage.settle()
    await stage.picture("97-plans-3-anew")
    _press(stage, "plan-approve")
    await stage.pilot.until(lambda: stage.is_held("the sum"), "the third step")
    chat, thread_id = stage.session.container.chat, stage.presenter.thread_id or ""
    await chat.stop(thread_id)
    await stage.settle()
    await stage.picture("97-plans-4-stopped")
    stage.release("the sum")
    run = await chat.continue_answer(thread_id)
    await run.wait()
    await stage.settle()
    await stage.picture("97-plans-5-done")
    await stage.open("")
    stage.presenter.options.change(plans_first=True)
    await stage.pilot.send(QUESTION)
    await stage.pilot.until(lambda: _asks(stage), "another plan that waits")
    _press(stage, "plan-refuse")
    await stage.pilot.until(lambda: not chat.runs_of(stage.presenter.thread_id or ""), "the end of it")
    await stage.settle()
    await stage.picture("97-plans-6-refused")


def _asks(stage: "Stage") -> bool:
    return bool(_buttons(stage, "plan-approve"))


def _buttons(stage: "Stage", name: str) -> list[QPushButton]:
    cards = stage.window.transcript.findChildren(PlanCard)
    found = (card.findChild(QPushButton, name) for card in cards if card.isVisible())
    return [button for button in found if button is not None and button.isVisible()]


def _press(stage: "Stage", name: str) -> None:
    _buttons(stage, name)[0].click()
