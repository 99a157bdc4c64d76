"""The style of the window's own parts: sidebar, header, composer, notices."""

from desktop.ui.theme.tokens import Tokens


def window_style(t: Tokens) -> str:
    """Return the style sheet part for these colours."""
    return f"""
QMainWindow {{ background: {t.window}; }}
QSplitter#mainSplitter::handle {{ background: {t.line}; }}

QWidget#sidebar {{ background: {t.sidebar}; }}
QListView[role="sidebar"] {{ background: transparent; border: 0; outline: 0; }}
QLineEdit#threadTitleEdit {{ padding: 3px 7px; }}
QLineEdit#threadTitleEdit:focus {{ padding: 3px 6px; }}
QToolButton#trashButton {{ padding: 4px 6px; }}

QWidget#header {{ background: {t.window}; border-bottom: 1px solid {t.line}; }}
QPushButton[role="titleButton"] {{
    border: 2px solid transparent; border-radius: 7px; background: transparent; padding: 3px 8px;
    font-size: 11pt; font-weight: 600; text-align: left; color: {t.text};
}}
QPushButton[role="titleButton"]:hover {{ background: {t.hover}; }}
QPushButton[role="titleButton"]:pressed {{ background: {t.pressed}; }}
QPushButton[role="titleButton"]:focus {{ border: 2px solid {t.accent}; padding: 3px 8px; }}
QPushButton[role="titleButton"]:disabled {{ background: transparent; color: {t.text}; }}
QLineEdit#headerTitleEdit {{ font-size: 11pt; padding: 3px 8px; }}
QLineEdit#headerTitleEdit:focus {{ padding: 2px 7px; }}
QLabel[role="chip"] {{
    background: {t.warning_background}; color: {t.warning}; border: 1px solid {t.warning};
    border-radius: 9px; padding: 1px 8px; font-size: 8.5pt;
}}
QFrame#serverPopup {{ background: {t.panel}; border: 1px solid {t.line}; }}
QFrame#serverPopup QScrollArea, QWidget#serverList {{ background: {t.panel}; }}

QFrame#composer {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 16px; }}
QFrame#composer[focused="true"] {{ border: 1px solid {t.accent}; }}
QPlainTextEdit#messageEdit {{ background: transparent; border: 0; }}
QPushButton#sendButton {{ padding: 0; min-width: 36px; max-width: 36px; min-height: 32px; max-height: 32px; }}
QPushButton#sendButton:focus {{ padding: 0; min-width: 34px; max-width: 34px; min-height: 30px; max-height: 30px; }}
QLabel#composerHint {{ font-size: 9pt; }}

QPlainTextEdit#link-address, QPlainTextEdit#full-text-view {{
    background: {t.code}; border: 1px solid {t.line}; border-radius: 10px; padding: 4px 6px;
}}
QPlainTextEdit#link-address:focus, QPlainTextEdit#full-text-view:focus {{ border-color: {t.accent}; }}

QFrame#notice {{ border-radius: 10px; border: 1px solid {t.line}; background: {t.panel}; }}
QFrame#notice[kind="error"] {{ background: {t.error_background}; border-color: {t.error}; }}
QLabel[role="strong"] {{ font-weight: 600; }}
QFrame#toast {{ background: {t.text}; border-radius: 10px; }}
QFrame#toast QLabel {{ color: {t.window}; }}
QFrame#toast QPushButton {{
    background: transparent; border: 2px solid transparent; color: {t.selection}; font-weight: 600; padding: 4px 10px;
}}
QFrame#toast QPushButton:hover {{ border-color: {t.muted}; }}
QFrame#toast QPushButton:focus {{ border-color: {t.selection}; }}
QFrame#toast QToolButton:hover {{ background: {t.muted}; }}
"""
