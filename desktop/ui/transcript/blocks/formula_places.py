"""Puts the pictures of formulas into a document: as large as the text around them, on its base line, or their source."""

import html
import math
import re
from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import QSize, QSizeF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPainter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)

from desktop.conversation.formulas import DrawnFormula, Formula
from desktop.ui.markdown.html_writer import WrittenFormula
from desktop.ui.state.readable import readable
from desktop.ui.transcript.formulas import FormulaPictures, FormulaReceiver, PictureKey

FORMULA = "formula:"
_PLACE = re.compile(r'<img src="formula:(\d+)">')
LARGER = 1.14
"""The letters of formulas are smaller than those of the interface's font at the same size."""


def with_sources(text: str, formulas: Sequence[WrittenFormula], pictures: FormulaPictures) -> str:
    """Return HTML in which only those formulas are pictures that were drawn; the others stand there as code."""

    def place(found: re.Match[str]) -> str:
        written = formulas[int(found[1])]
        if pictures.measures(written.formula) is not None:
            return f'<img src="{FORMULA}{found[1]}" width="1" height="1">'
        source = html.escape(readable(written.source)).replace("\n", "<br>")
        return f"<code>{source}</code>"

    return _PLACE.sub(place, text) if formulas else text


class Pictures(Protocol):
    """Where the pictures come from; see ``FormulaPictures``."""

    def measures(self, formula: Formula) -> DrawnFormula | None: ...

    def image(self, key: PictureKey, receiver: FormulaReceiver | None) -> QImage | None: ...


class FormulaPlaces:
    """The formulas of one document, while it shows one text. ``receiver`` hears of pictures that come later."""

    def __init__(self, pictures: Pictures, receiver: FormulaReceiver | None) -> None:
        self._pictures = pictures
        self._receiver = receiver
        self._images: dict[str, QImage] = {}

    def lay_out(
        self,
        document: QTextDocument,
        formulas: Sequence[WrittenFormula],
        text: QColor,
        ratio: float,
        widest: float | None = None,
    ) -> None:
        """Give each place its size and its picture; ``text`` is the colour of text that has none of its own.

        A picture that would be wider than ``widest`` becomes smaller.
        """
        self._images = {}
        cursor = QTextCursor(document)
        cursor.beginEditBlock()
        for number, start, format_ in list(places(document)):
            drawn = self._pictures.measures(formulas[number].formula)
            if drawn is None:
                continue
            font = format_.font()
            size = pixels_of(font) * LARGER
            size = size if widest is None else min(size, widest / drawn.width)
            brush = format_.foreground()
            colour = (text if brush.style() is Qt.BrushStyle.NoBrush else brush.color()).name()
            image = self._pictures.image((formulas[number].formula, size, colour, ratio), self._receiver)
            width, height = drawn.width * size, drawn.height * size
            above, below, alignment = _room(drawn, size, font)
            self._images[f"{FORMULA}{number}"] = _padded(image, width, height, above, below, ratio)
            picture = format_.toImageFormat()
            picture.setWidth(math.ceil(width))
            picture.setHeight(height + above + below)
            picture.setVerticalAlignment(alignment)
            cursor.setPosition(start)
            cursor.setPosition(start + 1, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(picture)
        cursor.endEditBlock()

    def image(self, name: str) -> QImage | None:
        """The picture for a place; None for what is no formula of this text."""
        return self._images.get(name)


def places(document: QTextDocument) -> Iterator[tuple[int, int, QTextCharFormat]]:
    """The formulas that stand in a document as pictures: the number, the position and the format of each."""
    block = document.begin()
    while block.isValid():
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            format_ = fragment.charFormat()
            if format_.isImageFormat() and (name := format_.toImageFormat().name()).startswith(FORMULA):
                yield int(name.removeprefix(FORMULA)), fragment.position(), format_
            iterator += 1
        block = block.next()


def pixels_of(font: QFont) -> float:
    """The size of a font in pixels."""
    if font.pixelSize() > 0:
        return font.pixelSize()
    screen = QGuiApplication.primaryScreen()
    return round(font.pointSizeF() * (screen.logicalDotsPerInch() if screen is not None else 96.0) / 72, 2)


def _room(drawn: DrawnFormula, size: float, font: QFont) -> tuple[float, float, QTextCharFormat.VerticalAlignment]:
    """The empty room above and below a picture by which its base line comes to that of the text, and how it is aligned.

    Qt knows two ways for a picture: its lower edge on the text's lowest line, or its middle half an x-height of half
    above the base line. The one that takes less room is taken.
    """
    metrics = QFontMetricsF(font)
    ascent, descent = drawn.ascent * size, drawn.descent * size
    if descent <= metrics.descent():
        below = metrics.descent() - descent
        return _missing_to_whole(ascent + descent + below), below, QTextCharFormat.VerticalAlignment.AlignBaseline
    missing = (ascent - descent) - metrics.xHeight() / 2
    above, below = max(0.0, -missing), max(0.0, missing)
    half = _missing_to_whole(ascent + descent + above + below) / 2
    return above + half, below + half, QTextCharFormat.VerticalAlignment.AlignMiddle


def _missing_to_whole(height: float) -> float:
    """Qt gives a picture a whole number of pixels."""
    return math.ceil(height - 0.001) - height


def _padded(image: QImage | None, width: float, height: float, above: float, below: float, ratio: float) -> QImage:
    """The picture with its empty room; all of it empty where it is not painted yet."""
    size = QSizeF(math.ceil(width) * ratio, (height + above + below) * ratio).toSize().expandedTo(QSize(1, 1))
    whole = QImage(size, QImage.Format.Format_ARGB32_Premultiplied)
    whole.fill(Qt.GlobalColor.transparent)
    if image is not None:
        painter = QPainter(whole)
        painter.drawImage(0, round(above * ratio), image)
        painter.end()
    return whole
