"""Finding words in a chat, and single messages that are deleted, among the screenshots."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from shots_scenes import Scene, scene

from desktop.conversation.entities import MessageStatus, ResultStatus, TextPart, ToolCallPart, ToolResultPart
from desktop.core.language_model import Usage

if TYPE_CHECKING:
    from shots_stage import Stage

FIND_SCENES: list[Scene] = []
TITLE = "Walruses of the Arctic 北极的海象"
_PROSE = "The **walrus** lives in the Arctic: *walruses* rest on ice.\n\n```python\nwalrus = 1\n```"
_TABLE = "| 海象 walrus | 食物 food |\n| --- | --- |\n| walrus | clams 蛤蜊 |"
_ROUNDS = (("Where do walruses live? 海象住在哪里？", _PROSE), ("And what does a walrus eat?", _TABLE))


async def _walruses(stage: "Stage") -> None:
    threads = stage.session.container.store.threads
    thread = await threads.create_thread(title=TITLE)
    for question, answer in _ROUNDS:
        turn = await threads.begin_turn(thread.id, question, model="qwen3:8b")
        await threads.finish_turn(
            turn.turn_id,
            parts=[
                ToolCallPart(call_id="1", name="files__read", arguments='{"path": "walrus.md"}'),
                ToolResultPart(call_id="1", status=ResultStatus.OK, text="A walrus weighs a ton. 海象重一吨。"),
                TextPart(text=answer, step=1),
            ],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=320, output_tokens=48),
            duration_seconds=3.2,
        )
    made = await threads.get_thread(thread.id)
    assert made is not None
    stage.window.sidebar.put_thread(made)
    await stage.presenter.open_thread(thread.id)
    await stage.settle()


@scene(FIND_SCENES, "88-find")
async def find(stage: "Stage") -> None:
    await _walruses(stage)
    finder = stage.presenter.features.find
    finder.open()
    assert finder.bar is not None
    finder.bar.field.setText("walrus")
    await stage.settle()
    await stage.picture("88-find-1")
    for number in range(3):
        finder.step(1)
        await stage.settle()
        if number == 1:
            await stage.picture("88-find-2-in-a-tool-card")
    finder.bar.field.setText("seal")
    await stage.settle()
    await stage.picture("88-find-3-not-found")
    finder.close()


@scene(FIND_SCENES, "89-removal")
async def removal(stage: "Stage") -> None:
    await _walruses(stage)
    view = stage.window.transcript
    stage.window.activateWindow()
    view.setFocus()
    await stage.settle()
    QTest.keyClick(view, Qt.Key.Key_Delete)
    await stage.settle()
    await stage.picture("89-removal-1-undo")
    stage.window.toast.dismiss()
    await stage.settle()
    await stage.picture("89-removal-2-gone")
    stage.window.toast.act()
    await stage.settle()
    await stage.picture("89-removal-3-receipt")
    stage.close_dialogs()
    await stage.open("")
