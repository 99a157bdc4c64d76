"""Names, roles and states as Qt hands them to screen readers, where the run over AT-SPI does not come by."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication

from desktop.tools.entities import ElicitationMode, ElicitationRequest, ServerState, ServerStatus
from desktop.ui.dialogs.elicitation_dialog import ElicitationDialog
from desktop.ui.links import LinkDialog
from desktop.ui.shortcuts_dialog import ShortcutsDialog
from desktop.ui.sidebar.thread_roles import ThreadMark
from desktop.ui.state.form_schema import parse_schema
from desktop.ui.state.link_target import judge
from desktop.ui.transcript.text_dialog import TextDialog
from tests.support.walks import stops, unnamed
from tests.support.window_world import window_world

Until = Callable[..., Coroutine[Any, Any, None]]
SCHEMA = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name"},
        "age": {"type": "integer"},
        "sure": {"type": "boolean"},
        "tea": {"type": "string", "enum": ["green", "black"]},
        "days": {"type": "array", "items": {"type": "string", "enum": ["Mo", "Tu"]}},
    },
    "required": ["name"],
}


async def test_whatever_takes_the_focus_has_a_name(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until
) -> None:
    broken = ServerStatus(server_id="files", state=ServerState.FAILED, detail="it is gone")
    async with window_world(qapp, tmp_path, statuses=(broken,)) as world:
        window = world.presenter.window
        thread = await world.add_thread("A question with https://example.com in it")
        await until(lambda: window.sidebar.model.thread_count == 1)
        await world.presenter.open_thread(thread)
        world.presenter.show_error(ValueError("x"))
        window.composer.add_pasted("line\n" * 500)
        window.toast.present("Deleted", "Undo", lambda: None, shortcut="Ctrl+Z")
        assert len(list(stops(window))) > 15
        assert unnamed(window) == []
        for page in (window.sidebar.show_main_page, lambda: window.sidebar.show_trash((), complete=True)):
            page()
            assert unnamed(window) == []
        address = "http://xn--e1afmkfd.example:8080/"
        request = ElicitationRequest(
            server_id="files",
            thread_id=thread,
            message="Who are you?",
            mode=ElicitationMode.FORM,
            schema=SCHEMA,
        )
        for dialog in (
            ShortcutsDialog(world.theme, window),
            TextDialog("text", world.theme, "Pasted text", window),
            LinkDialog(address, judge(address), "label", world.theme, window),
            ElicitationDialog(window, world.theme, request, parse_schema(SCHEMA), 0),
        ):
            dialog.open()
            await until(dialog.isVisible)
            assert len(list(stops(dialog))) >= 2
            assert unnamed(dialog) == [], type(dialog).__name__
            dialog.close()


async def test_rows_and_states_are_spoken(qapp: QApplication, qloop: object, tmp_path: Path, until: Until) -> None:
    async with window_world(qapp, tmp_path) as world:
        sidebar = world.presenter.window.sidebar
        thread = await world.add_thread("A question")
        await until(lambda: sidebar.model.thread_count == 1)
        interface = QAccessible.queryAccessibleInterface(sidebar.list)
        assert interface.role() == QAccessible.Role.List

        def spoken() -> list[str]:
            rows = [interface.child(number) for number in range(interface.childCount())]
            return [row.text(QAccessible.Text.Name) for row in rows]

        assert spoken()[0] == "Today"
        assert spoken()[1].startswith("A question, ")
        sidebar.set_mark(thread, ThreadMark.WAITING)
        assert spoken()[1].startswith("A question, waiting for you, ")
