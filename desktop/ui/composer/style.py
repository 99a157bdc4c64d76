"""The style of the composer's own parts."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def composer_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return f"""
QScrollArea#pastedTexts, QScrollArea#attachedFiles, QWidget#chipRows {{ background: transparent; border: 0; }}
QFrame#pastedChip, QFrame#attachedChip, QFrame#keyWarning {{
    background: {t.hover}; border: 1px solid {t.line}; border-radius: 9px;
}}
QPushButton[role="chipButton"] {{
    background: transparent; border: 2px solid transparent; border-radius: 7px; padding: 2px 6px; text-align: left;
    color: {t.text}; font-size: {s.small}pt;
}}
QPushButton[role="chipButton"]:hover {{ background: {t.pressed}; }}
QPushButton[role="chipButton"]:focus {{ border: 2px solid {t.focus}; padding: 2px 6px; }}
QLabel#knowledgeWords[role="warning"] {{ color: {t.warning}; }}
QFrame#attachedChip QLabel {{ font-size: {s.small}pt; }}
QFrame#windowPopup {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame#modePopup {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame#palettePanel {{ background: {t.panel}; border: 1px solid {t.field_line}; border-radius: 12px; }}
QFrame#palettePanel QLineEdit {{ font-size: {s.title}pt; }}
QFrame#palettePanel QLabel {{ font-size: {s.small}pt; padding: 0 8px; }}
QListWidget#paletteList {{ background: transparent; border: 0; outline: 0; }}
QFrame#offerPopup {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame#offerPopup QLabel {{ font-size: {s.small}pt; padding: 0 7px; }}
QListWidget#offerList {{ background: transparent; border: 0; }}
QFrame#queuePanel {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 12px; }}
QScrollArea#queuedMessages {{ background: transparent; border: 0; }}
QLabel#queueWords, QLabel#queuedNote, QLabel#queueEditHint {{ font-size: {s.small}pt; }}
QLabel#queueWords[role="warning"] {{ color: {t.warning}; }}
QFrame#queuedMessage {{ background: transparent; border: 0; border-radius: 9px; }}
QFrame#queuedMessage:hover {{ background: {t.hover}; }}
QFrame#queuedMessage[changing="true"] {{ background: {t.selection}; }}
QFrame#queueEditor {{ background: {t.window}; border: 1px solid {t.field_line}; border-radius: 9px; }}
QPlainTextEdit#queueEdit {{ background: transparent; border: 0; }}
QFrame#dropArea, QFrame#importDrop {{ background: {t.window}; border: 2px dashed {t.accent}; border-radius: 14px; }}
QFrame#dropArea QLabel, QFrame#importDrop QLabel {{ color: {t.text}; background: transparent; }}
QPushButton#pasted-text, QPushButton#attached-file {{ text-align: left; border-radius: 12px; }}
"""
