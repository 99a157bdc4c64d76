"""Before a server is started or asked for the first time: exactly which one, for the person to agree to."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.tools.entities import Finding, ServerEntry
from desktop.tools.server_inputs import filled
from desktop.tools.start_findings import start_findings
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.confirm import confirm
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.parts import fact_grid, icon_label, plain_label
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.server_words import finding_words
from desktop.ui.state.command_line import join_command_line
from desktop.ui.state.server_secrets import is_secret
from desktop.ui.theme.theme_manager import ThemeManager

HIDDEN = "••••••"
_BOX_WIDTH = 470


async def may_start(parent: QWidget, theme: ThemeManager, entry: ServerEntry) -> bool:
    """Show the exact line and ask; True only for a click that agrees."""
    translate = QCoreApplication.translate
    name = reveal(entry.key, keep_newlines=False)
    if entry.transport.is_web:
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
        danger=any(finding.severe for finding in start_findings(entry.argv, entry.env, entry.url, entry.headers)),
        details=_details(theme, entry),
    )


async def asks_about_place(parent: QWidget | None, theme: ThemeManager, entry: ServerEntry, address: str) -> bool:
    """Ask whether the server is meant to be where its address leads now: inside this computer or its network."""
    translate = QCoreApplication.translate
    title = translate("StartQuestion", "Connect to “%1” inside your computer or network?")
    text = translate(
        "StartQuestion",
        "Its address leads to %1 now. That is right for a server of your company or at home. Where a name on the"
        " internet suddenly leads there, somebody may want to reach through Threadwell what only this computer reaches.",
    )
    return await confirm(
        parent,
        title=title.replace("%1", reveal(entry.key, keep_newlines=False)),
        text=text.replace("%1", reveal(address, keep_newlines=False)),
        confirm_label=translate("StartQuestion", "Connect"),
        details=_details(theme, entry),
    )


def _details(theme: ThemeManager, entry: ServerEntry) -> QWidget:
    translate = QCoreApplication.translate
    details = QWidget()
    column = QVBoxLayout(details)
    column.setContentsMargins(0, 4, 0, 0)
    column.setSpacing(8)
    for finding in start_findings(entry.argv, entry.env, entry.url, entry.headers):
        column.addWidget(_finding(theme, finding))
    if entry.transport.is_web:
        _add_box(column, theme, "startLine", translate("StartQuestion", "Exact address"), entry.url)
    else:
        line = join_command_line(entry.argv)
        _add_box(column, theme, "startLine", translate("StartQuestion", "Exact command"), line)
    if entry.cwd:
        column.addWidget(fact_grid([("folder", translate("StartQuestion", "Folder"), reveal(entry.cwd))]))
    if entry.env:
        secrets = {item.id: HIDDEN for item in entry.inputs if item.is_secret}
        shown = {
            name: HIDDEN if is_secret(name, value) else filled(value, secrets) for name, value in entry.env.items()
        }
        lines = [f"{name}={value}" for name, value in shown.items()]
        _add_box(column, theme, "startEnvironment", translate("StartQuestion", "Environment"), "\n".join(lines))
    if entry.headers:
        names = reveal(", ".join(sorted(entry.headers)), keep_newlines=False)
        column.addWidget(fact_grid([("headers", translate("StartQuestion", "Headers"), names)]))
    if secrets := [item.id for item in entry.inputs if item.is_secret]:
        names = reveal(", ".join(secrets), keep_newlines=False)
        column.addWidget(fact_grid([("secrets", translate("StartQuestion", "Secrets it gets"), names)]))
    return details


def _finding(theme: ThemeManager, finding: Finding) -> QWidget:
    row = QWidget()
    row.setObjectName(f"startFinding-{finding.code}")
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    colour = "error" if finding.severe else "warning"
    layout.addWidget(icon_label(theme, "triangle-alert", colour, 16), 0, Qt.AlignmentFlag.AlignTop)
    layout.addWidget(plain_label(finding_words(finding), "error" if finding.severe else ""), 1)
    return row


def _add_box(column: QVBoxLayout, theme: ThemeManager, name: str, caption: str, text: str) -> None:
    box = PlainBox(display_lines(text, numbered=False), theme, role="code", least_lines=4, most_lines=8)
    box.setObjectName(name)
    box.setAccessibleName(caption)
    box.fit(_BOX_WIDTH)  # the dialog is as high as what it shows before it knows its width
    column.addWidget(plain_label(caption, "section"))
    column.addWidget(box)
