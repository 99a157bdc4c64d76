"""``read-file KIND``: reads one file from standard input and writes what can be sent of it to standard output.

A process of its own, because a file may be made to hang its reader or to fill the memory. It opens nothing, and what
it may take is limited where the system can do that. The output is a line of JSON and, after it, the bytes it counts.
"""

import json
import logging
import os
import sys
from typing import Any

from desktop.core.attachment_limits import MOST_FILE_BYTES, READER_MEMORY_BYTES
from desktop.core.own_program import limit, only_output

CPU_SECONDS = 30
_WRONG_USE = 2


class UnreadableError(Exception):
    """The file cannot be read. ``code`` is one of ``core.error_texts``, ``params`` belong to it."""

    def __init__(self, code: str, **params: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.params = params


def main(argv: list[str]) -> int:
    """Read standard input as ``argv`` says: ``picture``, ``pdf``, or many ``documents`` or ``formulas``.

    Returns the exit status.
    """
    if argv not in (["picture"], ["pdf"], ["documents"], ["formulas"]):
        sys.stderr.write("usage: python -m desktop read-file picture|pdf|documents|formulas\n")
        return _WRONG_USE
    logging.disable(logging.CRITICAL)  # a library's complaints may quote the file
    output = only_output()
    if argv in (["documents"], ["formulas"]):
        if argv == ["documents"]:
            from desktop.readers.documents import serve
        else:
            from desktop.readers.formulas import serve

        limit(memory_bytes=READER_MEMORY_BYTES)  # of the processor's time each file has its own
        serve(sys.stdin.buffer, output)
        os._exit(0)
    limit(memory_bytes=READER_MEMORY_BYTES, cpu_seconds=CPU_SECONDS)
    header, payload = _answer(argv[0], sys.stdin.buffer.read(MOST_FILE_BYTES + 1))
    output.write(json.dumps(header).encode() + b"\n" + b"".join(payload))
    output.flush()
    os._exit(0)  # nothing of the libraries is wound up: it could only go wrong


def _answer(kind: str, data: bytes) -> tuple[dict[str, Any], list[bytes]]:
    unreadable = "file.picture_unreadable" if kind == "picture" else "file.pdf_unreadable"
    try:
        if kind == "picture":
            from desktop.readers.picture import read_picture

            return read_picture(data)
        from desktop.readers.pdf import read_pdf

        return read_pdf(data)
    except UnreadableError as error:
        return {"error": error.code, "params": error.params}, []
    except Exception:  # noqa: BLE001  (whatever a library does with a broken file)
        return {"error": unreadable, "params": {}}, []
