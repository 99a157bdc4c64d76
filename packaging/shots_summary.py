"""A chat that outgrew its model among the screenshots: where its summary ends, the summary, how one failed, the meter."""

import dataclasses
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QAbstractButton, QPlainTextEdit, QWidget
from shots_scenes import Scene, scene

from desktop.conversation.entities import MessageStatus, TextPart
from desktop.conversation.summaries import SummaryProblem
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import Usage
from tests.support.endpoint import RecordedRequest, Step, status, text

if TYPE_CHECKING:
    from shots_stage import Stage

SUMMARY_SCENES: list[Scene] = []
MODEL = "qwen3:8b"
READS = 4_000
"""Tokens that the model reads in these scenes."""
HOUSE, JOURNEY, CELLAR = "Renovating the house by the canal", "三代人的云南之行", "Damp in the cellar"
_HOUSE = (
    ("The canal house has 142 m² on three floors. The budget is 86,000 €, and we must be in by 1 September.",
     "With 142 m² and 86,000 € you have about 605 € for each square metre."),
    ("The roof comes first. Weidner offers 23,400 €, Hollmann 21,900 € but only from June on.",
     "Weidner can begin in March, which keeps the rest of the plan possible."),
    ("Then Weidner it is. No chipboard anywhere, my daughter is allergic to the glue.",
     "Noted: Weidner for the roof, and no chipboard because of the allergy."),
    ("How thick must the insulation be for the subsidy?",
     "For a value of 0.14 you need about 240 mm of wood fibre between and above the rafters."),
    ("Which order do you suggest for the floors?", "From the top: roof, second floor, stairs, first floor, cellar last."),
    ("The stairs must stay open for the tenant until May.", "Then the stairs follow after 31 May."),
)  # fmt: skip
_JOURNEY = (
    ("我们三代六个人,十月去云南九天,外婆七十八岁,不能爬高。", "那就不去梅里雪山,海拔控制在两千四百米以下。"),
    ("预算三万二,大理住四晚,丽江住三晚。", "大理四晚、丽江三晚,还剩昆明两晚,人均每天约五百九十元。"),
    ("外婆膝盖不好,酒店要有电梯。", "我会只列出有电梯的酒店,并且注明离停车场的距离。"),
    ("孩子想骑马,六岁可以吗?", "洱海边有牵行的矮马,六岁可以,但要戴头盔。"),
    ("机票已经订好:十月十二日上午九点四十出发。", "好的,航班九点四十,七点半前到机场比较稳妥。"),
    ("回程十月二十日晚上。", "那么二十日中午退房,下午可以留给翠湖。"),
)  # fmt: skip
_NOTES = (
    "- House by the canal: 142 m², three floors; budget 86,000 €; to be moved into by 1 September.\n"
    "- Roof: Weidner (23,400 €), because Hollmann (21,900 €) can only begin in June.\n"
    "- Decided: no chipboard anywhere, because of the daughter's allergy to its glue.",
    "- Insulation: about 240 mm of wood fibre for a value of 0.14.\n"
    "- Open: order of the floors; the stairs stay free for the tenant until 31 May.",
)
_CHINESE_NOTES = (
    "- 三代六人，十月十二日至二十日去云南；外婆七十八岁，膝盖不好，不爬高，酒店要有电梯。\n"
    "- 预算三万二千元：大理四晚、丽江三晚、昆明两晚。",
    "- 已定：去程十月十二日九点四十，回程十月二十日晚上。\n- 待定：孩子六岁，想在洱海边骑马，要戴头盔。",
)
"""Each in two parts: the first of the chat, and what comes after it."""
_PADDING = (
    "Let me write down what follows from that, so that nothing gets lost on the way: each step has its own figures, the"
    " dates depend on one another, and whoever moves one of them has to look at the others again before anything is"
    " ordered. "
)
_CHINESE_PADDING = (
    "我把推算过程也写下来,免得路上遗漏:每一步都有自己的数字,日期互相牵连,改动其中一个就要把其余的再核对一遍。"
)


def notes_for(request: RecordedRequest) -> list[Step] | None:
    """What the endpoint of the pictures writes for a summary; None where it is asked for anything else."""
    if not str(request.body["messages"][0]["content"]).startswith("You keep the notes"):
        return None
    asked = str(request.body["messages"])
    if "cellar" in asked and "canal" not in asked:
        return [status(400, {"error": {"message": "no model is loaded"}})]
    parts = _CHINESE_NOTES if "云南" in asked else _NOTES
    return [text(next((part for part in parts if part[:20] not in asked), "-"))]


async def _chat(stage: "Stage", title: str, rounds: Sequence[tuple[str, str]], padding: str) -> str:
    """A chat whose answers are long, made once; returns its id."""
    store = stage.session.container.store
    for thread in await stage.session.container.conversations.list_threads():
        if thread.title == title:
            return thread.id
    thread = await store.threads.create_thread(title=title)
    for number, (question, answer) in enumerate(rounds):
        turn = await store.threads.begin_turn(thread.id, question, model=MODEL)
        await store.threads.finish_turn(
            turn.turn_id,
            parts=[TextPart(text=f"{answer}\n\n{padding * (18 if number < len(rounds) - 1 else 1)}")],
            status=MessageStatus.COMPLETE,
            reason="completed",
            usage=Usage(input_tokens=900, output_tokens=700),
            duration_seconds=21.0,
        )
    changed = await store.threads.get_thread(thread.id)
    assert changed is not None
    stage.window.sidebar.put_thread(changed)
    return thread.id


@asynccontextmanager
async def _small_model(stage: "Stage") -> AsyncIterator[None]:
    """Meanwhile the model reads little, and no tools take its room."""
    store = stage.session.container.settings
    before = store.settings
    small = {MODEL: ModelOptions(context_tokens=READS, takes_tools=False)}
    endpoints = (dataclasses.replace(before.endpoints[0], model_options=small), *before.endpoints[1:])
    store.update(dataclasses.replace(before, endpoints=endpoints))
    try:
        yield
    finally:
        now = store.settings
        store.update(dataclasses.replace(now, endpoints=(before.endpoints[0], *now.endpoints[1:])))


async def _go_on(stage: "Stage", title: str, words: str) -> None:
    """Say something more: after the answer the summary is made, or fails."""
    await stage.open(title)
    await stage.pilot.send(words)
    await stage.pilot.answer_ends()
    thread_id = stage.presenter.thread_id or ""
    await stage.pilot.until(lambda: not stage.session.container.summarizer.is_busy(thread_id), "the summary is made")
    await stage.settle()


async def _show_line(stage: "Stage") -> None:
    """Go to the line that says how what stands above it is sent."""
    view = stage.window.transcript
    path = await stage.session.container.store.threads.path(stage.presenter.thread_id or "")

    def line() -> QWidget | None:
        found = [w for w in view.viewport().findChildren(QWidget, "summary-line") if w.isVisible()]
        return found[0] if found else None

    for message in path:
        view.scroll_to_message(message.id)
        await stage.settle()
        if (shown := line()) is not None:
            below = shown.mapTo(view.viewport(), shown.rect().bottomLeft()).y() - view.viewport().height() // 2
            view.verticalScrollBar().setValue(view.verticalScrollBar().value() + below)
            await stage.settle()
            return
    raise AssertionError("no line of a summary")


@scene(SUMMARY_SCENES, "61-summary")
async def summary(stage: "Stage") -> None:
    await _chat(stage, HOUSE, _HOUSE, _PADDING)
    async with _small_model(stage):
        await _go_on(stage, HOUSE, "What was the budget again, and who does the roof?")
        await _show_line(stage)
        await stage.picture("61-summary-1-line")
        await stage.press("open-summary")
        dialog = await stage.pilot.dialog_appears("summaryDialog")
        await stage.picture("61-summary-2-read")
        edit = stage.find(QPlainTextEdit, "summaryText", dialog)
        wanted = "no chipboard anywhere"
        cursor = edit.document().find(wanted)
        edit.setTextCursor(cursor)
        await stage.settle()
        await stage.press("summaryPin", dialog)
        cursor.clearSelection()
        edit.setTextCursor(cursor)
        edit.appendPlainText("- The painter is a cousin and may be paid later.")
        await stage.picture("61-summary-3-edited-and-pinned")
        stage.find(QAbstractButton, "summaryUsed", dialog).setChecked(False)
        await stage.press("summarySave", dialog)
        await stage.settle()
        await stage.picture("61-summary-4-switched-off")
        thread_id = stage.presenter.thread_id or ""
        await stage.session.container.summarizer.set_off(thread_id, False)
        await stage.settle()


@scene(SUMMARY_SCENES, "61-summary-chinese")
async def chinese(stage: "Stage") -> None:
    await _chat(stage, JOURNEY, _JOURNEY, _CHINESE_PADDING)
    async with _small_model(stage):
        await _go_on(stage, JOURNEY, "外婆能住几层的房间?")
        await _show_line(stage)
        await stage.picture("61-summary-chinese-1-line")
        await stage.press("open-summary")
        await stage.pilot.dialog_appears("summaryDialog")
        await stage.picture("61-summary-chinese-2-read")
        stage.close_dialogs()


@scene(SUMMARY_SCENES, "61-summary-failed")
async def failed(stage: "Stage") -> None:
    rounds = [(f"Damp in the cellar, measurement {n}: {60 + n} %.", "Noted.") for n in range(1, 11)]
    thread_id = await _chat(stage, CELLAR, rounds, _PADDING)
    async with _small_model(stage):
        await _go_on(stage, CELLAR, "Is it getting worse?")
        await _show_line(stage)
        await stage.picture("61-summary-failed-1-line")
        store = stage.session.container.store
        await store.summaries.note_problem(thread_id, SummaryProblem.TOO_LONG)
        stage.session.container.summarizer.changed.emit(thread_id)
        await stage.settle()
        await stage.picture("61-summary-failed-2-too-long")


@scene(SUMMARY_SCENES, "68-context-meter")
async def meter(stage: "Stage") -> None:
    await _chat(stage, HOUSE, _HOUSE, _PADDING)
    async with _small_model(stage):
        await _go_on(stage, HOUSE, "And the windows?")
        edit = stage.find(QPlainTextEdit, "messageEdit")
        edit.setPlainText("The third floor gets new windows, too; how do I ask for offers?")
        meter = stage.find(QAbstractButton, "contextMeter")
        await stage.pilot.until(lambda: meter.isVisible() and not stage.presenter.context.is_busy, "it is counted")
        await stage.picture_each("68-context-meter", meter.click, "windowPopup")
        edit.clear()
