"""What stands below a server's line when it is unfolded: what exactly is started, what went wrong, which tools it has."""

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.tools.entities import ServerEntry, ServerOrigin, ToolDescriptor
from desktop.tools.visible_text import reveal
from desktop.ui.bundled_words import tool_purpose
from desktop.ui.dialogs.display_lines import DisplayLine, display_lines
from desktop.ui.dialogs.parts import fact_grid, plain_label
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.server_words import status_lines
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.server_decisions import ServerDecisions
from desktop.ui.settings.server_view import ServerView
from desktop.ui.state.command_line import join_command_line
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_TOOLS = 100
_MOST_OF_DESCRIPTION = 300
_MOST_OF_INSTRUCTIONS = 8_000


class ServerDetails(QWidget):
    """Rebuilt when what it shows has changed, ``filled`` tells; values of the environment and of headers stay hidden."""

    filled = Signal()
    decided = Signal(str, object)
    edit_requested = Signal()
    remove_requested = Signal()
    sign_out_requested = Signal()
    changes_requested = Signal()
    diagnosis_requested = Signal()

    def __init__(self, theme: ThemeManager, view: ServerView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._view = view
        self.setObjectName(f"details-{view.entry.key}")
        self._sign_out, self._edit, self._remove = QPushButton(), QPushButton(), QPushButton()
        self._sign_out.setObjectName(f"signOut-{view.entry.key}")
        self._sign_out.clicked.connect(self.sign_out_requested)
        self._edit.setObjectName(f"edit-{view.entry.key}")
        self._remove.setObjectName(f"remove-{view.entry.key}")
        self._remove.setProperty("role", "danger")
        self._edit.clicked.connect(self.edit_requested)
        self._remove.clicked.connect(self.remove_requested)
        self._changes, self._diagnosis = QPushButton(), QPushButton()
        self._changes.setObjectName(f"changes-{view.entry.key}")
        self._changes.clicked.connect(self.changes_requested)
        self._diagnosis.setObjectName(f"diagnosis-{view.entry.key}")
        self._diagnosis.clicked.connect(self.diagnosis_requested)
        self._content: QWidget | None = None
        self._decisions = ServerDecisions(view) if view.can_be_edited else None
        buttons = QWidget()
        buttons.setLayout(Wrapping(self._changes, self._diagnosis, self._sign_out, self._edit, self._remove))
        for button in (self._edit, self._remove):
            button.setVisible(view.can_be_edited)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(45, 0, 16, 16)
        self._layout.setSpacing(10)
        if self._decisions is not None:
            self._decisions.decided.connect(self.decided)
            self._decisions.filled.connect(self.filled)
            self._layout.addWidget(self._decisions)
        self._layout.addWidget(buttons)
        theme.changed.connect(self._fill)  # the boxes keep fonts and colours of their own
        self.retranslate()

    def show_view(self, view: ServerView) -> None:
        if view != self._view:
            self._view = view
            if self._decisions is not None:
                self._decisions.show_view(view)
            self._fill()

    def tab_stops(self) -> list[QWidget]:
        """What Tab stops at, in reading order."""
        boxes = self._content.findChildren(PlainBox) if self._content is not None else []
        decisions = self._decisions.tab_stops() if self._decisions is not None else []
        return [*boxes, *decisions, self._changes, self._diagnosis, self._sign_out, self._edit, self._remove]

    def retranslate(self) -> None:
        name = reveal(self._view.entry.key, keep_newlines=False)
        self._sign_out.setText(self.tr("Sign out"))
        self._sign_out.setAccessibleName(self.tr("Sign out of %1").replace("%1", name))
        self._changes.setText(self.tr("Changes…"))
        self._changes.setAccessibleName(self.tr("Changed tools of %1").replace("%1", name))
        self._diagnosis.setText(self.tr("Diagnosis…"))
        self._diagnosis.setAccessibleName(self.tr("Diagnosis of %1").replace("%1", name))
        self._edit.setText(self.tr("Edit…"))
        self._edit.setAccessibleName(self.tr("Edit %1").replace("%1", name))
        self._remove.setText(self.tr("Remove"))
        self._remove.setAccessibleName(self.tr("Remove %1").replace("%1", name))
        if self._decisions is not None:
            self._decisions.retranslate()
        self._fill()

    def _fill(self) -> None:
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        status = self._view.status
        self._sign_out.setVisible(bool(self._view.signed_in_at))
        self._changes.setVisible(bool(self._view.held))
        if status is not None and status.text and self._view.entry.enabled:
            caption = self.tr("What went wrong") if self._view.has_failed else self.tr("What was noticed")
            self._add_box(
                column, caption, "serverDetail", display_lines("\n".join(status_lines(status)), numbered=False), "quote"
            )
        entry = self._view.entry
        self._add_start(column, entry)
        if facts := self._facts(entry):
            column.addWidget(fact_grid(facts))
        if self._view.tools and self._decisions is None:
            caption = self.tr("%n tools", "", len(self._view.tools))
            self._add_box(column, caption, "serverTools", _tool_lines(self._view.tools), "quote", most_lines=14)
        if words := self._view.instructions.strip():
            lines = display_lines(words[:_MOST_OF_INSTRUCTIONS], numbered=False)
            self._add_box(
                column, self.tr("What it says of itself, to every model"), "serverInstructions", lines, "quote"
            )
        if self._content is not None:
            self._layout.removeWidget(self._content)
            self._content.hide()
            self._content.deleteLater()
        self._content = content
        self._layout.insertWidget(0, content)
        self.filled.emit()

    def _add_start(self, column: QVBoxLayout, entry: ServerEntry) -> None:
        if entry.transport.is_web:
            caption, text = self.tr("The exact address"), entry.url
        else:
            caption, text = self.tr("The exact command"), join_command_line(entry.argv)
        if text:
            self._add_box(column, caption, "serverLine", display_lines(text, numbered=False), "code")

    def _facts(self, entry: ServerEntry) -> list[tuple[str, str, str]]:
        facts: list[tuple[str, str, str]] = []
        if entry.cwd and entry.origin is not ServerOrigin.BUNDLED:  # its own folder says nothing: commands name theirs
            facts.append(("folder", self.tr("Folder"), reveal(entry.cwd)))
        if entry.env:
            facts.append(("env", self.tr("Environment"), _names(entry.env)))
        if entry.headers:
            facts.append(("headers", self.tr("Headers"), _names(entry.headers)))
        if secrets := [item.id for item in entry.inputs if item.is_secret and item.kept]:
            facts.append(("secrets", self.tr("Secrets"), reveal(", ".join(secrets), keep_newlines=False)))
        if host := self._view.signed_in_at:
            facts.append(("signed_in", self.tr("Signed in at"), reveal(host[:200], keep_newlines=False)))
        if entry.call_seconds is not None:
            facts.append(("timeout", self.tr("Time limit"), self.tr("%n seconds", "", round(entry.call_seconds))))
        if entry.knows_folder:
            facts.append(("chat_folder", self.tr("Folder of the chat"), self.tr("The server may ask for it")))
        if entry.may_ask_model:
            words = self.tr("The server may ask to use it; you are asked each time")
            facts.append(("model", self.tr("Your model"), words))
        return facts

    def _add_box(
        self,
        column: QVBoxLayout,
        caption: str,
        name: str,
        lines: tuple[DisplayLine, ...],
        role: str,
        *,
        most_lines: int = 8,
    ) -> None:
        column.addWidget(plain_label(caption, "muted"))
        box = PlainBox(lines, self._theme, role=role, least_lines=1, most_lines=most_lines)
        box.setObjectName(name)
        box.setAccessibleName(caption)
        column.addWidget(box)


def _names(values: Mapping[str, str]) -> str:
    return reveal(", ".join(sorted(values)), keep_newlines=False)


def _tool_lines(tools: tuple[ToolDescriptor, ...]) -> tuple[DisplayLine, ...]:
    """Return one line for each tool, its name to stand out."""
    lines: list[DisplayLine] = []
    for tool in tools[:_MOST_TOOLS]:
        name = reveal(tool.name[:80], keep_newlines=False)
        words = reveal(" ".join(tool_purpose(tool).split())[:_MOST_OF_DESCRIPTION])
        text = f"{name}: {words}" if words else name
        lines.append(DisplayLine(text, strong=((0, len(name)),)))
    if len(tools) > _MOST_TOOLS:
        lines.append(DisplayLine(f"… (+{len(tools) - _MOST_TOOLS})"))
    return tuple(lines)
