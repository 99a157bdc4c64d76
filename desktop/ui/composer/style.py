"""The style of the composer's own parts."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def composer_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return f"""
QScrollArea#pastedTexts, QWidget#pastedRows {{ background: transparent; border: 0; }}
QFrame#pastedChip, QFrame#keyWarning {{ background: {t.hover}; border: 1px solid {t.line}; border-radius: 9px; }}
QPushButton[role="chipButton"] {{
    background: transparent; border: 2px solid transparent; border-radius: 7px; padding: 2px 6px; text-align: left;
    color: {t.text}; font-size: {s.small}pt;
}}
QPushButton[role="chipButton"]:hover {{ background: {t.pressed}; }}
QPushButton[role="chipButton"]:focus {{ border: 2px solid {t.focus}; padding: 2px 6px; }}
QPushButton#pasted-text {{ text-align: left; border-radius: 12px; }}
"""
