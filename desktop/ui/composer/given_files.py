"""What of a paste or a drop is files: their paths, or a picture that has none."""

from pathlib import Path

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QImage

_PICTURE_TYPES = ("image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp")


def paths_in(source: QMimeData) -> list[Path]:
    """Return the files that are given; none where anything else is among them."""
    urls = source.urls() if source.hasUrls() else []
    return [Path(url.toLocalFile()) for url in urls] if all(url.isLocalFile() for url in urls) else []


def holds_files(source: QMimeData) -> bool:
    """Tell whether files are given, or a picture without any text."""
    return bool(paths_in(source)) or (source.hasImage() and not source.hasText())


def picture_in(source: QMimeData) -> bytes | QImage | None:
    """Return the picture, as its bytes where the other program gives those."""
    for media_type in _PICTURE_TYPES:
        if source.hasFormat(media_type) and (data := bytes(source.data(media_type).data())):
            return data
    image = source.imageData() if source.hasImage() else None
    return image if isinstance(image, QImage) and not image.isNull() else None
