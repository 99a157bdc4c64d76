"""Real dialogs over a real window: makes requests, finds what is shown, clicks and types as a person does."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from desktop.core.settings import Theme
from desktop.tools.entities import ApprovalRequest, CallIntent, Finding, ToolDescriptor
from desktop.ui.dialogs.prompt_dialog import PromptDialog
from desktop.ui.theme.theme_manager import ThemeManager

W = TypeVar("W", bound=QWidget)


def shell_tool() -> ToolDescriptor:
    return tool(name="execute_command_local", server="command", bundled=True)


def tool(
    *, name: str = "write_file", server: str = "files", bundled: bool = False, title: str = "", description: str = ""
) -> ToolDescriptor:
    return ToolDescriptor(
        server_id=server,
        name=name,
        alias=f"{server}__{name}",
        title=title,
        description=description or "Says what it does",
        input_schema={},
        definition_hash="hash",
        bundled=bundled,
    )


def approval(
    arguments: dict[str, Any],
    *,
    of: ToolDescriptor | None = None,
    findings: tuple[Finding, ...] = (),
    thread_id: str = "thread",
    title: str = "A thread",
    model: str = "",
    may_allow_thread: bool = True,
    may_allow_always: bool = True,
) -> ApprovalRequest:
    intent = CallIntent(
        call_id="call",
        thread_id=thread_id,
        turn_id="turn",
        tool=of or shell_tool(),
        arguments_json=json.dumps(arguments, ensure_ascii=False, sort_keys=True, separators=(",", ":")),
        folder="/home/mei/工作 space",
    )
    return ApprovalRequest(
        intent=intent,
        thread_title=title,
        model=model,
        findings=findings,
        timeout_seconds=10,
        may_allow_thread=may_allow_thread,
        may_allow_always=may_allow_always,
    )


class DialogWorld:
    """The window under the dialogs, and the person in front of them."""

    def __init__(self, app: QApplication) -> None:
        self.theme = ThemeManager(app, Theme.LIGHT, "en")
        self.window = QWidget()
        self.window.setObjectName("window")
        self.window.resize(900, 700)
        self.window.show()

    def dialogs(self) -> list[PromptDialog]:
        """The dialogs that can be seen."""
        return [d for d in self.window.findChildren(PromptDialog) if d.isVisible()]

    def dialog(self) -> PromptDialog:
        (only,) = self.dialogs()
        return only

    def find(self, kind: type[W], name: str) -> W:
        """The one widget of this name in the one dialog."""
        found = self.dialog().findChild(kind, name)
        assert found is not None, f"no {kind.__name__} called {name}"
        return found

    def click(self, name: str) -> None:
        """Click in the middle of a button with the mouse; nothing happens when it is disabled."""
        click(self.find(QAbstractButton, name))

    def is_enabled(self, name: str) -> bool:
        return self.find(QAbstractButton, name).isEnabled()

    def text(self, name: str) -> str:
        """What a label says to a screen reader, which is what it shows without break marks."""
        return self.find(QLabel, name).accessibleName()

    def close(self) -> None:
        self.window.close()
        self.window.deleteLater()
        self.theme.deleteLater()


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(widget.rect().center()))


@contextmanager
def dialog_world(app: QApplication) -> Iterator[DialogWorld]:
    world = DialogWorld(app)
    try:
        yield world
    finally:
        world.close()
