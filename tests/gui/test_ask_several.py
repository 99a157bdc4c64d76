"""The list of models in which several are picked: by mouse and keys, kept with the chat, also where one is gone."""

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QLabel, QListWidget

from desktop.app.event_loop import QtLoop
from desktop.conversation.entities import MOST_ANSWERS, MOST_ASKED_BESIDE, AskedModel
from desktop.core.settings import EndpointSettings, SettingsStore
from desktop.ui.controls import ElidedButton
from tests.support.several_world import SeveralWorld, at_once, several_world
from tests.support.waiting import until


def item_texts(models: QListWidget) -> list[str]:
    return [models.item(row).text() for row in range(models.count())]


def spoken(models: QListWidget, text: str) -> str:
    (item,) = models.findItems(text, Qt.MatchFlag.MatchExactly)
    return item.data(Qt.ItemDataRole.AccessibleTextRole)


def click(models: QListWidget, text: str) -> None:
    (item,) = models.findItems(text, Qt.MatchFlag.MatchExactly)
    place = models.visualItemRect(item).center()
    QTest.mouseClick(models.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)


async def options_are_saved(world: SeveralWorld) -> None:
    saving = world.session.presenter.options._saving
    await until(lambda: saving is None or saving.done())


def buttons(world: SeveralWorld) -> list[tuple[str, str]]:
    """What composer and header say of who answers, and what screen readers hear of it."""
    found = [world.find(ElidedButton, name) for name in ("composerModel", "modelButton")]
    return [(button.full_text, button.accessibleName()) for button in found]


async def test_several_are_picked_in_their_order_and_kept_for_the_new_chat_over_a_restart(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        models = world.open_picker()
        assert world.find(QCheckBox, "modelForNewChats").isVisible()
        world.press("modelAskSeveral")
        assert not world.is_seen("modelForNewChats")
        assert "at most 6" in world.find(QLabel, "modelSeveralHint").text()
        assert spoken(models, "alpha") == "alpha, asked, number 1"
        click(models, "gamma")
        click(models, "beta")
        assert models.isVisible(), "the list stays while models are picked"
        assert [spoken(models, name) for name in ("beta", "gamma")] == [
            "beta, asked, number 3",
            "gamma, asked, number 2",
        ]
        names = "Models: alpha · Home, gamma · Home, and beta · Home"
        assert buttons(world) == [("3 models", names)] * 2
        click(models, "alpha")  # the next one answers in the chat then
        assert buttons(world)[0] == ("2 models", "Models: gamma · Home and beta · Home")
        world.press("modelSeveralDone")
        assert not models.isVisible()
        await options_are_saved(world)
    async with several_world(qapp, tmp_path, at_once) as world:
        await until(lambda: buttons(world)[0] == ("2 models", "Models: gamma · Home and beta · Home"))
        world.send("hello")
        await until(lambda: world.texts() == ["gamma on hello", "beta on hello"])
        await world.all_are_done()
        thread_id = world.thread_id
        await world.session.presenter.open_thread(None)
        assert buttons(world)[0] == ("alpha", "Model: alpha · Home"), "a later new chat is as usual"
        await world.session.presenter.open_thread(thread_id)
        assert buttons(world)[0][0] == "2 models"


async def test_who_picks_models_with_the_mouse_writes_on_where_the_cursor_was(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        composer = world.session.presenter.window.composer
        composer.focus_text()
        QTest.mouseClick(world.find(ElidedButton, "composerModel"), Qt.MouseButton.LeftButton)
        world.press("modelAskSeveral")
        world.press("modelSeveralDone")
        assert world.window.focusWidget() is composer.edit, "a space would open the list again"


async def test_keys_pick_several_and_the_switch_goes_back_to_one(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        models = world.open_picker()
        switch = world.find(QCheckBox, "modelAskSeveral")
        switch.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(switch, Qt.Key.Key_Space)
        models.setFocus(Qt.FocusReason.TabFocusReason)
        QTest.keyClick(models, Qt.Key.Key_Down)
        QTest.keyClick(models, Qt.Key.Key_Space)
        QTest.keyClick(models, Qt.Key.Key_Down)
        QTest.keyClick(models, Qt.Key.Key_Return)
        assert buttons(world)[0][0] == "3 models"
        QTest.keyClick(models, Qt.Key.Key_Return)
        assert buttons(world)[0][0] == "2 models"
        QTest.keyClick(switch, Qt.Key.Key_Space)
        assert buttons(world)[0] == ("alpha", "Model: alpha · Home")
        assert models.isVisible()
        assert spoken(models, "alpha") == "alpha, in use"
        QTest.keyClick(models, Qt.Key.Key_Escape)


async def test_the_last_one_stays_and_no_more_than_six_are_asked(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        book = world.session.container.endpoint_book
        home = book.find("home")
        assert home is not None
        many = tuple(f"m{number}" for number in range(8))
        book.save(dataclasses.replace(home, models=("alpha", *many)), None, active=True)
        models = world.open_picker()
        world.press("modelAskSeveral")
        click(models, "alpha")
        assert spoken(models, "alpha") == "alpha, asked, number 1", "somebody has to answer"
        for name in many:
            click(models, name)
        assert len(world.session.presenter.options.options.asked_beside) == MOST_ASKED_BESIDE
        assert buttons(world)[0][0] == "6 models"
        (off,) = models.findItems("m6", Qt.MatchFlag.MatchExactly)
        assert not off.flags() & Qt.ItemFlag.ItemIsEnabled
        click(models, "m0")
        assert off.flags() & Qt.ItemFlag.ItemIsEnabled
        world.press("modelSeveralDone")


async def test_a_model_whose_endpoint_is_gone_is_named_so_and_can_be_taken_out(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        world.session.presenter.options.change(asked_beside=(AskedModel(endpoint_id="gone", model="lost"),))
        assert buttons(world)[0][1] == "Models: alpha · Home and lost (not set up any more)"
        models = world.open_picker()
        assert "Not set up any more" in item_texts(models)
        assert spoken(models, "lost") == "lost, asked, number 2"
        world.press("modelSeveralDone")
        world.send("hello")
        await until(lambda: [column.state_words() for column in world.columns()][1:] == ["Failed"])
        await world.all_are_done()
        await until(lambda: world.texts()[0] == "alpha on hello")
        models = world.open_picker()
        click(models, "lost")
        world.press("modelSeveralDone")
        assert buttons(world)[0] == ("alpha", "Model: alpha · Home")
        assert world.session.presenter.options.options.asked_beside == ()


async def test_another_model_is_asked_at_an_answer_and_stands_in_its_place(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    assert isinstance(store.settings.endpoint, EndpointSettings)
    async with several_world(qapp, tmp_path, at_once) as world:
        world.send("hello")
        await until(lambda: world.shown()[-1:] == ["Answer from alpha: alpha on hello"])
        await until(lambda: world.is_seen("ask-another-model"))
        assert not world.is_seen("answer-switch")
        world.press("ask-another-model")
        picker = world.find(QListWidget, "modelList")
        assert not world.is_seen("modelAskSeveral")
        click(picker, "beta")
        await until(lambda: world.shown()[-1:] == ["Answer from beta: beta on hello"])
        await world.all_are_done()
        assert world.find(QLabel, "answer-number").text() == "2 of 2"
        assert not world.columns()
        assert buttons(world)[0][0] == "alpha", "the chat's own model stays"
        assert [message.text for message in await world.path()] == ["hello", "beta on hello"]


@pytest.mark.expected_log("run.too_many_answers")
async def test_where_a_message_has_as_many_answers_as_there_can_be_the_window_says_so(
    qapp: QApplication, qloop: QtLoop, tmp_path: Path
) -> None:
    async with several_world(qapp, tmp_path, at_once) as world:
        world.send("hello")
        await until(lambda: world.shown()[-1:] == ["Answer from alpha: alpha on hello"])
        await world.all_are_done()
        first = (await world.path())[-1].id
        for _ in range(MOST_ANSWERS - 1):
            await world.session.container.chat.ask_again(first)
            await world.all_are_done()
        await until(lambda: world.is_seen("ask-another-model"))
        world.press("ask-another-model")
        click(world.find(QListWidget, "modelList"), "beta")
        await until(lambda: world.is_seen("noticeTitle"))
        assert world.find(QLabel, "noticeTitle").text() == f"This message has {MOST_ANSWERS} answers already"
        assert world.find(QLabel, "answer-number").text() == f"{MOST_ANSWERS} of {MOST_ANSWERS}"
