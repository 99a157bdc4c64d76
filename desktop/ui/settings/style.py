"""The style of the settings: cards with rows, segments, the navigation, the sample of the look."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def settings_style(tokens: Tokens, sizes: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return (
        _window(tokens) + _cards(tokens, sizes) + _segments(tokens, sizes) + _sample(tokens, sizes) + _untrusted(tokens)
    )


def _window(t: Tokens) -> str:
    return f"""
QWidget#settingsWindow {{ background: {t.window}; }}
QWidget#settingsSide {{ background: {t.sidebar}; border-right: 1px solid {t.line}; }}
QListWidget#settingsNavigation {{ background: transparent; border: 0; outline: 0; }}
QScrollArea[role="settingsPage"], QWidget#settingsCanvas, QWidget#settingsContent {{ background: transparent; border: 0; }}
"""


def _cards(t: Tokens, s: Sizes) -> str:
    return f"""
QFrame[role="settingCard"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 12px; }}
QFrame[role="settingRow"] {{ background: transparent; border: 0; border-left: 3px solid transparent; }}
QFrame[role="settingRow"][marked="true"] {{
    background: {t.selection}; border-left: 3px solid {t.accent}; border-radius: 6px;
}}
QFrame[role="settingRow"][marked="true"] QLabel[role="muted"] {{ color: {t.text}; }}
QFrame[role="settingLine"] {{ background: {t.line}; border: 0; }}
QLabel[role="settingTitle"] {{ font-weight: 600; }}
QLabel[role="sectionHeading"] {{ color: {t.muted}; font-size: {s.small}pt; font-weight: 600; }}
QFrame[role="settingNote"] {{
    background: {t.warning_background}; border: 1px solid {t.warning}; border-radius: 10px;
}}
QTreeWidget#packageList {{ border: 2px solid transparent; border-radius: 8px; background: transparent; }}
QTreeWidget#packageList:focus {{ border-color: {t.focus}; }}
QTreeWidget#packageList QHeaderView::section {{ padding: 5px 11px; }}
QPlainTextEdit#licenceText {{ background: {t.code}; border: 1px solid {t.line}; border-radius: 10px; padding: 6px; }}
QPlainTextEdit#licenceText:focus {{ border-color: {t.focus}; }}
"""


def _untrusted(t: Tokens) -> str:
    return f"""
QWidget#settingsContent QPlainTextEdit[role="code"], QWidget#settingsContent QPlainTextEdit[role="quote"] {{
    background: {t.code}; border: 1px solid {t.line}; border-radius: 8px; padding: 0;
}}
QWidget#settingsContent QPlainTextEdit[role="code"]:focus, QWidget#settingsContent QPlainTextEdit[role="quote"]:focus {{
    border-color: {t.focus};
}}
QWidget#settingsContent QLabel[role="warning"] {{ color: {t.warning}; }}
"""


def _segments(t: Tokens, s: Sizes) -> str:
    y = s.room(4)
    return f"""
QWidget[role="segments"] {{ background: {t.hover}; border-radius: 10px; }}
QPushButton[role="segment"] {{
    border: 1px solid transparent; border-radius: 7px; background: transparent; color: {t.muted};
    padding: {y}px 12px; min-height: {s.px(18)}px;
}}
QPushButton[role="segment"]:hover {{ color: {t.text}; background: {t.pressed}; }}
QPushButton[role="segment"]:checked {{
    background: {t.panel}; color: {t.text}; border: 1px solid {t.field_line};
}}
QPushButton[role="segment"]:focus {{ border: 2px solid {t.focus}; padding: {y - 1}px 11px; color: {t.text}; }}
"""


def _sample(t: Tokens, s: Sizes) -> str:
    return f"""
QFrame#lookSample {{ background: {t.window}; border: 1px solid {t.line}; border-radius: 12px; }}
QLabel#sampleBubble {{
    background: {t.user_bubble}; color: {t.text}; border-radius: 14px; padding: {s.room(8)}px 14px;
}}
QLabel#sampleCode {{
    background: {t.code}; color: {t.text}; border: 1px solid {t.line}; border-radius: 8px;
    padding: {s.room(8)}px 12px;
}}
"""
