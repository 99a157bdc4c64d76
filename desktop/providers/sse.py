"""A tolerant parser for server-sent events: bytes in, events out, however the endpoint frames them."""

import json
import re
from dataclasses import dataclass

MAX_LINE_BYTES = 32 * 1024 * 1024
MOST_SETTLED_BYTES = 1024 * 1024
"""Longer events are not looked at before they end."""
_TAIL = 64
_LAST_OF_WHOLE = ("}", "]", '"', "")
"""What an object or the mark of the end ends with, or nothing where only blanks were looked at."""
OVERSIZED = "oversized"
"""The name of the event that stands for a line or an event above the limit, whose content is dropped."""

_LINE_END = re.compile(rb"[\r\n]")
_NAME_AGAIN = re.compile(r"\A(?:data: ?)+")
"""Relays put the field's name before what has it already."""
_BOM = "\ufeff"


@dataclass(frozen=True)
class SseEvent:
    """One event. ``name`` is ``error`` for the event name, and for a line, of that name, however it is written."""

    data: str
    name: str = ""


class SseParser:
    """Reads a stream piece by piece; the events do not depend on where the pieces begin and end.

    Beyond the standard it copes with events that no blank line separates, with ``error:`` lines, with JSON objects
    that stand on lines of their own, with a field name written twice, with byte order marks anywhere, with a missing
    end, and with invalid UTF-8 (replaced). The time is linear in the number of bytes.
    """

    def __init__(self, *, max_line_bytes: int = MAX_LINE_BYTES) -> None:
        self._max = max_line_bytes
        self._line = bytearray()
        self._skip_newline = False
        self._dropping_line = False
        self._data: list[str] = []
        self._data_size = 0
        self._may_be_json = True
        self._name = ""
        self._late_name = ""
        self._events: list[SseEvent] = []

    def feed(self, data: bytes) -> list[SseEvent]:
        """Take the next bytes; return the events that they complete."""
        start = 0
        for match in _LINE_END.finditer(data):
            end = match.start()
            if self._skip_newline:
                self._skip_newline = False
                if end == start and data[end] == 0x0A:  # the second half of a CRLF
                    start = end + 1
                    continue
            self._extend(data, start, end)
            self._end_line()
            self._skip_newline = data[end] == 0x0D
            start = end + 1
        if start < len(data):
            self._skip_newline = False
            self._extend(data, start, len(data))
        return self._take()

    @property
    def may_settle(self) -> bool:
        """What no blank line has ended yet may be the whole of an event, so that ``settle`` is worth waiting for."""
        ends = [self._line[-_TAIL:].decode("utf-8", "ignore")] if self._line else []
        ends += [line[-_TAIL:] for line in self._data[-1:]]
        return any(end.rstrip()[-1:] in _LAST_OF_WHOLE for end in ends)

    def settle(self) -> list[SseEvent]:
        """Say that nothing has come for a while; return what is whole but for the blank line that should end it."""
        if self._data and _is_whole("\n".join(self._data)):
            self._dispatch()
        if 0 < len(self._line) <= MOST_SETTLED_BYTES:
            line = self._line.decode("utf-8", "replace").removeprefix(_BOM)
            if _is_whole("\n".join([*self._data, _NAME_AGAIN.sub("", line)])):
                self._end_line()
                self._dispatch()
        return self._take()

    def finish(self) -> list[SseEvent]:
        """Say that no more bytes come; return what was still open."""
        if self._line:
            self._end_line()
        self._dispatch()
        return self._take()

    def _take(self) -> list[SseEvent]:
        events, self._events = self._events, []
        return events

    def _extend(self, data: bytes, start: int, end: int) -> None:
        if self._dropping_line:
            return
        if len(self._line) + end - start > self._max:
            self._dropping_line = True
            self._line.clear()
            self._dispatch()
            self._events.append(SseEvent("", OVERSIZED))
            return
        self._line += memoryview(data)[start:end]

    def _end_line(self) -> None:
        if self._dropping_line:
            self._dropping_line = False
            return
        line = self._line.decode("utf-8", "replace").removeprefix(_BOM)
        self._line.clear()
        if not line:
            self._dispatch()
        elif line.startswith("{"):
            self._take_bare_json(line)
        elif is_done_mark(line):
            self._dispatch()
            self._events.append(SseEvent(line))
        else:
            field, _, value = line.partition(":")
            self._take_field(field.strip(), value.removeprefix(" "))

    def _take_field(self, field: str, value: str) -> None:
        if field == "data":
            self._take_data(_NAME_AGAIN.sub("", value))
        elif field == "event":
            # The standard lets the name follow the data; without blank lines it belongs to what comes next.
            if self._data:
                self._late_name = value.strip().lower()
            else:
                self._name = value.strip().lower()
        elif field == "error":
            self._take_whole(value.strip(), name="error")

    def _take_bare_json(self, line: str) -> None:
        line = line.rstrip()
        if line.endswith("}"):  # otherwise a line of a JSON document over several lines, which is no event
            self._take_whole(line)

    def _take_whole(self, data: str, *, name: str = "") -> None:
        """A line that is an event, with the name that may stand before it."""
        if self._data:
            self._dispatch()
        self._name = name or self._name
        self._data.append(data)
        self._dispatch()

    def _take_data(self, value: str) -> None:
        if self._data and self._begins_anew(value):
            late_name, self._late_name = self._late_name, ""
            self._dispatch()
            self._name = late_name
        self._data_size += len(value) + 1
        if self._data_size > self._max:
            self._data.clear()
            self._dispatch()
            self._events.append(SseEvent("", OVERSIZED))
            return
        if not self._data:
            self._may_be_json = value.lstrip()[:1] in ("", "{", "[")
        self._data.append(value)
        if is_done_mark(value):
            self._dispatch()  # at once: the blank line may never come, and the connection stay open

    def _begins_anew(self, value: str) -> bool:
        """True where a ``data`` line cannot belong to the event of the lines before it.

        In a JSON text, a ``}`` is followed by little else than an end; and what begins as none, such as a ping, does not
        become one.
        """
        first = value.lstrip()[:1]
        if is_done_mark(value) or (first == "{" and not self._may_be_json):
            return True
        return first not in ("", ",", "]", "}") and self._data[-1].rstrip().endswith("}")

    def _dispatch(self) -> None:
        data = "\n".join(self._data)
        name = self._late_name or self._name
        self._data.clear()
        self._data_size = 0
        self._name = self._late_name = ""
        if data.strip() or name == "error":  # an error without a word is one, too
            self._events.append(SseEvent(data, name))


def _is_whole(data: str) -> bool:
    """True for a JSON object, and for the mark of the end."""
    if is_done_mark(data):
        return True
    if len(data) > MOST_SETTLED_BYTES or not (data.lstrip().startswith("{") and data.rstrip().endswith("}")):
        return False
    try:
        json.loads(data)
    except (ValueError, RecursionError):
        return False
    return True


def is_done_mark(data: str) -> bool:
    """True for the ``[DONE]`` that ends a stream of chunks."""
    return len(data) < 16 and data.strip().strip('"').upper() == "[DONE]"
