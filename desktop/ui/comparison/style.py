"""The style of answers side by side."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def comparison_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return f"""
QWidget#comparison {{ background: {t.window}; }}
QFrame#answer-column {{ background: {t.window}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame#answer-column[chosen="true"] {{ border-color: {t.accent}; }}
QLabel#column-in-chat {{ color: {t.accent}; }}
QPushButton#column-use, QPushButton#column-stop {{ padding: 3px 10px; font-size: {s.small}pt; }}
QPushButton#column-use:focus, QPushButton#column-stop:focus {{ padding: 2px 9px; }}
QTabBar#comparison-tabs::tab {{ min-width: {s.px(40)}px; }}
"""
