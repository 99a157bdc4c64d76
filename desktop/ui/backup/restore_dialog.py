"""The way back from a backup: which one, what it holds and what would change, and then one of two ways."""

from collections.abc import Sequence
from enum import StrEnum

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QProgressBar, QRadioButton, QVBoxLayout, QWidget

from desktop.core.backups import BackupFile, MergeReport, Progress, RestorePlan
from desktop.ui.backup.words import BackupWording, moment_words, size_words
from desktop.ui.controls import announce, bring_into_view, hand_focus, set_enabled, set_property
from desktop.ui.dialogs.choice_words import stand_below
from desktop.ui.dialogs.icon_lines import IconLines, icon_list
from desktop.ui.dialogs.parts import (
    dialog_button,
    ending,
    fact_grid,
    name_button,
    notice_row,
    plain_label,
    scrolled,
    set_plain,
)
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.punctuation import follow
from desktop.ui.state.readable import one_line
from desktop.ui.theme.theme_manager import ThemeManager

_WIDTH, _HEIGHT = 620, 460
_STEPS = 1_000
_MOST_NAME = 120
_PLACES_SHOWN = 4


class Step(StrEnum):
    """Where the dialog is."""

    CHOOSE = "choose"
    WORK = "work"
    PLAN = "plan"
    END = "end"
    READY = "ready"
    """Another library waits for the next start."""


class RestoreDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed.

    Signals:
        chosen: the name of a backup at the usual place; ``file_wanted``: one of another place shall be chosen.
        merge_requested, replace_requested: what shall be done with the one that was looked at.
        stop_requested: what runs shall end.
        restart_requested: at once.
    """

    chosen = Signal(str)
    file_wanted = Signal()
    merge_requested = Signal()
    replace_requested = Signal()
    stop_requested = Signal()
    restart_requested = Signal()

    def __init__(self, parent: QWidget, theme: ThemeManager, place: str) -> None:
        super().__init__(parent)
        self.setObjectName("restoreDialog")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._theme, self._place = theme, place
        self._wording = BackupWording(self)
        self._step = Step.CHOOSE
        self._files: Sequence[BackupFile] | None = None
        self._plan: RestorePlan | None = None
        self._report: MergeReport | None = None
        self._problem = ""
        self._progress: Progress | None = None
        self._title, self._words, self._note = plain_label("", "heading"), plain_label(""), plain_label("", "muted")
        self._words.setObjectName("restoreWords")
        self._bar = QProgressBar()
        self._bar.setObjectName("restoreProgress")
        self._bar.setTextVisible(False)
        self._model = _Files(theme, self._wording)
        self._view = icon_list("restoreList", theme, self._model)
        self._view.activated.connect(self._picked)
        self._view.clicked.connect(lambda _index: set_enabled(self._go, True))
        self.merge, self.replace = QRadioButton(), QRadioButton()
        self.merge.setObjectName("restoreMerge")
        self.replace.setObjectName("restoreReplace")
        self.merge.setChecked(True)
        self._merge_words, self._replace_words = plain_label("", "muted"), plain_label("", "muted")
        self._choice = QWidget()
        self._facts_place = QVBoxLayout()
        self._warning_place = QVBoxLayout()
        self._other = dialog_button("restoreOther")
        self._cancel, self._go = dialog_button("restoreCancel"), dialog_button("restoreGo", "primary")
        self._go.setDefault(True)
        self._cancel.clicked.connect(self.reject)
        self._go.clicked.connect(self._go_on)
        self._other.clicked.connect(self.file_wanted)
        self.merge.toggled.connect(lambda _: self._retranslate())
        self._arrange()
        self._retranslate()
        self.setMinimumWidth(400)
        self.resize(min(theme.px(_WIDTH), max(400, parent.width() - 40)), 0)

    @property
    def step(self) -> Step:
        return self._step

    def show_files(self, files: Sequence[BackupFile], problem: str = "") -> None:
        """Show which backups there are; ``problem`` says why they could not be listed."""
        self._files, self._problem = files, problem
        self._model.show_entries(list(files))
        if files:
            self._view.setCurrentIndex(self._model.index(0))
            self.grow(self._theme.px(_HEIGHT))
            hand_focus(self._other, self._view)  # where Qt put it while there was nothing to choose from
        self._go_to(Step.CHOOSE)

    def show_progress(self, progress: Progress | None) -> None:
        """Say how far it is; None where it has only begun."""
        self._progress = progress
        if self._step is not Step.WORK:
            self._go_to(Step.WORK)
        self._show_progress()

    def show_plan(self, plan: RestorePlan) -> None:
        """Say what the backup holds, and what would change."""
        self._plan = plan
        self._go_to(Step.PLAN)

    def show_problem(self, words: str) -> None:
        """It could not be done; another backup may be chosen."""
        self._problem = words
        self._go_to(Step.CHOOSE if self._plan is None else Step.END)

    def show_end(self, report: MergeReport, problem: str = "") -> None:
        """Say what a merge brought, and why it ended early where it did."""
        self._report, self._problem = report, problem
        self._go_to(Step.END)

    def show_ready(self) -> None:
        """The backup takes its place at the next start."""
        self._go_to(Step.READY)

    def reject(self) -> None:
        """While something runs, stop that and stay."""
        if self._step is Step.WORK:
            self.stop_requested.emit()
        else:
            super().reject()

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._model.retranslate()
            self._retranslate()

    def _go_to(self, step: Step) -> None:
        self._step = step
        self._retranslate()
        if step in (Step.END, Step.READY):  # little is left to be said
            self.resize(self.width(), self.wanted_height())
        announce(self, self._words.accessibleName())

    def _picked(self, index: QModelIndex) -> None:
        file: BackupFile = index.data(Qt.ItemDataRole.UserRole)
        self._problem = ""
        self.chosen.emit(file.name)

    def _go_on(self) -> None:
        match self._step:
            case Step.CHOOSE:
                if self._view.currentIndex().isValid():
                    self._picked(self._view.currentIndex())
            case Step.PLAN:
                (self.merge_requested if self.merge.isChecked() else self.replace_requested).emit()
            case Step.READY:
                self.accept()
                self.restart_requested.emit()
            case _:
                self.accept()

    def _arrange(self) -> None:
        choice = QVBoxLayout(self._choice)
        choice.setContentsMargins(0, 6, 0, 0)
        choice.setSpacing(4)
        choice.addLayout(self._facts_place)
        choice.addSpacing(6)
        for radio, words in ((self.merge, self._merge_words), (self.replace, self._replace_words)):
            choice.addWidget(radio)
            choice.addWidget(words)
        choice.addLayout(self._warning_place)
        choice.addStretch(1)
        self._choice.setProperty("role", "clear")
        self.area = scrolled(self._choice, "restoreArea")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        for widget in (self._title, self._words, self._bar):
            layout.addWidget(widget)
        layout.addWidget(self._view, 1)
        layout.addWidget(self.area, 1)
        layout.addWidget(self._note)
        layout.addStretch(0)  # takes what the list needed before
        layout.addSpacing(4)
        layout.addWidget(ending(accept=self._go, cancel=self._cancel, reset=self._other))

    def _retranslate(self) -> None:
        step = self._step
        title = self.tr("Restore a backup")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        set_plain(self._title, title)
        self._bar.setVisible(step is Step.WORK)
        self._bar.setAccessibleName(title)
        self._view.setVisible(step is Step.CHOOSE and bool(self._files))
        self._view.setAccessibleName(self.tr("Backups"))
        if self.area is not None:
            self.area.setVisible(step is Step.PLAN)
        self._other.setVisible(step is Step.CHOOSE)
        self._cancel.setVisible(step is not Step.END)
        set_plain(self._note, "")
        set_property(self._go, "role", "danger" if step is Step.PLAN and self.replace.isChecked() else "primary")
        name_button(self._other, self.tr("Another file…"))
        name_button(self._cancel, self.tr("Stop") if step is Step.WORK else self.tr("Cancel"))
        {
            Step.CHOOSE: self._show_choice,
            Step.WORK: self._show_progress,
            Step.PLAN: self._show_plan,
            Step.END: self._show_end,
            Step.READY: self._show_ready,
        }[step]()
        self._note.setVisible(bool(self._note.accessibleName()))
        set_property(self._words, "role", "error" if step is Step.CHOOSE and self._problem else "")

    def _show_choice(self) -> None:
        if self._problem:
            words = self._problem
        elif self._files is None:
            words = self.tr("Looking…")
        elif not self._files:
            words = self.tr("There is no backup in %1. Choose a file of another place.").replace("%1", self._place)
        else:
            words = self.tr("The backups in %1. Nothing is changed before you have seen what would be.").replace(
                "%1", self._place
            )
        set_plain(self._words, words)
        name_button(self._go, self.tr("Look at it"))
        set_enabled(self._go, bool(self._files))

    def _show_progress(self) -> None:
        progress = self._progress
        total = progress.total if progress is not None else 0
        self._bar.setRange(0, _STEPS if total else 0)
        if progress is not None and total:
            self._bar.setValue(_STEPS * progress.done // total)
        set_plain(self._words, self._wording.progress(progress) if progress is not None else self.tr("Looking…"))
        name_button(self._go, self.tr("Please wait"))
        set_enabled(self._go, False)

    def _show_plan(self) -> None:
        plan = self._plan
        assert plan is not None
        set_plain(self._words, one_line(plan.name, _MOST_NAME))
        facts = [
            ("made", self.tr("Made"), f"{moment_words(plan.made_at)} · Threadwell {plan.app_version}"),
            ("there", self.tr("In the backup"), self._wording.counts(plan.counts)),
            ("here", self.tr("Here now"), self._wording.counts(plan.here)),
        ]
        _fill(self._facts_place, fact_grid(facts))
        self.merge.setText(self.tr("Add what is missing here"))
        self.replace.setText(self.tr("Replace all that is here"))
        for radio in (self.merge, self.replace):
            radio.setAccessibleName(radio.text())
        stand_below(self._merge_words, self.merge, gap=6)
        stand_below(self._replace_words, self.replace, gap=6)
        set_plain(self._merge_words, self._merge_text(plan))
        set_plain(self._replace_words, self._replace_text(plan))
        warning = self._warning(plan)
        _fill(self._warning_place, warning)
        if warning is not None:
            bring_into_view(warning, 0)
        name_button(self._go, self.tr("Add") if self.merge.isChecked() else self.tr("Replace"))
        set_enabled(self._go, True)

    def _merge_text(self, plan: RestorePlan) -> str:
        library = plan.new_prompts or plan.new_assistants
        beside = plan.new_memories or library or plan.new_folders or plan.new_places
        if not (plan.new_messages or plan.new_chats or beside):
            return self.tr("Everything in this backup is here already.")
        said = (
            (plan.new_chats, self.tr("%Ln chats are added, also those that you deleted since.", "", plan.new_chats)),
            (plan.grown_chats, self.tr("%Ln chats get messages that they do not have.", "", plan.grown_chats)),
            (plan.new_messages, self.tr("%Ln messages are new.", "", plan.new_messages)),
            (plan.new_memories, self.tr("%Ln memories are new.", "", plan.new_memories)),
            (plan.new_folders, self.tr("%Ln folders of the list are new.", "", plan.new_folders)),
            (plan.new_prompts, self.tr("%Ln prompts are new.", "", plan.new_prompts)),
            (plan.new_assistants, self.tr("%Ln assistants are new.", "", plan.new_assistants)),
            (len(plan.new_places), self._places_text(plan.new_places)),
        )
        return follow(*(words for count, words in said if count), self.tr("Nothing that is here is changed."))

    def _places_text(self, places: Sequence[str]) -> str:
        said = self.tr(
            "%Ln files or folders are read as knowledge, where they are on this computer: %1.", "", len(places)
        )
        shown = [one_line(place, _MOST_NAME) for place in places[:_PLACES_SHOWN]]
        if len(places) > len(shown):
            shown.append("…")
        return said.replace("%1", ", ".join(shown))

    def _replace_text(self, plan: RestorePlan) -> str:
        lost = (
            (plan.lost_chats, self.tr("%Ln chats that are only here go.", "", plan.lost_chats)),
            (plan.lost_messages, self.tr("%Ln messages that are only here go.", "", plan.lost_messages)),
            (plan.lost_memories, self.tr("%Ln memories that are only here go.", "", plan.lost_memories)),
            (plan.lost_folders, self.tr("%Ln folders of the list that are only here go.", "", plan.lost_folders)),
            (plan.lost_prompts, self.tr("%Ln prompts that are only here go.", "", plan.lost_prompts)),
            (plan.lost_assistants, self.tr("%Ln assistants that are only here go.", "", plan.lost_assistants)),
            (
                plan.lost_places,
                self.tr("%Ln files or folders of knowledge that are only here go.", "", plan.lost_places),
            ),
        )
        said = self.tr("Everything is as it was in the backup, after a restart.")
        return follow(said, *(words for count, words in lost if count))

    def _warning(self, plan: RestorePlan) -> QWidget | None:
        if self.merge.isChecked():
            return None
        words = self.tr(
            "What is here now becomes a backup of its own, so that this can be undone. Keys stay as they are; what tools may"
            " do unasked is as it is here, never as a file says."
        )
        library = plan.lost_prompts or plan.lost_assistants
        beside = plan.lost_memories or library or plan.lost_folders or plan.lost_places
        loses = plan.lost_chats or plan.lost_messages or beside
        return notice_row(self._theme, words, "finding" if loses else "note")

    def _show_end(self) -> None:
        report = self._report
        said = [self._problem] if self._problem else []
        if report is not None:
            said.append(self._wording.merged(report))
            if report.is_stopped:
                said.insert(0, self.tr("You stopped it. What had been added by then is here, each chat whole."))
        set_plain(self._words, "\n".join(said))
        name_button(self._go, self.tr("Close"))
        set_enabled(self._go, True)

    def _show_ready(self) -> None:
        set_plain(
            self._words, self.tr("The backup is ready. It takes the place of your library when Threadwell starts next.")
        )
        set_plain(
            self._note,
            self.tr("Until then everything is as it is, and what you write now is kept in the backup of it."),
        )
        self._note.show()
        name_button(self._cancel, self.tr("Later"))
        name_button(self._go, self.tr("Restart now"))
        set_enabled(self._go, True)


class _Files(IconLines):
    def __init__(self, theme: ThemeManager, wording: BackupWording) -> None:
        super().__init__(theme)
        self._wording = wording

    def icon_of(self, entry: BackupFile) -> tuple[str, str]:
        return "archive", "muted" if entry.kind is None else "accent"

    def words_of(self, entry: BackupFile) -> str:
        moment = moment_words(entry.modified_at) if entry.modified_at is not None else one_line(entry.name, _MOST_NAME)
        return " · ".join((moment, size_words(entry.size), self._wording.kind(entry.kind)))


def _fill(place: QVBoxLayout, widget: QWidget | None) -> None:
    while (item := place.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.setParent(None)
            old.deleteLater()
    if widget is not None:
        place.addWidget(widget)
