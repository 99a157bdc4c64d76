"""A chat that grows beyond what its model reads, in the whole app over real HTTP: the line, the summary, the meter."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialogButtonBox,
    QLabel,
    QPlainTextEdit,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QWidget,
)

from desktop.conversation.summaries import Summary
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.settings import AppearanceSettings
from desktop.ui.composer.context_meter import ContextMeter
from desktop.ui.composer.window_popup import WindowPopup
from desktop.ui.memory.edit_dialog import MemoryEditDialog
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.summary_dialog import SummaryDialog
from tests.support.app_language import app_language
from tests.support.endpoint import Answer, status, text
from tests.support.endpoint_wire import RecordedRequest
from tests.support.several_world import SeveralWorld, several_world
from tests.support.transcript_world import child

Until = Callable[..., Coroutine[Any, Any, None]]
FACT = "the harbour code is 7314"


def is_for_notes(request: RecordedRequest) -> bool:
    return str(request.body["messages"][0]["content"]).startswith("You keep the notes")


def answering(notes: Callable[[], Answer]) -> Callable[[RecordedRequest], Answer]:
    return lambda request: notes() if is_for_notes(request) else [text("I see what you mean. " * 110)]


@asynccontextmanager
async def small_model(
    app: QApplication, folder: Path, notes: Callable[[], Answer]
) -> AsyncGenerator[SeveralWorld, None]:
    async with several_world(app, folder, answering(notes)) as world:
        store = world.session.container.settings
        (home, *_) = [each for each in store.settings.endpoints if each.id == "home"]
        small = dataclasses.replace(home, model_options={"alpha": ModelOptions(context_tokens=2_000)})
        others = tuple(each for each in store.settings.endpoints if each.id != "home")
        agent = dataclasses.replace(store.settings.agent, name_chats=False)
        store.update(dataclasses.replace(store.settings, endpoints=(small, *others), endpoint_id="home", agent=agent))
        world.session.presenter.options.change(endpoint_id="home", model="alpha")
        yield world


async def talk(world: SeveralWorld, until: Until, turns: int) -> None:
    container = world.session.container
    for number in range(turns):
        world.send(f"Remember: {FACT}. {'word ' * 30}" if not number and not world.thread_id else f"go on {number}")
        await until(lambda: world.thread_id and container.chat.runs_of(world.thread_id))
        await world.all_are_done()
        await until(lambda: not container.summarizer.is_busy(world.thread_id))


async def in_sight(world: SeveralWorld, until: Until, message_id: str) -> None:
    """Go to where this message ends: the next one begins there."""
    view = world.window.transcript
    ids = [message.id for message in await world.path()]
    following = ids[ids.index(message_id) + 1]

    def is_seen() -> bool:
        view.scroll_to_message(following)
        return world.is_seen("summary-line")

    await until(is_seen)


async def test_the_chat_says_where_its_summary_ends_and_lets_it_be_changed(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with small_model(qapp, tmp_path, lambda: [text(f"The user said: {FACT}.")]) as world:
        summarizer = world.session.container.summarizer
        await talk(world, until, 6)
        state = await summarizer.state(world.thread_id)
        assert state.summary is not None
        last = world.endpoint.chats[-1]
        await in_sight(world, until, state.summary.until_id)
        assert world.find(QLabel, "summary-text").text() == "Everything above is sent to the model as a summary."
        world.press("open-summary")
        await until(lambda: world.window.findChildren(SummaryDialog))
        (dialog,) = world.window.findChildren(SummaryDialog)
        edit = world.find(QPlainTextEdit, "summaryText", dialog)
        assert FACT in edit.toPlainText()
        edit.selectAll()
        world.find(QPushButton, "summaryPin", dialog).click()
        assert FACT in world.find(QPlainTextEdit, "summaryPins", dialog).toPlainText()
        edit.setPlainText("My own summary.")
        world.find(QPushButton, "summarySave", dialog).click()
        await until(lambda: not world.window.findChildren(SummaryDialog))
        await talk(world, until, 1)
        sent = "\n".join(str(message["content"]) for message in world.endpoint.chats[-1].body["messages"])
        assert last is not world.endpoint.chats[-1]
        assert "| My own summary." in sent
        assert f"| The user said: {FACT}." in sent, "pinned"
        assert world.endpoint.problems == []


async def test_the_meter_tells_what_the_window_is_made_of(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with small_model(qapp, tmp_path, lambda: [text(f"The user said: {FACT}.")]) as world:
        await talk(world, until, 6)
        await until(lambda: world.is_seen("contextMeter"))  # what is new is counted a little later
        meter = world.find(ContextMeter, "contextMeter")
        counting = world.session.presenter.context
        await until(lambda: meter.fill is not None and meter.fill.shares.summary > 0 and not counting.is_busy)
        assert meter.fill is not None
        container, thread_id = world.session.container, world.thread_id
        before = meter.fill.shares
        parts = before.system + before.summary + before.messages + before.tools + before.draft
        assert abs(meter.fill.tokens - parts) <= 3, "but for rounding"
        meter.click()
        popup = world.window.findChild(WindowPopup)
        assert popup is not None
        assert popup.isVisible()
        words = popup.accessibleDescription()
        for name in ("Summary of the earlier part", "Messages of this chat", "Room for the answer: 400"):
            assert name in words
        popup.close()
        world.send("one more")
        await until(lambda: container.chat.runs_of(thread_id))
        (run,) = container.chat.runs_of(thread_id)
        await run.wait_over()
        assert run.window is not None
        # The same count: what was said before the new message, and nothing else, was known to the meter.
        ratio = run.window.reading.token_ratio
        assert abs((run.window.rounds - 6) * ratio - before.messages) <= 4
        assert abs(run.window.summary_tokens * ratio - before.summary) <= 1


@pytest.mark.expected_log
async def test_a_summary_that_fails_is_said_and_can_be_asked_for(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    works: list[bool] = []

    def notes() -> Answer:
        return [text("Now there is one.")] if works else [status(400, {"error": {"message": "no"}})]

    async with small_model(qapp, tmp_path, notes) as world:
        summarizer = world.session.container.summarizer
        await talk(world, until, 9)
        dropped = summarizer.last_dropped(world.thread_id)
        assert dropped is not None
        await in_sight(world, until, dropped)
        await until(
            lambda: (
                world.is_seen("summary-text") and "asking the model failed" in world.find(QLabel, "summary-text").text()
            )
        )
        words = world.find(QLabel, "summary-text").text()
        assert words.startswith("What stands above is not sent to the model any more.")
        works.append(True)
        world.press("open-summary")
        await until(lambda: not summarizer.is_busy(world.thread_id))
        state = await summarizer.state(world.thread_id)
        assert state.in_use is not None
        await in_sight(world, until, state.in_use.until_id)
        await until(
            lambda: world.find(QLabel, "summary-text").text() == "Everything above is sent to the model as a summary."
        )


async def test_the_chat_can_be_sent_without_its_summary(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with small_model(qapp, tmp_path, lambda: [text("A note.")]) as world:
        summarizer = world.session.container.summarizer
        await talk(world, until, 6)
        state = await summarizer.state(world.thread_id)
        assert state.summary is not None
        await in_sight(world, until, state.summary.until_id)
        world.press("open-summary")
        await until(lambda: world.window.findChildren(SummaryDialog))
        (dialog,) = world.window.findChildren(SummaryDialog)
        world.find(QCheckBox, "summaryUsed", dialog).setChecked(False)
        world.find(QPushButton, "summarySave", dialog).click()
        await until(
            lambda: world.is_seen("summary-text") and "switched it off" in world.find(QLabel, "summary-text").text()
        )
        await talk(world, until, 1)
        assert "A note." not in str(world.endpoint.chats[-1].body)


async def test_the_summary_pressed_for_twice_is_opened_once(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with small_model(qapp, tmp_path, lambda: [text(f"The user said: {FACT}.")]) as world:
        await talk(world, until, 6)
        actions = world.window.transcript.context.actions
        actions.summary_requested.emit()
        actions.summary_requested.emit()
        await until(lambda: world.window.findChildren(SummaryDialog))
        container = world.session.container
        await container.summarizer.state(world.thread_id)  # so long the second one would have taken
        (dialog,) = world.window.findChildren(SummaryDialog)
        assert dialog.isModal()
        dialog.reject()


class _Desktop(QProxyStyle):
    def __init__(self, layout: int) -> None:
        super().__init__("fusion")
        self._layout = layout

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803
    ) -> int:
        if hint == QStyle.StyleHint.SH_DialogButtonLayout:
            return self._layout
        return super().styleHint(hint, option, widget, returnData)


@pytest.mark.parametrize(("layout", "saves_first"), [(0, True), (1, False), (2, True), (3, False)], ids=str)
def test_the_buttons_stand_in_the_order_that_the_desktop_is_used_to(
    qapp: QApplication, layout: int, saves_first: bool
) -> None:
    theme = ThemeManager(qapp, AppearanceSettings(), "en")
    now = datetime.now(UTC)
    summary = Summary(id="s", thread_id="t", until_id="m", text="They spoke.", created_at=now, updated_at=now)
    window = QWidget()
    for dialog, name in (
        (SummaryDialog(summary, theme, window, is_off=False), "summary"),
        (MemoryEditDialog(window), "memory"),
    ):
        style = _Desktop(layout)
        child(dialog, QDialogButtonBox).setStyle(style)
        dialog.grab()  # with everything in its place
        save, cancel = (
            child(dialog, QPushButton, name + what).mapTo(dialog, QPoint()).x() for what in ("Save", "Cancel")
        )
        assert (save < cancel) == saves_first
        dialog.deleteLater()


def test_an_open_summary_follows_the_language_and_keeps_what_was_written(qapp: QApplication) -> None:
    now = datetime.now(UTC)
    summary = Summary(
        id="s", thread_id="t", until_id="m", text="They spoke of boats.", created_at=now, updated_at=now, model="alpha"
    )
    window = QWidget()
    dialog = SummaryDialog(summary, ThemeManager(qapp, AppearanceSettings(), "en"), window, is_off=False)
    text = child(dialog, QPlainTextEdit, "summaryText")
    text.setPlainText("They spoke of ships.")
    dialog.show_changed()
    controls = [each for each in dialog.findChildren(QWidget) if isinstance(each, QLabel | QAbstractButton)]
    english = {each.objectName(): each.text() for each in controls if each.objectName() != "summaryFigures"}
    assert english["summaryProblem"].startswith("The summary was changed meanwhile")
    assert english["summarySave"] == "Save"
    with app_language(qapp, "zh_CN"):
        qapp.processEvents()
        assert [each.text() for each in controls if each.text() and each.text() == english.get(each.objectName())] == []
        assert text.toPlainText() == "They spoke of ships."
    dialog.deleteLater()
