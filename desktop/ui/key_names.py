"""Keys as the platform writes them, each as it is printed on the keyboard."""

import sys
from typing import cast

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

IS_MAC = sys.platform == "darwin"
MEDIA_KEYS = Qt.Key.Key_Back
"""From here on keys of multimedia keyboards, which some platforms list and nobody looks for."""
_PRINTED = {
    Qt.Key.Key_Return: "Enter",
    Qt.Key.Key_Enter: "Enter",
    Qt.Key.Key_Up: "↑",
    Qt.Key.Key_Down: "↓",
    Qt.Key.Key_Left: "←",
    Qt.Key.Key_Right: "→",
}
"""What stands on the keys themselves, also on Chinese keyboards; Qt has other names for them, some of them translated."""


def first_keys(sequence: QKeySequence) -> QKeyCombination:
    """Return what is pressed first; Qt's stubs do not say that a sequence has items."""
    return cast("list[QKeyCombination]", cast(object, sequence))[0]


def native_text(sequence: QKeySequence) -> str:
    """Write keys as the platform does, each as it is printed on the keyboard."""
    text = sequence.toString(QKeySequence.SequenceFormat.NativeText)
    if IS_MAC or sequence.isEmpty():
        return text
    key = first_keys(sequence).key()
    qts_name = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return text.removesuffix(qts_name) + _PRINTED.get(key, qts_name)
