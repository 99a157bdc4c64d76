"""``read-file formulas``: draws formulas in TeX, one after the other, as SVG.

A request is a line of JSON (``tex``, ``is_display``); the answer is one: ``svg`` with its measures in parts of the font's
size, or ``error``. Whoever asks ends the process where that takes too long.
"""

import functools
import json
import re
from collections.abc import Callable, Hashable
from typing import Any, BinaryIO
from xml.etree import ElementTree

from desktop.core.formula_limits import FONT, INK, MOST_CHARACTERS

DEEPEST = 12
"""Groups in each other: what a formula takes grows with its depth."""
MOST_REQUEST_BYTES = 4 * 6 * MOST_CHARACTERS
SIZE = 24.0
_LARGEST = 200.0
"""Width or height, in parts of the font's size."""

_COMMAND = re.compile(r"\\(?:[a-zA-Z]+|.)", re.DOTALL)
_EAST_ASIAN = re.compile(r"[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef]")
"""Not in its fonts either: laid out as squares, in whose places they are put as text."""
_NOT_IN_ITS_FONTS = re.compile(r"[\U00010000-\U0001d3ff\U0001d800-\U0010ffff]")
_SQUARE = "\u2b1b"
_SQUARE_PATH = re.compile(r"M ([-\d.]+) ([-\d.]+) L \1 \2 L ([-\d.]+) \2 L \3 ([-\d.]+) L \1 \4 Z ?")
_SHARE, _BELOW = 1.04, 0.12
"""How large a character is in parts of its square, which is a little smaller than the font, and how much of it stands below
the base line."""
_WITHOUT_MEANING_HERE = re.compile(r"\\(?:label|ref|eqref|index)\{[^{}]*\}|\\(?:nonumber|notag|displaylimits)\b")
_TAG = re.compile(r"\\tag\*?\{([^{}]*)\}")
_SCRIPT_ON_MATRIX = re.compile(r"(\\begin\{(\w+\*?)\}(?:(?!\\begin).)*?\\end\{\2\})(?=\s*[\^_])", re.DOTALL)
_SPELLED_OTHERWISE = (
    (re.compile(r"\\[dt]frac\b"), r"\\frac"),
    (re.compile(r"\\[dt]binom\b"), r"\\binom"),
    (re.compile(r"\\begin\{(?:equation|gather|multline|gathered)\*?\}"), r"\\begin{align*}"),
    (re.compile(r"\\end\{(?:equation|gather|multline|gathered)\*?\}"), r"\\end{align*}"),
    (re.compile(r"\\(?:begin|end)\{(?:displaymath|math)\}"), ""),
    (re.compile(r"\\(?:left|right)\s*(?=\\[lr]?(?:big|Big)+)"), ""),
    (re.compile(r"\\lvert\b|\\rvert\b"), "|"),
    (re.compile(r"\\lVert\b|\\rVert\b"), r"\\|"),
    (re.compile(r"\\(?:middle)\s*"), ""),
    (re.compile(r"\\coloneqq\b"), ":="),
)
_ELEMENTS = frozenset({"svg", "g", "path", "rect", "line", "polyline", "polygon", "text"})
_ATTRIBUTES = frozenset(
    (
        *("width", "height", "viewBox", "x", "y", "x1", "y1", "x2", "y2", "d", "fill", "stroke", "points", "opacity"),
        *("stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "rx", "ry", "transform"),
        *("font-size", "font-family"),
    )
)


class FormulaError(Exception):
    """The formula is not drawn; its source is to be shown."""


def serve(source: BinaryIO, output: BinaryIO) -> None:
    """Answer until there are no more requests."""
    draw = _drawer()
    while line := source.readline(MOST_REQUEST_BYTES):
        request = json.loads(line)
        try:
            answer = draw(str(request["tex"]), bool(request["is_display"]))
        except Exception as error:  # noqa: BLE001  (whatever a library does with a broken formula)
            answer = {"error": type(error).__name__}
        output.write(json.dumps(answer).encode() + b"\n")
        output.flush()


def prepared(tex: str) -> str:
    """Return the formula as the library takes it. Raises ``FormulaError`` for one that it is not given."""
    tex = tex.strip()
    if not tex or len(tex) > MOST_CHARACTERS or _depth(tex) > DEEPEST or _NOT_IN_ITS_FONTS.search(tex):
        raise FormulaError
    tex = _TAG.sub(r"\\qquad \\text{(\1)}", _WITHOUT_MEANING_HERE.sub("", tex))
    for pattern, spelling in _SPELLED_OTHERWISE:
        tex = pattern.sub(spelling, tex)
    return _SCRIPT_ON_MATRIX.sub(r"{\1}", tex)


def _depth(tex: str) -> int:
    """How deep groups stand in each other; commands in a row, each of which may take the next one, count as groups."""
    depth = deepest = chain = 0
    position = 0
    while position < len(tex):
        found = _COMMAND.match(tex, position)
        word = found.group() if found else tex[position]
        position += len(word)
        if word in ("{", r"\left", r"\begin"):
            depth += 1
        elif word in ("}", r"\right", r"\end"):
            depth = max(0, depth - 1)
        chain = chain + 1 if found and len(word) > 2 else chain if word.isspace() or word == "{" else 0
        deepest = max(deepest, depth, chain)
    return deepest


def _drawer() -> Callable[[str, bool], dict[str, Any]]:
    from ziafont.config import config
    from ziamath.tex import tex2mml
    from ziamath.zmath import Math

    config.svg2 = False  # Qt draws the other kind wrongly
    config.precision = 3
    seen = _remember_heights()

    def draw(tex: str, is_display: bool) -> dict[str, Any]:
        seen.clear()
        mathml = tex2mml(prepared(tex), inline=not is_display)
        if "<mi>\\" in mathml:  # a command that it does not know would stand there as it was typed
            raise FormulaError
        root = ElementTree.fromstring(mathml)
        root.set("mathcolor", INK)
        texts = _hold_places(root)
        svg = Math(root, size=SIZE, margin=1.0).svgxml()
        _fill_places(svg, texts)
        return _answer(svg)

    return draw


def _hold_places(root: ElementTree.Element) -> dict[str, list[str]]:
    """Put squares in the place of East Asian characters. Returns these by the colours in which the squares are drawn."""
    texts: dict[str, list[str]] = {}
    for element in root.iter():
        if found := _EAST_ASIAN.findall(element.text or ""):
            colour = f"#02{len(texts):04x}"
            texts[colour] = found
            element.text = _EAST_ASIAN.sub(_SQUARE, element.text or "")
            element.set("mathcolor", colour)
    return texts


def _fill_places(svg: ElementTree.Element, texts: dict[str, list[str]]) -> None:
    """Put the characters into the places of their squares."""
    left = {colour: list(characters) for colour, characters in texts.items()}
    for element in svg.iter():
        colour = element.get("fill", "")
        if colour not in left:
            continue
        element.set("fill", INK)
        square = _SQUARE_PATH.fullmatch(element.get("d", "")) if element.tag == "path" else None
        if square is None:
            continue
        if not left[colour]:
            raise FormulaError
        right, bottom, begin, _top = (float(number) for number in square.groups())
        side = right - begin
        room = side * (1 - _SHARE) / 2
        del element.attrib["d"]
        element.tag = "text"
        element.text = left[colour].pop(0)
        element.set("x", f"{begin + room:.3f}")
        element.set("y", f"{bottom - room - _BELOW * side * _SHARE:.3f}")
        element.set("font-size", f"{side * _SHARE:.3f}")
        element.set("font-family", FONT)
    if any(left.values()):
        raise FormulaError


def _answer(svg: ElementTree.Element) -> dict[str, Any]:
    for element in svg.iter():
        attributes = {name for name in element.attrib if not name.startswith("xmlns")}
        if element.tag not in _ELEMENTS or not attributes <= _ATTRIBUTES or not _may_stand(element):
            raise FormulaError
    _, top, width, height = (float(number) for number in svg.attrib["viewBox"].split())
    if not (0 < width <= _LARGEST * SIZE and 0 < height <= _LARGEST * SIZE):
        raise FormulaError
    return {
        "svg": ElementTree.tostring(svg, encoding="unicode"),
        "width": width / SIZE,
        "ascent": -top / SIZE,
        "descent": (height + top) / SIZE,
    }


def _may_stand(element: ElementTree.Element) -> bool:
    """Whether the text of an element of the picture is none, or a character that was put there."""
    text = (element.text or "").strip()
    return not text if element.tag != "text" else _EAST_ASIAN.fullmatch(text) is not None


def _remember_heights() -> dict[Hashable, tuple[float, float]]:
    """Let the library measure each part of a formula once. It builds each twice for that, and each part of it twice
    again. Returns what it remembers, to be forgotten with each formula."""
    from ziamath.nodes.mrow import Mrow

    measure = Mrow._get_height_nostretch  # pyright: ignore[reportPrivateUsage]
    seen: dict[Hashable, tuple[float, float]] = {}

    @functools.wraps(measure)
    def remembered(self: Any, line: list[ElementTree.Element], **options: Any) -> tuple[float, float]:
        parts = tuple(ElementTree.tostring(part) for part in line)
        key = (parts, repr(self.style), self.size, self.glyphsize, repr(sorted(options.items())))
        if key not in seen:
            seen[key] = measure(self, line, **options)
        return seen[key]

    Mrow._get_height_nostretch = remembered  # pyright: ignore[reportPrivateUsage]
    return seen
