"""The style of the questions: boxes of untrusted text, findings, form fields, buttons in a row."""

from desktop.ui.theme.tokens import Tokens


def dialogs_style(tokens: Tokens) -> str:
    """Return the style sheet part for these colours."""
    return _boxes(tokens) + _fields(tokens) + _ticks(tokens)


def _boxes(t: Tokens) -> str:
    return f"""
QDialog[prompt="true"] {{ background: {t.window}; }}
QDialog[prompt="true"] QLabel[role="section"] {{ color: {t.muted}; }}
QDialog[prompt="true"] QLabel[role="warning"] {{ color: {t.warning}; }}
QDialog[prompt="true"] QFrame[role="badge"] {{ background: {t.selection}; border-radius: 10px; }}
QDialog[prompt="true"] QFrame[role="waiting"] {{ background: {t.sidebar}; border-bottom: 1px solid {t.line}; }}
QDialog[prompt="true"] QFrame[role="foot"] {{ background: {t.sidebar}; border-top: 1px solid {t.line}; }}
QDialog[prompt="true"] QFrame[role="finding"] {{
    background: {t.warning_background}; border: 1px solid {t.line}; border-radius: 8px;
}}
QDialog[prompt="true"] QFrame[role="note"] {{
    background: {t.sidebar}; border: 1px solid {t.line}; border-radius: 8px;
}}
QDialog[prompt="true"] QFrame[role="severe"] {{
    background: {t.error_background}; border: 1px solid {t.error}; border-radius: 8px;
}}
QDialog[prompt="true"] QFrame[role="severe"] QLabel[role="text"] {{ color: {t.error}; font-weight: 600; }}
QDialog[prompt="true"] QScrollArea, QDialog[prompt="true"] QWidget[role="clear"] {{
    background: transparent; border: 0;
}}
QDialog[prompt="true"] QScrollArea:focus {{ border: 1px solid {t.accent}; border-radius: 8px; }}
QDialog[prompt="true"] QPlainTextEdit[role="code"] {{
    background: {t.code}; border: 1px solid {t.line}; border-radius: 10px; padding: 0;
}}
QDialog[prompt="true"] QPlainTextEdit[role="code"]:focus {{ border-color: {t.accent}; }}
QDialog[prompt="true"] QPlainTextEdit[role="quote"] {{
    background: {t.sidebar}; border: 1px solid {t.sidebar}; border-left: 3px solid {t.line}; border-radius: 0;
}}
QDialog[prompt="true"] QPlainTextEdit[role="quote"]:focus {{ border-color: {t.accent}; }}
"""


def _fields(t: Tokens) -> str:
    return f"""
QDialog[prompt="true"] QPlainTextEdit[role="field"] {{
    background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; padding: 4px 6px; color: {t.text};
}}
QDialog[prompt="true"] QPlainTextEdit[role="field"]:focus {{ border: 2px solid {t.accent}; padding: 3px 5px; }}
QDialog[prompt="true"] QLineEdit[invalid="true"], QDialog[prompt="true"] QPlainTextEdit[invalid="true"],
QDialog[prompt="true"] QComboBox[invalid="true"] {{ border: 1px solid {t.error}; }}
QDialog[prompt="true"] QLineEdit[invalid="true"]:focus, QDialog[prompt="true"] QComboBox[invalid="true"]:focus,
QDialog[prompt="true"] QPlainTextEdit[invalid="true"]:focus {{ border: 2px solid {t.error}; }}
QDialog[prompt="true"] QComboBox::drop-down {{ border: 0; width: 30px; }}
QDialog[prompt="true"] QComboBox::down-arrow {{ image: none; }}
QDialog[prompt="true"] QComboBox QAbstractItemView {{
    background: {t.panel}; border: 1px solid {t.line}; color: {t.text}; padding: 4px;
    selection-background-color: {t.selection}; selection-color: {t.text};
}}
"""


def _ticks(t: Tokens) -> str:
    return f"""
QDialog[prompt="true"] QWidget[role="option"] {{ border: 1px solid transparent; border-radius: 8px; }}
QDialog[prompt="true"] QWidget[role="option"]:hover {{ background: {t.hover}; }}
QDialog[prompt="true"] QWidget[role="option"][focused="true"] {{ border: 1px solid {t.accent}; }}
"""
