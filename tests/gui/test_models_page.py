"""The settings' page Models: listed, chosen, tested, changed, removed with Undo, and added, by real clicks."""

import dataclasses
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QLineEdit, QListWidget, QPushButton, QWidget

from desktop.core.endpoints import EndpointCheck, FoundServer
from desktop.core.errors import ModelError
from desktop.core.settings import EndpointSettings, KeyPlace, Settings, SettingsStore
from tests.support.endpoints_on_paper import DirectoryOnPaper
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
LOCAL = EndpointSettings(
    id="local", name="Ollama", base_url="http://127.0.0.1:11434/v1", model="qwen3:8b", models=("qwen3:8b", "llama3.2")
)
CLOUD = EndpointSettings(
    id="cloud",
    name="Cloud",
    base_url="https://cloud.example/v1",
    model="big",
    models=("big",),
    key_place=KeyPlace.SESSION,
)


class Settingspage:
    """The page in the settings window."""

    def __init__(self, world: WindowWorld, directory: DirectoryOnPaper, secrets: InMemorySecrets) -> None:
        self.world, self.directory, self.secrets = world, directory, secrets
        world.presenter.open_settings("models")
        window = world.presenter.settings_window
        assert window is not None
        self.window = window

    @property
    def stored(self) -> Settings:
        return self.world.settings.settings

    def find(self, kind: type[W], name: str, parent: str = "") -> W:
        root = self.find(QWidget, parent) if parent else self.window
        widget = root.findChild(kind, name)
        assert widget is not None, f"no {kind.__name__} {name}"
        return widget

    def click(self, name: str, parent: str = "") -> None:
        button = self.find(QPushButton, name, parent)
        assert button.isVisible(), f"{name} cannot be seen"
        QTest.mouseClick(button, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, button.rect().center())

    def rows(self) -> list[str]:
        page = self.find(QWidget, "endpointList")
        rows = [row for row in page.findChildren(QWidget) if row.property("role") == "settingRow" and row.isVisible()]
        return [row.objectName() for row in sorted(rows, key=lambda row: row.y())]

    def text(self, name: str, row: str) -> str:
        label = self.find(QLabel, name, row)
        return label.text() if label.isVisible() else ""

    def dialog(self, name: str) -> QDialog | None:
        dialog = self.window.findChild(QDialog, name)
        return dialog if dialog is not None and dialog.isVisible() else None


@asynccontextmanager
async def models_page(
    app: QApplication, folder: Path, *endpoints: EndpointSettings, active: str = "", found: tuple[FoundServer, ...] = ()
) -> AsyncGenerator[Settingspage, None]:
    store = SettingsStore(folder / "settings.json")
    store.update(dataclasses.replace(store.settings, endpoints=endpoints, endpoint_id=active, welcomed=True))
    directory, secrets = DirectoryOnPaper(*found), InMemorySecrets(**{"endpoint:cloud": "sk-of-the-cloud"})
    async with window_world(app, folder, directory=directory, secrets=secrets) as world:
        yield Settingspage(world, directory, secrets)
        assert world.errors == []


async def test_without_endpoints_the_page_says_what_to_do(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path) as page:
        assert page.rows() == ["endpoint-demo"]
        assert "No model is set up yet" in page.find(QLabel, "noEndpoints").text()
        assert page.text("endpointActive", "endpoint-demo") == "For new chats"
        assert not page.find(QPushButton, "reset-models").isEnabled()


async def test_each_endpoint_says_where_its_key_is_and_one_click_has_it_answer(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    lost = dataclasses.replace(CLOUD, id="lost", name="Lost")
    async with models_page(qapp, tmp_path, LOCAL, CLOUD, lost, active="local") as page:
        assert page.rows() == ["endpoint-local", "endpoint-cloud", "endpoint-lost", "endpoint-demo"]
        assert page.text("endpointKeyPlace", "endpoint-local") == "No key"
        await until(lambda: "only until Threadwell is closed" in page.text("endpointKeyPlace", "endpoint-cloud"))
        assert "Enter it again" in page.text("endpointKeyPlace", "endpoint-lost")
        page.click("endpointUse", "endpoint-cloud")
        assert page.stored.endpoint_id == "cloud"
        assert page.text("endpointActive", "endpoint-cloud") == "For new chats"
        assert page.text("endpointActive", "endpoint-local") == ""
        header = page.world.presenter.window.header.model_button
        assert header.full_text == "big · Cloud"
        page.click("endpointUse", "endpoint-demo")
        assert page.stored.endpoint.is_demo


async def test_a_test_runs_beside_and_says_what_came_of_it(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, LOCAL, CLOUD) as page:
        page.directory.go.clear()
        page.click("endpointTest", "endpoint-cloud")
        await until(lambda: [(what, key) for what, _, key in page.directory.asked] == [("check", "sk-of-the-cloud")])
        assert page.text("endpointState", "endpoint-cloud") == "Asking it a short question…"
        page.click("endpointCancel", "endpoint-cloud")
        await until(lambda: page.directory.cancelled == ["check"])
        assert page.text("endpointState", "endpoint-cloud") == ""
        page.directory.go.set()
        page.click("endpointTest", "endpoint-cloud")
        await until(lambda: page.text("endpointState", "endpoint-cloud") == "It answered in 0.8 s")
        refused = ModelError("model.unauthorized", url="https://cloud.example/v1", status=401, detail="Wrong.")
        page.directory.answer = EndpointCheck(error=refused)
        page.click("endpointTest", "endpoint-cloud")
        await until(lambda: page.text("endpointState", "endpoint-cloud").startswith("The key was refused"))


async def test_a_key_that_is_gone_is_a_result_not_a_failure(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, dataclasses.replace(CLOUD, id="lost")) as page:
        page.click("endpointTest", "endpoint-lost")
        await until(lambda: "key" in page.text("endpointState", "endpoint-lost").lower())
        assert page.directory.asked == []


async def test_a_key_of_an_earlier_session_is_entered_from_its_row(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    lost, form = dataclasses.replace(CLOUD, id="lost"), "editEndpointDialog"
    async with models_page(qapp, tmp_path, LOCAL, lost) as page:
        await until(lambda: "Enter it again" in page.text("endpointKeyPlace", "endpoint-lost"))
        assert not page.find(QPushButton, "endpointEnterKey", "endpoint-local").isVisible()
        page.click("endpointEnterKey", "endpoint-lost")
        await until(lambda: page.dialog(form) is not None)
        key = page.find(QLineEdit, "endpointKey", form)
        assert page.dialog(form).focusWidget() is key  # type: ignore[union-attr]
        QTest.keyClicks(key, "sk-entered-again")
        QTest.keyClick(key, Qt.Key.Key_Return)
        await until(lambda: page.secrets._secrets.get("endpoint:lost") == "sk-entered-again")
        await until(lambda: not page.find(QPushButton, "endpointEnterKey", "endpoint-lost").isVisible())


async def test_undo_brings_a_removed_endpoint_back_and_only_later_is_its_key_deleted(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, LOCAL, CLOUD, active="cloud") as page:
        before = page.stored
        page.click("endpointRemove", "endpoint-cloud")
        assert page.rows() == ["endpoint-local", "endpoint-demo"]
        assert page.stored.endpoint.is_demo
        assert await page.secrets.get("endpoint:cloud") == "sk-of-the-cloud"
        page.click("toastAction")
        assert page.stored == before
        assert page.rows() == ["endpoint-local", "endpoint-cloud", "endpoint-demo"]
        await until(
            lambda: page.find(QWidget, "endpoint-cloud").isVisible()
        )  # the row that was removed is gone for good
        page.click("endpointRemove", "endpoint-cloud")
        page.window.toast.dismiss()
        await until(lambda: "endpoint:cloud" not in page.secrets._secrets)


async def test_a_removal_says_who_answers_now(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with models_page(qapp, tmp_path, LOCAL, CLOUD, active="local") as page:
        page.click("endpointRemove", "endpoint-cloud")
        assert page.find(QLabel, "toastText").text() == "“Cloud” removed"
        page.click("endpointRemove", "endpoint-local")
        assert page.find(QLabel, "toastText").text() == "“Ollama” removed. The demo model answers now."


async def test_a_second_removal_ends_the_undo_of_the_first_one_only(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, LOCAL, CLOUD) as page:
        page.click("endpointRemove", "endpoint-cloud")
        page.click("endpointRemove", "endpoint-local")
        await until(lambda: "endpoint:cloud" not in page.secrets._secrets)
        page.click("toastAction")
        assert [endpoint.id for endpoint in page.stored.endpoints] == ["local"]


async def test_reset_removes_all_and_undo_brings_all_back(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, LOCAL, CLOUD, active="local") as page:
        before = page.stored
        page.click("reset-models")
        assert page.rows() == ["endpoint-demo"]
        page.click("toastAction")
        assert page.stored == before


async def test_an_endpoint_is_changed_in_a_dialog_and_a_kept_key_stays_unseen(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "editEndpointDialog"
    async with models_page(qapp, tmp_path, LOCAL, CLOUD, active="cloud") as page:
        await until(lambda: "only until Threadwell is closed" in page.text("endpointKeyPlace", "endpoint-cloud"))
        page.click("endpointEdit", "endpoint-cloud")
        await until(lambda: page.dialog(form) is not None)
        assert all("sk-of" not in edit.text() for edit in page.window.findChildren(QLineEdit))
        name = page.find(QLineEdit, "endpointName", form)
        name.selectAll()
        QTest.keyClicks(name, "Office")
        QTest.keyClicks(page.find(QLineEdit, "newModel", form), "small")
        page.click("addModel", form)
        page.find(QComboBox, "endpointModel", form).setEditText("small")
        page.click("submitEndpoint", form)
        await until(lambda: page.dialog(form) is None)
        changed = page.stored.endpoint
        assert (changed.name, changed.model, changed.models) == ("Office", "small", ("big", "small"))
        assert changed.key_place is KeyPlace.SESSION
        assert await page.secrets.get("endpoint:cloud") == "sk-of-the-cloud"


async def test_models_are_removed_from_the_list_and_read_anew(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "editEndpointDialog"
    async with models_page(qapp, tmp_path, LOCAL) as page:
        page.click("endpointEdit", "endpoint-local")
        await until(lambda: page.dialog(form) is not None)
        listed = page.find(QListWidget, "endpointModels", form)
        listed.setCurrentRow(1)
        page.click("removeModel", form)
        page.directory.models = ("qwen3:8b", "gemma3")
        refresh = page.find(QWidget, "refreshModels", form)
        QTest.mouseClick(refresh, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, refresh.rect().center())
        await until(lambda: [listed.item(row).text() for row in range(listed.count())] == ["qwen3:8b", "gemma3"])
        page.click("submitEndpoint", form)
        await until(lambda: page.stored.endpoints[0].models == ("qwen3:8b", "gemma3"))
        assert page.stored.endpoint.is_demo, "changing one does not have it answer"


async def test_a_kept_key_is_not_sent_to_another_address(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "editEndpointDialog"
    async with models_page(qapp, tmp_path, CLOUD, active="cloud") as page:
        page.click("endpointEdit", "endpoint-cloud")
        await until(lambda: page.dialog(form) is not None)
        address = page.find(QLineEdit, "endpointAddress", form)
        address.selectAll()
        QTest.keyClicks(address, "https://elsewhere.example/v1")
        page.click("testEndpoint", form)
        await until(lambda: any(what == "check" for what, _, _ in page.directory.asked))
        assert {key for _, endpoint, key in page.directory.asked if "elsewhere" in endpoint.base_url} == {""}
        page.click("endpointDialogCancel", form)
        await until(lambda: page.dialog(form) is None)
        assert page.stored.endpoints == (CLOUD,)


async def test_a_further_endpoint_is_added_as_at_the_first_start(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    form = "addEndpointDialog"
    server = FoundServer(kind="Ollama", base_url="http://127.0.0.1:9999/v1", models=("gemma3",))
    async with models_page(qapp, tmp_path, LOCAL, active="local", found=(server,)) as page:
        page.click("addEndpoint")
        await until(lambda: page.dialog(form) is not None)
        await until(lambda: page.window.findChild(QWidget, "foundServer-0") is not None)
        page.click("useServer", form)
        await until(lambda: page.dialog(form) is None)
        assert [endpoint.name for endpoint in page.stored.endpoints] == ["Ollama", "Ollama 2"]
        assert page.stored.endpoint.model == "gemma3"
        await until(lambda: len(page.rows()) == 3)


async def test_the_search_of_the_settings_finds_an_endpoint_by_its_model(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with models_page(qapp, tmp_path, LOCAL, CLOUD) as page:
        widget = page.window.page("models")
        assert [row.objectName() for row in widget.search("llama3.2")] == ["endpoint-local"]
        assert [row.objectName() for row in widget.search("cloud.example")] == ["endpoint-cloud"]
