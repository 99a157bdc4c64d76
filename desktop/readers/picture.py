"""A picture as it can be sent: upright, scaled, and nothing but its pixels; and a thumbnail of it."""

from typing import Any

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QColorSpace, QImage, QImageReader, QImageWriter, QPainter

from desktop.core.attachment_limits import LONGEST_SIDE, MOST_MEGAPIXELS, MOST_PICTURE_BYTES, THUMBNAIL_SIDE
from desktop.readers.main import UnreadableError

FORMATS = frozenset({"png", "jpeg", "jpg", "jfif", "webp", "gif", "bmp", "tif", "tiff", "ico"})
"""Pixels only. SVG and XPM are text and are sent as that."""
_JPEG = frozenset({"jpeg", "jpg", "jfif"})
QUALITY, LOWER_QUALITIES = 85, (70, 50)
_ALLOCATION_MEGABYTES = 1000


def read_picture(data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Return what is sent and a thumbnail. Raises ``UnreadableError``. Of an animation the first picture is taken."""
    image, name = _decoded(data)
    fitting = _scaled(image, LONGEST_SIDE)
    media_type, sent = _encoded(fitting, may_be_lossless=name not in _JPEG)
    _, thumbnail = _encoded(_scaled(fitting, THUMBNAIL_SIDE), may_be_lossless=False)
    header = {
        "media_type": media_type,
        "format": "jpeg" if name in _JPEG else name,
        "width": image.width(),
        "height": image.height(),
        "sizes": [len(sent), len(thumbnail)],
    }
    return header, [sent, thumbnail]


def _decoded(data: bytes) -> tuple[QImage, str]:
    buffer = QBuffer()
    buffer.setData(QByteArray(data))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    QImageReader.setAllocationLimit(_ALLOCATION_MEGABYTES)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    reader.setAutoTransform(True)  # a phone's picture lies on its side and says so
    name = bytes(reader.format().data()).decode("ascii", "replace")
    if name not in FORMATS:
        raise UnreadableError("file.picture_unreadable")
    size = reader.size()
    if size.width() * size.height() > MOST_MEGAPIXELS * 1_000_000:
        raise UnreadableError("file.picture_too_large", width=size.width(), height=size.height())
    image = reader.read()
    if image.isNull() or image.width() * image.height() > MOST_MEGAPIXELS * 1_000_000:
        raise UnreadableError("file.picture_unreadable")
    return _bare(image), name


def _bare(image: QImage) -> QImage:
    """The pixels in sRGB, without the texts, resolutions and profiles that Qt would write into the next file."""
    if image.colorSpace().isValid() and image.colorSpace() != QColorSpace(QColorSpace.NamedColorSpace.SRgb):
        converted = image.convertedToColorSpace(QColorSpace(QColorSpace.NamedColorSpace.SRgb))
        image = converted if not converted.isNull() else image
    formats = QImage.Format
    image = image.convertToFormat(formats.Format_ARGB32 if image.hasAlphaChannel() else formats.Format_RGB32)
    return QImage(image.constBits(), image.width(), image.height(), image.bytesPerLine(), image.format()).copy()


def _scaled(image: QImage, side: int) -> QImage:
    if max(image.width(), image.height()) <= side:
        return image
    size = image.size().scaled(QSize(side, side), Qt.AspectRatioMode.KeepAspectRatio).expandedTo(QSize(1, 1))
    return image.scaled(size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)


def _encoded(image: QImage, *, may_be_lossless: bool) -> tuple[str, bytes]:
    """PNG for what is transparent, and for drawings and screens where it is the smaller one; else JPEG."""
    see_through = _is_see_through(image)
    lossless = _written(image, b"PNG", -1) if see_through or may_be_lossless else b""
    if see_through and len(lossless) <= MOST_PICTURE_BYTES:
        return "image/png", lossless
    flat = _on_white(image) if see_through else image
    lossy = _written(flat, b"JPEG", QUALITY)
    if lossless and len(lossless) <= min(len(lossy), MOST_PICTURE_BYTES):
        return "image/png", lossless
    for quality in LOWER_QUALITIES:
        if len(lossy) > MOST_PICTURE_BYTES:
            lossy = _written(flat, b"JPEG", quality)
    while len(lossy) > MOST_PICTURE_BYTES:
        flat = _scaled(flat, max(flat.width(), flat.height()) * 3 // 4)
        lossy = _written(flat, b"JPEG", QUALITY)
    return "image/jpeg", lossy


def _is_see_through(image: QImage) -> bool:
    if not image.hasAlphaChannel():
        return False
    alpha = image.convertToFormat(QImage.Format.Format_Alpha8)
    width, stride = alpha.width(), alpha.bytesPerLine()
    rows = bytes(alpha.constBits())
    return any(rows[start : start + width].strip(b"\xff") for start in range(0, stride * alpha.height(), stride))


def _on_white(image: QImage) -> QImage:
    flat = QImage(image.size(), QImage.Format.Format_RGB32)
    flat.fill(Qt.GlobalColor.white)
    painter = QPainter(flat)
    painter.drawImage(0, 0, image)
    painter.end()
    return flat


def _written(image: QImage, kind: bytes, quality: int) -> bytes:
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QImageWriter(buffer, QByteArray(kind))
    writer.setQuality(quality)
    if not writer.write(image):
        raise UnreadableError("file.picture_unreadable")
    return bytes(buffer.data().data())
