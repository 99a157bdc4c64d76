"""The style of the window's own parts: sidebar, header, composer, notices."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def window_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    send = s.px(34)
    return f"""
QMainWindow {{ background: {t.window}; }}
QSplitter#mainSplitter::handle {{ background: {t.line}; }}

QWidget#sidebar {{ background: {t.sidebar}; }}
QListView[role="sidebar"] {{ background: transparent; border: 0; outline: 0; }}
QLineEdit#threadTitleEdit {{ padding: 3px 7px; }}
QLineEdit#threadTitleEdit:focus {{ padding: 3px 6px; }}
QToolButton#trashButton {{ padding: 4px 6px; }}
QToolButton#searchChip {{
    font-size: {s.tiny}pt; padding: 1px 6px; background: {t.selection}; color: {t.text}; border: 1px solid {t.line};
}}
QToolButton#searchChip:hover {{ background: {t.hover}; }}
QToolButton#searchChip:focus {{ border: 2px solid {t.focus}; }}

QWidget#header {{ background: {t.window}; border-bottom: 1px solid {t.line}; }}
QPushButton[role="titleButton"] {{
    border: 2px solid transparent; border-radius: 7px; background: transparent; padding: 3px 8px;
    font-size: {s.title}pt; font-weight: 600; text-align: left; color: {t.text};
}}
QPushButton[role="titleButton"]:hover {{ background: {t.hover}; }}
QPushButton[role="titleButton"]:pressed {{ background: {t.pressed}; }}
QPushButton[role="titleButton"]:focus {{ border: 2px solid {t.focus}; padding: 3px 8px; }}
QPushButton[role="titleButton"]:disabled {{ background: transparent; color: {t.text}; }}
QLineEdit#headerTitleEdit {{ font-size: {s.title}pt; padding: 3px 8px; }}
QLineEdit#headerTitleEdit:focus {{ padding: 2px 7px; }}
QPushButton[role="picker"] {{
    border: 2px solid transparent; border-radius: 7px; background: transparent; color: {t.muted};
    padding: 3px 28px 3px 8px; text-align: left;
}}
QPushButton[role="picker"]:hover {{ background: {t.hover}; color: {t.text}; }}
QPushButton[role="picker"]:pressed, QPushButton[role="picker"][open="true"] {{
    background: {t.pressed}; color: {t.text};
}}
QPushButton[role="picker"]:focus {{ border: 2px solid {t.focus}; padding: 3px 28px 3px 8px; }}
QLabel[role="chip"] {{
    background: {t.warning_background}; color: {t.warning}; border: 1px solid {t.warning};
    border-radius: 9px; padding: 1px 8px; font-size: {s.tiny}pt;
}}
QLabel[role="quietChip"] {{
    background: {t.hover}; color: {t.text}; border: 1px dashed {t.muted};
    border-radius: 9px; padding: 1px 8px; font-size: {s.tiny}pt;
}}
QFrame#findBar {{ background: {t.window}; border: 0; }}
QLabel#findCount {{ color: {t.muted}; padding: 0 4px; }}
QLabel#findCount[missing="true"] {{ color: {t.error}; }}
QFrame#serverPopup {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame#serverPopup QScrollArea, QWidget#serverList {{ background: {t.panel}; }}

QFrame#composer {{ background: {t.panel}; border: 1px solid {t.field_line}; border-radius: 16px; }}
QFrame#composer[temporary="true"] {{ border: 1px dashed {t.muted}; }}
QFrame#composer[focused="true"] {{ border: 1px solid {t.focus}; }}
QPlainTextEdit#messageEdit {{ background: {t.panel}; border: 0; }}
QPushButton#sendButton, QPushButton#queueButton {{
    padding: 0; border-radius: 10px; min-width: {send}px; max-width: {send}px; min-height: {send - 2}px;
    max-height: {send - 2}px;
}}
QPushButton#sendButton:focus, QPushButton#queueButton:focus {{
    padding: 0; min-width: {send - 2}px; max-width: {send - 2}px; min-height: {send - 4}px; max-height: {send - 4}px;
}}
QLabel#temporaryWords, QPushButton#keepChatButton {{ font-size: {s.small}pt; }}
QLabel#composerHint {{ font-size: {s.small}pt; }}

QPlainTextEdit#link-address, QPlainTextEdit#full-text-view {{
    background: {t.code}; border: 1px solid {t.line}; border-radius: 10px; padding: 4px 6px;
}}
QPlainTextEdit#link-address:focus, QPlainTextEdit#full-text-view:focus {{ border-color: {t.accent}; }}

QFrame#notice {{ border-radius: 10px; border: 1px solid {t.line}; background: {t.panel}; }}
QFrame#notice[kind="error"] {{ background: {t.error_background}; border-color: {t.error}; }}
QFrame#toast {{ background: {t.text}; border-radius: 10px; }}
QFrame#toast QLabel {{ color: {t.window}; }}
QFrame#toast QPushButton {{
    background: transparent; border: 2px solid transparent; color: {t.selection}; font-weight: 600; padding: 4px 10px;
}}
QFrame#toast QPushButton:hover {{ border-color: {t.muted}; }}
QFrame#toast QPushButton:focus {{ border-color: {t.selection}; }}
QFrame#toast QToolButton:hover {{ background: {t.muted}; }}
"""
