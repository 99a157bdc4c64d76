"""What every page of the settings is made of: sections with rows, each a title, an explanation and a control."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.ui.controls import describe

CONTENT_WIDTH = 720
"""The greatest width of a page's content; wider lines are hard to read."""


class SettingRow(QFrame):
    """One setting. A screen reader hears title and explanation with the control; a click on the title goes to it.

    With ``wide`` the control stands below the words, over the whole width.
    """

    def __init__(self, control: QWidget, *, wide: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "settingRow")
        self.control = control
        self._keywords = ""
        self._title = _words("settingTitle")
        self._title.setBuddy(control)
        self._description = _words("muted")
        self._description.hide()
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self._title)
        words.addWidget(self._description)
        layout = QVBoxLayout(self) if wide else QHBoxLayout(self)
        layout.setContentsMargins(16, 11, 16, 11)
        layout.setSpacing(8 if wide else 20)
        layout.addLayout(words, 0 if wide else 1)
        if wide:
            layout.addWidget(control)
        else:
            layout.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)

    def set_texts(self, title: str, description: str = "", *, keywords: str = "") -> None:
        """Set the words shown. ``keywords`` are further words that the search finds this row by."""
        self._title.setText(title)
        self._description.setText(description)
        self._description.setVisible(bool(description))
        self._keywords = keywords
        self.control.setAccessibleName(title)
        self.control.setAccessibleDescription(description)

    def matches(self, words: Sequence[str]) -> bool:
        """Tell whether all the (case-folded) words occur in what this row says."""
        text = f"{self._title.text()} {self._description.text()} {self._keywords}".casefold()
        return all(word in text for word in words)

    def set_marked(self, marked: bool) -> None:
        """Make the row stand out as something that was found."""
        if self.property("marked") != marked:
            self.setProperty("marked", marked)
            self.style().unpolish(self)
            self.style().polish(self)


class SettingsSection(QWidget):
    """A card with a heading above it and rows or other widgets inside, divided by lines."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows: list[SettingRow] = []
        self._heading = _words("sectionHeading")
        self._heading.hide()
        self._card = QFrame()
        self._card.setProperty("role", "settingCard")
        self._inside = QVBoxLayout(self._card)
        self._inside.setContentsMargins(0, 0, 0, 0)
        self._inside.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self._heading)
        layout.addWidget(self._card)

    def set_heading(self, text: str) -> None:
        self._heading.setText(text)
        self._heading.setVisible(bool(text))

    def add_row(self, control: QWidget, *, wide: bool = False) -> SettingRow:
        """Add a row for ``control``; give it its words with ``set_texts``."""
        row = SettingRow(control, wide=wide)
        self.rows.append(row)
        self.add_widget(row)
        return row

    def add_widget(self, widget: QWidget) -> None:
        """Add something that is no row, for example a list."""
        if self._inside.count():
            line = QFrame()
            line.setProperty("role", "settingLine")
            line.setFixedHeight(1)
            self._inside.addWidget(line)
        self._inside.addWidget(widget)


class SettingsPage(QScrollArea):
    """One subject of the settings. A subclass adds sections and sets all words in ``retranslate``.

    Signals:
        reset_requested: the user wants this page as it was at first.
    """

    reset_requested = Signal()

    def __init__(self, key: str, icon: str, *, can_reset: bool = True, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.key = key
        """For example ``appearance``; also names the page for tests (``settingsPage-appearance``)."""
        self.icon = icon
        self.sections: list[SettingsSection] = []
        self.setObjectName(f"settingsPage-{key}")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._title = _words("heading")
        self._description = _words("muted")
        self._reset = QPushButton()
        self._reset.setObjectName(f"reset-{key}")
        self._reset.clicked.connect(self.reset_requested)
        self._reset.setVisible(can_reset)
        self._column = QVBoxLayout()
        self._column.setSpacing(18)
        self._arrange()

    @property
    def title(self) -> str:
        return self._title.text()

    def set_texts(self, title: str, description: str) -> None:
        self._title.setText(title)
        self._description.setText(description)
        self.setAccessibleName(title)
        text = self.tr("Reset this page")
        self._reset.setText(text)
        describe(self._reset, text, tooltip=self.tr("Back to how it was at first; this can be undone"))

    def add_section(self) -> SettingsSection:
        section = SettingsSection()
        self.sections.append(section)
        self._column.addWidget(section)
        return section

    def add_widget(self, widget: QWidget) -> None:
        """Add something outside the cards."""
        self._column.addWidget(widget)

    def search(self, query: str) -> list[SettingRow]:
        """Mark the rows that contain all words of ``query``, and return them; an empty query marks none."""
        words = query.casefold().split()
        found: list[SettingRow] = []
        for section in self.sections:
            for row in section.rows:
                matches = bool(words) and row.matches(words)
                row.set_marked(matches)
                if matches:
                    found.append(row)
        return found

    def title_matches(self, query: str) -> bool:
        text = f"{self._title.text()} {self._description.text()}".casefold()
        return all(word in text for word in query.casefold().split())

    def retranslate(self) -> None:
        """Set every word of the page; called when it was made and when the language changed."""
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _arrange(self) -> None:
        content = QWidget()
        content.setObjectName("settingsContent")
        content.setMaximumWidth(CONTENT_WIDTH)
        inside = QVBoxLayout(content)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(18)
        head = QVBoxLayout()
        head.setSpacing(4)
        head.addWidget(self._title)
        head.addWidget(self._description)
        inside.addLayout(head)
        inside.addLayout(self._column)
        inside.addWidget(self._reset, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addStretch(1)
        page = QWidget()
        page.setObjectName("settingsCanvas")
        row = QHBoxLayout(page)
        row.setContentsMargins(28, 24, 28, 28)
        row.addWidget(content, 1000)
        row.addStretch(1)
        self.setWidget(page)


def _words(role: str) -> QLabel:
    label = QLabel()
    label.setProperty("role", role)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
