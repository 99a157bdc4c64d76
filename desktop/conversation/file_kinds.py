"""What a file is, told from its bytes and never from its name; and the text of a text file. Pure functions."""

import re

from desktop.conversation.entities import AttachmentKind
from desktop.core.attachment_limits import MOST_TEXT_BYTES
from desktop.core.errors import FileError

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\0", b"MM\0*", b"\0\0\1\0")
_OTHER_PICTURES = (b"8BPS", b"\0\0\0\x0cJXL ", b"\xff\x0a", b"\0\0\0\x0cjP  ", b"gimp xcf")
_OTHER_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"})
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_UNUSUAL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")
_PDF_BEGINS_WITHIN = 1024


def kind_of(data: bytes) -> AttachmentKind:
    """Return what the bytes are. Raises ``FileError`` for a picture of a kind that cannot be read."""
    head = data[:_PDF_BEGINS_WITHIN]
    if head[4:8] == b"ftyp" and head[8:12] in _OTHER_BRANDS:
        raise FileError("file.picture_kind", kind=head[8:12].decode("ascii").upper())
    if head.startswith(_OTHER_PICTURES):
        raise FileError("file.picture_kind", kind="")
    is_bitmap = head.startswith(b"BM") and len(head) > 26 and head[6:10] == b"\0\0\0\0"
    if head[:4] == b"RIFF" and head[8:12] == b"WEBP":
        return AttachmentKind.IMAGE
    if head.startswith(_PICTURES) and (is_bitmap or not head.startswith(b"BM")):
        return AttachmentKind.IMAGE
    if b"%PDF-" in head:
        return AttachmentKind.PDF
    return AttachmentKind.TEXT


def text_of(data: bytes) -> str:
    """Return the text of a text file with plain newlines, in whatever of the usual encodings it is.

    Raises ``FileError``: ``file.binary``, ``file.text_too_long``, ``file.empty``.
    """
    text = _decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    if len(_UNUSUAL.findall(text[:100_000])) > len(text[:100_000]) // 50 or "\0" in text:
        raise FileError("file.binary")
    if not text.strip():
        raise FileError("file.empty")
    size = len(text.encode("utf-8", "replace"))
    if size > MOST_TEXT_BYTES:
        raise FileError("file.text_too_long", size=megabytes(size), limit=megabytes(MOST_TEXT_BYTES))
    return text


def megabytes(size: int) -> str:
    """Return a number of bytes as words of an error name it."""
    return f"{size / 1_000_000:.1f}".removesuffix(".0") + " MB"


def _decoded(data: bytes) -> str:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _required(_try(data, encoding))
    if b"\0" in data:
        wide = _wide_encoding(data)
        return _required(_try(data, wide) if wide else None)
    if (text := _try(data, "utf-8")) is not None:
        return text
    if _looks_chinese(data) and (text := _try(data, "gb18030")) is not None:
        return text
    return _required(_try(data, "cp1252"))


def _try(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _required(text: str | None) -> str:
    if text is None:
        raise FileError("file.binary")
    return text


def _wide_encoding(data: bytes) -> str:
    """UTF-16 without a mark: in Western text every other byte is zero."""
    sample = data[:10_000]
    half = len(sample) // 2
    if len(data) % 2 or not half:
        return ""
    if sample[1::2].count(0) > half * 0.4 and 0 not in sample[::2]:
        return "utf-16-le"
    if sample[::2].count(0) > half * 0.4 and 0 not in sample[1::2]:
        return "utf-16-be"
    return ""


def _looks_chinese(data: bytes) -> bool:
    """Whether bytes above ASCII come in pairs as in Chinese text: both high. In Western text they mostly stand alone."""
    runs = re.findall(rb"[\xa1-\xfe]+", data[:100_000])
    return sum(len(run) for run in runs if len(run) % 2 == 0) >= sum(len(run) for run in runs) / 2
