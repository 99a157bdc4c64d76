"""Names that stand beside each other have the same weight, whichever writing they are in."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication, QLabel, QPushButton

from tests.support.dialog_world import DialogWorld, dialog_world

LATIN, CHINESE = "DeepSeek", "智谱清言"


@pytest.fixture
def world(qapp: QApplication) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


def ink(world: DialogWorld, kind: type[QLabel] | type[QPushButton], role: str, text: str, more: str = "") -> int:
    """How dark the text is, all pixels together."""
    widget = kind(text, world.window)
    widget.setProperty("role", role)
    widget.setStyleSheet(more)
    widget.resize(200, 50)
    widget.show()
    picture = widget.grab(widget.rect().adjusted(4, 4, -4, -4)).toImage()
    widget.hide()
    widget.deleteLater()
    ground = picture.pixelColor(0, 0)
    return sum(
        abs(picture.pixelColor(x, y).lightness() - ground.lightness())
        + abs(picture.pixelColor(x, y).alpha() - ground.alpha())
        for x in range(picture.width())
        for y in range(picture.height())
    )


@pytest.mark.parametrize(("kind", "role"), [(QPushButton, "presetCard"), (QLabel, "settingTitle")])
async def test_chinese_names_are_as_strong_as_latin_ones(
    world: DialogWorld, kind: type[QLabel] | type[QPushButton], role: str
) -> None:
    if not any(QFontDatabase.hasFamily(name) for name in ("Noto Sans CJK SC", "Noto Sans SC", "PingFang SC")):
        pytest.skip("no Chinese font whose weights are known")
    plain = f"{kind.__name__} {{ font-weight: 400; }}"
    latin, chinese = (ink(world, kind, role, text) / ink(world, kind, role, text, plain) for text in (LATIN, CHINESE))
    assert latin > 1.1
    assert chinese > 1.1
