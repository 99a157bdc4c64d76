"""The style of the common controls in all their states: buttons, fields, ticks, lists, tabs, bars, menus."""

from collections.abc import Mapping

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens


def control_style(t: Tokens, s: Sizes, images: Mapping[str, str]) -> str:
    """Return the style sheet part for these colours and sizes. ``images`` are the addresses of ``control_images``."""
    return "\n".join(
        (
            _labels(t, s),
            _buttons(t, s),
            _fields(t, s),
            _choices(t, s, images),
            _steppers(t, s, images),
            _lists(t, s),
            _bars(t, s),
            _scroll_bars(t),
            _popups(t, s, images),
        )
    )


def _labels(t: Tokens, s: Sizes) -> str:
    return f"""
QLabel {{ background: transparent; }}
QLabel[role="title"] {{ font-size: {s.title}pt; font-weight: 600; }}
QLabel[role="heading"] {{ font-size: {s.heading}pt; font-weight: 600; }}
QLabel[role="strong"] {{ font-weight: 600; }}
QLabel[role="muted"] {{ color: {t.muted}; }}
QLabel[role="error"] {{ color: {t.error}; }}
QLabel[role="errorTitle"] {{ color: {t.error}; font-weight: 600; }}
QLabel[role="small"] {{ color: {t.muted}; font-size: {s.tiny}pt; }}
QLabel:disabled {{ color: {t.disabled}; }}
"""


def _buttons(t: Tokens, s: Sizes) -> str:
    # A focus ring of two pixels takes one from the padding, so that nothing moves. The style's own ring is left out.
    y = s.room(6)
    return f"""
QPushButton, QToolButton {{ outline: 0; }}
QPushButton {{
    border: 1px solid {t.line}; border-radius: 8px; padding: {y}px 14px;
    background: {t.panel}; color: {t.text}; min-height: {s.px(18)}px;
}}
QPushButton:hover {{ background: {t.hover}; }}
QPushButton:pressed, QPushButton:checked {{ background: {t.pressed}; }}
QPushButton:focus {{ border: 2px solid {t.focus}; padding: {y - 1}px 13px; }}
QPushButton:disabled, QPushButton[off="true"] {{ color: {t.disabled}; background: {t.hover}; }}
QPushButton:disabled {{ border-color: {t.hover}; }}
QPushButton[role="primary"] {{
    background: {t.accent}; color: {t.on_accent}; border: 1px solid {t.accent}; font-weight: 600;
}}
QPushButton[role="primary"]:hover {{ background: {t.accent_hover}; border-color: {t.accent_hover}; }}
QPushButton[role="primary"]:pressed {{ background: {t.accent_pressed}; border-color: {t.accent_pressed}; }}
QPushButton[role="primary"]:focus {{ border: 2px solid {t.text}; }}
QPushButton[role="primary"]:disabled, QPushButton[role="primary"][off="true"] {{
    background: {t.pressed}; color: {t.disabled};
}}
QPushButton[role="primary"]:disabled {{ border-color: {t.pressed}; }}
QPushButton[role="danger"] {{ color: {t.error}; }}
QPushButton[role="danger"]:disabled, QPushButton[role="danger"][off="true"] {{ color: {t.disabled}; }}
QPushButton[role="danger"]:hover:enabled {{ background: {t.error_background}; }}
QPushButton[role="danger"]:pressed {{ background: {t.error_background}; border-color: {t.error}; }}
QPushButton[role="link"] {{
    border: 2px solid transparent; background: transparent; color: {t.accent}; padding: 2px 6px; text-align: left;
}}
QPushButton[role="link"]:hover {{ background: {t.hover}; }}
QPushButton[role="link"]:pressed {{ background: {t.selection}; }}
QPushButton[role="link"]:focus {{ border: 2px solid {t.focus}; padding: 2px 6px; }}
QPushButton[role="link"]:disabled, QPushButton[role="link"][off="true"] {{ color: {t.disabled}; }}
QToolButton {{
    border: 2px solid transparent; border-radius: 7px; padding: 4px;
    background: transparent; color: {t.muted};
}}
QToolButton:hover {{ background: {t.hover}; color: {t.text}; }}
QToolButton:pressed, QToolButton:checked {{ background: {t.pressed}; color: {t.text}; }}
QToolButton:focus {{ border: 2px solid {t.focus}; }}
QToolButton:disabled, QToolButton[off="true"] {{ color: {t.disabled}; background: transparent; }}
QToolButton::menu-indicator {{ image: none; width: 0; }}
QToolButton[role="inField"] {{ padding: 0; border: 0; border-radius: 5px; }}
QToolButton[role="small"] {{ font-size: {s.tiny}pt; padding: 0 6px; }}
QDialogButtonBox {{ dialogbuttonbox-buttons-have-icons: 0; }}
"""


def _fields(t: Tokens, s: Sizes) -> str:
    y = s.room(6)
    fields = "QLineEdit, QAbstractSpinBox, QComboBox"
    focused = "QLineEdit:focus, QAbstractSpinBox:focus, QComboBox:focus"
    disabled = "QLineEdit:disabled, QAbstractSpinBox:disabled, QComboBox:disabled"
    return f"""
{fields} {{
    background: {t.panel}; border: 1px solid {t.field_line}; border-radius: 8px; padding: {y}px 10px; color: {t.text};
    selection-background-color: {t.accent}; selection-color: {t.on_accent}; placeholder-text-color: {t.muted};
}}
QLineEdit:hover, QAbstractSpinBox:hover, QComboBox:hover {{ border-color: {t.muted}; }}
{focused} {{ border: 2px solid {t.focus}; padding: {y - 1}px 9px; }}
{disabled} {{ background: {t.hover}; border-color: {t.line}; color: {t.disabled}; }}
QLineEdit:read-only {{ background: {t.code}; }}
QLineEdit[invalid="true"], QComboBox[invalid="true"], QAbstractSpinBox[invalid="true"] {{
    border: 1px solid {t.error};
}}
QLineEdit[invalid="true"]:focus, QComboBox[invalid="true"]:focus, QAbstractSpinBox[invalid="true"]:focus {{
    border: 2px solid {t.error};
}}
QPlainTextEdit, QTextEdit {{
    color: {t.text}; selection-background-color: {t.accent}; selection-color: {t.on_accent};
    placeholder-text-color: {t.muted};
}}
QPlainTextEdit[role="field"], QTextEdit[role="field"] {{
    background: {t.panel}; border: 1px solid {t.field_line}; border-radius: 8px; padding: 4px 6px;
}}
QPlainTextEdit[role="field"]:hover, QTextEdit[role="field"]:hover {{ border-color: {t.muted}; }}
QPlainTextEdit[role="field"]:focus, QTextEdit[role="field"]:focus {{
    border: 2px solid {t.focus}; padding: 3px 5px;
}}
QPlainTextEdit[role="field"][invalid="true"] {{ border: 1px solid {t.error}; }}
QPlainTextEdit[role="field"][invalid="true"]:focus {{ border: 2px solid {t.error}; }}
QPlainTextEdit[role="field"]:disabled {{ background: {t.hover}; border-color: {t.line}; color: {t.disabled}; }}
"""


def _choices(t: Tokens, s: Sizes, images: Mapping[str, str]) -> str:
    """Tick boxes and radio buttons. A focused one has a wider border, with room for it kept by its margin."""
    size = s.px(15)
    box, radio = "QCheckBox::indicator", "QRadioButton::indicator"
    return f"""
QCheckBox, QRadioButton {{ outline: 0; spacing: 8px; background: transparent; color: {t.text}; }}
QCheckBox:disabled, QRadioButton:disabled {{ color: {t.disabled}; }}
{box}, {radio}, QGroupBox::indicator, QAbstractItemView::indicator {{
    width: {size}px; height: {size}px; border: 1px solid {t.field_line}; background: {t.panel}; margin: 1px;
}}
{box}, QGroupBox::indicator, QAbstractItemView::indicator {{ border-radius: 4px; }}
{radio} {{ border-radius: {size // 2 + 1}px; }}
{box}:hover, {radio}:hover {{ border-color: {t.accent}; background: {t.hover}; }}
{box}:pressed, {radio}:pressed {{ background: {t.pressed}; }}
{box}:checked, {radio}:checked, {box}:indeterminate, QGroupBox::indicator:checked,
QAbstractItemView::indicator:checked {{ background: {t.accent}; border-color: {t.accent}; }}
{box}:checked, QGroupBox::indicator:checked, QAbstractItemView::indicator:checked {{ image: {images["tick"]}; }}
{box}:indeterminate {{ image: {images["dash"]}; }}
{radio}:checked {{ image: {images["dot"]}; }}
{box}:checked:hover, {radio}:checked:hover {{ background: {t.accent_hover}; border-color: {t.accent_hover}; }}
{box}:focus, {radio}:focus {{ border: 2px solid {t.focus}; margin: 0; }}
{radio}:focus {{ border-radius: {size // 2 + 2}px; }}
{box}:checked:focus, {radio}:checked:focus, {box}:indeterminate:focus {{ border-color: {t.text}; }}
{box}:disabled, {radio}:disabled {{ background: {t.hover}; border-color: {t.line}; }}
{box}:checked:disabled {{ image: {images["tick-disabled"]}; background: {t.pressed}; border-color: {t.pressed}; }}
{radio}:checked:disabled {{ image: {images["dot-disabled"]}; background: {t.pressed}; border-color: {t.pressed}; }}
"""


def _steppers(t: Tokens, s: Sizes, images: Mapping[str, str]) -> str:
    """The arrows of list boxes and number fields. Numbers stand before the arrows, so that they line up."""
    arrow = s.px(13)
    return f"""
QComboBox {{ padding-right: {arrow + 14}px; combobox-popup: 0; }}
QComboBox::drop-down {{ border: 0; width: {arrow + 14}px; subcontrol-position: center right; }}
QComboBox::down-arrow {{ image: {images["down"]}; width: {arrow}px; height: {arrow}px; }}
QComboBox::down-arrow:disabled {{ image: {images["down-disabled"]}; }}
QComboBox QLineEdit {{ border: 0; padding: 0; background: transparent; }}
QComboBox QLineEdit:focus {{ border: 0; padding: 0; }}
QComboBox QAbstractItemView {{
    background: {t.panel}; color: {t.text}; border: 1px solid {t.line}; border-radius: 0; padding: 4px; outline: 0;
    selection-background-color: {t.selection}; selection-color: {t.text};
}}
QComboBox QAbstractItemView:focus {{ border-color: {t.line}; }}
QComboBox QAbstractItemView::item {{ min-height: {s.px(24)}px; padding: 2px 8px; border-radius: 6px; }}
QAbstractSpinBox {{ padding-right: {arrow + 14}px; qproperty-alignment: "AlignRight | AlignVCenter"; }}
QAbstractSpinBox:focus {{ padding-right: {arrow + 13}px; }}
QAbstractSpinBox::up-button, QAbstractSpinBox::down-button {{
    subcontrol-origin: border; width: {arrow + 10}px; border: 0; border-radius: 5px; background: transparent;
    margin: 2px;
}}
QAbstractSpinBox::up-button {{ subcontrol-position: top right; }}
QAbstractSpinBox::down-button {{ subcontrol-position: bottom right; }}
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover {{ background: {t.hover}; }}
QAbstractSpinBox::up-button:pressed, QAbstractSpinBox::down-button:pressed {{ background: {t.pressed}; }}
QAbstractSpinBox::up-arrow {{ image: {images["up"]}; width: {arrow - 2}px; height: {arrow - 2}px; }}
QAbstractSpinBox::down-arrow {{ image: {images["down"]}; width: {arrow - 2}px; height: {arrow - 2}px; }}
QAbstractSpinBox::up-arrow:disabled, QAbstractSpinBox::up-arrow:off {{ image: {images["up-disabled"]}; }}
QAbstractSpinBox::down-arrow:disabled, QAbstractSpinBox::down-arrow:off {{ image: {images["down-disabled"]}; }}
QLineEdit {{ lineedit-clear-button-icon: {images["cross"]}; }}
"""


def _lists(t: Tokens, s: Sizes) -> str:
    y = s.room(5)
    views = "QListView, QTreeView, QTableView"
    return f"""
{views} {{
    background: {t.panel}; alternate-background-color: {t.sidebar}; color: {t.text}; outline: 0;
    border: 1px solid {t.line}; border-radius: 8px;
    selection-background-color: {t.selection}; selection-color: {t.text};
}}
QListView:focus, QTreeView:focus, QTableView:focus {{ border-color: {t.focus}; }}
QListView::item {{ padding: {y}px 8px; border-radius: 6px; }}
QTreeView::item {{ padding: {y}px 8px; border-radius: 0; }}
QTreeView::item:only-one {{ border-radius: 6px; }}
QTreeView::item:first {{ border-top-left-radius: 6px; border-bottom-left-radius: 6px; }}
QTreeView::item:last {{ border-top-right-radius: 6px; border-bottom-right-radius: 6px; }}
QListView::item:hover, QTreeView::item:hover {{ background: {t.hover}; }}
QListView::item:selected, QTreeView::item:selected, QTableView::item:selected {{
    background: {t.selection}; color: {t.text};
}}
QListView::item:disabled, QTreeView::item:disabled {{ color: {t.disabled}; }}
QListView#modelList::item:disabled {{ color: {t.muted}; }}  /* headings, which are to be read */
QHeaderView {{ background: {t.sidebar}; }}
QHeaderView::section {{
    background: {t.sidebar}; color: {t.muted}; border: 0; border-bottom: 1px solid {t.line}; padding: 5px 8px;
}}
QTabWidget::pane {{ border: 0; border-top: 1px solid {t.line}; }}
QTabBar::tab {{
    background: transparent; color: {t.muted}; border: 0; border-bottom: 2px solid transparent;
    padding: {y + 2}px 12px; margin-right: 4px;
}}
QTabBar::tab:hover {{ color: {t.text}; background: {t.hover}; }}
QTabBar::tab:selected {{ color: {t.text}; border-bottom-color: {t.accent}; }}
QTabBar::scroller {{ width: {s.px(48)}px; }}
QTabBar::tab:focus {{ background: {t.selection}; }}
QTabBar::tab:disabled {{ color: {t.disabled}; }}
QGroupBox {{ border: 1px solid {t.line}; border-radius: 8px; margin-top: {s.px(10)}px; padding: 10px; }}
QGroupBox::title {{ subcontrol-origin: margin; left: 10px; padding: 0 4px; color: {t.muted}; }}
"""


def _bars(t: Tokens, s: Sizes) -> str:
    handle = s.px(16)
    out = -((handle - 4) // 2)
    return f"""
QSlider {{ min-height: {handle + 6}px; }}
QSlider::groove:horizontal {{ height: 4px; border-radius: 2px; background: {t.field_line}; }}
QSlider::sub-page:horizontal {{ height: 4px; border-radius: 2px; background: {t.accent}; }}
QSlider::handle:horizontal {{
    width: {handle - 4}px; height: {handle - 4}px; margin: {out}px 0; border-radius: {handle // 2}px;
    background: {t.accent}; border: 2px solid {t.panel};
}}
QSlider::handle:horizontal:hover {{ background: {t.accent_hover}; }}
QSlider::handle:horizontal:pressed {{ background: {t.accent_pressed}; }}
QSlider::handle:horizontal:focus {{ border-color: {t.text}; }}
QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled {{ background: {t.disabled}; }}
QProgressBar {{
    background: {t.pressed}; border: 0; border-radius: 3px; min-height: 6px; max-height: 6px; color: transparent;
}}
QProgressBar::chunk {{ background: {t.accent}; border-radius: 3px; }}
"""


def _scroll_bars(t: Tokens) -> str:
    return f"""
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; border: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; border: 0; }}
QScrollBar::handle {{ background: {t.field_line}; border-radius: 3px; }}
QScrollBar::handle:vertical {{ min-height: 32px; }}
QScrollBar::handle:horizontal {{ min-width: 32px; }}
QScrollBar::handle:hover {{ background: {t.muted}; }}
QScrollBar::handle:pressed {{ background: {t.text}; }}
QScrollBar::handle:disabled {{ background: transparent; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{
    background: transparent; border: 0; width: 0; height: 0;
}}
QAbstractScrollArea::corner {{ background: transparent; }}
"""


def _popups(t: Tokens, s: Sizes, images: Mapping[str, str]) -> str:
    return f"""
QToolTip {{ background: {t.panel}; color: {t.text}; border: 1px solid {t.line}; padding: 1px 3px; }}
QMenu {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 8px; padding: 4px; color: {t.text}; }}
QMenu {{ menu-scrollable: 1; }}  /* else what does not fit stands in a second column, beyond the edge of the screen */
QMenu::item {{ padding: {s.room(6)}px 28px {s.room(6)}px 12px; border-radius: 6px; }}
QMenu::item:selected {{ background: {t.selection}; }}
QMenu::item:pressed {{ background: {t.pressed}; }}
QMenu::item:disabled {{ color: {t.disabled}; }}
QMenu::separator {{ height: 1px; background: {t.line}; margin: 4px 8px; }}
QMenu::icon {{ padding-left: 8px; }}
QMenu::indicator {{ width: {s.px(14)}px; height: {s.px(14)}px; padding-left: 8px; }}
QMenu::indicator:checked {{ image: {images["tick-menu"]}; }}
QMenu::right-arrow {{ image: {images["right"]}; width: {s.px(12)}px; height: {s.px(12)}px; right: 6px; }}
QDialog, QMessageBox, QFileDialog {{ background: {t.window}; }}
"""
