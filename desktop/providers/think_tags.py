"""Separates the ``<think>…</think>`` at the beginning of an answer from the answer, while it streams."""

import re

from desktop.core.language_model import TextDelta, ThinkingDelta

_BLANK_LINES = re.compile(r"\A\s*[\r\n]")  # models that reason begin their answer with some
_TAGS = {"<think>": "</think>", "<thinking>": "</thinking>"}


class ThinkTagSplitter:
    """Takes the pieces of a text in order. Only a tag that opens the answer counts; later ones are ordinary text.

    Held back is only what may still become a tag, and blanks around the thinking, which are dropped.
    """

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"  # start, thinking, after (blanks before the answer), text
        self._closing = ""
        self._has_thought = False

    def feed(self, text: str) -> list[TextDelta | ThinkingDelta]:
        """Take the next piece; return what is certain."""
        out: list[TextDelta | ThinkingDelta] = []
        self._held += text
        if self._state == "start":
            self._look_for_opening()
        if self._state == "thinking":
            self._take_thinking(out)
        if self._state == "after":
            self._held = self._held.lstrip()
            if self._held:
                self._state = "text"
        if self._state == "text" and self._held:
            out.append(TextDelta(text=self._held))
            self._held = ""
        return out

    def finish(self) -> list[TextDelta | ThinkingDelta]:
        """Say that the text ended; return what was held back."""
        held, self._held = self._held, ""
        if not held or (held.isspace() and self._state != "text"):
            return []
        return [ThinkingDelta(text=held) if self._state == "thinking" else TextDelta(text=held)]

    def _look_for_opening(self) -> None:
        begin = self._held.lstrip()
        for opening, closing in _TAGS.items():
            if begin.startswith(opening):
                self._state, self._closing = "thinking", closing
                self._held = begin[len(opening) :]
                return
        if not any(opening.startswith(begin) for opening in _TAGS):
            self._state = "text"
            self._held = _BLANK_LINES.sub("", self._held)

    def _take_thinking(self, out: list[TextDelta | ThinkingDelta]) -> None:
        if not self._has_thought:
            self._held = self._held.lstrip()
        before, tag, after = self._held.partition(self._closing)
        if tag:
            self._state = "after"
            self._held = after
            before = before.rstrip()
        else:
            certain = before[: len(before) - _end_that_may_begin(before, self._closing)].rstrip()
            before, self._held = certain, before[len(certain) :]
        if before:
            self._has_thought = True
            out.append(ThinkingDelta(text=before))


def _end_that_may_begin(text: str, tag: str) -> int:
    """How many characters at the end of ``text`` could be the beginning of ``tag``."""
    for length in range(min(len(tag) - 1, len(text)), 0, -1):
        if tag.startswith(text[-length:]):
            return length
    return 0
