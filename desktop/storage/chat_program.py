"""``read-chats NAME``: reads a file with chats from standard input and writes what is in it, chat by chat, to standard output.

A process of its own, because such a file is large, may be made to hang or to fill the memory of its reader, and because
parsing JSON would hold up the window. It opens nothing: standard input is the file.
"""

import logging
import os
import sys
from typing import IO, Any

from desktop.conversation.interchange.chat_json import chat_to_json, message_to_json, to_text
from desktop.conversation.interchange.ports import ChatFile, Found, Progress, SkippedEntry
from desktop.conversation.interchange.reading import files
from desktop.conversation.interchange.records import ImportedChat
from desktop.core.own_program import limit, only_output
from desktop.storage.chat_frames import Kind, write

MEMORY_BYTES = 3_000_000_000
_WRONG_USE = 2


def main(argv: list[str]) -> int:
    """Read standard input, a file that is called as ``argv`` says. Returns the exit status."""
    if len(argv) != 1:
        sys.stderr.write("usage: python -m desktop read-chats NAME < FILE\n")
        return _WRONG_USE
    logging.disable(logging.CRITICAL)
    output = only_output()
    limit(memory_bytes=MEMORY_BYTES)
    try:
        _serve(sys.stdin.buffer, argv[0], output)
        write(output, Kind.DONE, b"{}")
    except files.BombError:
        _fail(output, "file.chats_too_large")
    except (MemoryError, *files.BROKEN):
        _fail(output, "file.chats_unreadable")
    output.flush()
    os._exit(0)  # nothing is wound up: what is left is the system's to free


def _serve(file: IO[bytes], name: str, output: IO[bytes]) -> None:
    size = os.fstat(file.fileno()).st_size
    for found in files.read(file, size, name):
        _tell(output, found)
        if not isinstance(found, ImportedChat):
            output.flush()


def _tell(output: IO[bytes], found: Found) -> None:
    match found:
        case ImportedChat():
            head = {"source": found.source.value, "chat": chat_to_json(found.chat), "files": sorted(found.files)}
            write(output, Kind.CHAT, _bytes(head))
            for message in found.messages:
                write(output, Kind.MESSAGE, _bytes(message_to_json(message)))
            write(output, Kind.CHAT_END, b"{}")
        case ChatFile():
            write(output, Kind.FILE, _bytes({"key": found.key, "name": found.name}))
            write(output, Kind.BYTES, found.data)
        case SkippedEntry():
            write(output, Kind.SKIPPED, _bytes({"name": found.name, "why": found.why.value}))
        case Progress():
            write(output, Kind.PROGRESS, _bytes({"done": found.done, "total": found.total}))


def _fail(output: IO[bytes], code: str) -> None:
    write(output, Kind.FAILED, _bytes({"code": code}))


def _bytes(value: Any) -> bytes:
    return to_text(value).encode()
