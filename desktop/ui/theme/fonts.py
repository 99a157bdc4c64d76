"""The fonts: Inter and JetBrains Mono from their packages, the system's fonts for Chinese and emoji."""

from PySide6.QtGui import QFont, QFontDatabase

from desktop.ui.theme.package_files import package_folder

UI_POINT_SIZE = 10.0
CODE_POINT_SIZE = 9.5

_SIMPLIFIED = ("Noto Sans CJK SC", "Noto Sans SC", "Source Han Sans SC", "PingFang SC", "Microsoft YaHei UI")
_TRADITIONAL = ("Noto Sans CJK TC", "Noto Sans TC", "Source Han Sans TC", "PingFang TC", "Microsoft JhengHei UI")
_JAPANESE = ("Noto Sans CJK JP", "Noto Sans JP", "Source Han Sans", "Hiragino Sans", "Yu Gothic UI")
_KOREAN = ("Noto Sans CJK KR", "Noto Sans KR", "Source Han Sans K", "Apple SD Gothic Neo", "Malgun Gothic")
_EMOJI = ("Noto Color Emoji", "Apple Color Emoji", "Segoe UI Emoji")


def load_bundled_fonts() -> None:
    """Make Inter and JetBrains Mono known to Qt; needed once for an application."""
    for package in ("fontpkg_inter", "fontpkg_jetbrains_mono"):
        for path in sorted((package_folder(package) / "files").glob("*.ttf")):
            QFontDatabase.addApplicationFont(str(path))


def ui_font(language: str) -> QFont:
    """Return the font of the interface and of prose. ``language`` is the one shown, such as ``zh_CN``."""
    font = QFont()
    font.setFamilies(_installed(("Inter", *_chinese_first(language), *_EMOJI)))
    font.setPointSizeF(UI_POINT_SIZE)
    return font


def code_font(language: str) -> QFont:
    """Return the fixed-width font of code and commands."""
    font = QFont()
    mono = tuple(name.replace("Sans CJK", "Sans Mono CJK") for name in _chinese_first(language) if "CJK" in name)
    font.setFamilies(_installed(("JetBrains Mono", *mono, *_chinese_first(language), *_EMOJI)))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setPointSizeF(CODE_POINT_SIZE)
    # Contextual alternates draw != as one sign; code must show the characters that are there.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def _chinese_first(language: str) -> tuple[str, ...]:
    """Order the glyph variants: the fallback of the system alone would draw Chinese with Japanese forms."""
    variants = [_SIMPLIFIED, _TRADITIONAL, _JAPANESE, _KOREAN]
    first = {"zh_TW": 1, "zh_HK": 1, "ja": 2, "ko": 3}.get(language, 0)
    ordered = [variants.pop(first), *variants]
    return tuple(name for names in ordered for name in names)


def _installed(families: tuple[str, ...]) -> list[str]:
    # A missing family makes Qt search all aliases, slowly and with a warning.
    return [family for family in families if QFontDatabase.hasFamily(family)]
