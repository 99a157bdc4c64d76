"""An import of chats from the question before it to the report at its end."""

from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QProgressBar, QVBoxLayout, QWidget

from desktop.conversation.interchange.ports import Progress
from desktop.conversation.interchange.records import ImportReport, Outcome, Verdict
from desktop.ui.controls import announce
from desktop.ui.dialogs.icon_lines import IconLines, icon_list
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, set_plain
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.interchange.words import ImportWording
from desktop.ui.punctuation import labelled
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 640, 520
_MOST_NAME, _MOST_TITLE = 120, 200
_STEPS = 1_000
_ORDER = (Verdict.SKIPPED, Verdict.BRANCHED, Verdict.GREW, Verdict.IMPORTED, Verdict.KNOWN)
_ICONS = {
    Verdict.IMPORTED: ("plus", "ok"),
    Verdict.GREW: ("arrow-up", "ok"),
    Verdict.BRANCHED: ("git-branch", "accent"),
    Verdict.KNOWN: ("equal", "muted"),
    Verdict.SKIPPED: ("ban", "warning"),
}


class ChatImportDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        import_requested: the file is to be imported. The dialog then hears ``show_progress`` and ``show_report``.
        stop_requested: the import shall end; what was taken in stays.
        chat_wanted: a chat of the report is to be shown; its id.
    """

    import_requested = Signal()
    stop_requested = Signal()
    chat_wanted = Signal(str)

    def __init__(self, parent: QWidget, theme: ThemeManager, path: Path) -> None:
        super().__init__(parent)
        self.setObjectName("chatImportDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._theme, self._name = theme, one_line(path.name, _MOST_NAME)
        self._wording = ImportWording(self)
        self._is_running = False
        self._progress = Progress(done=0, total=1)
        self._report: ImportReport | None = None
        self._problem: tuple[str, str] | None = None
        self._title, self._summary, self._note = plain_label("", "heading"), plain_label(""), plain_label("", "muted")
        self._summary.setObjectName("chatImportSummary")
        self._bar = QProgressBar()
        self._bar.setObjectName("chatImportProgress")
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._model = _OutcomeModel(theme, self._wording)
        self._view = icon_list("chatImportList", theme, self._model)
        self._view.hide()
        self._view.activated.connect(self._open)
        self._cancel, self._go = dialog_button("chatImportCancel"), dialog_button("chatImportGo", "primary")
        self._go.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._go.clicked.connect(self._go_on)
        self._arrange()
        self._retranslate()
        self.setMinimumWidth(400)
        self.resize(min(theme.px(_WIDTH), max(400, parent.width() - 40)), 0)

    @property
    def is_running(self) -> bool:
        return self._is_running

    def show_progress(self, progress: Progress, report: ImportReport) -> None:
        """Say how far it is, and what came so far."""
        self._progress, self._report = progress, report
        self._show_running()

    def show_report(self, report: ImportReport | None, problem: tuple[str, str] | None = None) -> None:
        """Say what became of everything; ``problem`` is title and detail of what ended it early."""
        self._is_running, self._report, self._problem = False, report, problem
        outcomes = report.outcomes if report is not None else []
        self._model.show_entries(sorted(outcomes, key=lambda one: _ORDER.index(one.verdict)))
        self._view.setVisible(bool(outcomes))
        self._retranslate()
        if outcomes:
            self.grow(self._theme.px(_HEIGHT))
        self._go.setFocus()
        announce(self, self._summary.accessibleName())

    def reject(self) -> None:
        """While it runs, stop that, and stay for the report."""
        if self._is_running:
            self.stop_requested.emit()
        else:
            super().reject()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._model.retranslate()
            self._retranslate()

    def _open(self, index: QModelIndex) -> None:
        outcome: Outcome = index.data(Qt.ItemDataRole.UserRole)
        if outcome.thread_id and not self._is_running:
            self.accept()
            self.chat_wanted.emit(outcome.thread_id)

    def _go_on(self) -> None:
        if self._report is not None or self._problem is not None:
            self.accept()
        elif not self._is_running:
            self._is_running = True
            self._retranslate()
            self.import_requested.emit()

    def _arrange(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        for widget in (self._title, self._summary, self._bar):
            layout.addWidget(widget)
        layout.addWidget(self._view, 1)
        layout.addWidget(self._note)
        layout.addSpacing(4)
        layout.addWidget(ending(accept=self._go, cancel=self._cancel))

    def _retranslate(self) -> None:
        is_over = not self._is_running and (self._report is not None or self._problem is not None)
        title = self.tr("Import of chats") if is_over else self.tr("Import chats")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        self._bar.setVisible(self._is_running)
        self._view.setAccessibleName(self.tr("What became of each chat"))
        if self._is_running:
            self._show_running()
        elif is_over:
            self._show_end()
        else:
            set_plain(self._summary, labelled(self.tr("File"), self._name))
            set_plain(
                self._note,
                self.tr(
                    "Exports of Threadwell, ChatGPT, Claude, Cherry Studio and Open WebUI can be imported, and the"
                    " conversations of LM Studio. Nothing that is here is changed: chats that are here already are"
                    " recognised, and what they have in addition is added."
                ),
            )
        name_button(self._cancel, self.tr("Stop") if self._is_running else self.tr("Cancel"))
        self._cancel.setVisible(not is_over)
        name_button(self._go, self.tr("Close") if is_over else self.tr("Import"))
        self._go.setEnabled(not self._is_running)

    def _show_running(self) -> None:
        progress, report = self._progress, self._report
        self._bar.setValue(min(_STEPS, _STEPS * progress.done // max(1, progress.total)))
        so_far = (
            self._wording.counts(report) if report is not None and report.outcomes else self.tr("Reading the file…")
        )
        set_plain(self._summary, so_far)
        set_plain(self._note, self.tr("You can stop at any time. What was imported by then stays, each chat whole."))

    def _show_end(self) -> None:
        report, problem = self._report, self._problem
        counts = self._wording.counts(report) if report is not None and report.outcomes else ""
        if problem is not None:
            counts = "\n".join(filter(None, (problem[0], problem[1], counts)))
        set_plain(self._summary, labelled(self._name, counts) if problem is None else counts)
        if report is not None and report.is_cancelled:
            note = self.tr("You stopped the import. What had been imported by then is here, each chat whole.")
        elif report is not None and report.outcomes:
            note = self.tr("A double-click or Enter opens a chat of this list.")
        else:
            note = self.tr("Nothing was imported.")
        set_plain(self._note, note)


class _OutcomeModel(IconLines):
    def __init__(self, theme: ThemeManager, wording: ImportWording) -> None:
        super().__init__(theme)
        self._wording = wording

    def icon_of(self, entry: Outcome) -> tuple[str, str]:
        return _ICONS[entry.verdict]

    def words_of(self, entry: Outcome) -> str:
        title = one_line(entry.title, _MOST_TITLE) or self.tr("New chat")
        return f"{self._wording.of_outcome(entry)} · {title}"  # what is cut off is the end of the title
