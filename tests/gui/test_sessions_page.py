"""Shared sessions in the window: the settings, a chat's own choice, and the card on the memory page."""

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QToolButton, QWidget

from desktop.conversation.entities import ThreadOptions
from desktop.core.session_settings import (
    NO_SESSION,
    OWN_SESSION,
    REDIS_PASSWORD,
    SessionPlace,
    SessionSettings,
    SessionUse,
)
from desktop.ui.dialogs.session_choice import SessionChoice
from desktop.ui.dialogs.thread_options import ThreadOptionsDialog
from desktop.ui.memory.session_card import SessionCard
from desktop.ui.settings.sessions_page import SessionsPage
from tests.support.clipping import clipped_texts
from tests.support.dialog_world import click
from tests.support.scripted_model import said
from tests.support.settings_world import open_settings
from tests.support.transcript_world import child as find
from tests.support.waiting import until
from tests.support.window_world import WindowWorld, window_world


def use(world: WindowWorld, **values: object) -> None:
    sessions = SessionSettings(**values)  # pyright: ignore[reportArgumentType]
    world.settings.update(dataclasses.replace(world.settings.settings, sessions=sessions))


async def opened(world: WindowWorld) -> SessionsPage:
    world.presenter.open_settings("sessions")
    await until(lambda: open_settings(world).isVisible())
    page = open_settings(world).page("sessions")
    assert isinstance(page, SessionsPage)
    await until(page.isVisible)
    return page


def words(page: QWidget) -> str:
    return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())


async def test_a_server_s_password_goes_to_the_keychain_and_a_test_says_what_is_wrong(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        page = await opened(world)
        assert world.settings.settings.sessions == SessionSettings(), "nothing is shared before somebody says so"
        assert not find(page, QPushButton, "testRedis").isEnabled()
        field = find(page, QLineEdit, "redisUrl")
        field.setText("nas:6379")
        field.editingFinished.emit()
        assert "redis://host:port" in words(page)
        field.setText("redis://:pass%20word@nas:6379/0")
        field.editingFinished.emit()
        await until(lambda: world.settings.settings.sessions.redis_url == "redis://nas:6379/0")
        assert await world.secrets.get(REDIS_PASSWORD) == "pass word"
        kept = (tmp_path / "settings.json").read_text("utf-8")
        assert "pass word" not in kept
        assert "pass%20word" not in kept
        assert field.text() == "redis://nas:6379/0"
        assert world.sessions.connections_forgotten
        world.sessions.failing = "session.unreachable"
        click(find(page, QPushButton, "testRedis"))
        await until(lambda: "nas:6379 cannot be reached" in words(page))
        world.sessions.failing = None
        await until(find(page, QPushButton, "testRedis").isEnabled)
        click(find(page, QPushButton, "testRedis"))
        await until(lambda: "It works" in words(page))
        assert world.sessions.tested == [SessionPlace("redis://nas:6379/0")] * 2
        assert clipped_texts(page) == []
        click(find(page, QPushButton, "redisPasswordForget"))
        await until(lambda: find(page, QLineEdit, "redisPassword").placeholderText() == "None")
        assert await world.secrets.get(REDIS_PASSWORD) is None


async def test_a_chat_chooses_its_session_and_a_wrong_name_is_not_kept(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        use(world, use=SessionUse.CHOSEN)
        click(find(world.presenter.window, QToolButton, "chatOptions"))
        dialog = find(world.presenter.window, ThreadOptionsDialog, "threadOptions")
        choice, name = find(dialog, SessionChoice, ""), find(dialog, QLineEdit, "threadSessionName")
        assert not name.isVisible()
        choice.show_session("trip")
        assert name.isVisible()
        name.setText("a trip")
        click(find(dialog, QPushButton, "threadOptionsSave"))
        assert "Letters a to z" in words(dialog)
        name.setText("a-trip")
        click(find(dialog, QPushButton, "threadOptionsSave"))
        await until(lambda: world.presenter.options.options == ThreadOptions(session="a-trip"))
        assert await world.conversations.load_new_thread_options() == ThreadOptions(session="a-trip")
        for session in (None, OWN_SESSION, NO_SESSION, "b"):
            choice = SessionChoice(SessionUse.ALL)
            choice.show_session(session)
            assert choice.session == session
            choice.deleteLater()


@pytest.mark.allowed_log("the shared session does not work")
async def test_the_memory_page_says_what_is_shared_and_clears_it(
    qapp: QApplication, qloop: object, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path, said("Fine."), said("Good.")) as world:
        use(world, use=SessionUse.ALL)
        run = await world.chat.send(None, "Where is the quokka?")
        await run.wait()
        key = ("", run.thread_id)
        await until(lambda: len(world.sessions.sessions[key]) == 2)
        await world.presenter.open_thread(run.thread_id)
        world.presenter.memory.open()
        card = find(world.presenter.window, SessionCard, "sessionCard")
        await until(lambda: "2 entries" in words(card))
        click(find(card, QPushButton, "readSession"))
        await until(lambda: world.presenter.window.findChild(QPlainTextEdit, "full-text-view") is not None)
        text = find(world.presenter.window, QPlainTextEdit, "full-text-view").toPlainText()
        assert "Where is the quokka?" in text
        assert "Fine." in text
        find(world.presenter.window, QPushButton, "full-text-close").click()
        click(find(card, QPushButton, "clearSession"))
        await until(lambda: world.presenter.window.findChild(QWidget, "confirmDialog") is not None)
        dialog = find(world.presenter.window, QWidget, "confirmDialog")
        next(each for each in dialog.findChildren(QPushButton) if each.text() == "Clear").click()
        await until(lambda: key not in world.sessions.sessions)
        await until(lambda: "0 entries" in words(card))
        world.sessions.failing = "session.unreachable"
        again = await world.chat.send(run.thread_id, "And now?")
        await again.wait()
        await until(lambda: "cannot be reached" in words(card))
        await until(lambda: clipped_texts(card) == [])  # the new words have their room a moment later
