"""The states with assistants among the screenshots: the library, the form, the choice, one that asks another, a deleted one."""

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton, QCheckBox, QWidget
from shots_scenes import Scene, scene

from desktop.ui.assistants.edit_dialog import AssistantEditDialog
from desktop.ui.assistants.examples import examples
from tests.support.endpoint import RecordedRequest, Step, call, text

if TYPE_CHECKING:
    from shots_stage import Stage

ASSISTANT_SCENES: list[Scene] = []
QUESTION = "When does the first train to the sea leave on Saturday?"
TASK = "Find out when the first train to the sea leaves on Saturday. Name the source."
_FOUND = "The first train leaves at **6:52**. Source: the timetable in `timetable.txt`."


def answer_of_assistants(request: RecordedRequest) -> list[Step] | None:
    """What is answered to ``QUESTION`` and to ``TASK``; None for any other one."""
    is_title = "name conversations" in str(request.body["messages"][0]["content"])
    if is_title:
        return None
    if TASK in request.last_user_text:
        if request.tool_results:
            return [text(_FOUND)]
        command = {"command": "grep --ignore-case saturday timetable.txt > found.txt"}
        return [text("I look into the timetable. "), call("command__execute_command_local", command)]
    if QUESTION not in request.last_user_text:
        return None
    if request.tool_results:
        return [text("At **6:52**, by the timetable in your folder.")]
    asked = next(
        tool["function"]["parameters"]["properties"]["assistant"]["enum"][0]
        for tool in request.body.get("tools", [])
        if tool["function"]["name"] == "assistants__ask_assistant"
    )
    return [call("assistants__ask_assistant", {"assistant": asked, "task": TASK})]


@scene(ASSISTANT_SCENES, "93-assistants")
async def assistants(stage: "Stage") -> None:
    library = stage.session.container.assistants
    await stage.settings("assistants")
    await stage.picture("93-assistants-1-none")
    await library.take_in(examples())
    settings = await stage.settings("assistants")
    await stage.picture("93-assistants-2")
    await stage.press("newAssistant", settings)
    dialog = settings.findChild(AssistantEditDialog)
    assert dialog is not None
    await stage.picture("93-assistants-3-new")
    stage.find(QCheckBox, "assistantAllTools", dialog).setChecked(False)
    await stage.settle()
    assert dialog.area is not None
    dialog.area.ensureWidgetVisible(stage.find(QWidget, "assistantTools", dialog), 0, 0)
    await stage.picture("93-assistants-3-tools")
    dialog.reject()
    settings.close()
    await stage.open("")
    button = stage.window.composer.model_bar.assistants
    await stage.picture_each("93-assistants-4-menu", button.open_menu, "assistantMenu")


@scene(ASSISTANT_SCENES, "93-assistants-ask")
async def ask_another(stage: "Stage") -> None:
    library = stage.session.container.assistants
    if not library.known:
        await library.take_in(examples())
    stage.close_dialogs()
    await stage.open("")
    stage.presenter.features.assistants.choose(library.known[0].id)
    await stage.settle()
    await stage.pilot.send(QUESTION)
    await stage.pilot.dialog_appears("approvalDialog")
    await stage.settle()
    await stage.picture("93-assistants-5-asks")
    dialog = stage.pilot.dialog("approvalDialog")
    assert dialog is not None
    await stage.pilot.press(dialog, "refuse")
    await stage.pilot.answer_ends()
    await stage.settle()
    await stage.picture("93-assistants-6-done")
    (header,) = [w for w in stage.window.findChildren(QAbstractButton, "tool-card-header") if w.isVisible()]
    header.click()
    await stage.settle()
    await stage.picture("93-assistants-7-card")
    removed = await library.remove([library.known[0].id])
    await stage.settle()
    await stage.picture("93-assistants-8-deleted")
    await library.restore(removed)
