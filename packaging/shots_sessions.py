"""Shared sessions among the screenshots: the settings, the choice of a chat, and the card on the memory page."""

import dataclasses
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QScrollArea
from shots_memory import remember
from shots_scenes import Scene, scene

from desktop.agent.session_sharing import SharingState
from desktop.core.session_settings import SessionSettings, SessionUse

if TYPE_CHECKING:
    from shots_stage import Stage

SESSION_SCENES: list[Scene] = []
CHAT = "Packing list for two weeks in the mountains"


@scene(SESSION_SCENES, "99-sessions")
async def sessions(stage: "Stage") -> None:
    """The page off, on, and with a server that is not there; then a chat's choice, and what the memory page says."""
    container = stage.session.container

    def use(sessions: SessionSettings) -> None:
        container.settings.update(dataclasses.replace(container.settings.settings, sessions=sessions))

    window = await stage.settings("sessions")
    await stage.picture("99-sessions-1-off", of=lambda: window)
    use(SessionSettings(use=SessionUse.ALL, redis_url="redis://127.0.0.1:1/0"))
    page = window.page("sessions")
    assert page is not None
    button = page.findChild(QPushButton, "testRedis")
    assert button is not None
    button.click()
    result = page.findChild(QLabel, "redisTestResult")
    assert result is not None
    await stage.pilot.until(result.isVisible, "the test of the server")
    page.ensureWidgetVisible(result)
    await stage.picture("99-sessions-2-unreachable", of=lambda: window)
    window.close()
    use(SessionSettings(use=SessionUse.ALL))
    thread_id = await stage.thread(CHAT)
    thread = await container.store.threads.get_thread(thread_id)
    assert thread is not None
    await container.conversations.set_options(
        thread_id, dataclasses.replace(thread.options, session="trip-to-the-mountains")
    )
    await stage.open(CHAT)
    stage.presenter.options.open()
    await stage.settle()
    name = stage.find(QLineEdit, "threadSessionName")
    stage.find(QScrollArea, "threadOptionsArea").ensureWidgetVisible(name)
    await stage.picture("99-sessions-3-chat")
    name.window().close()
    await remember(stage)
    await stage.press("memoryButton")
    await stage.pilot.until(lambda: container.sessions.sharing.sharing.state is SharingState.READY, "the memory server")
    await stage.settle()
    await stage.picture("99-sessions-4-memory")
    use(SessionSettings())
