"""The look of the first-start page, of the forms for endpoints, and of the model picker."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def endpoints_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return f"""
QScrollArea#firstStartPage, QWidget#firstStartCanvas, QScrollArea#endpointScroll, QWidget#endpointCanvas {{
    background: {t.window};
}}
QLabel[role="fieldLabel"] {{ font-weight: 600; }}
QFrame[role="endpointCard"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 12px; }}
QPushButton[role="demoCard"] {{ border-radius: 12px; padding: 0; text-align: left; }}
QPushButton[role="demoCard"]:hover {{ border-color: {t.accent}; }}
QPushButton[role="demoCard"]:focus {{ padding: 0; }}
QLabel[role="demoTry"] {{ color: {t.accent}; font-weight: 600; }}
QPushButton[role="presetCard"] {{ padding: {s.room(9)}px 12px; text-align: left; font-weight: 600; }}
QPushButton[role="presetCard"]:focus {{ padding: {s.room(9) - 1}px 11px; }}
QPushButton[role="presetCard"]:checked {{ background: {t.selection}; border-color: {t.accent}; }}
QPushButton[role="presetCard"]:checked:focus {{ border-color: {t.focus}; }}
QLabel[role="inUse"] {{ color: {t.accent}; font-weight: 600; }}
QToolButton[role="disclosure"] {{ padding: 3px 6px 3px 2px; }}
QFrame[role="checkResult"] {{ background: {t.sidebar}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame[role="checkResult"][kind="ok"] {{ border-color: {t.ok}; }}
QFrame[role="checkResult"][kind="error"] {{ background: {t.error_background}; border-color: {t.error}; }}
QPushButton[role="picker"] {{
    border: 2px solid transparent; border-radius: 7px; background: transparent; color: {t.muted};
    padding: 3px 24px 3px 8px; text-align: right;
}}
QPushButton[role="picker"]:hover {{ background: {t.hover}; color: {t.text}; }}
QPushButton[role="picker"]:pressed, QPushButton[role="picker"][open="true"] {{
    background: {t.pressed}; color: {t.text};
}}
QPushButton[role="picker"]:focus {{ border: 2px solid {t.focus}; padding: 3px 24px 3px 8px; }}
QFrame#modelPicker, QFrame#answerModelPicker {{
    background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px;
}}
QListView#modelList {{ background: {t.panel}; border: 0; }}
"""
