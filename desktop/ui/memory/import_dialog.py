"""Shows what an import would do, entry by entry, before anything is stored."""

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLocale, Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.memory.transfer import MOST_BYTES, MOST_CHARACTERS, MOST_ITEMS, Planned, Problem, Verdict, Why
from desktop.ui.controls import announce
from desktop.ui.dialogs.icon_lines import IconLines, icon_list
from desktop.ui.dialogs.parts import dialog_button, ending, name_button, plain_label, set_plain
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.error_words import words_of_exception
from desktop.ui.memory.words import kind_word
from desktop.ui.punctuation import follow, labelled, sentences
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 680, 560
_MOST_TEXT = 240
_ORDER = (Verdict.NEW, Verdict.REFUSED, Verdict.FORGOTTEN, Verdict.KNOWN)
_ICONS = {
    Verdict.NEW: ("plus", "ok"),
    Verdict.REFUSED: ("ban", "error"),
    Verdict.FORGOTTEN: ("eraser", "warning"),
    Verdict.KNOWN: ("equal", "muted"),
}


class MemoryImportDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        add_requested: the new entries shall be stored. The dialog waits for ``accept``, when they are on disk, or
            ``show_failure``, after which the user can try again.
    """

    add_requested = Signal()

    def __init__(
        self, parent: QWidget, theme: ThemeManager, file_name: str, planned: Sequence[Planned], problem: Problem | None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("memoryImportDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._file_name, self._problem = file_name, problem
        self._counts = Counter(one.verdict for one in planned)
        self._is_adding = False
        self._failure: Exception | None = None
        self._title, self._summary = plain_label("", "heading"), plain_label("")
        self._summary.setObjectName("memoryImportSummary")
        self._note, self._failed = plain_label("", "muted"), plain_label("", "error")
        self._failed.setObjectName("memoryImportProblem")
        self._model = _PlanModel(theme, sorted(planned, key=lambda one: _ORDER.index(one.verdict)))
        self._view = icon_list("memoryImportList", theme, self._model)
        self._view.setVisible(bool(planned))
        self._cancel, self._add = dialog_button("memoryImportCancel"), dialog_button("memoryImportAdd", "primary")
        self._add.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._add.clicked.connect(self._accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        for widget in (self._title, self._summary):
            layout.addWidget(widget)
        layout.addWidget(self._view, 1)
        layout.addWidget(self._note)
        layout.addWidget(self._failed)
        layout.addSpacing(4)
        layout.addWidget(ending(accept=self._add, cancel=self._cancel))
        self.setMinimumWidth(420)
        self.resize(theme.px(_WIDTH), theme.px(_HEIGHT) if planned else 0)
        self._retranslate()

    def show_failure(self, error: Exception) -> None:
        """Say why nothing was stored."""
        self._is_adding, self._failure = False, error
        self._retranslate()
        announce(self, self._failed.accessibleName(), assertive=True)

    def reject(self) -> None:
        """Not while they are being stored: nobody would know what came of it."""
        if not self._is_adding:
            super().reject()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._model.retranslate()
            self._retranslate()

    def _accept(self) -> None:
        if not self._is_adding:
            self._is_adding = True
            self._retranslate()
            self.add_requested.emit()

    def _retranslate(self) -> None:
        title = self.tr("Import memories")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        set_plain(self._summary, self._problem_words() if self._problem is not None else self._summary_words())
        set_plain(self._note, self.tr("Nothing that is there is overwritten. What you forgot before stays forgotten."))
        self._note.setVisible(self._problem is None)
        self._view.setAccessibleName(self.tr("Entries of the file"))
        set_plain(self._failed, self._failure_words())
        self._failed.setVisible(self._failure is not None)
        count = self._counts[Verdict.NEW]
        if self._is_adding:
            text = self.tr("Adding %n memories…", "", count)
        elif self._failure is not None:
            text = self.tr("Try again")
        else:
            text = self.tr("Add %n memories", "", count) if count else self.tr("Nothing to add")
        name_button(self._add, text)
        self._add.setEnabled(count > 0 and not self._is_adding)
        self._add.setVisible(self._problem is None)
        name_button(self._cancel, self.tr("Cancel") if count else self.tr("Close"))
        self._cancel.setEnabled(not self._is_adding)
        announce(self, self._summary.accessibleName())

    def _failure_words(self) -> str:
        if self._failure is None:
            return ""
        words = words_of_exception(self._failure)
        return follow(self.tr("Nothing was added."), sentences(words.title, words.detail))

    def _summary_words(self) -> str:
        counts = self._counts
        pieces = [
            self.tr("%n new", "", counts[Verdict.NEW]),
            self.tr("%n known already", "", counts[Verdict.KNOWN]) if counts[Verdict.KNOWN] else "",
            self.tr("%n forgotten before", "", counts[Verdict.FORGOTTEN]) if counts[Verdict.FORGOTTEN] else "",
            self.tr("%n refused", "", counts[Verdict.REFUSED]) if counts[Verdict.REFUSED] else "",
        ]
        return labelled(one_line(self._file_name, 80), " · ".join(filter(None, pieces)))

    def _problem_words(self) -> str:
        number = self.locale().toString
        match self._problem:
            case Problem.TOO_LARGE:
                words = self.tr("The file is too large: at most %1 MB are read.")
                text = words.replace("%1", number(MOST_BYTES // 1_000_000))
            case Problem.NOT_TEXT:
                text = self.tr(
                    "The file is no text, or its characters cannot be read. Choose a JSON file, or a text file with one"
                    " memory in each line; save it as UTF-8 where you can choose."
                )
            case Problem.DAMAGED:
                text = self.tr("The file is damaged: it begins as JSON and cannot be read as such.")
            case Problem.NEWER:
                text = self.tr("A newer version of Threadwell wrote the file. Update Threadwell to import it.")
            case Problem.TOO_MANY:
                words = self.tr("The file holds more than %1 entries. Split it and import the parts.")
                text = words.replace("%1", number(MOST_ITEMS))
            case _:
                text = self.tr("No memories were found in the file.")
        return labelled(one_line(self._file_name, 80), text)


class _PlanModel(IconLines):
    def icon_of(self, entry: Planned) -> tuple[str, str]:
        return _ICONS[entry.verdict]

    def words_of(self, entry: Planned) -> str:
        return " · ".join(filter(None, (self._word(entry), one_line(entry.text, _MOST_TEXT))))

    def _word(self, one: Planned) -> str:
        match one.verdict:
            case Verdict.NEW:
                return kind_word(one.item.kind) if one.item is not None else ""
            case Verdict.KNOWN:
                return self.tr("known already")
            case Verdict.FORGOTTEN:
                return self.tr("forgotten before")
            case Verdict.REFUSED:
                return self._why(one.why)

    def _why(self, why: Why | None) -> str:
        match why:
            case Why.EMPTY:
                return self.tr("refused: it says nothing")
            case Why.TOO_LONG:
                words = self.tr("refused: longer than %1 characters")
                return words.replace("%1", QLocale().toString(MOST_CHARACTERS))
            case Why.SECRET:
                return self.tr("refused: it looks like a password, a key or a number that should stay secret")
            case Why.PLACEHOLDER:
                return self.tr("refused: it has gaps to be filled in")
            case Why.INSTRUCTION:
                return self.tr("refused: it tells the assistant what it may do")
            case Why.OTHER_CHAT:
                return self.tr("refused: it counts in one chat only, which is not here")
            case _:
                return self.tr("refused: something of it cannot be read")
