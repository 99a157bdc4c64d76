"""The application's one style sheet, made from the tokens: the common controls here, each room adds its own part."""

from desktop.ui.theme.tokens import Tokens
from desktop.ui.theme.window_style import window_style


def style_sheet(tokens: Tokens) -> str:
    """Return the whole style sheet for these colours."""
    # Not at the top of the module: these rooms import the theme, which imports this.
    from desktop.ui.dialogs.style import dialogs_style
    from desktop.ui.transcript.style import transcript_style

    return "\n".join(
        (
            _labels(tokens),
            _buttons(tokens),
            _fields(tokens),
            _scroll_bars(tokens),
            _popups(tokens),
            window_style(tokens),
            transcript_style(tokens),
            dialogs_style(tokens),
        )
    )


def _labels(t: Tokens) -> str:
    return f"""
QLabel {{ background: transparent; }}
QLabel[role="title"] {{ font-size: 11pt; font-weight: 600; }}
QLabel[role="heading"] {{ font-size: 15pt; font-weight: 600; }}
QLabel[role="muted"] {{ color: {t.muted}; }}
QLabel[role="error"] {{ color: {t.error}; }}
"""


def _buttons(t: Tokens) -> str:
    # A focus ring of two pixels takes one from the padding, so that nothing moves.
    return f"""
QPushButton {{
    border: 1px solid {t.line}; border-radius: 8px; padding: 6px 14px;
    background: {t.panel}; color: {t.text}; min-height: 18px;
}}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:pressed {{ background: {t.pressed}; }}
QPushButton:focus {{ border: 2px solid {t.accent}; padding: 5px 13px; }}
QPushButton:disabled {{ color: {t.muted}; background: {t.hover}; }}
QPushButton[role="primary"] {{
    background: {t.accent}; color: {t.on_accent}; border: 1px solid {t.accent}; font-weight: 600;
}}
QPushButton[role="primary"]:hover {{ background: {t.accent_hover}; border-color: {t.accent_hover}; }}
QPushButton[role="primary"]:pressed {{ background: {t.accent}; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[role="primary"]:disabled {{ background: {t.pressed}; color: {t.muted}; border: 1px solid {t.pressed}; }}
QPushButton[role="danger"] {{ color: {t.error}; }}
QPushButton[role="danger"]:disabled {{ color: {t.muted}; }}
QPushButton[role="danger"]:hover:enabled {{ background: {t.error_background}; }}
QToolButton {{
    border: 2px solid transparent; border-radius: 7px; padding: 4px;
    background: transparent; color: {t.muted};
}}
QToolButton:hover {{ background: {t.hover}; color: {t.text}; }}
QToolButton:pressed, QToolButton:checked {{ background: {t.pressed}; color: {t.text}; }}
QToolButton:focus {{ border: 2px solid {t.accent}; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
"""


def _fields(t: Tokens) -> str:
    return f"""
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox {{
    background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; padding: 6px 10px; color: {t.text};
    selection-background-color: {t.accent}; selection-color: {t.on_accent};
}}
QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus, QComboBox:focus {{
    border: 2px solid {t.accent}; padding: 5px 9px;
}}
QPlainTextEdit, QTextBrowser {{
    color: {t.text}; selection-background-color: {t.accent}; selection-color: {t.on_accent};
}}
"""


def _scroll_bars(t: Tokens) -> str:
    return f"""
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; border: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; border: 0; }}
QScrollBar::handle {{ background: {t.line}; border-radius: 3px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {t.muted}; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: transparent; border: 0; width: 0; height: 0;
}}
QAbstractScrollArea::corner {{ background: transparent; }}
"""


def _popups(t: Tokens) -> str:
    return f"""
QToolTip {{ background: {t.panel}; color: {t.text}; border: 1px solid {t.line}; padding: 4px 6px; }}
QMenu {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; padding: 4px; color: {t.text}; }}
QMenu::item {{ padding: 6px 28px 6px 12px; border-radius: 6px; }}
QMenu::item:selected {{ background: {t.selection}; }}
QMenu::item:disabled {{ color: {t.muted}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
QMenu::icon {{ padding-left: 8px; }}
"""
