"""What the user fills in for a prompt or a resource of a server, with what the server proposes while they type."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QStringListModel, Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QCompleter,
    QLineEdit,
    QListView,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from desktop.tools.server_content import ContentArgument
from desktop.tools.visible_text import reveal
from desktop.ui.controls import set_enabled
from desktop.ui.dialogs.parts import ending, plain_label, scrolled, set_plain
from desktop.ui.dialogs.returning_dialog import ReturningDialog

WIDTH = 460
PAUSE_MS = 200
MOST_CHARACTERS = 20_000
_MOST_WORDS = 300


class ArgumentForm(ReturningDialog):
    """Opened with ``open()``; deletes itself when closed. All its words but the labels of buttons are the server's.

    Signals:
        filled: the user is done; carries the values by name.
        proposals_wanted: what the server proposes is wanted for the argument with this name, of which so much is typed.
    """

    filled = Signal(dict)
    proposals_wanted = Signal(str, str)

    def __init__(
        self, parent: QWidget, title: str, server: str, arguments: Sequence[ContentArgument], *, attaches: bool = False
    ) -> None:
        """``attaches`` where it leads to a file of the message, and not to text in it."""
        super().__init__(parent)
        self._attaches = attaches
        self.setObjectName("argumentForm")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._name, self._server = _shown(title), _shown(server)
        self._title, self._words = plain_label("", "heading"), plain_label("", "muted")
        self._fields = {argument.name: _Field(argument) for argument in arguments}
        self._asked = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        self._cancel, self._done = QPushButton(), QPushButton()
        self._cancel.setObjectName("argumentsCancel")
        self._done.setObjectName("argumentsDone")
        self._done.setProperty("role", "primary")
        self._done.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._done.clicked.connect(self._hand_over)
        self._arrange()
        self._retranslate()
        self._check()
        first = next(iter(self._fields.values()))
        first.edit.setFocus()

    @property
    def values(self) -> dict[str, str]:
        """What is filled in by now."""
        return {name: field.edit.text() for name, field in self._fields.items()}

    def show_proposals(self, name: str, typed: str, proposals: Sequence[str]) -> None:
        """Show what the server proposes, unless something else has been typed since."""
        field = self._fields.get(name)
        if field is not None and field.edit.text() == typed and self.focusWidget() is field.edit:
            field.propose(proposals)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _arrange(self) -> None:
        inside = QWidget()
        inside.setProperty("role", "clear")
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(0, 0, 8, 0)
        rows.setSpacing(10)
        for name, field in self._fields.items():
            rows.addWidget(field)
            field.edit.textChanged.connect(self._check)
            field.edit.textEdited.connect(lambda _text, name=name: self._typed(name))
        rows.addStretch(1)
        area = scrolled(inside)
        buttons = ending(accept=self._done, cancel=self._cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(6)
        layout.addWidget(self._title)
        layout.addWidget(self._words)
        layout.addSpacing(8)
        layout.addWidget(area, 1)
        layout.addSpacing(10)
        layout.addWidget(buttons)
        self._area = area

    def open(self) -> None:
        self.ensurePolished()
        parent = self.parentWidget()
        room = parent.width() - 60 if parent is not None else WIDTH
        self.fit(self._area, min(WIDTH, max(320, room)))
        super().open()

    def _retranslate(self) -> None:
        self.setWindowTitle(self._name)
        self.setAccessibleName(self._name)
        set_plain(self._title, self._name)
        set_plain(self._words, self.tr("The server %1 needs this from you.").replace("%1", self._server))
        self._cancel.setText(self.tr("Cancel"))
        self._done.setText(self.tr("Attach") if self._attaches else self.tr("Insert"))
        for field in self._fields.values():
            field.retranslate()

    def _check(self) -> None:
        set_enabled(self._done, all(f.edit.text().strip() or not f.argument.required for f in self._fields.values()))

    def _typed(self, name: str) -> None:
        self._asked = name
        self._pause.start()

    def _ask(self) -> None:
        self.proposals_wanted.emit(self._asked, self._fields[self._asked].edit.text())

    def _hand_over(self) -> None:
        values: Mapping[str, str] = self.values
        self.accept()
        self.filled.emit(values)


class _Field(QWidget):
    """A line to fill in below its name, with what the server says of it."""

    def __init__(self, argument: ContentArgument) -> None:
        super().__init__()
        self.argument = argument
        self._label, self._hint = plain_label("", "label"), plain_label(_shown(argument.description), "muted")
        self._hint.setVisible(bool(argument.description.strip()))
        self.edit = QLineEdit()
        self.edit.setObjectName(f"argument-{argument.name}")
        self.edit.setMaxLength(MOST_CHARACTERS)
        self._proposals = QStringListModel(self)
        self._completer = completer = QCompleter(self._proposals, self)
        completer.setCompletionMode(QCompleter.CompletionMode.UnfilteredPopupCompletion)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._list = QListView()
        self._list.setObjectName("argumentProposals")
        completer.setPopup(self._list)
        self.edit.setCompleter(completer)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(2, 0, 2, 2)
        layout.setSpacing(3)
        for part in (self._label, self.edit, self._hint):
            layout.addWidget(part)
        self.retranslate()

    def propose(self, proposals: Sequence[str]) -> None:
        # What a line cannot show as it is could not be seen before it is sent.
        self._proposals.setStringList([text for text in proposals if reveal(text, keep_newlines=False) == text])
        if self._proposals.stringList():
            self._completer.complete()
        else:
            self._list.hide()

    def retranslate(self) -> None:
        name = _shown(self.argument.title or self.argument.name)
        words = name if self.argument.required else self.tr("%1 (may stay empty)").replace("%1", name)
        set_plain(self._label, words)
        self.edit.setAccessibleName(words)
        self.edit.setAccessibleDescription(_shown(self.argument.description))


def _shown(text: str) -> str:
    words = " ".join(text.split())
    return reveal(words if len(words) <= _MOST_WORDS else f"{words[:_MOST_WORDS]}…", keep_newlines=False)
