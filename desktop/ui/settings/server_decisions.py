"""What the user decides about a server and each of its tools: trusted or not, and whether a tool is off, asks or runs."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.tools.entities import Finding, ServerEntry, ToolDescriptor
from desktop.tools.trust import ToolRule
from desktop.tools.visible_text import reveal
from desktop.ui.bundled_words import tool_purpose
from desktop.ui.change_words import finding_text
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.settings.controls import Switch
from desktop.ui.settings.page import SettingRow
from desktop.ui.settings.server_view import ServerView

USUAL = "usual"
ALL, ONE = "all", "one"
FIRST_TOOLS = 20
"""More of them are made when somebody asks: each takes a millisecond or two."""
_MOST_OF_NAME = 80
_MOST_OF_DESCRIPTION = 300


class ServerDecisions(QWidget):
    """For servers of the settings. ``decided`` carries a key of the entry and its new value, None as at first."""

    decided = Signal(str, object)
    filled = Signal()

    def __init__(self, view: ServerView) -> None:
        super().__init__()
        key = view.entry.key
        self._view = view
        self._trusted = Switch(f"trusted-{key}")
        self._trusted.clicked.connect(lambda on: self.decided.emit("trusted", True if on else None))
        self._chats = ChoiceBox(f"chats-{key}", ALL, ONE)
        self._chats.activated.connect(lambda _index: self.decided.emit("chats", self._chats.key))
        self._rule = ChoiceBox(f"rule-{key}", USUAL, *ToolRule)
        self._rule.activated.connect(lambda _index: self.decided.emit("rule", _chosen(self._rule)))
        self._rows = {
            "trusted": SettingRow(self._trusted),
            "chats": SettingRow(self._chats),
            "rule": SettingRow(self._rule),
        }
        self._tools = QWidget()
        self._tool_rows: dict[str, _ToolRow] = {}
        self._shown_tools = FIRST_TOOLS
        self._more = QPushButton()
        self._more.setObjectName(f"moreTools-{key}")
        self._more.clicked.connect(self._show_more)
        self._tool_column = QVBoxLayout(self._tools)
        self._tool_column.setContentsMargins(0, 0, 0, 0)
        self._tool_column.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for row in self._rows.values():
            row.layout().setContentsMargins(0, 6, 0, 6)  # type: ignore[union-attr]
            layout.addWidget(row)
        layout.addWidget(self._tools)
        layout.addWidget(self._more)
        self.show_view(view)

    def show_view(self, view: ServerView) -> None:
        self._view = view
        trust = view.entry.trust
        self._trusted.setChecked(trust.is_trusted)
        self._chats.show_key(ONE if view.entry.chats else ALL)
        self._rule.show_key(trust.rule.value if trust.rule is not None else USUAL)
        self._show_tools()
        self.retranslate()

    def tab_stops(self) -> list[QWidget]:
        """What Tab stops at, in reading order."""
        return [self._trusted, self._chats, self._rule, *(row.box for row in self._tool_rows.values()), self._more]

    def retranslate(self) -> None:
        entry = self._view.entry
        self._rows["trusted"].set_texts(
            self.tr("Trusted"),
            self.tr(
                "What it returns counts as if you had written it, and what it says of its tools is believed. Leave it"
                " off for servers that read mail, web pages or other people's files."
            ),
        )
        titles = ", ".join(reveal(title[:_MOST_OF_NAME], keep_newlines=False) for title in self._view.chat_titles)
        one = titles or reveal(self._view.open_chat[:_MOST_OF_NAME], keep_newlines=False)
        self._chats.set_words(
            self.tr("In all chats"),
            self.tr("Only in “%1”").replace("%1", one) if one else self.tr("Only in the open chat"),
        )
        self._chats.setEnabled(bool(one))
        self._rows["chats"].set_texts(
            self.tr("Where it is offered"), self.tr("In other chats the model does not know its tools.")
        )
        self._rule.set_words(*_rule_words())
        self._rows["rule"].set_texts(self.tr("All its tools"), self.tr("The stricter of this and a tool's own counts."))
        for row in self._tool_rows.values():
            row.retranslate()
        left = len(self._view.tools) - len(self._tool_rows)
        self._more.setText(self.tr("Show %n more tools", "", left))
        self._more.setVisible(left > 0)
        self._name_controls(entry)

    def _name_controls(self, entry: ServerEntry) -> None:
        self._more.setAccessibleName(self._more.text())
        for name, row in self._rows.items():
            row.control.setAccessibleName(f"{row.control.accessibleName()} ({reveal(entry.key[:40])})")
            row.setObjectName(f"{name}Row-{entry.key}")

    def _show_tools(self) -> None:
        wanted = {tool.name: tool for tool in self._view.tools[: self._shown_tools]}
        held = {item.name for item in self._view.held}
        for name in [name for name in self._tool_rows if name not in wanted]:
            row = self._tool_rows.pop(name)
            row.hide()
            row.deleteLater()
        for name, tool in wanted.items():
            if name not in self._tool_rows:
                row = self._tool_rows[name] = _ToolRow(self._view.entry.key, tool)
                row.chosen.connect(self._tool_chosen)
                self._tool_column.addWidget(row)
                row.show()
            rule = self._view.entry.trust.tool_rules.get(name)
            self._tool_rows[name].show_tool(tool, rule, self._view.noticed.get(name, ()), name in held)
        self.filled.emit()

    def _show_more(self) -> None:
        self._shown_tools += FIRST_TOOLS * 2
        self._show_tools()
        self.retranslate()

    def _tool_chosen(self, name: str, rule: object) -> None:
        rules = {tool: own.value for tool, own in self._view.entry.trust.tool_rules.items() if tool != name}
        if rule is not None:
            rules[name] = str(rule)
        self.decided.emit("tools", rules or None)


class _ToolRow(QFrame):
    """One tool: its name, what it says it does, and what may happen when the model calls it."""

    chosen = Signal(str, object)

    def __init__(self, server: str, tool: ToolDescriptor) -> None:
        super().__init__()
        self._tool = tool
        self._noticed: Sequence[Finding] = ()
        self._is_held = False
        self.box = ChoiceBox(f"tool-{server}-{tool.name[:_MOST_OF_NAME]}", USUAL, *ToolRule)
        self.box.activated.connect(lambda _index: self.chosen.emit(self._tool.name, _chosen(self.box)))
        self._row = SettingRow(self.box)
        self._row.layout().setContentsMargins(0, 6, 0, 6)  # type: ignore[union-attr]
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._row)
        self.retranslate()

    def show_tool(self, tool: ToolDescriptor, rule: ToolRule | None, noticed: Sequence[Finding], is_held: bool) -> None:
        self._tool, self._noticed, self._is_held = tool, noticed, is_held
        self.box.show_key(rule.value if rule is not None else USUAL)

    def retranslate(self) -> None:
        self.box.set_words(*_rule_words())
        said = " ".join(tool_purpose(self._tool).split())
        words = reveal(said[:_MOST_OF_DESCRIPTION]) + ("…" if len(said) > _MOST_OF_DESCRIPTION else "")
        marks = [finding_text(finding) for finding in self._noticed]
        if self._is_held:
            marks.insert(0, QCoreApplication.translate("ServerDecisions", "Held until you have looked at its change"))
        words = "\n".join([*(f"⚠ {mark}" for mark in marks), words])
        self._row.set_texts(reveal(self._tool.name[:_MOST_OF_NAME], keep_newlines=False), words)


def _rule_words() -> tuple[str, ...]:
    """The words of the choices: as usual, then those of ``ToolRule`` in its order."""
    translate = QCoreApplication.translate
    return (
        translate("ServerDecisions", "As usual"),
        translate("ServerDecisions", "Off"),
        translate("ServerDecisions", "Always ask"),
        translate("ServerDecisions", "Run unasked"),
    )


def _chosen(box: ChoiceBox) -> str | None:
    return None if box.key == USUAL else box.key
