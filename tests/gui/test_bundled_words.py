"""The tools of the built-in server in words for people, and nobody else's tools under these words."""

import dataclasses
from pathlib import Path

from fastmcp import Client
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.core.settings import Theme
from desktop.servers.command import create_server
from desktop.tools.entities import ServerEntry, ServerOrigin
from desktop.ui.bundled_words import bundled_title, field_title, tool_purpose
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.settings.server_details import ServerDetails
from desktop.ui.settings.server_view import ServerView
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.dialog_world import tool
from tests.support.marked_language import marked_language


async def test_every_tool_of_the_built_in_server_has_words(qapp: QApplication, tmp_path: Path) -> None:
    server, _shell = create_server(tmp_path)
    async with Client(server) as client:
        listed = await client.list_tools()
    with marked_language(qapp):
        for each in listed:
            assert bundled_title("command", each.name).startswith("«")
            of_server = tool(name=each.name, server="command", bundled=True, description=each.description or "")
            assert tool_purpose(of_server).startswith("«")
            assert tool_purpose(of_server) != each.description
            assert bundled_title("files", each.name) == ""
            assert tool_purpose(dataclasses.replace(of_server, bundled=False)) in (each.description or "")


def test_an_unknown_tool_and_field_stay_as_they_came(qapp: QApplication) -> None:
    with marked_language(qapp):
        assert bundled_title("command", "later") == ""
        assert tool_purpose(tool(bundled=True, description="For you.\n\nFor the model.")) == "For you."
        assert field_title("Answer") == "«Answer"
        assert field_title("Your name") == "Your name"


def test_the_settings_say_in_the_language_what_the_built_in_tools_are_for(qapp: QApplication, qtbot: QtBot) -> None:
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    entry = ServerEntry(key="command", origin=ServerOrigin.BUNDLED, id="command")
    built_in = tool(name="calculate", server="command", bundled=True, description="Return the value.")
    other = tool(name="read", description="Reads a file.")
    with marked_language(qapp):
        details = ServerDetails(theme, ServerView(entry=entry, tools=(built_in, other)))
        qtbot.addWidget(details)
        box = details.findChild(PlainBox, "serverTools")
        assert box is not None
        assert box.toPlainText().splitlines() == [
            "calculate: «Does arithmetic. Whole numbers and decimal fractions are exact.",
            "read: Reads a file.",
        ]
    theme.deleteLater()
