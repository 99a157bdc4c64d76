"""The page Permissions with real clicks on a real store: the list, revoking and Undo, what is without effect."""

import dataclasses
from collections.abc import Callable, Coroutine, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QWidget

from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.tools.entities import ApprovalAnswer, CallState, Choice, Grant, GrantScope, ToolDescriptor
from desktop.tools.service import ReportStatus, ToolCallReport, ToolCallRequest, ToolService
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.settings.grant_row import GrantRow
from desktop.ui.settings.permissions_page import AT_ONCE, PermissionsPage
from desktop.ui.settings.window import SettingsWindow
from tests.support.scripted_gateway import ScriptedGateway, shell_tool, tool
from tests.support.scripted_prompts import ScriptedPrompts, refuse
from tests.support.settings_world import open_settings
from tests.support.window_world import WindowWorld, window_world

W = TypeVar("W", bound=QWidget)
Until = Callable[..., Coroutine[Any, Any, None]]
SHELL, READ = shell_tool(), tool("read")


def find(window: QWidget, kind: type[W], name: str) -> W:
    widget = window.findChild(kind, name)
    assert widget is not None, f"no {kind.__name__} {name}"
    return widget


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, widget.rect().center())


def grant(of: ToolDescriptor, grant_id: str, summary: str, **changes: Any) -> Grant:
    given = Grant(
        id=grant_id,
        scope=GrantScope.ALWAYS,
        thread_id=None,
        server_id=of.server_id,
        tool_name=of.name,
        definition_hash=of.definition_hash,
        digest="d",
        summary=summary,
        created_at=utc_now(),
    )
    return dataclasses.replace(given, **changes)


def list_tools(world: WindowWorld, *tools: ToolDescriptor) -> None:
    """Let the servers on paper list these."""

    def tools_of(server_id: str) -> tuple[ToolDescriptor, ...]:
        return tuple(each for each in tools if each.server_id == server_id)

    world.gateway.tools_of = tools_of


async def opened(world: WindowWorld, until: Until, shown: int) -> SettingsWindow:
    world.presenter.open_settings("permissions")
    window = open_settings(world)
    await until(lambda: len(rows(window)) == shown)
    return window


def rows(window: SettingsWindow) -> list[GrantRow]:
    """The rows from top to bottom."""
    shown = [row for row in window.findChildren(GrantRow) if row.isVisibleTo(window)]
    return sorted(shown, key=lambda row: row.y())


def ids(window: SettingsWindow) -> list[str]:
    return [row.view.grant.id for row in rows(window)]


def words(widget: QWidget) -> str:
    labels = [label for label in widget.findChildren(QLabel) if label.isVisible()]
    return "\n".join(label.text().replace("\u200b", "") for label in labels)


async def test_without_permissions_the_page_says_what_that_means(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        window = await opened(world, until, 0)
        note = find(window, QWidget, "noGrants")
        await until(note.isVisible)
        assert "asks before a tool call" in words(note)
        assert not find(window, QPushButton, "revokeAll").isVisible()
        # One that is given while the page is open appears by itself.
        await world.store.grants.add(grant(SHELL, "new", "ls"))
        await until(lambda: ids(window) == ["new"])
        assert not note.isVisible()


async def test_each_permission_says_what_where_and_since_when(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    now = utc_now()
    async with window_world(qapp, tmp_path) as world:
        world.settings.update(dataclasses.replace(world.settings.settings, mcp_servers={"files": {"command": "x"}}))
        list_tools(world, SHELL, READ)
        thread_id = await world.add_thread("Photos", title="怎样整理照片？")
        given: Sequence[Grant] = [
            grant(SHELL, "cmd", "rm -rf a\u200b\nls", folder=str(tmp_path), created_at=now - timedelta(hours=1)),
            grant(
                READ,
                "tool",
                READ.alias,
                scope=GrantScope.THREAD,
                thread_id=thread_id,
                digest=None,
                use_count=3,
                last_used_at=now,
                created_at=now - timedelta(days=2),
            ),
            grant(READ, "args", '{"path":"/tmp/a\u202eb"}', created_at=now - timedelta(days=1)),
        ]
        for each in given:
            await world.store.grants.add(each)
        window = await opened(world, until, 3)
        assert ids(window) == ["cmd", "args", "tool"]  # newest first
        command, arguments, whole = rows(window)
        assert "Run exactly this command" in words(command)
        assert f"Always, in every chat · in the folder {tmp_path}" in words(command)
        assert find(command, PlainBox, "grantText").toPlainText() == "rm -rf a<U+200B>\nls"
        assert "not used without asking yet" in words(command)
        assert "Use “read” of “files” with exactly these arguments" in words(arguments)
        assert '"path": "/tmp/a<U+202E>b"' in find(arguments, PlainBox, "grantText").toPlainText()
        assert "Use “read” of “files” with any arguments" in words(whole)
        assert "In the chat “怎样整理照片？”" in words(whole)
        assert "used 3 times without asking, last " in words(whole)
        assert whole.findChild(PlainBox) is None
        assert all(not find(row, QLabel, "grantWarning").isVisible() for row in rows(window))
        click(find(whole, QPushButton, "openThread-tool"))
        await until(lambda: world.presenter.thread_id == thread_id)


async def test_what_has_no_effect_says_why(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    old = utc_now() - timedelta(days=40)
    async with window_world(qapp, tmp_path) as world:
        world.settings.update(dataclasses.replace(world.settings.settings, mcp_servers={"files": {"command": "x"}}))
        list_tools(world, SHELL, tool("read", description="another one"))
        thread_id = await world.add_thread("x")
        await world.store.grants.add(grant(SHELL, "lapsed", "ls", created_at=old))
        await world.store.grants.add(grant(SHELL, "folder", "ls", folder="/elsewhere"))
        await world.store.grants.add(grant(READ, "changed", "{}"))
        await world.store.grants.add(grant(tool("write"), "tool-gone", "{}"))
        await world.store.grants.add(grant(tool("read", server_id="gone"), "server-gone", "{}"))
        await world.store.grants.add(grant(SHELL, "trash", "ls", scope=GrantScope.THREAD, thread_id=thread_id))
        await world.conversations.delete(thread_id)
        window = await opened(world, until, 6)
        said = {
            row.view.grant.id: find(row, QLabel, "grantWarning").text().replace("\u200b", "") for row in rows(window)
        }
        assert {key: text for key, text in said.items() if not text} == {}
        assert "not used for 30 days" in said["lapsed"]
        assert "another folder" in said["folder"]
        assert "has changed" in said["changed"]
        assert "no longer offers this tool" in said["tool-gone"]
        assert "no longer exists" in said["server-gone"]
        assert "in the Trash" in said["trash"]
        assert "None of them is in effect now" in words(window.page("permissions"))
        await world.conversations.restore(thread_id)
        row = find(window, GrantRow, "grant-trash")
        await until(lambda: not find(row, QLabel, "grantWarning").isVisible())
        await world.store.threads.purge_thread(thread_id)
        world.conversations.thread_removed.emit(thread_id)
        await until(lambda: "trash" not in ids(window))


async def test_revoking_ends_it_at_once_and_undo_gives_it_back_exactly(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    with ScriptedPrompts(ApprovalAnswer(choice=Choice.ALLOW_ALWAYS), refuse()) as prompts:
        async with window_world(qapp, tmp_path) as world:
            list_tools(world, SHELL)
            service = ToolService(
                gateway=ScriptedGateway(SHELL),
                prompts=prompts,
                journal=world.store.journal,
                grants=world.store.grants,
                taints=world.store.taints,
                workspace=lambda: str(tmp_path),
            )
            window = await opened(world, until, 0)
            assert (await call(world, service)).status is ReportStatus.OK  # asked, and allowed for good
            await until(lambda: len(rows(window)) == 1)
            assert "not used without asking yet" in words(rows(window)[0])
            assert (await call(world, service)).status is ReportStatus.OK  # not asked again
            await until(lambda: len(rows(window)) == 1)
            await until(lambda: "without asking, " in words(rows(window)[0]))
            (given,) = await world.store.grants.list()
            click(find(window, QPushButton, f"revoke-{given.id}"))
            await until(lambda: rows(window) == [])
            assert (await call(world, service)).status is ReportStatus.DENIED  # asked, and refused
            click(find(window, QPushButton, "toastAction"))
            await until(lambda: ids(window) == [given.id])
            assert list(await world.store.grants.list()) == [given]
            assert (await call(world, service)).status is ReportStatus.OK


async def test_undo_by_key_works_where_the_focus_is_after_the_last_one_was_revoked(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        await world.store.grants.add(grant(SHELL, "only", "ls"))
        window = await opened(world, until, 1)
        revoke = find(window, QPushButton, "revoke-only")
        revoke.setFocus()
        QTest.keyClick(revoke, Qt.Key.Key_Space)
        await until(lambda: rows(window) == [])
        for field in (window.focusWidget(), window.search):
            assert field is not None
            window.toast.present("Revoked", "Undo", lambda: None)
            QTest.keyClick(field, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
            assert not window.toast.can_act, field.objectName()
        QTest.keyClicks(window.search, "dark")
        window.toast.present("Revoked", "Undo", lambda: None)
        QTest.keyClick(window.search, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        assert window.toast.can_act, "what was typed is undone first"
        assert window.search.text() == ""


async def call(world: WindowWorld, service: ToolService) -> ToolCallReport:
    """The model wants to run ``ls``."""
    thread = await world.store.threads.create_thread()
    turn = await world.store.threads.begin_turn(thread.id, "list", model="m")
    request = ToolCallRequest(
        call_id=new_id(),
        name=SHELL.alias,
        arguments='{"command": "ls"}',
        thread_id=thread.id,
        turn_id=turn.turn_id,
        tools=(SHELL,),
    )

    def ignore(_state: CallState, _tool: ToolDescriptor | None) -> None:
        return

    return await service.execute(request, ignore)


async def test_all_are_revoked_and_come_back_together(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    async with window_world(qapp, tmp_path) as world:
        thread_id = await world.add_thread("x")
        await world.store.grants.add(grant(SHELL, "a", "ls"))
        await world.store.grants.add(grant(SHELL, "b", "pwd", scope=GrantScope.THREAD, thread_id=thread_id))
        await world.conversations.delete(thread_id)
        before = {each.id: each for each in await world.store.grants.list()}
        window = await opened(world, until, 2)
        click(find(window, QPushButton, "revokeAll"))
        await until(lambda: rows(window) == [])
        assert list(await world.store.grants.list()) == []
        assert "2 permissions revoked" in find(window, QLabel, "toastText").text()
        click(find(window, QPushButton, "toastAction"))
        await until(lambda: len(rows(window)) == 2)
        assert {each.id: each for each in await world.store.grants.list()} == before


async def test_many_can_be_filtered_and_the_keyboard_goes_on_after_revoking(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    now = utc_now()
    async with window_world(qapp, tmp_path) as world:
        for n in range(AT_ONCE + 3):
            await world.store.grants.add(grant(SHELL, f"g{n}", f"echo 照片{n}x", created_at=now - timedelta(minutes=n)))
        window = await opened(world, until, AT_ONCE)
        click(find(window, QPushButton, "moreGrants"))
        await until(lambda: len(rows(window)) == AT_ONCE + 3)
        field = find(window, QLineEdit, "grantFilter")
        assert field.isVisible()
        field.setText("照片17X")
        assert ids(window) == ["g17"]
        field.setText("nothing like it")
        assert "No permission matches" in words(find(window, QWidget, "noGrants"))
        field.setText("echo 照片1")
        assert ids(window)[:3] == ["g1", "g10", "g11"]
        button = find(window, QPushButton, "revoke-g10")
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        await until(lambda: "g10" not in ids(window))
        assert window.focusWidget() is find(window, QPushButton, "revoke-g11")
        page = window.page("permissions")
        assert isinstance(page, PermissionsPage)
        window.resize(700, 480)
        await until(lambda: page.horizontalScrollBar().maximum() == 0 and page.verticalScrollBar().maximum() > 0)
        assert page.search("照片12x") == [find(window, GrantRow, "grant-g12").head]
