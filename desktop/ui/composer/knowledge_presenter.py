"""Adds documents to the chat that is written to, and says at its message how far they were read."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from desktop.memory.document_service import ReadingState
from desktop.memory.documents import NEW_THREAD, DocumentState, Progress, RootSummary
from desktop.ui.composer.composer import Composer
from desktop.ui.documents.choosing import choose_paths
from desktop.ui.documents.words import name_of, progress_in
from desktop.ui.presenting import Worker
from desktop.ui.services import UiServices

SHOWN_EVERY_MS = 250
"""While a folder is read its state changes many times a second."""


class KnowledgePresenter(QObject):
    """``list_requested`` comes when all documents are to be shown."""

    list_requested = Signal()

    def __init__(self, composer: Composer, services: UiServices, parent: QObject) -> None:
        super().__init__(parent)
        self._composer = composer
        self._services = services
        self._worker = Worker(services)
        self._thread_id = NEW_THREAD
        self._folder = str(Path.home())
        self._roots: Sequence[RootSummary] = ()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_EVERY_MS)
        self._timer.timeout.connect(self._reload)
        knowledge = composer.knowledge
        knowledge.files_requested.connect(lambda: self._choose(folders=False))
        knowledge.folder_requested.connect(lambda: self._choose(folders=True))
        knowledge.folders_given.connect(self.add)
        knowledge.list_requested.connect(self.list_requested)
        knowledge.words_wanted.connect(self._show)
        services.documents.changed.connect(self._changed)
        services.documents.reading_changed.connect(self._reading_changed)
        # While a question is written, what a tool or another program has changed meanwhile can be read.
        composer.text_edited.connect(services.documents.look_soon)
        app = QGuiApplication.instance()
        assert isinstance(app, QGuiApplication)
        app.applicationStateChanged.connect(self._came_to_front)

    def switch(self, thread_id: str | None) -> None:
        """Show the documents of another chat; None is one that begins with the next message."""
        self._thread_id = thread_id or NEW_THREAD
        self._roots = ()
        self._show()
        self._reload()

    def add(self, paths: Sequence[Path]) -> None:
        """Add files and folders to the present chat."""
        self._worker.start(self._add(list(paths), self._thread_id), "add documents")

    def _came_to_front(self, state: Qt.ApplicationState) -> None:
        """Who comes back from another program may have changed files there."""
        if state is Qt.ApplicationState.ApplicationActive:
            self._services.documents.look_soon()

    async def _add(self, paths: Sequence[Path], thread_id: str) -> None:
        added = await self._services.documents.add(paths, only_thread_id=thread_id)
        if not added and thread_id == self._thread_id:
            self._composer.say(self.tr("This chat has these documents already."))

    def _choose(self, *, folders: bool) -> None:
        title = self.tr("Add a folder as knowledge") if folders else self.tr("Add files as knowledge")
        dialog = choose_paths(self._composer.window(), title, self._folder, self._chosen, folders=folders)
        dialog.setObjectName("knowledge-dialog")

    def _chosen(self, paths: Sequence[Path]) -> None:
        if paths:
            self._folder = str(paths[0].parent)
            self.add(paths)
        self._composer.focus_text()

    def _changed(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _reading_changed(self, _state: ReadingState) -> None:
        if any(summary.count(DocumentState.WAITING) for summary in self._roots):
            self._show()

    def _reload(self) -> None:
        self._worker.start(self._load(self._thread_id), "load documents")

    async def _load(self, thread_id: str) -> None:
        summaries = await self._services.documents.summaries()
        if thread_id == self._thread_id:
            self._roots = [one for one in summaries if one.root.only_thread_id == thread_id]
            self._show()

    def _show(self) -> None:
        knowledge = self._composer.knowledge
        if not self._roots:
            knowledge.show_words("")
            return
        files = sum(summary.files for summary in self._roots)
        waiting = sum(summary.count(DocumentState.WAITING) for summary in self._roots)
        failed = sum(summary.count(DocumentState.FAILED) for summary in self._roots)
        words = ", ".join(name_of(summary.root.path) for summary in self._roots[:2])
        if len(self._roots) > 2:
            words = self.tr("%1 and %n more", "", len(self._roots) - 2).replace("%1", words)
        parts = [self.tr("Knowledge: %1").replace("%1", words)]
        if waiting or not files:
            reading = self._services.documents.reading
            own = (progress_in(summary, reading) for summary in self._roots)
            progress = next((one for one in own if one.total > 1), Progress())
            if files <= 1 and progress.total:
                parts.append(_counted(self.tr("page %1 of %2"), progress.done, progress.total))
            elif files > 1:
                parts.append(_counted(self.tr("%1 of %2 files read"), files - waiting, files))
            else:
                parts.append(self.tr("being read…"))
        if failed:
            parts.append(self.tr("%n could not be read", "", failed))
        knowledge.show_words(" · ".join(parts), has_problem=bool(failed))


def _counted(words: str, done: int, total: int) -> str:
    return words.replace("%1", str(done)).replace("%2", str(total))
