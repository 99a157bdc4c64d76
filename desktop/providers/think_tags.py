"""Separates reasoning between tags at the beginning of an answer from the answer, while it streams."""

import re

from desktop.core.language_model import TextDelta, TextWasThinking, ThinkingDelta

_BLANK_LINES = re.compile(r"\A\s*[\r\n]")  # models that reason begin their answer with some
_SMALL_INDENT = re.compile(r"\A {1,3}(?=\S)")  # means nothing in Markdown; more makes a code block
_TAGS = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<thought>": "</thought>",
    "<reasoning>": "</reasoning>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
    "◁think▷": "◁/think▷",
}
_LONE_CLOSINGS = ("</think>", "</seed:think>", "[/THINK]", "◁/think▷")
"""Those that may come without the opening tag, where that stands in the model's prompt already."""
_LONE_BEGINS = frozenset(tag[:length] for tag in _LONE_CLOSINGS for length in range(1, len(tag)))
_QUOTES = ('"', "'", "“", "‘", "«", "「", "(", "（")
_LONGEST = max(map(len, _LONE_CLOSINGS))

Chunk = TextDelta | ThinkingDelta | TextWasThinking


class ThinkTagSplitter:
    """Takes the pieces of a text in order. Only a tag that opens the answer counts; later ones are ordinary text.

    The exception is a closing tag that nothing opened: what stood before it was reasoning, unless it is quoted.
    Held back is only what may still become a tag, and blanks around the thinking, which are dropped.
    """

    def __init__(self, *, keeps_blanks: bool = False) -> None:
        """``keeps_blanks``: those at the beginning of a text without thinking are no padding, but part of it."""
        self._keeps_blanks = keeps_blanks
        self._held = ""
        self._state = (
            "start"  # start, thinking, after (blanks before the answer), unsure (a closing tag may come), text
        )
        self._closing = ""
        self._has_thought = False
        self._given: list[str] = []

    def feed(self, text: str, *, has_reasoning: bool = False) -> list[Chunk]:
        """Take the next piece; return what is certain. ``has_reasoning``: some came beside the text already."""
        out: list[Chunk] = []
        self._held += text
        if self._state == "start":
            self._look_for_opening()
        if self._state == "thinking":
            self._take_thinking(out)
        if self._state == "unsure":
            self._look_for_closing(out, has_reasoning=has_reasoning)
        if self._state == "after":
            self._held = self._held.lstrip()
            if self._held:
                self._state = "text"
        if self._state == "text" and self._held:
            out.append(TextDelta(text=self._held))
            self._held = ""
        return out

    def finish(self) -> list[Chunk]:
        """Say that the text ended; return what was held back."""
        held, self._held = self._held, ""
        if not held or (held.isspace() and self._state in ("start", "thinking", "after")):
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
            self._state = "unsure"
            if not self._keeps_blanks:
                self._held = _SMALL_INDENT.sub("", _BLANK_LINES.sub("", self._held))

    def _take_thinking(self, out: list[Chunk]) -> None:
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

    def _look_for_closing(self, out: list[Chunk], *, has_reasoning: bool) -> None:
        """Give out text for as long as there is no closing tag; the first one decides."""
        place, tag = _lone_closing_in(self._held)
        if not tag:
            self._give(out, len(self._held) - _end_of_lone(self._held))
            return
        self._give(out, place)
        before, self._given = "".join(self._given), []
        if before.strip() and (has_reasoning or _is_quoted(before)):
            self._state = "text"
            return
        self._state = "after"
        self._held = self._held[len(tag) :]
        if before.strip():
            out.append(TextWasThinking())

    def _give(self, out: list[Chunk], length: int) -> None:
        if text := self._held[:length]:
            self._held = self._held[length:]
            self._given.append(text)
            out.append(TextDelta(text=text))


def _is_quoted(before: str) -> bool:
    """True where a tag after this text is spoken of: in code, in quotation marks, or after its opening tag."""
    line = before[before.rfind("\n") + 1 :]
    if before.endswith(_QUOTES) or any(tag in before for tag in _TAGS):
        return True
    return before.count("```") % 2 == 1 or line.count("`") % 2 == 1


def _lone_closing_in(text: str) -> tuple[int, str]:
    """Where the first of the lone closing tags stands, and which it is; empty where there is none."""
    # Not by an expression: in a text of megabytes that takes a hundred times as long.
    found = [(place, tag) for tag in _LONE_CLOSINGS if (place := text.find(tag)) >= 0]
    return min(found, default=(-1, ""))


def _end_of_lone(text: str) -> int:
    return next((n for n in range(min(_LONGEST - 1, len(text)), 0, -1) if text[-n:] in _LONE_BEGINS), 0)


def _end_that_may_begin(text: str, tag: str) -> int:
    """How many characters at the end of ``text`` could be the beginning of ``tag``."""
    for length in range(min(len(tag) - 1, len(text)), 0, -1):
        if tag.startswith(text[-length:]):
            return length
    return 0
