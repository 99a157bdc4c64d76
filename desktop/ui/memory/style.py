"""The style of the memory page."""

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def memory_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet part for these colours and sizes."""
    return f"""
QWidget#memoryPage {{ background: {t.window}; }}
QFrame#memoryTray, QFrame#memoryPaused {{
    background: {t.warning_background}; border: 1px solid {t.line}; border-radius: 10px;
}}
QFrame[role="memoryTrayRow"] {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame[role="memoryTrayRow"] QPushButton {{ padding: {s.room(3)}px 10px; }}
QFrame[role="memoryTrayRow"] QPushButton:focus {{ padding: {s.room(3) - 1}px 9px; }}
QFrame#memoryDetails, QFrame#sessionCard {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame#memoryDetails QPushButton, QFrame#sessionCard QPushButton {{ padding: {s.room(4)}px 10px; }}
QFrame#memoryDetails QPushButton:focus, QFrame#sessionCard QPushButton:focus {{ padding: {s.room(4) - 1}px 9px; }}
QWidget#memoryDetailWords, QScrollArea#memoryDetailArea, QWidget#receiptContent {{
    background: transparent; border: 0;
}}
QPushButton#memoryChip, QPushButton#branchedFrom, QPushButton#instructionsChip {{
    background: {t.hover}; color: {t.text}; border: 1px solid {t.line};
    border-radius: 9px; padding: 2px 8px; font-size: {s.tiny}pt;
}}
QPushButton#memoryChip:hover, QPushButton#branchedFrom:hover, QPushButton#instructionsChip:hover {{
    border-color: {t.muted};
}}
QPushButton#memoryChip:focus, QPushButton#branchedFrom:focus, QPushButton#instructionsChip:focus {{
    border: 2px solid {t.focus}; padding: 1px 7px;
}}
QFrame#recalledPopup {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; }}
QScrollArea#recalledArea, QWidget#recalledList {{ background: {t.panel}; }}
QFrame[role="recalledRow"] {{ background: {t.window}; border: 1px solid {t.line}; border-radius: 8px; }}
QFrame[role="recalledRow"] QPushButton {{ padding: {s.room(3)}px 8px; }}
QFrame[role="recalledRow"] QPushButton:focus {{ padding: {s.room(3) - 1}px 7px; }}
QListView#memoryImportList {{
    background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px; padding: 4px;
}}
QListView#memoryImportList:focus {{ border-color: {t.focus}; }}
"""
