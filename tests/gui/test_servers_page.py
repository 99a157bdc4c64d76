"""The page Servers with real clicks: the list and its states, the form, pasted JSON, the question before a start."""

import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QTranslator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.core.settings import Settings, SettingsStore
from desktop.tools.entities import ServerState, ServerStatus
from desktop.ui.controls import is_on
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.settings.server_row import ServerRow
from desktop.ui.settings.servers_page import ServersPage
from desktop.ui.settings.window import SettingsWindow
from tests.support.agreed_servers import agreed
from tests.support.dialog_world import click
from tests.support.settings_world import open_settings
from tests.support.transcript_world import child as find
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
FILES = {"command": "npx", "args": ["-y", "files", "my folder"], "env": {"LANG": "de"}, "cwd": "/tmp"}


def prepare(data_dir: Path, **servers: Any) -> None:
    SettingsStore(data_dir / "settings.json").update(agreed(Settings(welcomed=True, mcp_servers=servers)))


def prepare_unseen(data_dir: Path, **servers: Any) -> None:
    """Servers as somebody wrote them into the file, whose lines the user has not looked at."""
    SettingsStore(data_dir / "settings.json").update(Settings(welcomed=True, mcp_servers=servers))


def opened(world: WindowWorld) -> SettingsWindow:
    world.presenter.open_settings("servers")
    return open_settings(world)


def page_of(window: SettingsWindow) -> ServersPage:
    page = window.page("servers")
    assert isinstance(page, ServersPage)
    return page


def row(window: SettingsWindow, key: str) -> ServerRow:
    return find(window, ServerRow, f"server-{key}")


def words(row_: QWidget) -> str:
    return "\n".join(label.text().replace("\u200b", "") for label in row_.findChildren(QLabel) if label.isVisible())


def inside(page: ServersPage) -> QWidget:
    content = page.widget()
    assert content is not None
    return content


def next_to(widget: QWidget) -> QWidget:
    """The next one in the order of Tab."""
    found = widget.nextInFocusChain()
    assert found is not None
    return found


def dialog(name: str) -> QDialog | None:
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.objectName() == name]
    return next((d for d in found if d.isVisible()), None)


def form() -> QDialog:
    found = dialog("serverForm")
    assert found is not None, "no form is open"
    return found


def fill(name: str, text: str) -> None:
    field = form().findChild(QWidget, name)
    assert isinstance(field, QLineEdit | QPlainTextEdit)
    field.setFocus()
    field.selectAll()
    QTest.keyClick(field, Qt.Key.Key_Delete)
    if isinstance(field, QPlainTextEdit):
        field.insertPlainText(text)
    else:
        field.insert(text)  # QTest's keys are ASCII only


def save() -> None:
    click(find(form(), QPushButton, "serverSave"))


def asked_at_saving() -> bool:
    save()
    return dialog("confirmDialog") is not None


def problem(name: str) -> str:
    return form().findChild(QWidget, name).accessibleDescription()  # type: ignore[union-attr]


def stored(world: WindowWorld) -> dict[str, Any]:
    return dict(SettingsStore(world.data_dir / "settings.json").settings.mcp_servers)


class Marks(QTranslator):
    """A language in which every word that was asked for carries a mark."""

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str:
        return f"«{source}"

    def isEmpty(self) -> bool:
        return False


async def test_each_server_has_its_state_in_words(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(
        tmp_path,
        files=FILES,
        dead={"command": "x"},
        off={"command": "x", "disabled": True},
        unset={"command": "x", "args": ["${NO_SUCH_VARIABLE}"]},
        web={"url": "https://mcp.example.org/mcp", "headers": {"Authorization": "Bearer ${T:-t0ken}"}},
    )
    async with window_world(qapp, tmp_path) as world:
        world.gateway.set_status(ServerStatus(server_id="command", state=ServerState.STARTING))
        world.gateway.set_status(ServerStatus(server_id="files", state=ServerState.READY))
        world.gateway.set_status(
            ServerStatus(server_id="dead", state=ServerState.FAILED, detail="It stopped (exit code 3).\nTraceback: x")
        )
        world.gateway.set_status(ServerStatus(server_id="web", state=ServerState.RESTARTING, detail="It broke off."))
        window = opened(world)
        assert "Starting… · built in" in words(row(window, "command"))
        assert "Ready, 0 tools · program" in words(row(window, "files"))
        assert "Failed. It stopped (exit code 3) · program" in words(row(window, "dead"))
        assert "Off · program" in words(row(window, "off"))
        assert "NO_SUCH_VARIABLE is not set" in words(row(window, "unset"))
        assert "starting again… · web address" in words(row(window, "web"))
        assert not find(window, QPushButton, "restart-files").isVisible()
        click(find(window, QPushButton, "restart-dead"))
        assert world.gateway.restarted == ["dead"]
        world.gateway.set_status(ServerStatus(server_id="dead", state=ServerState.READY))
        assert "Ready" in words(row(window, "dead"))
        assert not find(window, QPushButton, "restart-dead").isVisible()


async def test_details_show_the_exact_line_and_no_values(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(
        tmp_path,
        files={**FILES, "env": {"API_KEY": "s3cret", "LANG": "de"}, "args": ["-y", "my folder", "a\u202eb"]},
        web={"url": "https://mcp.example.org/mcp", "headers": {"Authorization": "s3cret"}},
    )
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        for key in ("files", "web"):
            click(find(window, QToolButton, f"fold-{key}"))
        files, web = row(window, "files"), row(window, "web")
        assert find(files, PlainBox, "serverLine").toPlainText() == "npx -y 'my folder' 'a<U+202E>b'"
        assert find(web, PlainBox, "serverLine").toPlainText() == "https://mcp.example.org/mcp"
        assert "API_KEY, LANG" in words(files)
        assert "/tmp" in words(files)
        assert "Authorization" in words(web)
        shown = [label.text() for label in window.findChildren(QLabel)]
        shown += [box.toPlainText() for box in window.findChildren(QPlainTextEdit)]
        assert not any("s3cret" in text for text in shown)
        click(find(window, QToolButton, "fold-files"))
        assert not find(files, PlainBox, "serverLine").isVisible()
        # The built-in one can be looked at, but neither edited nor removed.
        click(find(window, QToolButton, "fold-command"))
        assert "mcp-server" in find(row(window, "command"), PlainBox, "serverLine").toPlainText()
        assert not find(window, QPushButton, "remove-command").isVisible()


async def test_switching_off_and_on_asks_before_a_line_that_was_never_seen(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare_unseen(tmp_path, files=FILES)
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        switch = find(window, QAbstractButton, "switch-files")
        click(switch)
        assert stored(world)["files"] == {**FILES, "disabled": True}
        click(switch)
        await until(lambda: dialog("confirmDialog"))
        question = dialog("confirmDialog")
        assert question is not None
        assert find(question, PlainBox, "startLine").toPlainText() == "npx -y files 'my folder'"
        assert find(question, PlainBox, "startEnvironment").toPlainText() == "LANG=de"
        QTest.keyClick(question, Qt.Key.Key_Return)  # Enter is no agreement
        await until(lambda: not switch.isChecked())
        assert stored(world)["files"]["disabled"] is True
        click(switch)
        await until(lambda: dialog("confirmDialog"))
        click(find(dialog("confirmDialog"), QPushButton, "confirm_yes"))  # type: ignore[arg-type]
        await until(lambda: stored(world)["files"] == FILES)
        # Seen once, it needs no question again; neither does the server that comes with the app.
        click(switch)
        click(switch)
        await until(lambda: stored(world)["files"] == FILES)
        assert switch.isChecked()
        click(find(window, QAbstractButton, "switch-command"))
        assert SettingsStore(tmp_path / "settings.json").settings.bundled_servers_off == ("command",)
        click(find(window, QAbstractButton, "switch-command"))
        assert SettingsStore(tmp_path / "settings.json").settings.bundled_servers_off == ()
        assert dialog("confirmDialog") is None


async def test_a_server_of_the_settings_may_be_called_like_the_built_in_one(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, command={"command": "mine"})
    async with window_world(qapp, tmp_path) as world:
        rows = page_of(opened(world)).findChildren(ServerRow, "server-command")
        own = next(row_ for row_ in rows if row_.view.can_be_edited)
        click(find(own, QAbstractButton, "switch-command"))
        assert stored(world)["command"]["disabled"] is True
        assert world.settings.settings.bundled_servers_off == ()


async def test_adding_a_program_by_the_form(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QPushButton, "addServer"))
        save()
        await until(lambda: problem("serverName") == "Enter a name.")
        assert "Enter the program" in problem("serverCommand")
        fill("serverName", "COMMAND")
        fill("serverCommand", "npx 'open")
        fill("serverEnvironment", "A=1\nB")
        save()
        await until(lambda: problem("serverName") == "Another server has this name.")
        assert problem("serverCommand") == "A quotation mark is not closed."
        assert problem("serverEnvironment") == "Line 2 is not of the form NAME=value."
        fill("serverName", "文件")
        fill("serverCommand", "npx -y\n@scope/files 'my folder'")
        fill("serverEnvironment", "API_KEY=${NO_SUCH_VARIABLE}")
        save()
        await until(lambda: "NO_SUCH_VARIABLE is not set" in problem("serverEnvironment"))
        assert find(form(), QPlainTextEdit, "serverCommand").toPlainText() == "npx -y\n@scope/files 'my folder'"
        fill("serverEnvironment", "API_KEY=s3cret")
        assert find(form(), QCheckBox, "secret-API_KEY").isChecked()
        assert find(form(), QLabel, "serverSecretWords").isVisible()
        assert "No keychain was found" in find(form(), QLabel, "serverKeychain").text()
        save()
        await until(lambda: dialog("confirmDialog"))
        question = dialog("confirmDialog")
        assert question is not None
        assert find(question, PlainBox, "startLine").toPlainText() == "npx -y @scope/files 'my folder'"
        assert "s3cret" not in find(question, PlainBox, "startEnvironment").toPlainText()
        click(find(question, QPushButton, "confirm_no"))
        await until(lambda: dialog("confirmDialog") is None)
        assert form().isVisible()  # nothing was lost
        assert stored(world) == {}
        await until(asked_at_saving)
        click(find(dialog("confirmDialog"), QPushButton, "confirm_yes"))  # type: ignore[arg-type]
        await until(lambda: dialog("serverForm") is None)
        entry = stored(world)["文件"]
        kept = entry["inputs"]["API_KEY"]["kept"]
        env = {"API_KEY": "${input:API_KEY}"}
        inputs = {"API_KEY": {"password": True, "kept": kept}}
        args = ["-y", "@scope/files", "my folder"]
        assert stored(world) == {"文件": {"command": "npx", "args": args, "env": env, "inputs": inputs}}
        assert "s3cret" not in (tmp_path / "settings.json").read_text()
        assert await world.secrets.get(f"mcp:{kept}") == "s3cret"
        assert row(window, "文件").isVisible()


async def test_adding_a_web_address(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QPushButton, "addServer"))
        click(find(form(), QPushButton, "serverKind-web"))
        fill("serverName", "web")
        fill("serverUrl", "mcp.example.org")
        save()
        await until(lambda: "begin with https://" in problem("serverUrl"))
        insecure = find(form(), QAbstractButton, "serverInsecure")
        assert not insecure.isVisible()
        fill("serverUrl", "http://mcp.example.org/mcp")
        save()
        await until(lambda: "not encrypted" in problem("serverUrl"))
        assert insecure.isVisible()
        click(insecure)
        fill("serverHeaders", "X-Version: 3")
        save()
        await until(lambda: dialog("confirmDialog"))
        click(find(dialog("confirmDialog"), QPushButton, "confirm_yes"))  # type: ignore[arg-type]
        await until(lambda: "web" in stored(world))
        expected = {"url": "http://mcp.example.org/mcp", "headers": {"X-Version": "3"}, "allowInsecure": True}
        assert stored(world)["web"] == expected


async def test_editing_keeps_what_the_form_does_not_show_and_asks_for_a_changed_line(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, first={"command": "a"}, files={**FILES, "timeout": 60}, last={"command": "b"})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QToolButton, "fold-files"))
        click(find(window, QPushButton, "edit-files"))
        assert find(form(), QPlainTextEdit, "serverCommand").toPlainText() == "npx -y files 'my folder'"
        fill("serverName", "documents")
        fill("serverCommand", "npx -y other")
        save()
        await until(lambda: dialog("confirmDialog"))
        click(find(dialog("confirmDialog"), QPushButton, "confirm_yes"))  # type: ignore[arg-type]
        await until(lambda: "documents" in stored(world))
        assert list(stored(world)) == ["first", "documents", "last"]
        changed = {**FILES, "args": ["-y", "other"], "timeout": 60}
        assert stored(world)["documents"] == changed
        # Only the name: nothing new starts, so nothing is asked.
        click(find(window, QToolButton, "fold-documents"))
        click(find(window, QPushButton, "edit-documents"))
        fill("serverName", "papers")
        save()
        await until(lambda: "papers" in stored(world))
        assert dialog("confirmDialog") is None


async def test_whether_it_may_ask_the_model_is_off_until_the_user_says_so(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, files=FILES)
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QToolButton, "fold-files"))
        assert window.findChild(QLabel, "fact_model") is None
        click(find(window, QPushButton, "edit-files"))
        click(find(form(), QAbstractButton, "serverOptions"))
        choice = find(form(), QComboBox, "serverMayAskModel")
        assert choice.currentText() == "No (usual)"
        assert "may cost money" in choice.accessibleDescription()
        QTest.keyClick(choice, Qt.Key.Key_Down)
        assert choice.currentText() == "Yes, and I am asked each time"
        save()
        await until(lambda: stored(world)["files"].get("mayAskModel") is True)
        assert dialog("confirmDialog") is None, "it starts nothing new"
        await until(lambda: window.findChild(QLabel, "fact_model"))
        assert "asked each time" in find(window, QLabel, "fact_model").text()
        click(find(window, QPushButton, "edit-files"))
        choice = find(form(), QComboBox, "serverMayAskModel")
        assert choice.isVisible(), "what is not as usual is in sight"
        QTest.keyClick(choice, Qt.Key.Key_Up)
        save()
        await until(lambda: stored(world)["files"] == FILES)


async def test_what_the_form_cannot_show_is_edited_as_json(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, odd={"command": "x", "args": "a b"})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QToolButton, "fold-odd"))
        click(find(window, QPushButton, "edit-odd"))
        assert '"a b"' in find(form(), QPlainTextEdit, "serverJson").toPlainText()
        save()
        await until(lambda: "“args” is not a list" in problem("serverJson"))
        fill("serverJson", '{"odd": {"command": "x", "args": ["a", "b"], "disabled": true}}')
        save()
        assert find(form(), QPlainTextEdit, "serverCommand").toPlainText() == "x a b"
        save()
        await until(lambda: stored(world)["odd"] == {"command": "x", "args": ["a", "b"], "disabled": True})


async def test_pasting_one_fills_the_form_and_several_are_added_switched_off(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, git={"command": "mine"})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QPushButton, "pasteServers"))
        fill("serverJson", "npx -y files")
        save()
        assert "cannot be read" in problem("serverJson")
        fill("serverJson", "{}")
        save()
        assert "No server was found in this text" in problem("serverJson")
        fill("serverJson", '// from a web page\n"mcpServers": {"files": {"command": "npx", "args": ["-y", "files"],}},')
        save()
        assert find(form(), QLineEdit, "serverName").text() == "files"
        assert find(form(), QPlainTextEdit, "serverCommand").toPlainText() == "npx -y files"
        click(find(form(), QPushButton, "serverCancel"))
        assert dialog("serverForm") is None
        click(find(window, QPushButton, "pasteServers"))
        two = {"git": {"command": "uvx", "args": ["git"]}, "time": {"command": "uvx", "env": {"K": "${NO_SUCH}"}}}
        fill("serverJson", json.dumps({"mcpServers": two}))
        save()
        off = {"git 2": {**two["git"], "disabled": True}, "time": {**two["time"], "disabled": True}}
        await until(lambda: stored(world) == {"git": {"command": "mine"}, **off})
        assert dialog("confirmDialog") is None
        assert "2 servers added" in find(window, QLabel, "toastText").text()
        click(find(window, QPushButton, "toastAction"))
        assert stored(world) == {"git": {"command": "mine"}}


async def test_removing_and_undo_put_a_server_back_in_its_place(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    before = {"first": {"command": "a"}, "files": FILES, "last": {"command": "b"}}
    prepare(tmp_path, **before)
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QToolButton, "fold-files"))
        click(find(window, QPushButton, "remove-files"))
        assert list(stored(world)) == ["first", "last"]
        await until(lambda: window.findChild(ServerRow, "server-files") is None)
        assert "“files” removed" in find(window, QLabel, "toastText").text()
        click(find(window, QPushButton, "toastAction"))
        assert list(stored(world).items()) == list(before.items())
        assert row(window, "files").isVisible()


async def test_tab_goes_down_the_page_in_reading_order(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, files=FILES, git={"command": "git"})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QToolButton, "fold-files"))
        click(find(window, QToolButton, "fold-git"))
        click(find(window, QPushButton, "remove-files"))
        page = page_of(window)
        await until(lambda: not page.findChildren(ServerRow, "server-files"))
        click(find(window, QPushButton, "toastAction"))  # made anew, after all others
        click(find(window, QToolButton, "fold-files"))
        stops: list[QWidget] = []
        widget: QWidget = find(window, QPushButton, "pasteServers")
        while page.isAncestorOf(widget):
            if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and widget.isEnabled():
                stops.append(widget)
            widget = next_to(widget)

        def heights() -> list[int]:
            return [stop.mapTo(inside(page), stop.rect().center()).y() // 20 for stop in stops]

        await until(lambda: heights() == sorted(heights()))  # once everything has its place
        names = [
            "switch-command",
            "switch-files",
            "edit-files",
            "remove-files",
            "switch-git",
            "edit-git",
            "reset-servers",
        ]
        assert [stop.objectName() for stop in stops if stop.objectName() in names] == names


async def test_reset_asks_and_can_be_undone(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    prepare(tmp_path, files=FILES, git={"command": "git"})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QAbstractButton, "switch-command"))
        click(find(window, QPushButton, "reset-servers"))
        await until(lambda: dialog("confirmDialog"))
        click(find(dialog("confirmDialog"), QPushButton, "confirm_yes"))  # type: ignore[arg-type]
        await until(lambda: stored(world) == {})
        assert world.settings.settings.bundled_servers_off == ()
        assert not is_on(find(window, QPushButton, "reset-servers"))
        click(find(window, QPushButton, "toastAction"))
        assert list(stored(world)) == ["files", "git"]
        assert world.settings.settings.bundled_servers_off == ("command",)


@pytest.mark.expected_log("desktop.ui.settings.writer: the settings could not be written")
async def test_what_cannot_be_written_changes_nothing_and_is_said(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare(tmp_path, files=FILES)
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)

        def full(_path: Path, _text: str) -> None:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("desktop.core.settings.write_atomically", full)
        switch = find(window, QAbstractButton, "switch-files")
        click(switch)
        assert switch.isChecked()
        assert window.notices.titles
        assert stored(world) == {"files": FILES}


async def test_forty_servers_fit(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    prepare(tmp_path, **{f"server number {n} with a long name 服务器": {"command": "x" * 60} for n in range(40)})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        window.resize(700, 480)
        page = page_of(window)
        await until(lambda: page.width() > 300)
        await until(lambda: len(page.findChildren(ServerRow)) == 41)
        assert page.horizontalScrollBar().maximum() == 0
        assert inside(page).width() <= page.viewport().width()
        found = page.search("number 17")
        assert [row_.matches(["number", "17"]) for row_ in found] == [True]


async def test_every_word_follows_the_language(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    prepare(tmp_path, files=FILES)
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        page = page_of(window)
        click(find(window, QToolButton, "fold-files"))
        click(find(window, QPushButton, "addServer"))
        marks = Marks()
        qapp.installTranslator(marks)
        try:
            await until(lambda: page.title.startswith("«"))
            texts = [*page.findChildren(QLabel), *page.findChildren(QPushButton)]
            texts += [*form().findChildren(QLabel), *form().findChildren(QPushButton)]
            names = ("files", "command", "/tmp", "LANG", "")
            assert [t.text() for t in texts if "«" not in t.text() and t.text() not in names] == []
        finally:
            qapp.removeTranslator(marks)


async def test_the_header_lists_restarts_and_leads_to_the_page(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    failed = ServerStatus(server_id="dead", state=ServerState.FAILED, detail="The program was not found.")
    async with window_world(qapp, tmp_path, statuses=(failed,)) as world:
        main = world.presenter.window
        click(find(main, QToolButton, "serversButton"))
        button = find(main, QPushButton, "popupRestart-dead")

        def restart(server_id: str) -> None:  # as the real gateway: it announces the new state at once
            world.gateway.set_status(ServerStatus(server_id=server_id, state=ServerState.STARTING))

        world.gateway.status_changed.connect(lambda status: world.gateway.restarted.append(status.state))
        world.presenter.window.header.server_restart_requested.connect(restart)
        click(button)
        assert world.gateway.restarted == ["dead", ServerState.STARTING]
        await until(lambda: main.findChild(QPushButton, "popupRestart-dead") is None)
        click(find(main, QPushButton, "manageServers"))
        assert open_settings(world).page_key == "servers"
        assert not find(main, QWidget, "serverPopup").isVisible()
