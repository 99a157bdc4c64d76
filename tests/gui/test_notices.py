"""Notices: one place, with buttons that help; counted instead of stacked; announced; and something to do for every error."""

import dataclasses
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTimer, QTranslator, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QPushButton, QToolButton, QWidget

from desktop.core.error_texts import ERROR_TEXTS
from desktop.core.errors import ModelError, SettingsError, StorageError
from desktop.core.settings import EndpointSettings, KeyPlace, SettingsStore
from desktop.ui import notices as notices_module
from desktop.ui.notice_actions import ACTIONS, SETTINGS_PAGES, Action, action_label, actions_for
from desktop.ui.notices import MAX_NOTICES, MOST_KEPT
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.scripted_model import said
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """What is handed to a screen reader by notices, and whether at once."""
    texts: list[tuple[str, bool]] = []

    def announce(_widget: QWidget, text: str, *, assertive: bool = False) -> None:
        texts.append((text, assertive))

    monkeypatch.setattr(notices_module, "announce", announce)
    return texts


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    folders: list[Path] = []

    def open_url(url: QUrl) -> bool:
        folders.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", open_url)
    return folders


def shown_titles(world: WindowWorld) -> list[str]:
    labels = world.presenter.window.findChildren(QLabel, "noticeTitle")
    return [label.text() for label in labels if label.isVisible()]


def buttons(world: WindowWorld) -> list[QPushButton]:
    found = world.presenter.window.notices.findChildren(QPushButton)
    return [button for button in found if button.objectName().startswith("noticeAction") and button.isVisible()]


def test_every_error_code_was_thought_about() -> None:
    assert set(ACTIONS) == set(ERROR_TEXTS)
    assert actions_for("a.code.from.tomorrow") == (Action.SHOW_LOG,)


@pytest.mark.parametrize("code", [code for code in ERROR_TEXTS if not code.startswith("tool.")])
def test_every_error_says_more_than_what_happened(code: str) -> None:
    """Without its parameters, which may be empty, the detail still says what it means or what to do."""
    own_words = "".join(piece.partition("}")[2] or "" for piece in f"}}{ERROR_TEXTS[code].detail}".split("{"))
    assert len(own_words) > 40, own_words
    assert own_words.rstrip().endswith((".", ").", "/v1."))


def test_every_action_has_words_of_its_own(qapp: QApplication) -> None:
    labels = [action_label(action) for action in Action]
    assert len(set(labels)) == len(labels)
    assert set(SETTINGS_PAGES.values()) == {"models", "servers", "data", "api", "assistants", "sessions", ""}


async def test_an_error_offers_what_helps(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, opened: list[Path]
) -> None:
    async with window_world(qapp, tmp_path) as world:
        kept = tmp_path / "settings.broken.json"
        world.presenter.show_error(SettingsError("settings.broken", kept_as=str(kept), detail="no object"))
        assert [button.text() for button in buttons(world)] == ["Open the settings", "Show the file that was kept"]
        buttons(world)[1].click()
        assert opened == [tmp_path]
        buttons(world)[0].click()
        await until(lambda: any(w.objectName() == "settingsWindow" and w.isVisible() for w in qapp.topLevelWidgets()))


async def test_a_folder_that_nothing_opens_is_named(
    qapp: QApplication, qloop: object, tmp_path: Path, opened: list[Path]
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.show_error(ValueError("a mistake of ours"))
        assert [button.text() for button in buttons(world)] == ["Show the log files"]
        buttons(world)[0].click()  # the folder of this test's log does not exist
        assert opened == []
        assert shown_titles(world)[-1] == "The folder could not be shown"


async def test_a_failed_answer_offers_the_settings_beside_try_again(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    refused = ModelError("model.unauthorized", url="http://x/v1", status=401, detail="no.")
    async with window_world(qapp, tmp_path, [refused], said("now")) as world:
        await world.chat.send(None, "hello")
        (thread,) = await world.conversations.list_threads()
        await world.presenter.open_thread(thread.id)
        window = world.presenter.window
        await until(lambda: window.findChild(QPushButton, "error-open_models") is not None)
        button, retry = window.findChild(QPushButton, "error-open_models"), window.findChild(QPushButton, "retry")
        assert button is not None
        assert retry is not None
        assert button.isVisible()
        button.click()
        await until(lambda: any(w.objectName() == "settingsWindow" and w.isVisible() for w in qapp.topLevelWidgets()))
        retry.click()
        await until(lambda: world.model.finished)


async def test_more_than_a_few_are_counted_and_the_same_is_not_stacked(
    qapp: QApplication, qloop: object, tmp_path: Path, announced: list[tuple[str, bool]]
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window, notices = world.presenter.window, world.presenter.window.notices
        for _ in range(3):
            world.presenter.show_error(StorageError("storage.full", path="/data"))
        assert shown_titles(world) == ["The disk is full (3 times)"]
        assert [is_urgent for _, is_urgent in announced] == [True] * 3
        assert announced[0][0].startswith("The disk is full. The last change could not be saved in /data")
        for number in range(MAX_NOTICES + 1):
            world.presenter.show_notice(f"Notice {number}", "detail", is_error=False)
        assert announced[-1] == (f"Notice {MAX_NOTICES}. detail.", False)
        assert shown_titles(world) == [f"Notice {number}" for number in range(1, MAX_NOTICES + 1)]
        more = window.findChild(QLabel, "noticesMore")
        assert more is not None
        assert more.isVisible()
        assert more.text().startswith("2 more message")
        closes = [b for b in notices.findChildren(QToolButton, "noticeClose") if b.isVisible()]
        closes[-1].click()
        assert shown_titles(world) == ["Notice 0", "Notice 1", "Notice 2"], "an earlier one comes back"
        for number in range(MOST_KEPT + 10):
            world.presenter.show_notice(f"Flood {number}", "")
        assert len(notices.titles) == MOST_KEPT
        close_all = window.findChild(QPushButton, "noticesCloseAll")
        assert close_all is not None
        close_all.click()
        assert notices.titles == []
        assert not notices.isVisible()


class Quoted(QTranslator):
    """Another language: every text of the program behind a mark."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, text: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"» {text}".replace("%n", str(n))


async def test_what_stands_there_takes_the_words_of_another_language(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    other = Quoted()
    async with window_world(qapp, tmp_path) as world:
        notices, toast = world.presenter.window.notices, world.presenter.window.toast
        error = ModelError("model.key_missing", variable="KEY")
        world.presenter.show_error(error)
        world.presenter.show_error(error)
        world.presenter.show_error(SettingsError("settings.broken", kept_as="/a", detail="b"))
        toast.present(lambda: toast.tr("%n chats", "", 3), lambda: toast.tr("Undo"), lambda: None)
        before = (shown_titles(world), [each.text() for each in buttons(world)])
        qapp.installTranslator(other)
        title = f"» » {ERROR_TEXTS['model.key_missing'].title} (2 times)"
        await until(lambda: shown_titles(world)[0] == title)
        details = [label.text() for label in notices.findChildren(QLabel, "noticeDetail")]
        assert details[0].startswith(f"» {ERROR_TEXTS['model.key_missing'].detail[:20]}")
        labels = [action_label(action) for code in ("model.key_missing", "settings.broken") for action in ACTIONS[code]]
        assert [each.text() for each in buttons(world)] == labels
        assert [each.accessibleName() for each in buttons(world)] == labels
        assert all(label.startswith("» ") for label in labels)
        find_label = world.presenter.window.findChild(QLabel, "toastText")
        assert find_label is not None
        assert find_label.text() == "» 3 chats"
        action = world.presenter.window.findChild(QPushButton, "toastAction")
        assert action is not None
        assert action.text() == "» Undo"
        world.presenter.show_error(error)
        assert len(notices.titles) == 2, "the same one is known in the other language too"
        qapp.removeTranslator(other)
        await until(lambda: shown_titles(world)[1:] == before[0][1:])
        assert [each.text() for each in buttons(world)] == before[1]


async def test_the_key_is_entered_from_the_failed_answer_and_trying_again_is_one_click(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    cloud = EndpointSettings(
        id="cloud", name="Cloud", base_url="https://c.example/v1", model="m", key_place=KeyPlace.SESSION
    )
    store = SettingsStore(tmp_path / "settings.json")
    store.update(dataclasses.replace(store.settings, endpoints=(cloud,), endpoint_id="cloud"))
    secrets = InMemorySecrets()
    forgotten = ModelError("model.key_forgotten", name="Cloud", endpoint="cloud")
    async with window_world(qapp, tmp_path, [forgotten], said("Here I am"), secrets=secrets) as world:
        window = world.presenter.window
        world.presenter.composer.send("Hello")
        await until(lambda: window.findChild(QPushButton, "error-enter_key") is not None)
        enter, retry = window.findChild(QPushButton, "error-enter_key"), window.findChild(QPushButton, "retry")
        assert enter is not None
        assert retry is not None
        enter.click()
        await until(lambda: window.findChild(QDialog, "editEndpointDialog") is not None)
        dialog = window.findChild(QDialog, "editEndpointDialog")
        assert dialog is not None
        key = dialog.findChild(QLineEdit, "endpointKey")
        assert key is not None
        assert dialog.focusWidget() is key
        assert "Paste it again" in key.placeholderText()
        QTest.keyClicks(key, "sk-entered-again")
        QTest.keyClick(key, Qt.Key.Key_Return)
        await until(lambda: not dialog.isVisible())
        await until(lambda: secrets._secrets == {"endpoint:cloud": "sk-entered-again"})
        retry.click()
        await until(lambda: len(world.model.requests) == 2)
        thread_id = world.presenter.thread_id or ""
        await until(lambda: world.chat.run_of(thread_id) is None)
        assert (await world.store.threads.path(thread_id))[-1].text == "Here I am"


async def test_a_key_that_cannot_be_entered_here_leads_to_the_models(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        world.presenter.show_error(ModelError("model.key_not_found", name="Gone", detail="", endpoint="gone"))
        button = world.presenter.window.findChild(QPushButton, "noticeAction-0")
        assert button is not None
        button.click()
        assert world.presenter.settings_window is not None
        assert world.presenter.settings_window.page_key == "models"


async def test_a_toast_stays_while_it_has_the_focus_and_hands_it_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        toast, done = window.toast, list[str]()
        time = toast.findChild(QTimer)
        action = toast.findChild(QPushButton, "toastAction")
        assert time is not None
        assert action is not None
        for key in (Qt.Key.Key_Space, Qt.Key.Key_Tab):
            toast.present("Chat deleted", "Undo", lambda: done.append("undone"))
            assert time.isActive()
            action.setFocus(Qt.FocusReason.TabFocusReason)
            await until(lambda: not time.isActive())
            QTest.keyClick(action, key)
            await until(lambda: window.focusWidget() is not action)
        assert done == ["undone"]
        window.composer.focus_text()
        await until(time.isActive)
        action.setFocus()
        toast.dismiss()
        assert window.focusWidget() is window.composer.edit


async def test_what_an_endpoint_wrote_is_plain_and_bounded(qapp: QApplication, qloop: object, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path) as world:
        hostile = "<img src=x onerror=1>\u202e" + "A" * 10_000
        world.presenter.show_error(ModelError("model.rejected", url="http://x/v1", status=400, detail=hostile))
        label = world.presenter.window.findChild(QLabel, "noticeDetail")
        assert label is not None
        assert "<img src=x" in label.text()
        assert "\u202e" not in label.text()
        assert len(label.text()) < 1_300


async def test_a_message_is_as_high_as_its_words_also_where_the_sidebar_folds(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = world.presenter.window
        window.resize(1000, 700)
        world.presenter.show_notice("Something happened", "What it means, in a few words. " * 9)
        (notice,) = window.notices.shown

        def fits() -> bool:
            return notice.height() == notice.heightForWidth(notice.width())

        await until(fits)
        wide = notice.width()
        window.sidebar.hide()
        await until(lambda: notice.width() > wide + 100 and fits())
        window.sidebar.show()
        await until(lambda: notice.width() == wide and fits())
        window.resize(700, 520)
        await until(lambda: not window.sidebar.isVisible() and fits())
