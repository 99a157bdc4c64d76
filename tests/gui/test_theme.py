"""The look: contrast of every text colour, icons in the theme's colours, fonts, and the change at run time."""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetrics, QIcon, QImage, QPalette, QTextDocument
from PySide6.QtWidgets import QApplication, QCheckBox, QMessageBox, QPushButton, QSpinBox

from desktop.core.settings import Accent, AppearanceSettings, Theme
from desktop.ui.interchange.html_format import markdown_html
from desktop.ui.theme.control_images import control_images
from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.theme.tokens import DARK, LIGHT, tokens_for
from desktop.ui.transcript.style import document_css

PALETTE_ROLES = [
    role for role in QPalette.ColorRole if role not in (QPalette.ColorRole.NColorRoles, QPalette.ColorRole.NoRole)
]


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
    assert theme.ui_font().featureValue(QFont.Tag("calt")) == 0, "a path such as 8x7 is shown as it is"
    code = theme.code_font()
    assert code.families()[0] == "JetBrains Mono"
    assert code.featureValue(QFont.Tag("calt")) == 0


_WEIGHTS = """
from PySide6.QtGui import QFont, QFontInfo
from PySide6.QtWidgets import QApplication, QPushButton
from desktop.core.settings import Accent, AppearanceSettings, Theme
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


@pytest.mark.parametrize(
    ("language", "first"),
    [("zh_CN", "SC"), ("zh_TW", "TC"), ("zh_HK", "TC"), ("ja", "JP"), ("ko", "KR"), ("en", "SC"), ("de", "SC")],
)
def test_each_language_has_its_own_forms_of_the_same_character(theme: ThemeManager, language: str, first: str) -> None:
    theme.set_language(language)
    families = [name for name in theme.ui_font().families() if name.startswith("Noto Sans CJK")]
    if not families:
        pytest.skip("no Noto CJK font on this machine")
    assert families[0] == f"Noto Sans CJK {first}"
    code = [name for name in theme.code_font().families() if name.startswith("Noto Sans Mono CJK")]
    assert not code or code[0].endswith(first)


def test_a_system_without_any_font_that_we_name_still_has_one(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFontDatabase, "hasFamily", lambda _family: False)
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    assert QFontMetrics(theme.ui_font()).horizontalAdvance("abc") > 0
    assert theme.ui_font().pointSizeF() == 10.0


def test_no_colour_of_the_system_shines_through(qapp: QApplication) -> None:
    """The opposite look of the system must show nowhere: not in tooltips, nor in Qt's own dialogs."""
    alien = QPalette(QColor("magenta"), QColor("magenta"))
    for role in PALETTE_ROLES:
        alien.setColor(role, QColor("magenta"))
    qapp.setPalette(alien)
    qapp.setStyleSheet("")  # as at a start: a test before this one may have left the very same look
    ThemeManager(qapp, Theme.LIGHT, "en")
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive, QPalette.ColorGroup.Disabled):
        for role in PALETTE_ROLES:
            assert qapp.palette().color(group, role) != QColor("magenta"), (group, role)
    box = QMessageBox(QMessageBox.Icon.Warning, "Title", "Text", QMessageBox.StandardButton.Ok)
    box.show()
    image = box.grab().toImage()
    assert image.pixelColor(2, 2).name() == LIGHT.window
    box.close()
    box.deleteLater()


def test_sizes_of_text_are_parts_of_the_one_that_was_chosen(qapp: QApplication) -> None:
    theme = ThemeManager(qapp, AppearanceSettings(font_size=20.0, code_font_size=12.0), "en")
    assert (theme.ui_font().pointSizeF(), theme.code_font().pointSizeF()) == (20.0, 12.0)
    assert theme.px(18) == 36
    sizes = {float(size) for size in re.findall(r"font-size: ([\d.]+)pt", qapp.styleSheet())}
    assert sizes == {theme.sizes.tiny, theme.sizes.small, theme.sizes.title, theme.sizes.heading}
    assert min(sizes) == 17.0


def test_what_does_not_change_the_look_costs_nothing(theme: ThemeManager) -> None:
    changes: list[object] = []
    theme.changed.connect(lambda: changes.append(1))
    theme.set_appearance(dataclasses.replace(theme.appearance, language="zh_CN", notify=False))
    assert changes == []
    theme.set_appearance(dataclasses.replace(theme.appearance, accent=Accent.ROSE))
    assert changes == [1]
    assert theme.tokens is tokens_for(Accent.ROSE, dark=False)


def test_the_sheet_is_back_when_a_window_is_put_together_or_could_not_be(
    qapp: QApplication, theme: ThemeManager
) -> None:
    sheet = qapp.styleSheet()
    with theme.sheet_held_back():
        assert qapp.styleSheet() == ""
    assert qapp.styleSheet() == sheet != ""
    with pytest.raises(ValueError, match="no window"), theme.sheet_held_back():
        raise ValueError("no window")
    assert qapp.styleSheet() == sheet


@pytest.mark.parametrize("accent", list(Accent))
def test_every_picture_of_a_control_can_be_drawn(qapp: QApplication, accent: Accent) -> None:
    for dark in (False, True):
        for name, url in control_images(tokens_for(accent, dark=dark)).urls.items():
            icon = QIcon(url.removeprefix("url(").removesuffix(")"))
            image = icon.pixmap(QSize(32, 32)).toImage()
            drawn = any(image.pixelColor(x, y).alpha() for x in range(image.width()) for y in range(image.height()))
            assert drawn, name


def test_numbers_line_up_before_the_arrows(theme: ThemeManager) -> None:
    def last_dark_column(box: QSpinBox) -> int:
        """Where the number ends; the arrows stand in the last 32 pixels."""
        image = box.grab().toImage()
        return max(x for x in range(12, 92) for y in range(6, 24) if image.pixelColor(x, y).lightness() < 128)

    ends: list[int] = []
    for value in (8, 18, 888):
        box = QSpinBox()
        box.setRange(0, 1000)
        box.setValue(value)
        box.resize(120, 30)
        ends.append(last_dark_column(box))
    assert len(set(ends)) == 1, ends
    assert 70 < ends[0] < 92


def test_a_tick_is_drawn_in_its_box(qapp: QApplication, theme: ThemeManager) -> None:
    box = QCheckBox()
    box.setChecked(True)
    box.resize(30, 30)
    colours = _colours_of(box.grab().toImage())
    assert LIGHT.accent in colours
    assert LIGHT.on_accent in colours
    box.setChecked(False)
    assert LIGHT.accent not in _colours_of(box.grab().toImage())


def _colours_of(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


portal = pytest.mark.skipif(
    shutil.which("dbus-run-session") is None or find_spec("jeepney") is None,
    reason="dbus-run-session, or jeepney, which stands in for the portal, is not installed",
)


def ask_portal(*arguments: str) -> str:
    """What a theme on a session bus with the stand-in portal becomes: see ``portal_stand_in``."""
    done = subprocess.run(
        ["dbus-run-session", "--", sys.executable, "-m", "tests.support.portal_stand_in", *arguments],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@portal
def test_the_system_theme_is_what_the_portal_says_and_follows_it() -> None:
    assert ask_portal("color-scheme", "1", "0") == "light moving | dark moving | light moving"


@portal
@pytest.mark.parametrize(
    ("key", "value", "later", "seen"),
    [
        ("reduced-motion", "1", "0", "light moving | light still | light moving"),
        ("enable-animations", "false", "true", "light moving | light still | light moving"),
    ],
)
def test_things_stand_still_when_the_system_asks_for_less_motion(key: str, value: str, later: str, seen: str) -> None:
    assert ask_portal(key, value, later) == seen


@pytest.mark.parametrize("dark", [False, True])
def test_a_block_of_code_has_one_ground_and_one_size(qapp: QApplication, dark: bool) -> None:
    """In a list and on a printed page, where a block of code is no part of its own."""
    tokens = tokens_for(Accent.INDIGO, dark=dark)
    sizes = Sizes.of(AppearanceSettings(font_size=14, code_font_size=10))
    document = QTextDocument()
    document.setDefaultStyleSheet(document_css(tokens, sizes, QFont("monospace")))
    document.setHtml(markdown_html("- a `word`\n\n  ```\n  block\n  ```\n", coloured=False))
    word, block = (document.find(text).charFormat() for text in ("word", "block"))
    assert word.background().color().name() == tokens.code_header
    assert block.background().color().name() == tokens.code
    assert block.fontPointSize() == sizes.code != word.fontPointSize()
