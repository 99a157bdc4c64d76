"""Names and endings for files whose bytes and names came from outside: never those of something that can be run."""

import re
import unicodedata

LONGEST_NAME = 80
_BEGINNINGS: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", ".png"),
    (0, b"\xff\xd8\xff", ".jpg"),
    (0, b"GIF87a", ".gif"),
    (0, b"GIF89a", ".gif"),
    (8, b"WEBP", ".webp"),
    (8, b"WAVE", ".wav"),
    (0, b"ID3", ".mp3"),
    (0, b"\xff\xfb", ".mp3"),
    (0, b"\xff\xf3", ".mp3"),
    (0, b"OggS", ".ogg"),
    (0, b"fLaC", ".flac"),
    (4, b"ftypM4A", ".m4a"),
    (4, b"ftyp", ".mp4"),
    (0, b"\x1aE\xdf\xa3", ".webm"),
    (0, b"%PDF-", ".pdf"),
    (0, b"PK\x03\x04", ".zip"),
    (0, b"\x1f\x8b", ".gz"),
)
_IN_ZIP = {
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": ".pptx",
    "application/vnd.oasis.opendocument.text": ".odt",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
    "application/epub+zip": ".epub",
}
_TEXTS = {"text/csv": ".csv", "application/json": ".json", "text/markdown": ".md"}
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)\Z", re.IGNORECASE)
_UNWANTED = re.compile(r'[<>:"/\\|?*%\x00-\x1f\x7f]')
_MEDIA_TYPE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9.+-]{0,60}/[a-zA-Z0-9][a-zA-Z0-9.+_-]{0,99}")
_SNIFFED = 100_000

OPENABLE = frozenset(
    {".png", ".jpeg", ".jpg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".ico"}
    | {".wav", ".mp3", ".ogg", ".flac", ".m4a", ".mp4", ".webm", ".pdf"}
)
"""Endings of what the system may be asked to show: nothing of it is a program for any system."""
READABLE = frozenset({".txt", ".csv", ".json", ".md"})
"""Endings of what is plain text, whatever it calls itself."""


def media_type_of(claimed: str) -> str:
    """Return a media type as somebody claims it, without its parameters; empty where it is none."""
    plain = claimed.partition(";")[0].strip()
    return plain.lower() if _MEDIA_TYPE.fullmatch(plain) else ""


def safe_suffix(data: bytes, claimed: str = "") -> str:
    """Return the ending for bytes, told by how they begin; ``claimed`` is the media type that somebody says they have.

    HTML, SVG and scripts are text, and everything unknown is ``.bin``.
    """
    for place, beginning, suffix in _BEGINNINGS:
        if data[place : place + len(beginning)] == beginning and (place != 8 or data.startswith(b"RIFF")):
            return _IN_ZIP.get(claimed, suffix) if suffix == ".zip" else suffix
    return _TEXTS.get(claimed, ".txt") if _is_text(data) else ".bin"


def safe_file_name(wanted: str, suffix: str, *, standard: str = "file") -> str:
    """Return a name that every system takes and that leads into no other folder: the last part of ``wanted``, or ``standard``.

    It ends in ``suffix``, whatever ending was wanted, has no more than ``LONGEST_NAME`` characters, and none that is
    invisible or turns the direction of text around.
    """
    last = re.split(r"[/\\]", wanted.encode("utf-8", "replace").decode())[-1]
    shown = "".join(c if c == " " or unicodedata.category(c)[0] not in "CZ" else " " for c in last)
    stem = " ".join(_UNWANTED.sub(" ", shown).split()).rstrip(" .")
    # Only a usual ending is taken off: what follows the last dot of a sentence is none.
    stem = re.sub(r"\.[A-Za-z0-9]{1,8}\Z", "", stem).strip(" .-~$")[: LONGEST_NAME - len(suffix)].rstrip(" .")
    if not stem or _RESERVED.fullmatch(stem.partition(".")[0].strip()):
        stem = standard
    return f"{stem}{suffix}"


def _is_text(data: bytes) -> bool:
    sample = data[:_SNIFFED]
    if b"\0" in sample:
        return False
    try:
        sample.decode("utf-8")
    except UnicodeDecodeError as error:
        # The sample may end in the middle of a character.
        return len(data) > _SNIFFED and error.start >= len(sample) - 4
    return True
