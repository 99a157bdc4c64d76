"""What other programs of this computer have set up, to choose from: each with the exact line; nothing starts here."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QVBoxLayout, QWidget

from desktop.tools.elsewhere import Elsewhere, ElsewhereProblem
from desktop.tools.entities import Finding, ServerEntry
from desktop.tools.start_findings import start_findings
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.endpoints.parts import words
from desktop.ui.error_words import detail_in_language
from desktop.ui.punctuation import labelled
from desktop.ui.server_words import finding_words, problem_words
from desktop.ui.settings.list_dialog import ListDialog
from desktop.ui.state.command_line import join_command_line
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_OF_NAME = 80
_MOST_SERVERS = 200


class ImportDialog(ListDialog):
    """Signals:
    chosen: the places in ``offers`` of the servers that are to be added, in their order.
    """

    chosen = Signal(list)

    def __init__(
        self,
        parent: QWidget | None,
        theme: ThemeManager,
        offers: Sequence[tuple[Elsewhere, ServerEntry, bool]],
        problems: Sequence[Elsewhere],
    ) -> None:
        """``offers`` are servers, where they come from, and whether just that line is among the user's already."""
        super().__init__("importServers", parent, theme)
        self._rows = [_ImportRow(theme, n, *offer) for n, offer in enumerate(offers[:_MOST_SERVERS])]
        self._problems = [_ProblemRow(place) for place in problems]
        for row in self._rows:
            row.tick.toggled.connect(self._count)
        self._empty = words("muted", "importEmpty")
        self._empty.setContentsMargins(16, 14, 16, 14)
        self._cancel, self._add = self.add_button("importCancel"), self.add_button("importAdd", accepts=True)
        self._cancel.clicked.connect(self.reject)
        self._add.clicked.connect(self._accept)
        self.set_rows([*self._rows, *self._problems] or [self._empty])
        self.retranslate()

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Import from other programs"),
            self.tr(
                "Found in the settings of other programs. What you choose is added switched off; keys go into your"
                " system's keychain. Nothing is started or contacted."
            ),
        )
        self._empty.setText(self.tr("No other program with tool servers was found on this computer."))
        self._cancel.setText(self.tr("Cancel") if self._rows else self.tr("Close"))
        for row in (*self._rows, *self._problems):
            row.retranslate()
        self._count()

    def _count(self) -> None:
        count = len(self._picked())
        self._add.setText(self.tr("Add %n servers", "", count) if count else self.tr("Add"))
        self._add.setEnabled(count > 0)
        self._add.setVisible(bool(self._rows))
        for button in (self._cancel, self._add):
            button.setAccessibleName(button.text())

    def _picked(self) -> list[int]:
        return [n for n, row in enumerate(self._rows) if row.tick.isChecked()]

    def _accept(self) -> None:
        self.chosen.emit(self._picked())
        self.accept()


class _ImportRow(QFrame):
    def __init__(self, theme: ThemeManager, number: int, place: Elsewhere, entry: ServerEntry, is_known: bool) -> None:
        super().__init__()
        self._place, self._entry, self._is_known = place, entry, is_known
        self.tick = QCheckBox()
        self.tick.setObjectName(f"import-{number}")
        self._from = words("muted")
        line = entry.url or join_command_line(entry.argv)
        self._line = PlainBox(display_lines(line, numbered=False), theme, role="code", least_lines=1, most_lines=4)
        self._line.setObjectName(f"importLine-{number}")
        self._line.setVisible(bool(line))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 12)
        layout.setSpacing(5)
        layout.addWidget(self.tick)
        layout.addWidget(self._from)
        layout.addWidget(self._line)
        self._notes = [(words("error" if f.severe else "warning"), f) for f in _findings_of(entry)]
        for label, _finding in self._notes:
            layout.addWidget(label)

    def retranslate(self) -> None:
        name = reveal(self._entry.key[:_MOST_OF_NAME], keep_newlines=False)
        self.tick.setText(name)
        self.tick.setAccessibleName(labelled(name, self._place.program))
        notes = [self._place.program]
        if self._is_known:
            notes.append(self.tr("already among your servers"))
        if self._entry.problem:
            notes.append(problem_words(self._entry.problem, self._entry.problem_detail))
        if names := [*self._entry.env, *self._entry.headers]:
            shown = reveal(", ".join(names[:6])[:_MOST_OF_NAME], keep_newlines=False)
            notes.append(self.tr("with %1").replace("%1", shown))
        self._from.setText(" · ".join(notes))
        self._from.setToolTip(self._place.path)
        self._line.setAccessibleName(labelled(self.tr("Exact line"), name))
        for label, finding in self._notes:
            label.setText(finding_words(finding))


def _findings_of(entry: ServerEntry) -> tuple[Finding, ...]:
    return start_findings(entry.argv, entry.env, entry.url, entry.headers)


class _ProblemRow(QFrame):
    def __init__(self, place: Elsewhere) -> None:
        super().__init__()
        self._place = place
        self._name, self._words = words("settingTitle"), words("muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(16, 10, 16, 12)
        layout.setSpacing(4)
        layout.addWidget(self._name)
        layout.addWidget(self._words)

    def retranslate(self) -> None:
        place = self._place
        self._name.setText(place.program)
        detail = reveal(detail_in_language(place.detail)[:200], keep_newlines=False).rstrip(".。")
        match place.problem:
            case ElsewhereProblem.DATABASE:
                text = self.tr(
                    "Its database cannot be read here. Open its settings for MCP servers, choose to edit them as JSON,"
                    " copy all of that text, and choose “Paste JSON” here."
                )
            case ElsewhereProblem.TOO_LARGE:
                text = self.tr("Its file is too large to be read.")
            case ElsewhereProblem.DAMAGED:
                text = self.tr("Its file is damaged: %1").replace("%1", detail) if detail else self.tr("It is damaged.")
            case _:
                text = self.tr("Its file cannot be read. %1").replace("%1", detail)
        self._words.setText(f"{text}\n{reveal(place.path)}")
