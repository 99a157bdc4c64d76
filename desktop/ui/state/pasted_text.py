"""Long pasted texts beside a message: when a paste is folded, and the plain form in which text and pastes are one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

FOLD_CHARACTERS = 20_000
FOLD_LINES = 400
MOST_BYTES = 2_000_000
"""Of a whole message; an ordinary model could not read it by far."""

MARK = "pasted-text"
"""The word that follows the fence. The model sees it too: a fenced block is what it knows as foreign material."""

_MOST_TRIES = 50
_FENCES = re.compile(r"^`{3,}", re.MULTILINE)
_BEGIN = re.compile(rf"^(`{{3,}}){MARK}\n", re.MULTILINE)


@dataclass(frozen=True)
class Composed:
    """What a message is composed of."""

    text: str
    """What was typed."""
    pasted: tuple[str, ...] = ()
    """Texts that stand folded beside it."""

    @property
    def is_blank(self) -> bool:
        return not self.text.strip() and not self.pasted


def is_long(text: str) -> bool:
    """Tell whether a paste is folded instead of standing in the text field."""
    return len(text) > FOLD_CHARACTERS or text.count("\n") >= FOLD_LINES


def line_count(text: str) -> int:
    """Return how many lines a reader counts: a newline at the very end begins no further one."""
    return text.count("\n") + (not text.endswith("\n"))


def byte_count(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def joined(composed: Composed) -> str:
    """Return text and pastes as one plain text: what is stored as a draft and sent. ``split`` is its inverse."""
    blocks = [_block(text) for text in composed.pasted]
    return "\n\n".join([composed.text, *blocks] if composed.text or not blocks else blocks)


def split(whole: str) -> Composed:
    """Take a text from ``joined`` apart; any other text comes back as it is, without pastes."""
    for number, begin in enumerate(_BEGIN.finditer(whole)):
        if number == _MOST_TRIES:
            break
        is_alone = begin.start() == 0
        if not is_alone and whole[begin.start() - 2 : begin.start()] != "\n\n":
            continue
        pasted = _blocks(whole, begin.start())
        if pasted is not None:
            return Composed("" if is_alone else whole[: begin.start() - 2], pasted)
    return Composed(whole)


def left_over(now: Composed, sent: Composed) -> Composed:
    """Return what came to the message while ``sent`` was being stored: the beginning of both texts is the same."""
    return Composed(now.text.removeprefix(sent.text), _without(now.pasted, sent.pasted))


def _without(texts: Sequence[str], taken: Sequence[str]) -> tuple[str, ...]:
    rest = list(texts)
    for text in taken:
        if text in rest:
            rest.remove(text)
    return tuple(rest)


def _block(text: str) -> str:
    """A fence longer than any at the beginning of a line inside."""
    longest = max((len(found) for found in _FENCES.findall(text)), default=2) if "```" in text else 2
    fence = "`" * (longest + 1)
    return f"{fence}{MARK}\n{text}\n{fence}"


def _blocks(whole: str, at: int) -> tuple[str, ...] | None:
    """Read blocks from ``at`` to the very end, divided by an empty line; None where anything else stands there."""
    pasted: list[str] = []
    while True:
        begin = _BEGIN.match(whole, at)
        if begin is None:
            return None
        fence = f"\n{begin.group(1)}"
        end = whole.find(fence, begin.end() - 1)
        if end < begin.end():  # none, or the newline of the first line itself: a block holds at least an empty line
            return None
        pasted.append(whole[begin.end() : end])
        at = end + len(fence)
        if at == len(whole):
            return tuple(pasted)
        if not whole.startswith("\n\n", at):
            return None
        at += 2
