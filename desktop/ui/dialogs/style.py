"""The style of the questions: boxes of untrusted text, findings, form fields, buttons in a row."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def dialogs_style(tokens: Tokens, sizes: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return _boxes(tokens) + _ticks(tokens, sizes)


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


def _ticks(t: Tokens, s: Sizes) -> str:
    return f"""
QDialog[prompt="true"] QWidget[role="option"] {{ border: 1px solid transparent; border-radius: 8px; min-height: {s.px(22)}px; }}
QDialog[prompt="true"] QWidget[role="option"]:hover {{ background: {t.hover}; }}
QDialog[prompt="true"] QWidget[role="option"][focused="true"] {{ border: 1px solid {t.accent}; }}
QTreeView#branchTree {{ padding: 4px; }}
QTreeView#branchTree::item {{ background: transparent; }}
"""
