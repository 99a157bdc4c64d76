"""The look: contrast of every text colour, icons in the theme's colours, fonts, and the change at run time."""

import dataclasses
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QFont, QPalette
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.core.settings import Theme
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.theme.tokens import DARK, LIGHT, Tokens

TEXT_ON = {
    "text": ("window", "sidebar", "panel", "user_bubble", "code", "code_header", "selection", "hover", "pressed"),
    "muted": ("window", "sidebar", "panel", "user_bubble", "code", "code_header", "selection", "hover", "pressed"),
    "accent": ("window", "sidebar", "panel", "code", "hover", "selection"),
    "on_accent": ("accent", "accent_hover"),
    "ok": ("window", "sidebar", "panel", "hover"),
    "warning": ("window", "sidebar", "panel", "warning_background"),
    "error": ("window", "sidebar", "panel", "hover", "error_background"),
}


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=lambda t: t.name)
def test_every_text_colour_can_be_read_on_its_backgrounds(tokens: Tokens) -> None:
    weak = [
        f"{text} on {ground}: {ratio:.2f}"
        for text, grounds in TEXT_ON.items()
        for ground in grounds
        if (ratio := contrast(getattr(tokens, text), getattr(tokens, ground))) < 4.5
    ]
    weak += [
        f"syntax {name} on code: {ratio:.2f}"
        for name, colour in dataclasses.asdict(tokens.syntax).items()
        if (ratio := contrast(colour, tokens.code)) < 4.5
    ]
    assert not weak


@pytest.fixture
def theme(qapp: QApplication) -> ThemeManager:
    return ThemeManager(qapp, Theme.LIGHT, "en")


def test_a_theme_changes_palette_style_and_tokens(qapp: QApplication, theme: ThemeManager) -> None:
    changes: list[str] = []
    theme.changed.connect(lambda: changes.append(theme.tokens.name))
    light_style = qapp.styleSheet()
    theme.set_theme(Theme.DARK)
    theme.set_theme(Theme.DARK)
    assert changes == ["dark"]
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == DARK.window
    assert DARK.window in qapp.styleSheet()
    assert qapp.styleSheet() != light_style


def test_the_system_theme_is_light_where_nothing_is_known(qapp: QApplication) -> None:
    assert ThemeManager(qapp, Theme.SYSTEM, "en").tokens is LIGHT


def painted_colours(button: QPushButton) -> set[str]:
    image = button.icon().pixmap(button.iconSize()).toImage()
    return {
        image.pixelColor(x, y).name()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }


def test_an_icon_has_the_colour_of_its_token_and_follows_the_theme(theme: ThemeManager) -> None:
    button = QPushButton()
    button.setIconSize(QSize(48, 48))  # thick enough for pixels that are not mixed with the background
    theme.set_icon(button, "square", "accent", 48)
    assert painted_colours(button) == {LIGHT.accent}
    theme.set_theme(Theme.DARK)
    assert painted_colours(button) == {DARK.accent}


def test_an_unknown_icon_is_a_mistake_of_the_program(theme: ThemeManager) -> None:
    with pytest.raises(KeyError):
        theme.icon("no-such-icon")


def test_fonts_are_the_bundled_ones_and_code_has_no_ligatures(theme: ThemeManager) -> None:
    assert theme.ui_font().families()[0] == "Inter"
    code = theme.code_font()
    assert code.families()[0] == "JetBrains Mono"
    assert code.featureValue(QFont.Tag("calt")) == 0


_WEIGHTS = """
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import QApplication, QPushButton
from desktop.core.settings import Theme
from desktop.ui.theme.theme_manager import ThemeManager
app = QApplication([])
ThemeManager(app, Theme.LIGHT, "en")
button = QPushButton("New chat")
button.setProperty("role", "primary")
button.ensurePolished()
print(QFontInfo(button.font()).family(), QFontInfo(button.font()).styleName(), sep=",")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system itself knows the weights of a variable font")
def test_semi_bold_is_a_weight_of_its_own_and_not_the_regular_one_smeared() -> None:
    # In a process of its own: fonts can only be added before the first one is asked for.
    done = subprocess.run(
        [sys.executable, "-c", _WEIGHTS],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.split() == ["Inter,SemiBold"]


def test_chinese_characters_take_the_forms_of_the_language(qapp: QApplication, theme: ThemeManager) -> None:
    chinese = [name for name in theme.ui_font().families() if name.startswith("Noto Sans CJK")]
    if not chinese:
        pytest.skip("no Noto CJK font on this machine")
    assert chinese[0] == "Noto Sans CJK SC"
    theme.set_language("ja")
    assert next(name for name in theme.ui_font().families() if name.startswith("Noto Sans CJK")) == "Noto Sans CJK JP"


@pytest.mark.skipif(shutil.which("dbus-run-session") is None, reason="dbus-run-session is not installed")
@pytest.mark.skipif(find_spec("jeepney") is None, reason="jeepney, which stands in for the portal, is not installed")
@pytest.mark.parametrize(("value", "patience_ms", "names"), [(1, 20_000, "light dark"), (2, 1_000, "light light")])
def test_the_system_theme_is_what_the_portal_says(value: int, patience_ms: int, names: str) -> None:
    command = ["dbus-run-session", "--", sys.executable, "-m", "tests.support.portal_stand_in"]
    done = subprocess.run(
        [*command, str(value), str(patience_ms)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == names, done.stderr
