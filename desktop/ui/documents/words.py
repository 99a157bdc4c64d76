"""What people read of documents: how far they are, why one could not be read, and what of a folder is left out."""

from collections.abc import Mapping
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop.memory.document_service import ReadingState
from desktop.memory.documents import DocumentState, LeftOut, Progress, RootSummary
from desktop.memory.entities import Place
from desktop.ui.error_words import error_words
from desktop.ui.pasted_words import size_words
from desktop.ui.punctuation import sentences
from desktop.ui.state.readable import readable


def name_of(path: Path) -> str:
    """Return the name of a file or folder, on one line and with nothing in it that deceives."""
    return readable(path.name or str(path))


def progress_in(summary: RootSummary, reading: ReadingState) -> Progress:
    """Return how far the file is that is being read now; 0 of 0 where that one does not belong to this root."""
    document = reading.document
    return reading.progress if document is not None and document.path.is_relative_to(summary.root.path) else Progress()


def state_words(summary: RootSummary, progress: Progress) -> str:
    """Return how far a root is, for example ``Being read: 12 of 80 files``. ``progress`` is that of its file of now."""
    waiting = summary.count(DocumentState.WAITING)
    if waiting:
        return _waiting_words(summary, waiting, progress)
    if not summary.root.is_folder:
        return _file_words(summary)
    parts: list[str] = []
    if ready := summary.count(DocumentState.READY):
        parts.append(QCoreApplication.translate("Documents", "Files ready: %n", "", ready))
    if failed := summary.count(DocumentState.FAILED):
        parts.append(QCoreApplication.translate("Documents", "%n could not be read", "", failed))
    if gone := summary.count(DocumentState.GONE):
        parts.append(QCoreApplication.translate("Documents", "gone: %n", "", gone))
    return " · ".join(parts) or QCoreApplication.translate("Documents", "Nothing in it can be read")


def figures(summary: RootSummary) -> str:
    """Return how large it is and when it was read last, for example ``3.4 MB · read 30.11.26 10:02``; empty before that."""
    if summary.read_at is None or not summary.size:
        return ""
    parts = [size_words(summary.size)]
    if summary.count(DocumentState.FAILED) < summary.files:
        moment = QDateTime.fromSecsSinceEpoch(int(summary.read_at.timestamp()))
        words = QCoreApplication.translate("Documents", "read %1")
        parts.append(words.replace("%1", QLocale().toString(moment, QLocale.FormatType.ShortFormat)))
    return " · ".join(parts)


def problem_words(summary: RootSummary) -> str:
    """Return why a file of it could not be read; empty where all is well."""
    if (failed := summary.failure) is None:
        return ""
    words = error_words(failed.reason, {**failed.reason_params, "name": name_of(failed.path)})
    return sentences(words.title, words.detail)


def missing_words(summary: RootSummary) -> str:
    """Return what of it is not there to be found, as it is meant to be; empty where all is."""
    parts: list[str] = []
    if partly := summary.partly:
        parts.append(
            QCoreApplication.translate("Documents", "Files that are too long and were read in part: %n.", "", partly)
        )
    if summary.root.left_out:
        parts.append(left_out_words(summary.root.left_out))
    return "\n".join(parts)


def left_out_words(left_out: Mapping[LeftOut, int]) -> str:
    """Return why some of a folder is not read, with the number of each, such as ``Left out: 12 hidden, 3 too large.``"""
    words: list[str] = []
    for reason in LeftOut:
        if count := left_out.get(reason, 0):
            words.append(_reason_words(reason, count))
    return QCoreApplication.translate("Documents", "Left out: %1.").replace("%1", ", ".join(words))


def _reason_words(reason: LeftOut, count: int) -> str:
    match reason:
        case LeftOut.HIDDEN:
            return QCoreApplication.translate("Documents", "%n hidden or made by programs", "", count)
        case LeftOut.KIND:
            return QCoreApplication.translate("Documents", "%n of other kinds than documents, texts or code", "", count)
        case LeftOut.TOO_LARGE:
            return QCoreApplication.translate("Documents", "%n too large", "", count)
        case LeftOut.TOO_DEEP:
            return QCoreApplication.translate("Documents", "%n in folders that lie too deep", "", count)
        case LeftOut.TOO_MANY:
            return QCoreApplication.translate("Documents", "%n because there are too many", "", count)
        case LeftOut.LEADS_OUT:
            return QCoreApplication.translate("Documents", "%n as links to other places", "", count)
        case LeftOut.UNREADABLE:
            return QCoreApplication.translate("Documents", "%n that may not be opened", "", count)


def place_words(place: Place | None) -> str:
    """Return where in a document something stands: page or lines, and the headings above it; empty where it has none."""
    if place is None:
        return ""
    if place.last_page > place.first_page:
        numbers = (QCoreApplication.translate("Documents", "pages %1 to %2"), place.first_page, place.last_page)
    elif place.first_page:
        numbers = (QCoreApplication.translate("Documents", "page %1"), place.first_page, 0)
    elif place.last_line > place.first_line:
        numbers = (QCoreApplication.translate("Documents", "lines %1 to %2"), place.first_line, place.last_line)
    elif place.first_line:
        numbers = (QCoreApplication.translate("Documents", "line %1"), place.first_line, 0)
    else:
        numbers = ("", 0, 0)
    words, first, last = numbers
    headings = readable(" › ".join(place.headings))
    return ", ".join(filter(None, (words.replace("%1", str(first)).replace("%2", str(last)), headings)))


def _waiting_words(summary: RootSummary, waiting: int, progress: Progress) -> str:
    if summary.files > 1:
        words = QCoreApplication.translate("Documents", "Being read: %1 of %2 files")
        return words.replace("%1", str(summary.files - waiting)).replace("%2", str(summary.files))
    if progress.total > 1:
        words = QCoreApplication.translate("Documents", "Being read: page %1 of %2")
        return words.replace("%1", str(progress.done)).replace("%2", str(progress.total))
    return (
        QCoreApplication.translate("Documents", "Changed, is read again…")
        if summary.changed
        else QCoreApplication.translate("Documents", "Being read…")
    )


def _file_words(summary: RootSummary) -> str:
    if summary.count(DocumentState.FAILED):
        return QCoreApplication.translate("Documents", "Could not be read")
    if summary.count(DocumentState.GONE):
        return QCoreApplication.translate("Documents", "The file is gone")
    return (
        QCoreApplication.translate("Documents", "Ready")
        if summary.files
        else QCoreApplication.translate("Documents", "Being read…")
    )
