"""The page Documents: files and folders that answers can draw on, for all chats and for single ones."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.memory.document_service import ReadingState
from desktop.memory.documents import RootSummary
from desktop.ui.controls import IconLabel
from desktop.ui.dialogs.parts import plain_label, set_plain
from desktop.ui.documents.words import progress_in
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.document_row import DocumentRow
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.page import SettingsPage, SettingsSection
from desktop.ui.settings.row_list import RowList, order_focus
from desktop.ui.theme.theme_manager import ThemeManager


def make_documents_page(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.documents_presenter import DocumentsPresenter

    page = DocumentsPage(context.theme)
    DocumentsPresenter(page, context)
    return page


class DocumentsPage(SettingsPage):
    """Signals name a file or folder by its id, a chat by its own."""

    shown = Signal()
    files_requested = Signal()
    folder_requested = Signal()
    remove_requested = Signal(str)
    read_requested = Signal(str)
    open_requested = Signal(str)
    thread_requested = Signal(str)

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("documents", "book-open", can_reset=False)
        self._rows: dict[str, DocumentRow] = {}
        self._add_files, self._add_folder = QPushButton(), QPushButton()
        self._add_files.setObjectName("addDocuments")
        self._add_files.clicked.connect(self.files_requested)
        self._add_folder.setObjectName("addDocumentFolder")
        self._add_folder.clicked.connect(self.folder_requested)
        buttons = QWidget()
        wrapped = Wrapping(self._add_files, self._add_folder)
        buttons.setLayout(wrapped)
        self._all, self._single = self.add_section(), self.add_section()
        self._add_row = self._all.add_row(buttons, wide=True)
        self._lists = {self._all: RowList("documentsOfAll"), self._single: RowList("documentsOfChats")}
        self._all.add_widget(self._lists[self._all])
        self._single.add_widget(self._lists[self._single])
        for empty in self._lists.values():
            empty.hide()
        self._nothing, self._nothing_words = QWidget(), plain_label("", "muted")
        self._nothing.setObjectName("noDocuments")
        self._nothing_words.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self._nothing)
        column.setContentsMargins(24, 24, 24, 24)
        centred = QHBoxLayout()
        centred.addStretch()
        centred.addWidget(IconLabel(theme, "book-open", "muted", 36))
        centred.addStretch()
        column.addLayout(centred)
        column.addWidget(self._nothing_words)
        self.add_widget(self._nothing)
        self.show_documents((), {}, ReadingState())
        self.retranslate()

    def show_documents(
        self, summaries: Sequence[RootSummary], titles: Mapping[str, str], reading: ReadingState
    ) -> None:
        """Show these, with the titles of their chats by the chats' ids."""
        rows = {summary.root.id: self._row(summary, titles) for summary in summaries}
        for summary in summaries:
            title = titles.get(summary.root.only_thread_id or "", "")
            rows[summary.root.id].show_summary(summary, title, progress_in(summary, reading))
        gone = [row for root_id, row in self._rows.items() if root_id not in rows]
        is_focused = any(row.isAncestorOf(focused) for row in gone if (focused := self.window().focusWidget()))
        is_new = list(rows) != list(self._rows)
        self._rows = rows
        if is_new:
            for section in (self._all, self._single):
                self._show_in(section, [row for row in rows.values() if self._section_of(row) is section])
            order_focus(
                [self._add_files, self._add_folder, *(stop for row in rows.values() for stop in row.tab_stops())]
            )
        for row in gone:
            row.deleteLater()
        if is_focused:
            self._add_files.setFocus()
        self._single.setVisible(any(self._section_of(row) is self._single for row in rows.values()))
        self._nothing.setVisible(not rows)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Documents"),
            self.tr(
                "Files and folders whose content answers can draw on. They stay where they are, and are read again when"
                " they change. What belongs to a question goes to the model that answers it."
            ),
        )
        self._all.set_heading(self.tr("For all chats"))
        self._single.set_heading(self.tr("For single chats"))
        self._add_row.set_texts(
            self.tr("Add documents"),
            self.tr("PDF, Word, Markdown, text, web pages and code. Add some to one chat below its message."),
            keywords=self.tr("knowledge file folder"),
        )
        self._add_files.setText(self.tr("Add files…"))
        self._add_folder.setText(self.tr("Add a folder…"))
        for button in (self._add_files, self._add_folder):
            button.setAccessibleName(button.text())
        set_plain(self._nothing_words, self.tr("No documents yet"))
        for row in self._rows.values():
            row.retranslate()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def _section_of(self, row: DocumentRow) -> SettingsSection:
        return self._all if row.summary.root.only_thread_id is None else self._single

    def _show_in(self, section: SettingsSection, rows: Sequence[DocumentRow]) -> None:
        self._lists[section].set_rows(rows)
        self._lists[section].setVisible(bool(rows))
        section.rows[:] = [*([self._add_row] if section is self._all else []), *(row.head for row in rows)]

    def _row(self, summary: RootSummary, titles: Mapping[str, str]) -> DocumentRow:
        root = summary.root
        if (row := self._rows.get(root.id)) is not None:
            return row
        row = DocumentRow(summary, titles.get(root.only_thread_id or "", ""), self)
        row.remove_requested.connect(lambda: self.remove_requested.emit(root.id))
        row.read_requested.connect(lambda: self.read_requested.emit(root.id))
        row.open_requested.connect(lambda: self.open_requested.emit(root.id))
        row.thread_requested.connect(lambda: self.thread_requested.emit(root.only_thread_id or ""))
        return row
