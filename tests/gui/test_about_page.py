"""The page About: its table of packages."""

from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication

from desktop.core.licences import PackageLicence
from desktop.ui.settings.about_page import AboutPage
from tests.support.settings_world import open_settings, set_appearance
from tests.support.window_world import window_world


def first_ink(picture: QImage, area: QRect) -> int:
    """The first column in ``area`` in which something is drawn on the ground."""
    ground = picture.pixelColor(area.topLeft())
    for x in range(area.left(), area.right() + 1):
        if any(_differs(picture.pixelColor(x, y), ground) for y in range(area.top(), area.bottom() + 1)):
            return x - area.left()
    raise AssertionError("nothing is drawn there")


def _differs(one: QColor, other: QColor) -> bool:
    return abs(one.lightness() - other.lightness()) > 60 or abs(one.alpha() - other.alpha()) > 120


@pytest.mark.parametrize("font_size", [10.0, 16.0])
async def test_the_headings_of_the_packages_stand_over_their_columns(
    qapp: QApplication, qloop: object, tmp_path: Path, font_size: float
) -> None:
    async with window_world(qapp, tmp_path) as world:
        set_appearance(world, font_size=font_size)
        world.presenter.open_settings("about")
        page = open_settings(world).page("about")
        assert isinstance(page, AboutPage)
        packages = page.packages
        packages.set_headings("H", "H", "H")
        packages.show_packages([PackageLicence(name="H", version="H", licence="H")] * 2)
        QApplication.processEvents()
        second = packages.topLevelItem(1)
        assert second is not None
        header, row = packages.header(), packages.visualItemRect(second)
        above, below = header.viewport().grab().toImage(), packages.viewport().grab().toImage()
        for column in range(3):
            left, width = header.sectionViewportPosition(column), header.sectionSize(column)
            in_header = first_ink(above, QRect(left, 2, width, header.height() - 6))
            in_row = first_ink(below, QRect(left, row.top() + 2, width, row.height() - 4))
            assert in_header == in_row, f"column {column}"
