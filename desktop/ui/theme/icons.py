"""Interface icons: lucide's SVGs out of the package's SQLite file, tinted and drawn for the screens at hand."""

import sqlite3
from collections.abc import Iterable
from contextlib import closing

from PySide6.QtCore import QByteArray, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop.ui.theme.package_files import package_folder


class IconLibrary:
    """Reads each icon once and keeps what it has drawn."""

    def __init__(self) -> None:
        self._sources: dict[str, str] = {}
        self._icons: dict[tuple[str, str, int], QIcon] = {}

    def icon(self, name: str, colour: str, size: int, ratios: Iterable[float]) -> QIcon:
        """Return the lucide icon ``name`` in ``colour`` (``#rrggbb``), drawn sharp for each pixel ratio.

        Raises ``KeyError`` when lucide has no such icon: a mistake in the program, found by its tests.
        """
        key = (name, colour, size)
        if key not in self._icons:
            svg = QByteArray(self._source(name).replace("currentColor", colour).encode())
            icon = QIcon()
            for ratio in sorted(set(ratios)):
                icon.addPixmap(_draw(svg, size, ratio))
            self._icons[key] = icon
        return self._icons[key]

    def _source(self, name: str) -> str:
        if name not in self._sources:
            file = package_folder("lucide") / "data" / "lucide-icons.db"
            # immutable=1: the file may lie in a read-only place, where SQLite could not make its lock files
            with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
                row = connection.execute("SELECT svg FROM icons WHERE name = ?", (name,)).fetchone()
            if row is None:
                raise KeyError(name)
            self._sources[name] = row[0]
        return self._sources[name]


def _draw(svg: QByteArray, size: int, ratio: float) -> QPixmap:
    pixmap = QPixmap(QSize(round(size * ratio), round(size * ratio)))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    QSvgRenderer(svg).render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(ratio)
    return pixmap
