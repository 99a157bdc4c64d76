"""What people read of an attached file: its size, its pages, and its icon."""

from PySide6.QtCore import QCoreApplication

from desktop.conversation.entities import AttachmentKind, AttachmentPart
from desktop.ui.pasted_words import size_words
from desktop.ui.state.readable import readable

ICONS = {AttachmentKind.IMAGE: "image", AttachmentKind.TEXT: "file-text", AttachmentKind.PDF: "file-text"}


def shown_name(part: AttachmentPart) -> str:
    """Return the name with nothing in it that could deceive."""
    return readable(part.name)


def figures(part: AttachmentPart) -> str:
    """Return, for example, ``12 pages, 340 kB``."""
    size = size_words(part.size)
    if part.kind is AttachmentKind.IMAGE:
        return f"{part.width} × {part.height}, {size}"
    if part.kind is not AttachmentKind.PDF:
        return size
    pages = part.pages  # lupdate overlooks a text whose number is more than a name, and it knows no plurals here
    if part.pages_read < pages:
        words = QCoreApplication.translate("Attachments", "only the first %1 of %2 pages are sent, {size}")
        words = words.replace("%1", str(part.pages_read)).replace("%2", str(pages))
    elif pages == 1:
        words = QCoreApplication.translate("Attachments", "1 page, {size}")
    else:
        words = QCoreApplication.translate("Attachments", "%Ln pages, {size}", "", pages)
    return words.replace("{size}", size)


def attachment_words(part: AttachmentPart) -> str:
    """Return name and figures, for example ``report.pdf — 12 pages, 340 kB``."""
    return f"{shown_name(part)} — {figures(part)}"
