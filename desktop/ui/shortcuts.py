"""The one table of keyboard shortcuts: the window, its tooltips and the list of shortcuts all read it."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from desktop.ui.key_names import MEDIA_KEYS, first_keys, native_text
from desktop.ui.keyboard.chat_shortcuts import CHAT_SHORTCUTS
from desktop.ui.keyboard.shortcut import Group as Group  # with the table, for those who read it
from desktop.ui.keyboard.shortcut import Keys
from desktop.ui.keyboard.shortcut import Place as Place
from desktop.ui.keyboard.shortcut import Shortcut as Shortcut
from desktop.ui.keyboard.window_shortcuts import IS_WINDOWS as IS_WINDOWS
from desktop.ui.keyboard.window_shortcuts import WINDOW_SHORTCUTS

SHORTCUTS: Mapping[str, Shortcut] = {each.id: each for each in (*CHAT_SHORTCUTS, *WINDOW_SHORTCUTS)}
_own_keys: dict[str, list[QKeySequence]] = {}


def use_own_keys(keys: Mapping[str, Sequence[QKeySequence]]) -> bool:
    """Let these actions have these keys, all others the usual ones; returns whether that changes anything."""
    own = {shortcut_id: list(each) for shortcut_id, each in keys.items()}
    changes = own != _own_keys
    _own_keys.clear()
    _own_keys.update(own)
    return changes


def sequences(shortcut_id: str) -> list[QKeySequence]:
    """Return all key sequences of an action, the one to show first: those that the user chose, else the usual ones."""
    own = _own_keys.get(shortcut_id)
    return usual_sequences(shortcut_id) if own is None else list(own)


def usual_sequences(shortcut_id: str) -> list[QKeySequence]:
    """Return the key sequences that an action has by itself on this platform; each once."""
    found: dict[str, QKeySequence] = {}
    for keys in SHORTCUTS[shortcut_id].keys:
        for sequence in QKeySequence.keyBindings(keys) if isinstance(keys, Keys) else [QKeySequence(keys)]:
            found.setdefault(sequence.toString(), sequence)
    return list(found.values())


def pressed(event: QKeyEvent, shortcut_id: str) -> bool:
    """Tell whether a key event is the keys of an action; those of the number pad count as the others."""
    keys = event.key()
    plain = Qt.Key.Key_Return if keys == Qt.Key.Key_Enter else Qt.Key(keys)
    without_pad = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return QKeySequence(QKeyCombination(without_pad, plain)) in sequences(shortcut_id)


def keys_of(shortcut_id: str) -> str:
    """Return the keys to show for an action, for ``describe(shortcut=…)``; empty where it has none."""
    keys = sequences(shortcut_id)
    return keys[0].toString() if keys else ""


def shown_keys(shortcut_id: str) -> str:
    """Return the keys of an action as the platform writes them, the first two where there are many."""
    keys = ((first_keys(each).key(), each) for each in sequences(shortcut_id))
    typed = [each for key, each in keys if key < MEDIA_KEYS and key != Qt.Key.Key_Help]
    return ", ".join(native_text(sequence) for sequence in typed[:2])


def search_text(shortcut: Shortcut) -> str:
    """Return all by which an action is found, case-folded: its words in the language shown and in English, its keys."""
    words = (shortcut.group, shortcut.name, shortcut.words, shortcut.place)
    native = QKeySequence.SequenceFormat.NativeText
    keys = [
        form for each in sequences(shortcut.id) for form in (native_text(each), each.toString(native), each.toString())
    ]
    return " ".join((*words, *map(translated, words), *keys)).casefold()


def translated(text: str) -> str:
    """Return a name, group or place of the table in the language shown."""
    return QCoreApplication.translate("shortcuts", text) if text else ""
