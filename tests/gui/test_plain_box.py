"""The box for untrusted text: its colours follow the theme while it is open, and a mark is never hidden by another."""

from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from desktop.core.settings import Theme
from desktop.ui.dialogs.display_lines import DisplayLine, line_with_strong
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.theme.theme_manager import ThemeManager

HOST = "https://bank.example/path"


def colours(box: PlainBox) -> dict[str, str]:
    """The pieces of the first line that are set apart, with the names of their colours."""
    block = box.document().firstBlock()
    # Each format belongs to the list that it came in: looked at while that lives.
    return {
        block.text()[piece.start : piece.start + piece.length]: piece.format.foreground().color().name()
        for piece in block.layout().formats()
    }


def test_colours_follow_the_theme(qapp: QApplication) -> None:
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    box = PlainBox(line_with_strong(HOST, (8, 20)), theme, role="quote")
    for chosen in (Theme.LIGHT, Theme.DARK, Theme.LIGHT):
        theme.set_theme(chosen)
        assert colours(box)["bank.example"] == QColor(theme.tokens.text).name()
        assert colours(box)["/path"] == QColor(theme.tokens.muted).name()
    box.deleteLater()


def test_what_stands_for_an_invisible_character_is_marked_within_what_stands_out(qapp: QApplication) -> None:
    theme = ThemeManager(qapp, Theme.LIGHT, "en")
    text = "now <U+200B> here"
    box = PlainBox((DisplayLine(text, tokens=((4, 12),), strong=((0, 17),)),), theme, role="quote")
    assert colours(box)["<U+200B>"] == QColor(theme.tokens.error).name()
    box.deleteLater()
