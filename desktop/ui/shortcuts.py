"""The one table of keyboard shortcuts: the window, its tooltips and the list of shortcuts all read it."""

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import cast

from PySide6.QtCore import QCoreApplication, QKeyCombination, Qt
from PySide6.QtGui import QKeySequence

from desktop.core.error_text import QT_TRANSLATE_NOOP

Keys = QKeySequence.StandardKey
IS_MAC, IS_WINDOWS = sys.platform == "darwin", sys.platform == "win32"


_MEDIA_KEYS = Qt.Key.Key_Back
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


class Group(StrEnum):
    """Under which heading an action is listed."""

    CHATS = QT_TRANSLATE_NOOP("shortcuts", "Chats")
    WRITING = QT_TRANSLATE_NOOP("shortcuts", "Writing")
    READING = QT_TRANSLATE_NOOP("shortcuts", "Reading")
    WINDOW = QT_TRANSLATE_NOOP("shortcuts", "Window")


class Place(StrEnum):
    """Where the focus must be for the keys to count."""

    WINDOW = ""
    """Anywhere in the main window."""
    CHATS = QT_TRANSLATE_NOOP("shortcuts", "in the list")
    MESSAGE = QT_TRANSLATE_NOOP("shortcuts", "while writing")
    ELSEWHERE = QT_TRANSLATE_NOOP("shortcuts", "elsewhere")


@dataclass(frozen=True)
class Shortcut:
    """An action with its keys: what the platform is used to, else a text such as ``Ctrl+B`` (on macOS that is Cmd)."""

    id: str
    group: Group
    name: str
    keys: tuple[Keys | str, ...]
    place: Place = Place.WINDOW
    words: str = ""
    """Further words that somebody may search for; translated as a whole."""


def _table(*shortcuts: Shortcut) -> Mapping[str, Shortcut]:
    return {shortcut.id: shortcut for shortcut in shortcuts}


SHORTCUTS = _table(
    Shortcut("new_chat", Group.CHATS, QT_TRANSLATE_NOOP("shortcuts", "New chat"), (Keys.New, "Ctrl+N")),
    Shortcut(
        "temporary_chat",
        Group.CHATS,
        QT_TRANSLATE_NOOP("shortcuts", "New temporary chat"),
        ("Ctrl+Shift+N",),
        words=QT_TRANSLATE_NOOP("shortcuts", "private incognito secret"),
    ),
    Shortcut("search", Group.CHATS, QT_TRANSLATE_NOOP("shortcuts", "Search chats"), ("Ctrl+K", Keys.Find)),
    # Ctrl+Tab belongs to macOS itself as Cmd+Tab; Qt's Meta is the Ctrl key there.
    Shortcut(
        "next_chat",
        Group.CHATS,
        QT_TRANSLATE_NOOP("shortcuts", "Next chat in the list"),
        ("Meta+Tab" if IS_MAC else "Ctrl+Tab", "Ctrl+PgDown"),
    ),
    Shortcut(
        "previous_chat",
        Group.CHATS,
        QT_TRANSLATE_NOOP("shortcuts", "Previous chat in the list"),
        ("Meta+Shift+Tab" if IS_MAC else "Ctrl+Shift+Tab", "Ctrl+PgUp"),
    ),
    Shortcut("rename", Group.CHATS, QT_TRANSLATE_NOOP("shortcuts", "Rename the chat"), ("F2",)),
    Shortcut("chat_options", Group.CHATS, QT_TRANSLATE_NOOP("shortcuts", "Chat options"), ("Ctrl+I",)),
    Shortcut(
        "delete_chat",
        Group.CHATS,
        QT_TRANSLATE_NOOP("shortcuts", "Delete the chat"),
        ("Ctrl+Backspace", "Del") if IS_MAC else ("Del",),
        Place.CHATS,
    ),
    Shortcut(
        "undo",
        Group.CHATS,
        QT_TRANSLATE_NOOP("shortcuts", "Undo"),
        ("Ctrl+Z",),
        Place.ELSEWHERE,
    ),
    Shortcut("send", Group.WRITING, QT_TRANSLATE_NOOP("shortcuts", "Send the message"), ("Return",), Place.MESSAGE),
    Shortcut("new_line", Group.WRITING, QT_TRANSLATE_NOOP("shortcuts", "New line"), ("Shift+Return",), Place.MESSAGE),
    Shortcut("stop", Group.WRITING, QT_TRANSLATE_NOOP("shortcuts", "Stop the answer"), ("Esc",), Place.MESSAGE),
    Shortcut("undo_text", Group.WRITING, QT_TRANSLATE_NOOP("shortcuts", "Undo typing"), ("Ctrl+Z",), Place.MESSAGE),
    Shortcut(
        "redo_text",
        Group.WRITING,
        QT_TRANSLATE_NOOP("shortcuts", "Redo typing"),
        ("Ctrl+Shift+Z",) if IS_MAC else ("Ctrl+Shift+Z", "Ctrl+Y"),
        Place.MESSAGE,
    ),
    Shortcut(
        "edit_last",
        Group.WRITING,
        QT_TRANSLATE_NOOP("shortcuts", "Change the last message, in the empty field"),
        ("Up",),
        Place.MESSAGE,
        words=QT_TRANSLATE_NOOP("shortcuts", "edit correct resend"),
    ),
    Shortcut("focus_message", Group.WRITING, QT_TRANSLATE_NOOP("shortcuts", "Go to the message field"), ("Ctrl+L",)),
    Shortcut(
        "back_to_message",
        Group.WRITING,
        QT_TRANSLATE_NOOP("shortcuts", "Back to the message field"),
        ("Esc",),
        Place.ELSEWHERE,
    ),
    Shortcut("focus_transcript", Group.READING, QT_TRANSLATE_NOOP("shortcuts", "Go to the messages"), ("Ctrl+J",)),
    # On macOS Option with an arrow moves the cursor by paragraphs.
    Shortcut(
        "previous_message",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Previous message"),
        ("Ctrl+Alt+Up" if IS_MAC else "Alt+Up",),
    ),
    Shortcut(
        "next_message",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Next message"),
        ("Ctrl+Alt+Down" if IS_MAC else "Alt+Down",),
    ),
    # On macOS Option with an arrow moves the cursor by words.
    Shortcut(
        "previous_version",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Previous version of a message or an answer"),
        ("Ctrl+Alt+Left" if IS_MAC else "Alt+Left",),
        words=QT_TRANSLATE_NOOP("shortcuts", "branch sibling"),
    ),
    Shortcut(
        "next_version",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Next version of a message or an answer"),
        ("Ctrl+Alt+Right" if IS_MAC else "Alt+Right",),
        words=QT_TRANSLATE_NOOP("shortcuts", "branch sibling"),
    ),
    Shortcut(
        "branch_map",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Map of branches"),
        ("Ctrl+Shift+B",),
        words=QT_TRANSLATE_NOOP("shortcuts", "tree versions"),
    ),
    Shortcut(
        "answer_again",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Answer the last message again"),
        ("Ctrl+Shift+R",),
        words=QT_TRANSLATE_NOOP("shortcuts", "regenerate retry"),
    ),
    Shortcut(
        "copy_answer",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Copy the last answer"),
        ("Ctrl+Shift+C",),
        words=QT_TRANSLATE_NOOP("shortcuts", "clipboard"),
    ),
    Shortcut(
        "what_was_sent",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "What was sent for the last answer"),
        ("Ctrl+Shift+I",),
        words=QT_TRANSLATE_NOOP("shortcuts", "inspector request context tokens"),
    ),
    Shortcut(
        "larger_text",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Larger text"),
        (Keys.ZoomIn, "Ctrl++", "Ctrl+="),
        words=QT_TRANSLATE_NOOP("shortcuts", "zoom in font bigger"),
    ),
    Shortcut(
        "smaller_text",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Smaller text"),
        (Keys.ZoomOut, "Ctrl+-"),
        words=QT_TRANSLATE_NOOP("shortcuts", "zoom out font"),
    ),
    Shortcut("normal_text", Group.READING, QT_TRANSLATE_NOOP("shortcuts", "Default text size"), ("Ctrl+0",)),
    Shortcut(
        "toggle_sidebar",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Show or hide the list of chats"),
        ("Ctrl+B",),
        words=QT_TRANSLATE_NOOP("shortcuts", "sidebar"),
    ),
    Shortcut("next_part", Group.WINDOW, QT_TRANSLATE_NOOP("shortcuts", "Next part of the window"), ("F6",)),
    Shortcut(
        "previous_part", Group.WINDOW, QT_TRANSLATE_NOOP("shortcuts", "Previous part of the window"), ("Shift+F6",)
    ),
    Shortcut(
        "settings",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Settings"),
        (Keys.Preferences, "Ctrl+,"),
        words=QT_TRANSLATE_NOOP("shortcuts", "preferences options"),
    ),
    Shortcut(
        "memory",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Memory"),
        ("Ctrl+Shift+M",),
        words=QT_TRANSLATE_NOOP("shortcuts", "remember facts forget"),
    ),
    Shortcut(
        "shortcuts",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "This list of shortcuts"),
        (Keys.HelpContents, "F1", "Ctrl+/"),
        words=QT_TRANSLATE_NOOP("shortcuts", "help keyboard keys"),
    ),
    Shortcut(
        "full_screen", Group.WINDOW, QT_TRANSLATE_NOOP("shortcuts", "Full screen on or off"), (Keys.FullScreen, "F11")
    ),
    Shortcut(
        "close_window",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Close the window"),
        ("Ctrl+W", Keys.Close),
        words=QT_TRANSLATE_NOOP("shortcuts", "quit exit"),
    ),
    # Windows has no keys for it; there it is closing the window.
    *(
        ()
        if IS_WINDOWS
        else (
            Shortcut(
                "quit",
                Group.WINDOW,
                QT_TRANSLATE_NOOP("shortcuts", "Quit Threadwell"),
                ("Ctrl+Q", Keys.Quit),
            ),
        )
    ),
)


def sequences(shortcut_id: str) -> list[QKeySequence]:
    """Return all key sequences of an action on this platform, the one to show first; each once."""
    found: dict[str, QKeySequence] = {}
    for keys in SHORTCUTS[shortcut_id].keys:
        for sequence in QKeySequence.keyBindings(keys) if isinstance(keys, Keys) else [QKeySequence(keys)]:
            found.setdefault(sequence.toString(), sequence)
    return list(found.values())


def first_keys(sequence: QKeySequence) -> QKeyCombination:
    """Return what is pressed first; Qt's stubs do not say that a sequence has items."""
    return cast("list[QKeyCombination]", cast(object, sequence))[0]


def keys_of(shortcut_id: str) -> str:
    """Return the keys to show for an action, for ``describe(shortcut=…)``."""
    return sequences(shortcut_id)[0].toString()


def native_text(sequence: QKeySequence) -> str:
    """Write keys as the platform does, each as it is printed on the keyboard."""
    text = sequence.toString(QKeySequence.SequenceFormat.NativeText)
    if IS_MAC or sequence.isEmpty():
        return text
    key = first_keys(sequence).key()
    qts_name = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    return text.removesuffix(qts_name) + _PRINTED.get(key, qts_name)


def shown_keys(shortcut_id: str) -> str:
    """Return the keys of an action as the platform writes them, the first two where there are many."""
    keys = ((first_keys(each).key(), each) for each in sequences(shortcut_id))
    typed = [each for key, each in keys if key < _MEDIA_KEYS and key != Qt.Key.Key_Help]
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
