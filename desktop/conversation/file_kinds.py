"""What a file is, told from its bytes and never from its name; and the text of a text file. Pure functions."""

from desktop.conversation.entities import AttachmentKind
from desktop.core.attachment_limits import MOST_TEXT_BYTES
from desktop.core.errors import FileError
from desktop.core.text_encoding import text_in

_PICTURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM", b"II*\0", b"MM\0*", b"\0\0\1\0")
_OTHER_PICTURES = (b"8BPS", b"\0\0\0\x0cJXL ", b"\xff\x0a", b"\0\0\0\x0cjP  ", b"gimp xcf")
_OTHER_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1", b"avif", b"avis"})
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
    text = text_in(data)
    if not text.strip():
        raise FileError("file.empty")
    size = len(text.encode("utf-8", "replace"))
    if size > MOST_TEXT_BYTES:
        raise FileError("file.text_too_long", size=megabytes(size), limit=megabytes(MOST_TEXT_BYTES))
    return text


def megabytes(size: int) -> str:
    """Return a number of bytes as words of an error name it."""
    return f"{size / 1_000_000:.1f}".removesuffix(".0") + " MB"
