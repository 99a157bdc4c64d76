"""The first start as a person meets it: something is found, a key is pasted, an address typed, or just the demo."""

from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionButton,
    QToolButton,
    QWidget,
)

from desktop.core.endpoints import EndpointCheck, FoundServer
from desktop.core.error_texts import ERROR_TEXTS
from desktop.core.errors import ModelError
from desktop.core.secrets import KeychainState
from desktop.core.settings import KeyPlace
from desktop.ui.controls import is_on, tab_stops
from desktop.ui.endpoints.check_result import CheckResult
from desktop.ui.endpoints.endpoint_form import EndpointForm
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
OLLAMA = FoundServer(kind="Ollama", base_url="http://127.0.0.1:11434/v1", models=("qwen3:8b", "llama3.2:3b"))
KEY = "sk-abcdefghij0123456789ABCDEF"


class Page:
    """The first-start page in its window, acted upon with mouse and keys."""

    def __init__(self, world: WindowWorld, directory: DirectoryOnPaper, secrets: InMemorySecrets) -> None:
        self.world = world
        self.directory = directory
        self.secrets = secrets
        self.window = world.presenter.window

    def find(self, kind: type[W], name: str, parent: str = "") -> W:
        root = self.find(QWidget, parent) if parent else self.window
        widget = root.findChild(kind, name)
        assert widget is not None, f"no {kind.__name__} {name}"
        return widget

    def is_there(self, name: str) -> bool:
        widget = self.window.findChild(QWidget, name)
        return widget is not None and widget.isVisible()

    def click(self, name: str, parent: str = "") -> None:
        widget = self.find(QWidget, name, parent)
        area = self.window.findChild(QScrollArea, "firstStartPage")
        if area is not None:
            area.ensureWidgetVisible(widget)
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())

    async def unfold(self, button: str, form: str, until: Until) -> None:
        """Click what opens a form, and wait until everything in it has its place."""
        self.click(button)
        await until(lambda: self.find(QWidget, form).isVisible())
        last = self.find(QPushButton, "submitEndpoint", form)
        await until(lambda: last.y() > 0 and last.geometry().bottom() < self.find(QWidget, form).height())

    def paste(self, text: str, name: str, parent: str) -> None:
        QGuiApplication.clipboard().setText(text)
        edit = self.find(QLineEdit, name, parent)
        edit.setFocus()
        QTest.keyClick(edit, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

    def result(self, parent: str) -> str:
        return self.find(CheckResult, "checkResult", parent).text

    @property
    def chat_is_there(self) -> bool:
        return self.is_there("messageEdit") and not self.is_there("firstStartPage")


@asynccontextmanager
async def first_start(app: QApplication, folder: Path, *found: FoundServer) -> AsyncGenerator[Page, None]:
    directory, secrets = DirectoryOnPaper(*found), InMemorySecrets()
    async with window_world(app, folder, welcomed=False, directory=directory, secrets=secrets) as world:
        yield Page(world, directory, secrets)
        assert world.errors == []


async def test_a_found_server_answers_after_one_click(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path, OLLAMA) as page:
        assert not page.is_there("messageEdit"), "there is nobody to write to yet"
        await until(lambda: page.is_there("foundServer-0"))
        models = page.find(QComboBox, "foundModel")
        QTest.keyClick(models, Qt.Key.Key_Down)
        page.click("useServer")
        await until(lambda: page.chat_is_there)
        endpoint = page.world.settings.settings.endpoint
        assert (endpoint.name, endpoint.base_url, endpoint.model) == ("Ollama", OLLAMA.base_url, "llama3.2:3b")
        assert endpoint.models == OLLAMA.models
        await until(lambda: page.find(QPushButton, "modelButton").text() == "llama3.2:3b · Ollama")
        await until(lambda: page.find(QLabel, "modelStatus").text() == "llama3.2:3b · Ollama")
        assert "llama3.2:3b · Ollama" in page.find(QLabel, "toastText").text()
        await until(page.find(QPlainTextEdit, "messageEdit").hasFocus)
    async with window_world(qapp, tmp_path) as world:
        assert not world.presenter.models.is_first_start
        assert world.settings.settings.endpoint == endpoint


async def test_searching_finding_nothing_and_looking_again(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path) as page:
        state, again = page.find(QLabel, "foundState"), page.find(QPushButton, "lookAgain")
        await until(lambda: is_on(again))
        page.directory.go.clear()
        assert "No model server was found" in state.text()
        page.click("lookAgain")
        assert state.text().startswith("Looking for")
        assert not is_on(again)
        page.directory.found = [OLLAMA]
        page.directory.go.set()
        await until(lambda: page.is_there("foundServer-0"))
        assert state.text().startswith("1 model server")


async def test_what_stands_in_the_way_is_said_with_what_to_do(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    empty = FoundServer(kind="Ollama", base_url="http://127.0.0.1:11434/v1", models=(), note="no_models")
    loading = FoundServer(kind="llama.cpp", base_url="http://127.0.0.1:8080/v1", models=(), note="loading")
    locked = FoundServer(kind="Jan", base_url="http://127.0.0.1:1337/v1", models=(), note="needs_key", needs_key=True)
    async with first_start(qapp, tmp_path, empty, loading, locked) as page:
        await until(lambda: page.is_there("foundServer-2"))
        notes = [page.find(QLabel, "serverNote", f"foundServer-{number}").text() for number in range(3)]
        assert "ollama pull" in notes[0]
        assert "still loading" in notes[1]
        assert "key" in notes[2]
        for number in (0, 1):
            assert not page.find(QPushButton, "useServer", f"foundServer-{number}").isVisible()
        page.click("useServer", "foundServer-2")
        form = "endpointForm-custom"
        await until(lambda: page.is_there(form))
        assert page.find(QLineEdit, "endpointAddress", form).text() == locked.base_url
        await until(page.find(QLineEdit, "endpointKey", form).hasFocus)


async def test_a_preset_needs_nothing_but_a_key(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        page.secrets.set_status(KeychainState.AVAILABLE, backend="Secret Service")
        page.directory.models = ("deepseek-chat", "deepseek-new")
        await page.unfold("preset-deepseek", "endpointForm-preset", until)
        key = page.find(QLineEdit, "endpointKey", form)
        await until(key.hasFocus)
        assert page.find(QLabel, "keyPlace", form).text() == "Kept in your system's keychain (Secret Service)."
        page.click("submitEndpoint", form)
        assert page.directory.asked == [], "without a key nobody is asked"
        assert key.accessibleDescription() == "Paste the key here."
        page.paste(f"  Bearer {KEY}\n", "endpointKey", form)
        assert key.text() == KEY
        assert key.echoMode() is QLineEdit.EchoMode.Password
        model = page.find(QComboBox, "endpointModel", form)
        await until(lambda: model.findText("deepseek-new") >= 0)
        page.click("submitEndpoint", form)
        await until(lambda: page.chat_is_there)
        endpoint = page.world.settings.settings.endpoint
        assert (endpoint.name, endpoint.model, endpoint.key_place) == ("DeepSeek", "deepseek-chat", KeyPlace.SESSION)
        assert await page.secrets.get(f"endpoint:{endpoint.id}") == KEY
        assert {asked[2] for asked in page.directory.asked} == {KEY}
        assert KEY not in (tmp_path / "settings.json").read_text("utf-8")
        assert all(KEY not in edit.text() for edit in page.window.findChildren(QLineEdit))


async def test_a_refused_key_is_said_and_can_be_kept_anyway(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        refused = ModelError("model.unauthorized", url="https://api.deepseek.example/v1", status=401, detail="No.")
        page.directory.answer = EndpointCheck(error=refused)
        await page.unfold("preset-deepseek", "endpointForm-preset", until)
        page.paste(KEY, "endpointKey", form)
        page.click("submitEndpoint", form)
        await until(lambda: page.result(form).startswith("The key was refused"))
        assert not page.world.settings.settings.welcomed
        page.click("advice-enter-key", form)
        assert page.find(QLineEdit, "endpointKey", form).hasFocus()
        page.click("startAnyway", form)
        await until(lambda: page.chat_is_there)
        assert page.world.settings.settings.endpoint.name == "DeepSeek"


async def test_what_came_of_a_test_comes_into_view_with_the_buttons_below_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path) as page:
        page.window.resize(700, 480)
        refused = ModelError("model.unreachable", url="http://127.0.0.1:9/v1", detail="Connection refused")
        page.directory.answer = EndpointCheck(error=refused)
        await page.unfold("customEndpoint", form, until)
        page.paste("http://127.0.0.1:9/v1", "endpointAddress", form)
        page.find(QComboBox, "endpointModel", form).setCurrentText("some-model")
        area = page.find(QScrollArea, "firstStartPage")
        area.verticalScrollBar().setValue(0)
        page.find(QPushButton, "testEndpoint", form).click()
        await until(lambda: page.result(form).startswith(ERROR_TEXTS["model.unreachable"].title))
        shown = [page.find(QWidget, name, form) for name in ("checkResult", "testEndpoint")]
        await until(lambda: all(widget.visibleRegion().boundingRect() == widget.rect() for widget in shown))


async def test_what_must_be_corrected_comes_into_view(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path) as page:
        page.window.resize(700, 480)
        await page.unfold("customEndpoint", form, until)
        address = page.find(QLineEdit, "endpointAddress", form)
        scrolling = page.find(QScrollArea, "firstStartPage").verticalScrollBar()
        for button in ("testEndpoint", "submitEndpoint"):
            scrolling.setValue(scrolling.maximum())
            await until(address.visibleRegion().isEmpty)
            page.find(QPushButton, button, form).click()
            await until(lambda: address.visibleRegion().boundingRect() == address.rect() and address.hasFocus())


async def test_a_model_that_only_the_list_chose_goes_with_its_list(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("customEndpoint", "endpointForm-custom", until)
        form = page.find(EndpointForm, "endpointForm-custom")
        model = page.find(QComboBox, "endpointModel", "endpointForm-custom")
        for models in (("a", "b"), ("c", "d")):
            form.set_models(models)
            assert model.currentText() == models[0]
        model.setCurrentText("mine")
        form.set_models(("e",))
        assert model.currentText() == "mine"


async def test_what_is_wrong_is_said_once(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path) as page:
        refused = ModelError("model.unreachable", url="http://127.0.0.1:9/v1", detail="Connection refused")
        page.directory.list_error = refused
        page.directory.answer = EndpointCheck(error=refused)
        await page.unfold("customEndpoint", form, until)
        page.paste("http://127.0.0.1:9/v1", "endpointAddress", form)
        title = ERROR_TEXTS["model.unreachable"].title

        def said() -> list[str]:
            return [label.text() for label in page.find(QWidget, form).findChildren(QLabel) if label.isVisible()]

        page.find(QComboBox, "endpointModel", form).setFocus()
        await until(lambda: f"{title}." in said())
        page.click("testEndpoint", form)
        await until(lambda: page.result(form).startswith(title))
        assert [text for text in said() if text.startswith(title)] == [title]
        page.click("refreshModels", form)
        await until(lambda: [what for what, *_ in page.directory.asked].count("models") == 2)
        await until(lambda: is_on(page.find(QToolButton, "refreshModels", form)))
        assert [text for text in said() if text.startswith(title)] == [title]


async def test_a_running_test_can_be_cancelled(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-zhipu", "endpointForm-preset", until)
        page.paste(KEY, "endpointKey", form)
        await until(lambda: [asked[0] for asked in page.directory.asked] == ["models"])
        page.directory.go.clear()
        page.click("testEndpoint", form)
        await until(lambda: page.directory.asked[-1][0] == "check")
        assert page.result(form) == "Asking glm-5.2…"
        assert not is_on(page.find(QPushButton, "submitEndpoint", form))
        page.click("cancelTest", form)
        await until(lambda: page.directory.cancelled == ["check"])
        assert page.result(form) == ""
        page.directory.go.set()
        page.click("testEndpoint", form)
        await until(lambda: page.result(form) == "glm-5.2 answered in 0.8 s Answer: “Hello!”")
        assert not page.chat_is_there, "a test only tests"


async def test_another_address_takes_a_model_from_its_list_and_the_path_that_works(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path) as page:
        page.directory.answer = EndpointCheck(
            models=("first", "second"), answer="Hi", seconds=0.3, base_url="https://gateway.example/v1"
        )
        await page.unfold("customEndpoint", "endpointForm-custom", until)
        page.click("submitEndpoint", form)
        address = page.find(QLineEdit, "endpointAddress", form)
        assert "address" in address.accessibleDescription()
        page.paste(f"gateway.example {KEY}", "endpointAddress", form)
        page.click("submitEndpoint", form)
        await until(lambda: page.chat_is_there)
        endpoint = page.world.settings.settings.endpoint
        assert (endpoint.base_url, endpoint.model) == ("https://gateway.example/v1", "first")
        assert endpoint.name == "gateway.example"


async def test_what_was_pasted_into_the_wrong_field_is_moved_with_a_word(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-custom"
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("customEndpoint", "endpointForm-custom", until)
        address, key = page.find(QLineEdit, "endpointAddress", form), page.find(QLineEdit, "endpointKey", form)
        note = page.find(QLabel, "movedNote", form)
        page.paste(KEY, "endpointAddress", form)
        assert (address.text(), key.text()) == ("", KEY)
        assert "That was a key" in note.text()
        key.clear()
        page.paste("https://gateway.example/v1/chat/completions", "endpointKey", form)
        assert (address.text(), key.text()) == ("https://gateway.example/v1", "")
        assert "That was an address" in note.text()


async def test_the_place_of_the_key_is_said_for_every_keychain(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-deepseek", "endpointForm-preset", until)
        place, again = page.find(QLabel, "keyPlace", form), page.find(QPushButton, "keychainAgain", form)
        await until(lambda: "No keychain was found" in place.text())
        for state, text, may_try in (
            (KeychainState.LOCKED, "is locked", True),
            (KeychainState.REFUSED, "was refused", True),
            (KeychainState.FAILED, "does not answer", True),
            (KeychainState.AVAILABLE, "Kept in your system's keychain", False),
        ):
            page.secrets.set_status(state)
            assert text in place.text()
            assert again.isVisible() is may_try
        page.click("endpointAdvanced", form)
        QTest.keyClicks(page.find(QLineEdit, "endpointVariable", form), "MY_KEY")
        assert "MY_KEY" in place.text()
        assert not page.find(QLineEdit, "endpointKey", form).isEnabled()


async def test_the_key_can_be_looked_at_and_is_hidden_at_first(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-deepseek", "endpointForm-preset", until)
        page.paste(KEY, "endpointKey", form)
        key = page.find(QLineEdit, "endpointKey", form)
        page.click("showKey", form)
        assert key.echoMode() is QLineEdit.EchoMode.Normal
        await page.unfold("preset-zhipu", "endpointForm-preset", until)
        assert key.text() == "", "a key for one provider is not offered to the next"
        assert key.echoMode() is QLineEdit.EchoMode.Password


async def test_the_demo_model_is_one_click_away_and_later_is_the_same(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    for number, button in enumerate(("useDemo", "setUpLater")):
        async with first_start(qapp, tmp_path / str(number)) as page:
            page.click(button)
            await until(lambda page=page: page.chat_is_there)
            assert page.world.settings.settings.welcomed
            assert page.world.settings.settings.endpoint.is_demo
            assert page.find(QPushButton, "modelButton").text() == "Demo model"
            assert page.is_there("demoChip")


async def test_the_whole_card_of_the_demo_model_is_one_button(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    for number, where in enumerate(("corner", "words", "Space")):
        async with first_start(qapp, tmp_path / str(number)) as page:
            await until(page.find(QPushButton, "lookAgain").isEnabled)
            card = page.find(QPushButton, "useDemo")
            words = page.find(QLabel, "demoText", "useDemo")
            assert tab_stops(card) == [card]
            assert (card.accessibleName(), card.accessibleDescription()) == ("Try the demo model", words.text())
            await until(lambda words=words: words.height() >= words.heightForWidth(words.width()))
            if where == "corner":
                QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
            elif where == "words":
                middle = words.mapTo(page.window, words.rect().center())
                hit = page.window.childAt(middle)
                assert hit is card, "what lies on the card lets the mouse through"
                QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=card.mapFrom(page.window, middle))
            else:
                QTest.keyClick(card, Qt.Key.Key_Space)
            await until(lambda page=page: page.chat_is_there)


async def test_the_card_of_the_demo_model_shows_mouse_press_and_focus(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path) as page:
        await until(page.find(QPushButton, "lookAgain").isEnabled)
        card = page.find(QPushButton, "useDemo")
        states = (
            QStyle.StateFlag.State_None,
            QStyle.StateFlag.State_MouseOver,
            QStyle.StateFlag.State_Sunken | QStyle.StateFlag.State_MouseOver,
            QStyle.StateFlag.State_HasFocus,
        )
        looks = {_drawn(card, state) for state in states}
        assert len(looks) == len(states)


def _drawn(button: QPushButton, state: QStyle.StateFlag) -> bytes:
    """What the style draws of the button in this state."""
    option = QStyleOptionButton()
    button.initStyleOption(option)
    option.state = QStyle.StateFlag.State_Enabled | QStyle.StateFlag.State_Active | state
    image = QImage(button.size(), QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    button.style().drawControl(QStyle.ControlElement.CE_PushButton, option, painter, button)
    painter.end()
    return bytes(image.constBits())


async def test_the_language_is_chosen_on_the_page_and_nothing_typed_is_lost(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "endpointForm-preset"
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-zhipu", "endpointForm-preset", until)
        page.paste(KEY, "endpointKey", form)
        page.click("language-zh_CN")
        await until(lambda: page.find(QPushButton, "preset-zhipu").text() == "智谱")
        assert page.find(QPushButton, "language-zh_CN").isChecked()
        assert page.find(QLineEdit, "endpointKey", form).text() == KEY
        assert page.world.settings.settings.appearance.language == "zh_CN"
        page.click("language-en")
        await until(lambda: page.find(QPushButton, "preset-zhipu").text() == "Zhipu")


async def test_the_number_of_models_is_told_in_the_language_shown(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-zhipu", "endpointForm-preset", until)
        form = page.find(EndpointForm, "endpointForm-preset")
        form.set_models(("a", "b"))
        for language, words in (("zh_CN", "2 个模型"), ("en", "2 models")):
            page.click(f"language-{language}")
            await until(lambda words=words: words in [label.text() for label in form.findChildren(QLabel)])


async def test_what_stands_below_stays_where_it_is_when_a_list_of_models_comes_or_fails(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path) as page:
        await page.unfold("preset-zhipu", "endpointForm-preset", until)
        form = page.find(EndpointForm, "endpointForm-preset")
        test = page.find(QPushButton, "testEndpoint", "endpointForm-preset")
        places: set[int] = set()
        for show in (
            lambda: form.set_models(()),
            lambda: form.set_models(("a", "b")),
            lambda: form.show_models_note("The key was refused."),
            lambda: form.set_asking(True),
        ):
            show()
            QApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
            places.add(test.mapTo(form, QPoint()).y())
        assert len(places) == 1


@pytest.mark.parametrize(
    ("opens", "form"), [("preset-deepseek", "endpointForm-preset"), ("customEndpoint", "endpointForm-custom")]
)
async def test_tab_goes_through_the_whole_window_in_reading_order_and_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, opens: str, form: str
) -> None:
    async with first_start(qapp, tmp_path, OLLAMA) as page:
        await until(lambda: page.is_there("foundServer-0"))
        page.window.activateWindow()
        await page.unfold(opens, form, until)
        page.find(QWidget, "firstStartPage").setFocus()
        forward, backward = _stops(page.window, Qt.Key.Key_Tab), _stops(page.window, Qt.Key.Key_Backtab)
        assert backward[1:] == forward[1:][::-1]
        names = [stop.objectName() for stop in forward]
        page_names = ["firstStartPage", "language-en", "setUpLater", "lookAgain", "foundModel", "useServer"]
        page_names += ["preset-deepseek", "preset-zhipu", "preset-openrouter", "customEndpoint"]
        around = ["newChatButton", "searchEdit", "settingsButton", "sidebarToggle", "serversButton"]
        wanted = [*page_names, "useDemo", *around]
        assert [name for name in names if name in wanted] == wanted
        inside = [index for index, stop in enumerate(forward) if page.find(QWidget, form).isAncestorOf(stop)]
        assert len(inside) > 3, "the form that was opened"
        assert inside == list(range(inside[0], inside[-1] + 1))
        before, after = ("preset-openrouter", "customEndpoint") if opens != "customEndpoint" else (opens, "useDemo")
        assert names.index(before) < inside[0] <= inside[-1] < names.index(after)


def _stops(window: QWidget, key: Qt.Key) -> list[QWidget]:
    """What Tab stops at until it comes around."""
    stops: list[QWidget] = []
    while (focus := window.focusWidget()) is not None and (not stops or focus is not stops[0]):
        stops.append(focus)
        assert len(stops) < 80, "Tab does not come around"
        QTest.keyClick(focus, key)
    return stops


async def test_nothing_is_cut_off_in_the_smallest_window(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with first_start(qapp, tmp_path, OLLAMA) as page:
        await until(lambda: page.is_there("foundServer-0"))
        page.window.resize(700, 480)
        await page.unfold("preset-deepseek", "endpointForm-preset", until)
        area = page.find(QScrollArea, "firstStartPage")
        content = area.widget()
        assert content is not None
        await until(lambda: content.width() == area.viewport().width())
        buttons = [button for button in content.findChildren(QPushButton) if button.isVisible()]
        assert len(buttons) > 8
        await until(lambda: all(button.width() >= button.minimumSizeHint().width() for button in buttons))
        assert page.find(QWidget, "endpointForm-preset").isVisible()
