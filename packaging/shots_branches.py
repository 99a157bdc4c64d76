"""The states with branches among the screenshots: a message being changed, versions, a branched chat, the map."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QWidget
from shots_scenes import Scene, scene

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.core.language_model import Usage
from desktop.ui.transcript.row import RowWidget

if TYPE_CHECKING:
    from shots_stage import Stage

BRANCH_SCENES: list[Scene] = []
TRIP = "A week on the coast by train 沿海岸一周"
_QUESTIONS = (
    "Which towns on the coast can be reached by train in under three hours, and are worth a whole week in spring?",
    "We are four, two of them under ten. What do children like there, also when it rains all day long?",
    "把雨天的安排整理成一张表，按天排列。",
)
_ANSWERS = (
    "**Ostend** and **De Haan**: the tram along the coast joins them, and in spring both are quiet.",
    "- The aquarium at the harbour\n- Go-karts on the dyke\n- *Atlantikwall*, an open-air museum with dry bunkers",
    "| 天 | 上午 | 下午 |\n| --- | --- | --- |\n| 一 | 水族馆 | 游泳馆 |\n| 二 | 博物馆 | 电影院 |",
)


async def _say(stage: "Stage", thread_id: str, question: str, answer: str, *, instead_of: str | None = None) -> str:
    """Add a round and return the id of its question."""
    threads = stage.session.container.store.threads
    turn = await threads.begin_turn(thread_id, question, model="qwen3:8b", instead_of=instead_of)
    await threads.finish_turn(
        turn.turn_id,
        parts=[TextPart(text=answer)],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(input_tokens=320, output_tokens=48),
        duration_seconds=3.2,
    )
    return turn.user_message.id


async def _trip(stage: "Stage", *, rounds: int = 0) -> str:
    """A chat with several ways; returns its id."""
    threads = stage.session.container.store.threads
    thread = await threads.create_thread(title=TRIP)
    asked = [await _say(stage, thread.id, q, a) for q, a in zip(_QUESTIONS, _ANSWERS, strict=True)]
    for number in range(rounds):
        await _say(stage, thread.id, f"And stop number {number + 1}?", "Half a day is enough there.")
    changed = _QUESTIONS[1].replace("four", "five").replace("two of them", "three of them")
    second = await _say(stage, thread.id, changed, _ANSWERS[1], instead_of=asked[1])
    await _say(stage, thread.id, "We are five, and one of us cannot walk far.", _ANSWERS[1], instead_of=second)
    beside = await threads.add_answer((await threads.path(thread.id))[1].id, model="gpt-oss:20b")
    await threads.finish_turn(
        beside.turn_id,
        parts=[TextPart(text="Neither: stay in Ghent.")],
        status=MessageStatus.COMPLETE,
        reason="completed",
        usage=Usage(output_tokens=8),
        duration_seconds=0.8,
    )
    changed_thread = await threads.get_thread(thread.id)
    assert changed_thread is not None
    stage.window.sidebar.put_thread(changed_thread)
    await stage.presenter.open_thread(thread.id)
    await stage.settle()
    return thread.id


def _row(stage: "Stage", words: str) -> RowWidget:
    rows = [row for row in stage.window.transcript.viewport().findChildren(RowWidget) if words in row.accessibleName()]
    return rows[-1]


def _come_near(widget: QWidget) -> None:
    place = QPointF(widget.width() - 20, 10)
    QApplication.sendEvent(widget, QEnterEvent(place, place, QPointF(widget.mapToGlobal(QPoint(10, 10)))))


@scene(BRANCH_SCENES, "70-versions")
async def versions(stage: "Stage") -> None:
    await _trip(stage)
    _come_near(_row(stage, "one of us cannot walk"))
    await stage.picture("70-versions-1")
    stage.window.transcript.scroll_to_message((await _path(stage))[0])
    await stage.settle()
    await stage.picture("70-versions-2-begin")
    QApplication.sendEvent(_row(stage, "one of us cannot walk"), QEvent(QEvent.Type.Leave))


async def _path(stage: "Stage") -> list[str]:
    return [m.id for m in await stage.session.container.store.threads.path(stage.presenter.thread_id or "")]


@scene(BRANCH_SCENES, "71-editing")
async def editing(stage: "Stage") -> None:
    await _trip(stage)
    stage.presenter.composer.edit((await _path(stage))[2])
    await stage.settle()
    await stage.picture("71-editing-1")
    await stage.press("cancelEdit")
    stage.presenter.composer.edit((await _path(stage))[0], "Which islands can be reached by train?")
    await stage.settle()
    await stage.press("cancelEdit")
    await stage.picture("71-editing-2-left")
    stage.window.toast.dismiss()


@scene(BRANCH_SCENES, "72-branched")
async def branched(stage: "Stage") -> None:
    thread_id = await _trip(stage)
    actions = stage.window.transcript.context.actions
    actions.branch_requested.emit((await _path(stage))[1])
    await stage.pilot.until(lambda: stage.presenter.thread_id != thread_id, "the branched chat")
    await stage.settle()
    await stage.picture("72-branched-1")
    stage.window.toast.dismiss()
    await stage.session.container.chat.delete_thread(thread_id)
    await stage.settle()
    await stage.picture("72-branched-2-from-the-trash")


@scene(BRANCH_SCENES, "73-map")
async def branch_map(stage: "Stage") -> None:
    await _trip(stage, rounds=8)
    stage.window.map_requested.emit()
    await stage.pilot.until(lambda: stage.presenter.branches.dialog is not None, "the map")
    dialog = stage.presenter.branches.dialog
    assert dialog is not None
    await stage.settle()
    await stage.picture("73-map-1")
    await stage.press("branchMapUnfold", dialog)
    await stage.picture("73-map-2-unfolded")
    stage.close_dialogs()
    await stage.open("")
