"""The text of a PDF, page by page."""

import io
import time
from collections.abc import Iterator
from typing import Any

from desktop.core.attachment_limits import MOST_PDF_PAGES, MOST_TEXT_BYTES
from desktop.readers.main import UnreadableError

READING_SECONDS = 14.0
"""Then the rest of the pages is left out; the reader would be ended some seconds later."""


def read_pdf(data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    """Return the text of the first pages. Raises ``UnreadableError``, also where it holds no text."""
    begun = time.monotonic()
    pages: list[bytes] = []
    size = count = 0
    for _, count, page in page_texts(data):  # noqa: B007  (the count is told where there is no text)
        text = page.encode("utf-8", "replace").strip()
        if pages and size + len(text) + 2 > MOST_TEXT_BYTES:
            break
        pages.append(text[:MOST_TEXT_BYTES])
        size += len(text) + 2
        if time.monotonic() - begun > READING_SECONDS:
            break
    whole = b"\n\n".join(filter(None, pages))
    if not whole:
        raise UnreadableError("file.pdf_no_text", pages=count)
    return {"pages": count, "pages_read": len(pages), "sizes": [len(whole)]}, [whole]


def page_texts(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Yield the number of each page, how many there are, and its text, as far as pages are read at all.

    Raises ``UnreadableError``.
    """
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    try:
        reader = PdfReader(io.BytesIO(data), strict=False)
        if reader.is_encrypted and not reader.decrypt(""):
            raise UnreadableError("file.pdf_locked")
        count = len(reader.pages)
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UnreadableError("file.pdf_unreadable") from error
    except ImportError as error:  # a cipher that the program does not bring along
        raise UnreadableError("file.pdf_locked") from error
    for number in range(min(count, MOST_PDF_PAGES)):
        yield number + 1, count, _text_of(reader, number)


def _text_of(reader: Any, number: int) -> str:
    """The text of a page; a broken page holds none."""
    try:
        text = str(reader.pages[number].extract_text())
    except Exception:  # noqa: BLE001  (one page of a file that nobody checked)
        return ""
    return text.replace("\0", "")
