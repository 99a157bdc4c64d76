"""The text of bytes that may be a text file, in whatever of the usual encodings. Pure functions."""

import re

from desktop.core.errors import FileError

_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_UNUSUAL = re.compile("[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f]")


def text_in(data: bytes) -> str:
    """Return the text with plain newlines; it may be empty. Raises ``FileError`` with ``file.binary`` where it is none."""
    text = _decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    if len(_UNUSUAL.findall(text[:100_000])) > len(text[:100_000]) // 50 or "\0" in text:
        raise FileError("file.binary")
    return text


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
    return _required(_try(data, "cp1252") if _looks_western(data) else None)


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


def _looks_western(data: bytes) -> bool:
    """Whether most bytes are ASCII, as in Western text. In other scripts of one byte a letter, or two, hardly any is:
    better no text than one in wrong letters."""
    sample = b"".join(data[:100_000].split())
    return sum(byte > 0x7F for byte in sample) <= len(sample) / 3


def _looks_chinese(data: bytes) -> bool:
    """Whether bytes above ASCII come in pairs as in Chinese text: both high. In Western text they mostly stand alone."""
    runs = re.findall(rb"[\xa1-\xfe]+", data[:100_000])
    return sum(len(run) for run in runs if len(run) % 2 == 0) >= max(sum(len(run) for run in runs) / 2, 1)
