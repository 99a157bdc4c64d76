"""What a start of the program asks of the window, also of one that is open already: a chat, files, a page; as a line of JSON.

A ``threadwell:`` link may come from any web page, so that it can only lead somewhere: it writes, sends and attaches nothing.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

SCHEME = "threadwell:"
MOST_FILES = 50
MOST_BYTES = 64_000
"""Of a request on its way to the window that is open."""
_CHAT = re.compile(r"chat/([A-Za-z0-9_-]{1,64})")
_THREAD = re.compile(r"[A-Za-z0-9_-]{0,64}")


@dataclass(frozen=True, kw_only=True)
class StartRequest:
    """``thread``: an id, ``new``, ``last`` or empty; ``page``: ``guide`` or empty."""

    thread: str = ""
    files: tuple[str, ...] = ()
    """Whole paths of files that are to be looked at before anything is sent."""
    page: str = ""

    def to_line(self) -> str:
        return json.dumps(asdict(self))


NOTHING = StartRequest()


def file_or_link(argument: str) -> StartRequest:
    """Return what one argument asks for: a ``threadwell:`` link or a file. Raises ``ValueError`` for anything else."""
    if not argument.lower().startswith(SCHEME):
        file = Path(argument).expanduser().absolute()
        if not file.exists():  # it may be a command that is not spelt right
            raise ValueError(f"no such file: {argument[:100]}")
        return StartRequest(files=(str(file),))
    place = argument[len(SCHEME) :].strip("/")
    if chat := _CHAT.fullmatch(place):
        return StartRequest(thread=chat[1])
    if place not in ("new", "guide", ""):
        raise ValueError(f"no such place: {argument[:100]}")
    return StartRequest(thread="new") if place == "new" else StartRequest(page=place)


def request_of(things: Sequence[StartRequest], thread: str = "") -> StartRequest:
    """Return all of it as one: the last chat and page, and the first ``MOST_FILES`` files. ``thread`` is where no link says."""
    threads, pages = [each.thread for each in things if each.thread], [each.page for each in things if each.page]
    files = [file for each in things for file in each.files]
    return StartRequest(thread=[thread, *threads][-1], files=tuple(files[:MOST_FILES]), page=["", *pages][-1])


def read_line(line: str) -> StartRequest:
    """Return the request that ``to_line`` wrote. Raises ``ValueError`` for anything else."""
    try:
        data: Any = json.loads(line)
    except RecursionError as error:
        raise ValueError("it is nested too deep") from error
    if not isinstance(data, dict):
        raise ValueError("it is no object")
    fields = cast(dict[str, Any], data)
    thread, files, page = fields.get("thread", ""), fields.get("files", []), fields.get("page", "")
    if not isinstance(thread, str) or not _THREAD.fullmatch(thread) or page not in ("", "guide"):
        raise ValueError("it names no place")
    if not isinstance(files, list) or len(cast(list[Any], files)) > MOST_FILES:
        raise ValueError("it names no files")
    paths = cast(list[Any], files)
    if not all(isinstance(path, str) and "\0" not in path and Path(path).is_absolute() for path in paths):
        raise ValueError("it names no whole paths")
    return StartRequest(thread=thread, files=tuple(paths), page=page)
