"""The fonts: Inter and JetBrains Mono from their packages, the system's fonts for Chinese and emoji."""

import ctypes
import logging
import sys
from pathlib import Path

from PySide6.QtGui import QFont, QFontDatabase

from desktop.ui.theme.package_files import package_folder

logger = logging.getLogger(__name__)

_SIMPLIFIED = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei UI")
_TRADITIONAL = ("Noto Sans CJK TC", "Noto Sans TC", "Source Han Sans TC", "PingFang TC", "Microsoft JhengHei UI")
_JAPANESE = ("Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans", "Hiragino Sans", "Yu Gothic UI")
_KOREAN = ("Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans K", "Apple SD Gothic Neo", "Malgun Gothic")
_EMOJI = ("Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji")


def load_bundled_fonts() -> None:
    """Make Inter and JetBrains Mono known to Qt; needed once for an application, before it asks for any font."""
    tell_fontconfig()
    if not all(QFontDatabase.hasFamily(family) for family in ("Inter", "JetBrains Mono")):
        for path in _bundled_files():
            QFontDatabase.addApplicationFont(str(path))


def _bundled_files() -> list[Path]:
    packages = ("fontpkg_inter", "fontpkg_jetbrains_mono")
    return [path for package in packages for path in sorted((package_folder(package) / "files").glob("*.ttf"))]


def tell_fontconfig() -> None:
    """Add the fonts below Qt, which finds all their weights then, if it has not looked for any font yet.

    Qt itself adds a variable font in its regular weight only, and smears that for bold.
    """
    if sys.platform != "linux":
        return
    try:
        add_file = ctypes.CDLL("libfontconfig.so.1").FcConfigAppFontAddFile
    except (OSError, AttributeError) as error:
        logger.info("no fontconfig: bold text is drawn from the regular weight (%s)", error)
        return
    add_file.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
    for path in _bundled_files():
        add_file(None, str(path).encode())


def ui_font(language: str, point_size: float) -> QFont:
    """Return the font of the interface and of prose. ``language`` is the one shown, such as ``zh_CN``."""
    font = QFont()
    font.setFamilies(_installed(("Inter", *_chinese_first(language), *_EMOJI)))
    font.setPointSizeF(point_size)
    _show_every_character(font)
    return font


def code_font(language: str, point_size: float) -> QFont:
    """Return the fixed-width font of code and commands."""
    font = QFont()
    mono = tuple(name.replace("Sans CJK", "Sans Mono CJK") for name in _chinese_first(language) if "CJK" in name)
    font.setFamilies(_installed(("JetBrains Mono", *mono, *_chinese_first(language), *_EMOJI)))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(point_size)
    _show_every_character(font)
    return font


def _show_every_character(font: QFont) -> None:
    """Switch contextual alternates off: they draw ``!=`` as one sign and the x in ``8x7`` as ×, also in a path."""
    font.setFeature(QFont.Tag("calt"), 0)


def strong(font: QFont) -> QFont:
    """Return the font in semi-bold. Inter is a variable font: Qt sets its axis only when it is told to."""
    result = QFont(font)
    result.setWeight(QFont.Weight.DemiBold)
    result.setVariableAxis(QFont.Tag("wght"), 600.0)
    return result


def _chinese_first(language: str) -> tuple[str, ...]:
    """Order the glyph variants: the fallback of the system alone would draw Chinese with Japanese forms."""
    variants = [_SIMPLIFIED, _TRADITIONAL, _JAPANESE, _KOREAN]
    first = {"zh_TW": 1, "zh_HK": 1, "ja": 2, "ko": 3}.get(language, 0)
    ordered = [variants.pop(first), *variants]
    return tuple(name for names in ordered for name in names)


def _installed(families: tuple[str, ...]) -> list[str]:
    # A missing family makes Qt search all aliases, slowly and with a warning.
    return [family for family in families if QFontDatabase.hasFamily(family)]
