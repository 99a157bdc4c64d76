"""``read-file documents``: reads files one after the other from standard input, and writes each in pieces.

A request is a line of JSON (``name``, ``size``) and, after it, so many bytes. The answer is lines of JSON: ``piece`` and
``progress`` any number of times, then ``done`` or ``error``.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import PurePath
from typing import Any, BinaryIO

from desktop.core.attachment_limits import MOST_DOCUMENT_CHARACTERS, MOST_FILE_BYTES, MOST_PIECES
from desktop.core.document_kinds import CODE, HTML, MARKDOWN
from desktop.core.errors import FileError
from desktop.core.page_text import decoded, readable
from desktop.core.text_encoding import text_in
from desktop.readers import structure
from desktop.readers.docx import docx_blocks, is_docx
from desktop.readers.main import UnreadableError
from desktop.readers.pdf import page_texts
from desktop.readers.splitting import Block, pieces

CPU_SECONDS = 240
"""For one file."""
_MOST_PDF_SECONDS = 150.0
"""Then the rest of the pages is left out."""
_PDF_BEGINS_WITHIN = 1024


class _File:
    """One file while it is read."""

    def __init__(self, name: str, data: bytes, output: BinaryIO) -> None:
        self._ending = PurePath(name).suffix.lower()
        self._data = data
        self._output = output
        self._parts = self._parts_read = 0

    def answer(self) -> None:
        """Write everything there is to say of the file."""
        try:
            count, is_whole = self._write_pieces()
            if not count:
                raise UnreadableError("file.no_text")
        except (UnreadableError, FileError) as error:
            params = dict(error.params)
            self._write({"error": error.code, "params": params})
        except Exception:  # noqa: BLE001  (whatever a library does with a broken file)
            self._write({"error": "file.document_unreadable", "params": {}})
        else:
            if not is_whole and not self._parts:
                self._parts = 2  # the beginning of two parts that have no names
                self._parts_read = 1
            self._write({"done": {"parts": self._parts, "parts_read": self._parts_read}})

    def _write_pieces(self) -> tuple[int, bool]:
        count = characters = 0
        for piece in pieces(self._blocks()):
            if count == MOST_PIECES or characters > MOST_DOCUMENT_CHARACTERS:
                return count, False
            count += 1
            characters += len(piece.text)
            place = [piece.first_page, piece.last_page, piece.first_line, piece.last_line]
            self._write({"piece": {"text": piece.text, "headings": list(piece.headings), "place": place}})
        return count, True

    def _blocks(self) -> Iterator[Block]:
        if b"%PDF-" in self._data[:_PDF_BEGINS_WITHIN]:
            return self._pdf_blocks()
        if is_docx(self._data):
            return docx_blocks(self._data)
        if self._ending in HTML:
            return _html_blocks(self._data)
        text = text_in(self._data)
        if self._ending in MARKDOWN:
            return structure.markdown(text)
        return structure.code(text) if self._ending in CODE else structure.paragraphs(text)

    def _pdf_blocks(self) -> Iterator[Block]:
        begun = said = time.monotonic()
        for number, count, text in page_texts(self._data):
            self._parts, self._parts_read = count, number
            if text.strip():
                yield Block(text, page=number)
            now = time.monotonic()
            if now - begun > _MOST_PDF_SECONDS:
                return
            if now - said > 0.2:
                said = now
                self._write({"progress": [number, count]})

    def _write(self, line: dict[str, Any]) -> None:
        self._output.write(json.dumps(line).encode() + b"\n")
        if "piece" not in line:
            self._output.flush()


def serve(source: BinaryIO, output: BinaryIO) -> None:
    """Answer until there are no more requests."""
    while line := source.readline(10_000):
        request = json.loads(line)
        size = int(request["size"])
        if size > MOST_FILE_BYTES:
            return
        data = source.read(size)
        if len(data) < size:
            return
        _allow_seconds(CPU_SECONDS)
        _File(str(request["name"]), data, output).answer()


def _html_blocks(data: bytes) -> Iterator[Block]:
    """The page reader's text has its headings as Markdown does; lines of it are not those of the file."""
    if b"\0" in data:
        text_in(data)  # raises for what is no text
    page = readable(decoded(data, may_be_html=True), "")
    if page.title:
        yield Block(page.title, level=1)
    for block in structure.markdown(page.text):
        yield Block(block.text, level=block.level and min(6, block.level + bool(page.title)), title=block.title)


def _allow_seconds(seconds: int) -> None:
    """Let the system end this process where one file takes longer, however many were read before."""
    if sys.platform == "win32":
        return
    import resource

    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (soft if hard < 0 else min(soft, hard), hard))
