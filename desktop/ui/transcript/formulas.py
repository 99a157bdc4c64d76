"""Formulas as pictures: drawn when one comes into sight, coloured for the theme, and kept for those seen last."""

import time
import weakref
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, Protocol

import shiboken6
from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from desktop.conversation.formulas import DrawnFormula, Formula
from desktop.core.formula_limits import FONT, INK

Draw = Callable[[Formula], Awaitable[DrawnFormula | None]]
Spawn = Callable[[Coroutine[Any, Any, None]], object]

KEPT = 4_000
KEPT_PIXELS = 24_000_000
LARGEST_SIDE = 4_000
"""Pixels of a picture: a formula that is larger is drawn smaller."""
SLICE_SECONDS = 0.008
"""For so long pictures are made without a break."""
GATHER_MS = 40
"""After so long those who wait are told of all formulas that were drawn."""


class FormulaReceiver(Protocol):
    """A widget that waits for formulas."""

    def formulas_drawn(self) -> None: ...


PictureKey = tuple[Formula, float, str, float]
"""The formula, the font's size in pixels, the colour, and how many pixels of the screen are one."""


class FormulaPictures:
    """Without somebody who draws, no formula can be drawn."""

    def __init__(self, parent: QObject) -> None:
        self._draw: Draw | None = None
        self._spawn: Spawn | None = None
        self._drawn: OrderedDict[Formula, DrawnFormula | None] = OrderedDict()
        self._images: OrderedDict[PictureKey, QImage] = OrderedDict()
        self._pixels = 0
        self._waiting: dict[Formula, list[weakref.ref[Any]]] = {}
        self._unpainted: dict[PictureKey, list[weakref.ref[Any]]] = {}
        self._to_tell: list[weakref.ref[Any]] = []
        self._is_drawing = False
        self._painting = QTimer(parent, singleShot=True, interval=0)
        self._painting.timeout.connect(self._paint_some)
        self._telling = QTimer(parent, singleShot=True)
        self._telling.timeout.connect(self._tell)

    def set_drawer(self, draw: Draw, spawn: Spawn) -> None:
        """``spawn`` runs a coroutine in which formulas are drawn, one after the other."""
        self._draw, self._spawn = draw, spawn

    @property
    def is_idle(self) -> bool:
        """Whether all that was asked for is drawn, painted and told."""
        return not (self._is_drawing or self._unpainted or self._to_tell)

    def is_known(self, formula: Formula) -> bool:
        """Whether it was tried already; ``measures`` are None then where it cannot be drawn."""
        return formula in self._drawn or self._draw is None

    def measures(self, formula: Formula) -> DrawnFormula | None:
        return self._drawn.get(formula)

    def request(self, formulas: Iterable[Formula], receiver: FormulaReceiver) -> None:
        """Draw them, those asked for last first, and tell ``receiver`` now and then; never when it is gone by then."""
        for formula in formulas:
            waiting = self._waiting.pop(formula, [])  # put at the end
            self._waiting[formula] = [*(each for each in waiting if each() is not receiver), weakref.ref(receiver)]
        if self._waiting and not self._is_drawing and self._spawn is not None:
            self._is_drawing = True
            self._spawn(self._draw_all())

    async def _draw_all(self) -> None:
        try:
            while self._waiting and self._draw is not None:
                formula, waiting = self._waiting.popitem()
                waiting = [each for each in waiting if _alive(each) is not None]
                if waiting:
                    self._keep(formula, await self._draw(formula))
                    self._tell_soon(waiting)
        finally:
            self._is_drawing = False

    def _keep(self, formula: Formula, drawn: DrawnFormula | None) -> None:
        self._drawn[formula] = drawn
        while len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)

    def image(self, key: PictureKey, receiver: FormulaReceiver | None) -> QImage | None:
        """The picture of a formula that was drawn; None where it is still being painted, of which ``receiver`` hears."""
        if (image := self._images.get(key)) is not None:
            self._images.move_to_end(key)
            return image
        if receiver is None:
            return None
        self._unpainted.setdefault(key, []).append(weakref.ref(receiver))
        if not self._painting.isActive():
            self._painting.start()
        return None

    def _paint_some(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        while self._unpainted and time.perf_counter() < until:
            key = next(iter(self._unpainted))
            waiting = self._unpainted.pop(key)
            drawn = self._drawn.get(key[0])
            if drawn is not None and any(_alive(each) is not None for each in waiting):
                image = painted(drawn, key[1], key[2], key[3])
                self._images[key] = image
                self._pixels += image.width() * image.height()
                while self._pixels > KEPT_PIXELS and len(self._images) > 1:
                    _, old = self._images.popitem(last=False)
                    self._pixels -= old.width() * old.height()
                self._tell_soon(waiting)
        if self._unpainted:
            self._painting.start()

    def _tell_soon(self, waiting: list[weakref.ref[Any]]) -> None:
        known = {id(each()) for each in self._to_tell}
        self._to_tell += [each for each in waiting if id(each()) not in known]
        if not self._telling.isActive():
            self._telling.start(GATHER_MS)

    def _tell(self) -> None:
        """One after the other, with a break after each: a text with many formulas takes some milliseconds."""
        while self._to_tell:
            receiver = _alive(self._to_tell.pop(0))
            if receiver is not None:
                receiver.formulas_drawn()
                break
        if self._to_tell:
            self._telling.start(0)


def painted(drawn: DrawnFormula, size: float, colour: str, ratio: float) -> QImage:
    """Return the picture of a formula for a font of ``size`` pixels."""
    scale = size * ratio
    scale = min(scale, LARGEST_SIDE / max(drawn.width, drawn.height))
    width, height = max(1, round(drawn.width * scale)), max(1, round(drawn.height * scale))
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    family = next(iter(QGuiApplication.font().families()[1:]), "sans-serif")  # the one for East Asian text
    renderer = QSvgRenderer(QByteArray(drawn.svg.replace(INK, colour).replace(FONT, family).encode()))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, width, height))
    painter.end()
    return image


def _alive(reference: "weakref.ref[Any]") -> Any:
    receiver = reference()
    return receiver if receiver is not None and shiboken6.isValid(receiver) else None
