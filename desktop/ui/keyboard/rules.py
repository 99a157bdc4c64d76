"""Which keys an action may have: none that type, edit text, or belong to the system; and what else has them already."""

from collections.abc import Iterator
from enum import StrEnum
from functools import cache

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from desktop.ui.key_names import IS_MAC, first_keys
from desktop.ui.shortcuts import SHORTCUTS, Place, Shortcut, sequences, usual_sequences

_Key, _Modifier, _Standard = Qt.Key, Qt.KeyboardModifier, QKeySequence.StandardKey

MODIFIER_KEYS = frozenset(
    (
        *(_Key.Key_Control, _Key.Key_Shift, _Key.Key_Alt, _Key.Key_Meta, _Key.Key_AltGr, _Key.Key_Menu),
        *(_Key.Key_Super_L, _Key.Key_Super_R, _Key.Key_Hyper_L, _Key.Key_Hyper_R),
        *(_Key.Key_CapsLock, _Key.Key_NumLock, _Key.Key_ScrollLock, _Key.Key_Mode_switch, _Key.Key_unknown),
    )
)
"""Pressed alone they are no keys for anything."""
_LEADING = frozenset((_Key.Key_Return, _Key.Key_Escape, _Key.Key_Tab, _Key.Key_Backtab, _Key.Key_Space))
"""What leads through every window, alone or with Shift."""
_REMOVING = frozenset((_Key.Key_Delete, _Key.Key_Backspace))
_WITH_ENTER = ("send", "new_line")
_EDITING = (
    *(_Standard.Copy, _Standard.Cut, _Standard.Paste, _Standard.Undo, _Standard.Redo, _Standard.SelectAll),
    *(_Standard.MoveToNextWord, _Standard.MoveToPreviousWord, _Standard.MoveToStartOfLine, _Standard.MoveToEndOfLine),
    *(_Standard.MoveToStartOfDocument, _Standard.MoveToEndOfDocument),
    *(_Standard.SelectNextWord, _Standard.SelectPreviousWord, _Standard.SelectStartOfLine, _Standard.SelectEndOfLine),
    *(_Standard.SelectStartOfDocument, _Standard.SelectEndOfDocument),
    *(_Standard.DeleteStartOfWord, _Standard.DeleteEndOfWord),
)
_SYSTEMS = (
    ("Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+Space", "Ctrl+H", "Ctrl+M", "Ctrl+Alt+Esc")
    if IS_MAC
    else ("Alt+Tab", "Alt+Shift+Tab", "Alt+F4", "Alt+Space", "Ctrl+Esc", "Ctrl+Shift+Esc", "Ctrl+Alt+Del", "Shift+F10")
)


class Refusal(StrEnum):
    """Why keys cannot be those of an action."""

    LEADS = "leads"
    """Enter, Escape, Tab, the blank: they are needed everywhere."""
    TYPES = "types"
    """They type a character, or change what was typed."""
    EDITS = "edits"
    """Text fields use them."""
    SYSTEM = "system"
    """The system does not let them through, or means something else by them."""


def without_pad(keys: QKeyCombination) -> QKeyCombination:
    """Return the keys as they are in the table: those of the number pad are no others."""
    key = _Key.Key_Return if keys.key() == _Key.Key_Enter else keys.key()
    return QKeyCombination(keys.keyboardModifiers() & ~_Modifier.KeypadModifier, key)


def refusal(shortcut: Shortcut, keys: QKeyCombination) -> Refusal | None:
    """Tell why an action cannot have these keys; None where it can. What it has by itself it can always have."""
    sequence, key, modifiers = QKeySequence(keys), keys.key(), keys.keyboardModifiers()
    if sequence in usual_sequences(shortcut.id):
        return None
    is_plain = not modifiers & ~_Modifier.ShiftModifier
    if key in _LEADING and is_plain:
        return None if key == _Key.Key_Return and shortcut.id in _WITH_ENTER else Refusal.LEADS
    if sequence in _keys_of_system() or (modifiers & _Modifier.MetaModifier and not IS_MAC):
        return Refusal.SYSTEM
    if is_plain and not _Key.Key_F1 <= key <= _Key.Key_F35:
        return None if key in _REMOVING and shortcut.place is Place.CHATS else Refusal.TYPES
    if _types_with(modifiers) and key < _Key.Key_Escape:
        return Refusal.TYPES
    if sequence in _keys_of_fields() and shortcut.place is not Place.CHATS:
        return Refusal.EDITS
    return None


def takes_enter(shortcut: Shortcut) -> bool:
    """Whether Enter alone can be its keys."""
    return shortcut.id in _WITH_ENTER


def _types_with(modifiers: Qt.KeyboardModifier) -> bool:
    """Option types characters on macOS; elsewhere Ctrl and Alt together are AltGr."""
    if IS_MAC:
        return modifiers in (_Modifier.AltModifier, _Modifier.AltModifier | _Modifier.ShiftModifier)
    return bool(modifiers & _Modifier.AltModifier and modifiers & _Modifier.ControlModifier)


def owners(shortcut: Shortcut, sequence: QKeySequence) -> Iterator[Shortcut]:
    """Yield the other actions that have these keys where they would count for this one, too."""
    for other in SHORTCUTS.values():
        if other.id != shortcut.id and share_place(shortcut, other) and sequence in sequences(other.id):
            yield other


def share_place(one: Shortcut, other: Shortcut) -> bool:
    """Whether the same keys would mean two things somewhere."""
    return one.place is other.place or Place.WINDOW in (one.place, other.place)


def is_one_stroke(sequence: QKeySequence) -> bool:
    """Whether it can be pressed at once: no keys, keys in a row, and modifiers alone cannot."""
    return sequence.count() == 1 and first_keys(sequence).key() not in MODIFIER_KEYS


@cache
def _keys_of_system() -> tuple[QKeySequence, ...]:
    return tuple(map(QKeySequence, _SYSTEMS))


@cache
def _keys_of_fields() -> tuple[QKeySequence, ...]:
    return tuple(keys for standard in _EDITING for keys in QKeySequence.keyBindings(standard))
