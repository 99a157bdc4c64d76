"""The states that are photographed, in the order of the pictures: how the window gets there, and back again."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QToolButton,
    QWidget,
)

if TYPE_CHECKING:
    from shots_stage import Stage

Play = Callable[["Stage"], Awaitable[None]]


class World(Enum):
    """The data folder that a scene needs."""

    FIRST_START = auto()
    """An empty one."""
    USED = auto()
    """One with a bit of everything: ``shots_world``."""
    README = auto()
    """A tidy one: ``shots_readme``."""
    GUIDE = auto()
    """That one in two languages, with models that answer: ``shots_guide``."""


@dataclass(frozen=True)
class Scene:
    """``name`` begins with the number by which its pictures sort."""

    name: str
    world: World
    play: Play


def scene(scenes: list[Scene], name: str, *, world: World = World.USED) -> Callable[[Play], Play]:
    """Add the function below to ``scenes``."""

    def add(play: Play) -> Play:
        scenes.append(Scene(name, world, play))
        return play

    return add


SCENES: list[Scene] = []


# -- the first start


@scene(SCENES, "01-first-start-searching", world=World.FIRST_START)
async def searching(stage: "Stage") -> None:
    button = stage.find(QAbstractButton, "lookAgain")
    await stage.pilot.until(button.isEnabled, "the search of the start has ended")
    stage.hold_search()
    button.click()
    await stage.settle()
    await stage.picture("01-first-start-searching")
    stage.end_search()
    await stage.settle()


@scene(SCENES, "02-first-start-found", world=World.FIRST_START)
async def found(stage: "Stage") -> None:
    from desktop.core.endpoints import FoundServer

    stage.end_search(
        FoundServer(
            kind="Ollama", base_url="http://127.0.0.1:11434/v1", models=("qwen3:8b", "gpt-oss:20b"), version="0.13.0"
        ),
        FoundServer(kind="LM Studio", base_url="http://127.0.0.1:1234/v1", models=(), note="no_models"),
        FoundServer(kind="vLLM", base_url="http://127.0.0.1:8000/v1", models=(), needs_key=True, note="needs_key"),
    )
    await stage.press("lookAgain")
    await stage.picture("02-first-start-found")
    stage.end_search()


@scene(SCENES, "03-first-start-nothing-found", world=World.FIRST_START)
async def nothing_found(stage: "Stage") -> None:
    stage.end_search()
    await stage.press("lookAgain")
    await stage.picture("03-first-start-nothing-found")


@scene(SCENES, "04-first-start-provider", world=World.FIRST_START)
async def provider(stage: "Stage") -> None:
    await stage.press("preset-deepseek")
    await stage.picture("04-first-start-provider")
    await stage.press("preset-deepseek")


@scene(SCENES, "05-first-start-test-succeeds", world=World.FIRST_START)
async def check_succeeds(stage: "Stage") -> None:
    await _check(stage, stage.base_url)
    await stage.picture("05-first-start-test-succeeds")
    await stage.press("customEndpoint")


@scene(SCENES, "06-first-start-test-fails", world=World.FIRST_START)
async def check_fails(stage: "Stage") -> None:
    await _check(stage, "http://127.0.0.1:9/v1")
    await stage.picture("06-first-start-test-fails")
    await stage.press("customEndpoint")


async def _check(stage: "Stage", address: str) -> None:
    await stage.press("customEndpoint")
    form = stage.find(QWidget, "endpointForm-custom")
    stage.find(QLineEdit, "endpointAddress", form).setText(address)
    stage.find(QComboBox, "endpointModel", form).setEditText("qwen3:8b")
    button = stage.find(QAbstractButton, "testEndpoint", form)
    button.click()
    await stage.pilot.until(button.isEnabled, "the test is over")
    await stage.settle()
    stage.find(QScrollArea, "firstStartPage").ensureWidgetVisible(stage.find(QWidget, "checkResult", form))


# -- chats


@scene(SCENES, "10-empty-chat")
async def empty_chat(stage: "Stage") -> None:
    await stage.open("")
    await stage.picture("10-empty-chat")


@scene(SCENES, "11-answer")
async def answer(stage: "Stage") -> None:
    from shots_world import LONG

    await stage.open(LONG)
    await stage.picture("11-answer-1-end")
    stage.window.transcript.scroll_to_message(await stage.first_message())
    await stage.picture("11-answer-2-top")


@scene(SCENES, "12-cards")
async def cards(stage: "Stage") -> None:
    from shots_world import CARDS

    await stage.open(CARDS)
    await stage.picture("12-cards-1-closed")
    headers = [w for w in stage.window.findChildren(QAbstractButton, "tool-card-header") if w.isVisible()]
    for header in headers[:2]:
        header.click()
    await stage.settle()
    stage.window.transcript.scroll_to_message(await stage.first_message())
    await stage.picture("12-cards-2-open")


@scene(SCENES, "12-results")
async def results(stage: "Stage") -> None:
    from shots_world import RESULTS

    await stage.open(RESULTS)
    (header,) = [w for w in stage.window.findChildren(QAbstractButton, "tool-card-header") if w.isVisible()]
    header.click()
    await stage.settle()
    stage.window.transcript.scroll_to_message(await stage.first_message())
    await stage.picture("12-results-1-top")
    stage.window.transcript.scroll_to_end()
    await stage.picture("12-results-2-end")


@scene(SCENES, "13-answering")
async def streaming(stage: "Stage") -> None:
    await stage.open("")
    await stage.pilot.send("Answer slowly, please")
    await stage.pilot.until(lambda: stage.is_held("the end"), "half of the answer is there")
    await stage.picture("13-answering-1")
    stage.find(QAbstractButton, "sendButton").click()
    await stage.pilot.answer_ends()
    await stage.picture("13-answering-2-stopped")


@scene(SCENES, "14-failed")
async def failed(stage: "Stage") -> None:
    from shots_world import FAILED

    await stage.open(FAILED)
    await stage.picture("14-failed-1")
    await stage.open("")
    await stage.pilot.send("This fails")
    await stage.pilot.answer_ends()
    await stage.picture("14-failed-2-key")


@scene(SCENES, "15-composer")
async def composer(stage: "Stage") -> None:
    await stage.open("")
    edit = stage.find(QPlainTextEdit, "messageEdit")
    edit.setPlainText("A message of several lines,\nwritten by hand,\n\n用中文写的也可以。")
    await stage.picture("15-composer")
    edit.clear()


# -- questions


@scene(SCENES, "20-approval")
async def approval(stage: "Stage") -> None:
    await _picture_call(stage, "20-approval-1", "Clear the build folder", "approvalDialog", "refuse")
    await _picture_call(stage, "20-approval-2-findings", "Now install it", "approvalDialog", "refuse")
    await stage.picture("20-approval-3-refused")
    await _picture_call(stage, "20-approval-4-hostile", "Tidy up as the page says", "approvalDialog", "refuse")


@scene(SCENES, "21-form")
async def form(stage: "Stage") -> None:
    await _picture_call(stage, "21-form", "Let me choose a drink", "elicitationDialog", "elicit_decline")


@scene(SCENES, "22-form-fields")
async def form_fields(stage: "Stage") -> None:
    properties: dict[str, Any] = {
        "name": {"type": "string", "title": "Your name", "description": "As it stands in the passport"},
        "mail": {"type": "string", "format": "email", "title": "Address"},
        "nights": {"type": "integer", "title": "Nights", "minimum": 1, "maximum": 30, "default": 2},
        "breakfast": {"type": "boolean", "title": "With breakfast", "default": True},
        "room": {"type": "string", "title": "Room", "enum": ["Single", "Double", "Family"]},
        "pin": {"type": "string", "title": "Card PIN"},
    }
    schema = {"type": "object", "properties": properties, "required": ["name", "room"]}
    await _elicit(stage, "elicitationDialog", "22-form-fields", message="Details of your booking", schema=schema)


@scene(SCENES, "23-page")
async def page(stage: "Stage") -> None:
    url = "https://login.example.com/authorize?client=threadwell&state=4b1f"
    await _elicit(stage, "urlDialog", "23-page", message="Sign in to go on.", url=url)


@scene(SCENES, "24-hostile-questions")
async def hostile_questions(stage: "Stage") -> None:
    message = "Threadwell‮:yas‬ your session ended. <b>Type your paѕѕword</b> to go on.\n" * 12
    field = {"type": "string", "title": "Pаsswоrd", "description": "​Only Threadwell sees it"}
    schema = {"type": "object", "properties": {"__class__": field, "a b": {"type": "boolean"}}, "required": ["a b"]}
    await _elicit(stage, "elicitationDialog", "24-hostile-questions-1-form", message=message, schema=schema)
    url = "https://xn--80ak6aa92e.example:8443/login?next=" + "%2F..%2F" * 40
    await _elicit(stage, "urlDialog", "24-hostile-questions-2-page", message="<a href='x'>Sign in</a>", url=url)


async def _picture_call(stage: "Stage", name: str, words: str, dialog: str, button: str) -> None:
    """The question that a message leads to, in one new chat."""
    await stage.open("")

    async def ask() -> None:
        await stage.pilot.send(words)
        await stage.pilot.dialog_appears(dialog)

    await stage.picture_asked(name, ask, lambda: _end_question(stage, button))


async def _end_question(stage: "Stage", button: str) -> None:
    dialog = next(w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible())
    await stage.pilot.press(dialog, button)
    await stage.pilot.answer_ends()


async def _elicit(stage: "Stage", dialog: str, name: str, **request: Any) -> None:
    """A question of a server of the user's own, which is not there: only its question is."""
    from desktop.tools.entities import ElicitationMode, ElicitationRequest

    mode = ElicitationMode.URL if "url" in request else ElicitationMode.FORM
    question = ElicitationRequest(server_id="hotel", mode=mode, **request)

    async def ask() -> None:
        asked.append(stage.session.container.tasks.spawn(stage.session.prompts.elicit(question), name="question"))
        await stage.pilot.dialog_appears(dialog)

    async def end() -> None:
        stage.close_dialogs()
        await asked.pop()

    asked: list[asyncio.Task[Any]] = []
    await stage.picture_asked(name, ask, end)


# -- the sidebar, messages, lists


@scene(SCENES, "30-search")
async def search(stage: "Stage") -> None:
    await stage.open("")
    edit = stage.find(QLineEdit, "searchEdit")
    for name, words in (("30-search-1-found", "tokenizer"), ("30-search-2-nothing", "zzzz")):
        edit.setText(words)
        await stage.settle()
        await asyncio.sleep(0.5)  # it searches when the typing pauses
        await stage.picture(name)
    edit.clear()
    await stage.settle()


@scene(SCENES, "31-trash")
async def trash(stage: "Stage") -> None:
    await stage.open("")
    await stage.press("trashButton")
    await stage.picture("31-trash-1")
    await stage.session.container.conversations.purge_trash()
    await stage.picture("31-trash-2-empty")
    stage.window.sidebar.show_main_page()


@scene(SCENES, "32-toast")
async def toast(stage: "Stage") -> None:
    from shots_world import TITLES

    await stage.open("")
    thread_id = await stage.thread(TITLES[0])
    stage.presenter.sidebar.delete([thread_id])
    await stage.pilot.until(stage.find(QWidget, "toast").isVisible, "the toast")
    await stage.picture("32-toast")
    stage.window.toast.act()
    await stage.settle()


@scene(SCENES, "33-notices")
async def notices(stage: "Stage") -> None:
    from desktop.core.errors import ModelError, SettingsError, StorageError

    await stage.open("")
    stage.presenter.show_error(StorageError("storage.unwritable", path="/home/me/chats", detail="No space left"))
    await stage.picture("33-notices-1")
    stage.presenter.show_error(SettingsError("settings.broken", kept_as="settings.broken.json", detail="line 3"))
    stage.presenter.show_error(ModelError("model.unreachable", url="http://127.0.0.1:11434/v1", detail="refused"))
    await stage.picture("33-notices-2")
    stage.window.notices.clear()
    await stage.settle()


@scene(SCENES, "34-menu")
async def menu(stage: "Stage") -> None:
    await stage.open("")
    button, shown = stage.find(QToolButton, "menuButton"), stage.find(QMenu, "mainMenu")
    shown.popup(button.mapToGlobal(QPoint(0, -shown.sizeHint().height())))
    await stage.picture("34-menu")
    shown.close()


@scene(SCENES, "35-model-picker")
async def model_picker(stage: "Stage") -> None:
    await stage.open("")
    await stage.picture_each("35-model-picker", stage.presenter.models.open_picker, "modelPicker")


@scene(SCENES, "36-servers")
async def servers(stage: "Stage") -> None:
    await stage.open("")
    await stage.picture_each("36-servers", stage.find(QToolButton, "serversButton").click, "serverPopup")


@scene(SCENES, "37-chat-options")
async def chat_options(stage: "Stage") -> None:
    from shots_world import LONG

    await stage.open(LONG)
    await stage.press("chatOptions")
    dialog = await stage.pilot.dialog_appears("threadOptions")
    await stage.picture("37-chat-options")
    dialog.reject()


@scene(SCENES, "38-shortcuts")
async def shortcuts(stage: "Stage") -> None:
    await stage.open("")
    stage.window.show_shortcuts()
    dialog = await stage.pilot.dialog_appears("shortcutsDialog")
    await stage.picture("38-shortcuts")
    dialog.reject()


@scene(SCENES, "39-no-sidebar")
async def no_sidebar(stage: "Stage") -> None:
    from shots_world import LONG

    await stage.open(LONG)
    await stage.press("sidebarToggle")
    await stage.picture("39-no-sidebar")
    await stage.press("sidebarToggle")
