"""A document or folder in the settings: its name, where it lies, how far it was read, and the ways to read or remove it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.memory.documents import DocumentState, Progress, RootSummary
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.documents.words import figures, missing_words, name_of, problem_words, state_words
from desktop.ui.endpoints.parts import LinkButton
from desktop.ui.punctuation import sentences
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingRow
from desktop.ui.state.readable import readable


class DocumentRow(QFrame):
    """Names and paths are the user's files', and so untrusted: plain text, deceptive characters visible.

    Signals:
        remove_requested, read_requested, open_requested: of what it shows.
        thread_requested: the chat in which it counts is to be shown.
    """

    remove_requested = Signal()
    read_requested = Signal()
    open_requested = Signal()
    thread_requested = Signal()

    def __init__(self, summary: RootSummary, thread_title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        root_id = summary.root.id
        self.summary = summary
        self.thread_title = thread_title
        self._progress = Progress()
        self.setObjectName(f"document-{root_id}")
        self.remove_button = QPushButton()
        self.remove_button.setObjectName(f"removeDocument-{root_id}")
        self.remove_button.setProperty("role", "danger")
        self.remove_button.clicked.connect(self.remove_requested)
        self.head = SettingRow(self.remove_button)
        self._state, self._problem = plain_label("", "muted"), plain_label("", "warning")
        self._missing = plain_label("", "muted")
        self._state.setObjectName("documentState")
        self._problem.setObjectName("documentProblem")
        self._missing.setObjectName("documentMissing")
        self._read = LinkButton(f"readDocument-{root_id}")
        self._read.clicked.connect(self.read_requested)
        self._open = LinkButton(f"openDocument-{root_id}")
        self._open.clicked.connect(self.open_requested)
        self._thread = LinkButton(f"documentChat-{root_id}")
        self._thread.clicked.connect(self.thread_requested)
        links = Wrapping(self._read, self._open, self._thread, spacing=12)
        links.setContentsMargins(11, 0, 16, 12)  # a link has room of its own at its left
        below = QVBoxLayout()
        below.setContentsMargins(19, 0, 16, 2)
        below.setSpacing(6)
        for label in (self._state, self._problem, self._missing):
            below.addWidget(label)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.head)
        layout.addLayout(below)
        layout.addLayout(links)
        self.retranslate()

    def show_summary(self, summary: RootSummary, thread_title: str, progress: Progress) -> None:
        """Show how far it is now; ``progress`` is that of its file that is being read."""
        if (summary, thread_title, progress) != (self.summary, self.thread_title, self._progress):
            self.summary, self.thread_title, self._progress = summary, thread_title, progress
            self.retranslate()

    def tab_stops(self) -> list[QWidget]:
        return [self.remove_button, self._read, self._open, self._thread]

    def retranslate(self) -> None:
        root = self.summary.root
        name, place = name_of(root.path), readable(str(root.path.parent))
        where = self.tr("In the folder %1").replace("%1", place)
        self.head.set_texts(name, where, keywords=f"{name} {place} {self.thread_title}")
        self.setAccessibleName(sentences(name, where))
        self.remove_button.setText(self.tr("Remove"))
        self.remove_button.setAccessibleName(self.tr("Remove: %1").replace("%1", name))
        state = state_words(self.summary, self._progress)
        set_plain(self._state, " · ".join(filter(None, (state, figures(self.summary)))))
        for label, words in (
            (self._problem, problem_words(self.summary)),
            (self._missing, missing_words(self.summary)),
        ):
            set_plain(label, words)
            label.setVisible(bool(words))
        self._read.setText(self.tr("Read again"))
        self._read.setAccessibleName(self.tr("Read again: %1").replace("%1", name))
        self._read.setEnabled(not self.summary.count(DocumentState.WAITING))
        self._open.setText(self.tr("Show in its folder"))
        self._open.setAccessibleName(self.tr("Show in its folder: %1").replace("%1", name))
        self._thread.setText(self.tr("Open chat"))
        self._thread.setAccessibleName(self.tr("Open chat: %1").replace("%1", self.thread_title))
        self._thread.setVisible(bool(root.only_thread_id))
