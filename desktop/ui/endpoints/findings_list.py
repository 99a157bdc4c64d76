"""What works at an endpoint, one by one: a tick, a cross or a dash, and the words for it."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from desktop.core.endpoints import Ability, Finding
from desktop.ui.endpoints.parts import words
from desktop.ui.punctuation import follow, sentence
from desktop.ui.theme.theme_manager import ThemeManager

ICON = 14


class FindingsList(QWidget):
    """Hidden where there is nothing to say."""

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setObjectName("findings")
        self._theme = theme
        self._findings: tuple[Finding, ...] = ()
        self._rows: dict[Ability, tuple[QLabel, QLabel]] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 2, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(2)
        for number, ability in enumerate(Ability):
            icon, text = QLabel(), words("muted", f"finding-{ability}")
            icon.setContentsMargins(0, 3, 0, 0)  # in the middle of the first line
            row, column = number % 3, number // 3 * 3
            grid.addWidget(icon, row, column, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(text, row, column + 1)
            self._rows[ability] = icon, text
        grid.setColumnMinimumWidth(2, 10)
        grid.setColumnStretch(1, 1)
        grid.setColumnStretch(4, 1)
        theme.changed.connect(self._paint)
        self.hide()

    @property
    def spoken(self) -> str:
        """All of it as sentences, for a screen reader."""
        words = [text.text() for _, text in self._rows.values() if text.text()]
        return follow(*map(sentence, words)) if words else ""

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these in the language shown now."""
        self._findings = tuple(findings)
        for finding in self._findings:
            self._rows[finding.ability][1].setText(self._words_for(finding))
        self._paint()
        self.setVisible(bool(self._findings))

    def _paint(self) -> None:
        size = self._theme.px(ICON)
        for finding in self._findings:
            name, colour = {True: ("check", "ok"), False: ("x", "error"), None: ("minus", "muted")}[finding.works]
            self._rows[finding.ability][0].setPixmap(self._theme.icon(name, colour, size).pixmap(QSize(size, size)))

    def _words_for(self, finding: Finding) -> str:
        if finding.tokens is not None:
            tokens = self.locale().toString(finding.tokens)
            as_set = finding.note == "as_set"
            words = self.tr("Reads %1 tokens, as you set it") if as_set else self.tr("Reads %1 tokens")
            return words.replace("%1", tokens)
        if finding.note and (words := self._words_for_note(finding.note)):
            return words
        yes, no, unknown = {
            Ability.REACHABLE: (self.tr("Reachable"), self.tr("Not reachable"), self.tr("Not reachable")),
            Ability.KEY: (self.tr("Key accepted"), self.tr("Key refused"), self.tr("Key: not known")),
            Ability.MODEL: (self.tr("Model answers"), self.tr("No such model"), self.tr("Model: not known")),
            Ability.STREAMING: (
                self.tr("Streams word by word"),
                self.tr("Answers in one piece only"),
                self.tr("Streaming: not known"),
            ),
            Ability.TOOLS: (self.tr("Calls tools"), self.tr("Takes no tools"), self.tr("Tools: not known")),
            Ability.CONTEXT: ("", "", self.tr("Context length: not told")),
        }[finding.ability]
        return unknown if finding.works is None else yes if finding.works else no

    def _words_for_note(self, note: str) -> str:
        return {
            "not_needed": self.tr("No key needed"),
            "not_listed": self.tr("Model answers, though it is not listed"),
            "not_called": self.tr("Takes tools, but did not call one"),
            "switched_off": self.tr("Tools are switched off for it"),
        }.get(note, "")
