"""Stands where the system would open an address or a file: takes what Qt would hand to it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices


class SystemOpener(QObject):
    """``taken`` is what was to be opened, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.taken: list[QUrl] = []

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        self.taken.append(QUrl(url))

    @property
    def addresses(self) -> list[str]:
        return [url.toString(QUrl.ComponentFormattingOption.FullyEncoded) for url in self.taken]

    @property
    def files(self) -> list[Path]:
        return [Path(url.toLocalFile()) for url in self.taken]


@contextmanager
def system_opener(*schemes: str) -> Iterator[SystemOpener]:
    """Take everything of these schemes until the block ends."""
    opener = SystemOpener()
    for scheme in schemes:
        QDesktopServices.setUrlHandler(scheme, opener, "take")  # type: ignore[call-overload]
    try:
        yield opener
    finally:
        for scheme in schemes:
            QDesktopServices.unsetUrlHandler(scheme)
