"""Formulas in exported chats: found, drawn, and put as SVG into a page of HTML."""

import html
import re
from collections.abc import Mapping, Sequence

from desktop.conversation.entities import Message, Role, TextPart, ThinkingPart
from desktop.conversation.formulas import DrawnFormula, Formula, FormulaDrawer
from desktop.core.formula_limits import FONT, INK
from desktop.ui.markdown.html_writer import HtmlWriter, WrittenFormula
from desktop.ui.markdown.parser import make_parser
from desktop.ui.state.readable import readable

MOST_NESTING = 60
Drawn = Mapping[Formula, DrawnFormula]
_MAY_BE_ONE = re.compile(r"\$|\\[(\[]|\\begin\{|(?:```|~~~)\s*math")
_PLACE = re.compile(r'<img src="formula:(\d+)">')
_FONTS = "Noto Sans CJK SC, PingFang SC, Microsoft YaHei, sans-serif"
_BEGIN = re.compile(r"<svg\b[^>]*>")
_BOX = re.compile(r'viewBox="([-0-9. ]+)"')


async def drawn_formulas(message: Message, drawer: FormulaDrawer | None, most: int) -> Drawn:
    """Draw what stands in an answer's texts; those that cannot be drawn are missing. Texts over ``most`` have none."""
    if drawer is None or message.role is Role.USER:
        return {}
    wanted = [
        written.formula
        for part in message.parts
        if isinstance(part, TextPart | ThinkingPart) and len(part.text) <= most
        for written in formulas_in(part.text)
    ]
    found = {formula: await drawer.draw(formula) for formula in dict.fromkeys(wanted)}
    return {formula: drawn for formula, drawn in found.items() if drawn is not None}


def formulas_in(text: str) -> Sequence[WrittenFormula]:
    """Return the formulas of a Markdown text, in their order."""
    if not _MAY_BE_ONE.search(text):
        return ()
    writer = HtmlWriter(most_rows=None)
    writer.write(make_parser(MOST_NESTING).parse(text))
    return writer.formulas


def with_drawings(text: str, formulas: Sequence[WrittenFormula], drawn: Drawn, numbered_from: int | None = None) -> str:
    """Return HTML with the formulas in their places, as SVG in the colour of the text, or as they were typed.

    With ``numbered_from`` drawn ones stay places, ``<img src="formula:7">``, for the first of these numbers and so on.
    """

    def place(found: re.Match[str]) -> str:
        written = formulas[int(found[1])]
        picture = drawn.get(written.formula)
        source = html.escape(readable(written.source))
        box = _BOX.search(picture.svg) if picture is not None else None
        if picture is None or box is None:
            return f"<code>{source}</code>"
        if numbered_from is not None:
            return f'<img src="formula:{numbered_from + int(found[1])}" width="1" height="1">'
        size = f"width:{picture.width:.3f}em;height:{picture.height:.3f}em;vertical-align:{-picture.descent:.3f}em"
        begin = f'<svg viewBox="{box[1]}" style="{size}" role="img" aria-label="{source}"><title>{source}</title>'
        return _BEGIN.sub(lambda _: begin, picture.svg, count=1).replace(INK, "currentColor").replace(FONT, _FONTS)

    return _PLACE.sub(place, text) if formulas else text
