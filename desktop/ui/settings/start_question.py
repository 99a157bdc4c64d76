"""Before a server is started or asked for the first time: exactly which one, for the person to agree to."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.tools.entities import ServerEntry, Transport
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.parts import fact_grid, plain_label
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.state.command_line import join_command_line
from desktop.ui.state.server_draft import is_secret
from desktop.ui.theme.theme_manager import ThemeManager

HIDDEN = "••••••"
_BOX_WIDTH = 470


async def may_start(parent: QWidget, theme: ThemeManager, entry: ServerEntry) -> bool:
    """Show the exact line and ask; True only for a click that agrees."""
    translate = QCoreApplication.translate
    name = reveal(entry.key, keep_newlines=False)
    if entry.transport is Transport.HTTP:
        title = translate("StartQuestion", "Connect to “%1”?")
        text = translate(
            "StartQuestion",
            "Threadwell has not connected to this address before. What the model passes to its tools is sent there.",
        )
        label = translate("StartQuestion", "Connect")
    else:
        title = translate("StartQuestion", "Start “%1”?")
        text = translate(
            "StartQuestion",
            "This program has not been started before. It will run on this computer with all your rights, now and"
            " every time Threadwell starts, until you switch it off. Is this what you meant?",
        )
        label = translate("StartQuestion", "Start")
    return await confirm(
        parent,
        title=title.replace("%1", name),
        text=text,
        confirm_label=label,
        danger=False,
        details=_details(theme, entry),
    )


def _details(theme: ThemeManager, entry: ServerEntry) -> QWidget:
    translate = QCoreApplication.translate
    details = QWidget()
    column = QVBoxLayout(details)
    column.setContentsMargins(0, 4, 0, 0)
    column.setSpacing(8)
    if entry.transport is Transport.HTTP:
        _add_box(column, theme, "startLine", translate("StartQuestion", "Exact address"), entry.url)
    else:
        line = join_command_line(entry.argv)
        _add_box(column, theme, "startLine", translate("StartQuestion", "Exact command"), line)
    if entry.cwd:
        column.addWidget(fact_grid([("folder", translate("StartQuestion", "Folder"), reveal(entry.cwd))]))
    if entry.env:
        lines = [f"{name}={HIDDEN if is_secret(name, value) else value}" for name, value in entry.env.items()]
        _add_box(column, theme, "startEnvironment", translate("StartQuestion", "Environment"), "\n".join(lines))
    if entry.headers:
        names = reveal(", ".join(sorted(entry.headers)), keep_newlines=False)
        column.addWidget(fact_grid([("headers", translate("StartQuestion", "Headers"), names)]))
    return details


def _add_box(column: QVBoxLayout, theme: ThemeManager, name: str, caption: str, text: str) -> None:
    box = PlainBox(display_lines(text, numbered=False), theme, role="code", least_lines=8, most_lines=8)
    box.setObjectName(name)
    box.setAccessibleName(caption)
    box.fit(_BOX_WIDTH)  # the dialog is as high as what it shows before it knows its width
    column.addWidget(plain_label(caption, "section"))
    column.addWidget(box)
