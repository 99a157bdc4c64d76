"""The application's icon, drawn from our SVG for the sizes that desktops ask for."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from desktop.core.paths import resources_folder

SIZES = (16, 24, 32, 48, 64, 128, 256)


def app_icon() -> QIcon:
    """Return the icon in all sizes; an empty one where the file is missing."""
    renderer = QSvgRenderer(str(resources_folder() / "threadwell.svg"))
    icon = QIcon()
    if renderer.isValid():
        for size in SIZES:
            pixmap = QPixmap(size, size)
            pixmap.fill(Qt.GlobalColor.transparent)
            painter = QPainter(pixmap)
            renderer.render(painter)
            painter.end()
            icon.addPixmap(pixmap)
    return icon
