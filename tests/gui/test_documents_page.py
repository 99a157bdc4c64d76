"""The settings page Documents by itself: which row follows what is being read, and what adds to it at the message."""

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QWidget

from desktop.core.settings import AppearanceSettings
from desktop.memory.document_service import ReadingState
from desktop.memory.documents import Document, DocumentRoot, DocumentState, LeftOut, Progress, RootSummary
from desktop.ui.composer.knowledge import Knowledge
from desktop.ui.settings.documents_page import DocumentsPage
from desktop.ui.theme.theme_manager import ThemeManager
from tests.support.transcript_world import child


def waiting_file(name: str) -> RootSummary:
    root = DocumentRoot(id=name, path=Path("/home/user") / name, is_folder=False, added_at=datetime.now(UTC))
    return RootSummary(root=root, states={DocumentState.WAITING: 1})


def test_only_the_file_that_is_read_tells_its_pages(qapp: QApplication) -> None:
    page = DocumentsPage(ThemeManager(qapp, AppearanceSettings(), "en"))
    summaries = [waiting_file("lease.pdf"), waiting_file("rules.pdf")]
    document = Document(id="d", path=summaries[0].root.path, state=DocumentState.WAITING)
    page.show_documents(summaries, {}, ReadingState(document, Progress(done=3, total=80)))
    states = [child(child(page, QWidget, f"document-{one.root.id}"), QLabel, "documentState") for one in summaries]
    assert [label.accessibleName().partition(" ·")[0] for label in states] == [
        "Being read: page 3 of 80",
        "Being read…",
    ]


def test_the_menu_that_adds_documents_has_round_corners_as_all_menus(qapp: QApplication) -> None:
    place = QWidget()
    Knowledge(ThemeManager(qapp, AppearanceSettings(), "en"), lambda _line: None, place)
    menu = child(place, QMenu, "knowledgeMenu")
    assert QGuiApplication.platformName() == "xcb" or menu.testAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)


def test_what_is_left_out_is_no_warning_and_what_cannot_be_read_is_one(qapp: QApplication) -> None:
    page = DocumentsPage(ThemeManager(qapp, AppearanceSettings(), "en"))
    moment = datetime.now(UTC)
    folder = DocumentRoot(
        id="notes", path=Path("/home/user/notes"), is_folder=True, added_at=moment, left_out={LeftOut.HIDDEN: 2}
    )
    failure = Document(id="d", path=folder.path / "scan.pdf", state=DocumentState.FAILED, reason="file.pdf_unreadable")
    read = RootSummary(root=folder, states={DocumentState.READY: 3}, size=3_400_000, read_at=moment)
    broken = dataclasses.replace(read, states={DocumentState.READY: 3, DocumentState.FAILED: 1}, failure=failure)
    waiting = waiting_file("lease.pdf")
    for summary, has_problem in ((read, False), (broken, True)):
        page.show_documents([summary, waiting], {}, ReadingState())
        row = child(page, QWidget, "document-notes")
        problem, missing = (child(row, QLabel, name) for name in ("documentProblem", "documentMissing"))
        assert problem.isVisibleTo(page) is has_problem
        assert (problem.property("role"), missing.property("role")) == ("warning", "muted")
        assert missing.accessibleName() == "Left out: 2 hidden or made by programs."
        assert "MB · read " in child(row, QLabel, "documentState").accessibleName()
    said = child(child(page, QWidget, "document-lease.pdf"), QLabel, "documentState").accessibleName()
    assert said == "Being read…", "nothing is counted before it was read"
