"""The text of a PDF, page by page."""

import io
import time
import unicodedata
from collections.abc import Iterator
from typing import Any

from desktop.core.attachment_limits import MOST_PDF_PAGES, MOST_TEXT_BYTES
from desktop.readers.main import UnreadableError

_RADICALS = (
    "⺁厂⺅亻⺇几⺈刀⺉刂⺊卜⺋㔾⺌小⺎兀⺏尣⺐尢⺑尣⺒巳⺔彑⺖忄⺗心⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢水⺣灬⺥爫⺦丬⺧牛⺨犭⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓"
    "⺲罒⺳罓⺶羊⺷羊⺸羊⺹耂⺺肀⺻聿⺼月⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻈讠⻉贝⻊足⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻕阝⻖阝⻗雨⻘青⻙韦"
    "⻚页⻛风⻜飞⻝食⻞食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟⼾户⾭青"
)
"""Radicals, each before the character that it stands for: those of which Unicode's normal forms say nothing, and two that
they take for forms which texts of today hardly have."""
_OTHER_FORMS = ((0x2E80, 0x2FD5), (0xF900, 0xFAFF), (0xFB00, 0xFDFB), (0xFE70, 0xFEFC))
"""Radicals, copies of Chinese characters, ligatures and letters in one of their shapes: what fonts of PDFs are asked for in
place of the characters themselves. The rest of what NFKC changes stays: in x² or ① it would be another text."""
_USUAL = {
    code: usual
    for first, last in _OTHER_FORMS
    for code in range(first, last + 1)
    if (usual := unicodedata.normalize("NFKC", chr(code))) != chr(code) and "\u0640" not in usual and usual[0] != " "
} | dict(zip(map(ord, _RADICALS[::2]), _RADICALS[1::2], strict=True))
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
    return text.replace("\0", "").translate(_USUAL)
