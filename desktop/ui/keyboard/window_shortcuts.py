"""The shortcuts of reading and of the window: a part of the one table (see ``shortcuts``)."""

import sys

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.ui.key_names import IS_MAC
from desktop.ui.keyboard.shortcut import Group, Keys, Shortcut

IS_WINDOWS = sys.platform == "win32"

WINDOW_SHORTCUTS = (
    Shortcut(
        "focus_transcript",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Go to the messages"),
        ("Ctrl+J",),
        needs_chat=True,
    ),
    Shortcut(
        "find",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Find in this chat"),
        (Keys.Find, "Ctrl+F"),
        words=QT_TRANSLATE_NOOP("shortcuts", "search words text"),
        needs_chat=True,
    ),
    Shortcut(
        "find_next",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Next place that was found"),
        ("Ctrl+G", "F3") if IS_MAC else ("F3",),
        needs_chat=True,
    ),
    Shortcut(
        "find_previous",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Previous place that was found"),
        ("Ctrl+Shift+G", "Shift+F3") if IS_MAC else ("Shift+F3",),
        needs_chat=True,
    ),
    # On macOS Option with an arrow moves the cursor by paragraphs.
    Shortcut(
        "previous_message",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Previous message"),
        ("Ctrl+Alt+Up" if IS_MAC else "Alt+Up",),
        needs_chat=True,
    ),
    Shortcut(
        "next_message",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Next message"),
        ("Ctrl+Alt+Down" if IS_MAC else "Alt+Down",),
        needs_chat=True,
    ),
    # On macOS Option with an arrow moves the cursor by words.
    Shortcut(
        "previous_version",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Previous version of a message or an answer"),
        ("Ctrl+Alt+Left" if IS_MAC else "Alt+Left",),
        words=QT_TRANSLATE_NOOP("shortcuts", "branch sibling"),
        needs_chat=True,
    ),
    Shortcut(
        "next_version",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Next version of a message or an answer"),
        ("Ctrl+Alt+Right" if IS_MAC else "Alt+Right",),
        words=QT_TRANSLATE_NOOP("shortcuts", "branch sibling"),
        needs_chat=True,
    ),
    Shortcut(
        "branch_map",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Map of branches"),
        ("Ctrl+Shift+B",),
        words=QT_TRANSLATE_NOOP("shortcuts", "tree versions"),
        needs_chat=True,
    ),
    Shortcut(
        "answer_again",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Answer the last message again"),
        ("Ctrl+Shift+R",),
        words=QT_TRANSLATE_NOOP("shortcuts", "regenerate retry"),
        needs_chat=True,
    ),
    Shortcut(
        "copy_answer",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Copy the last answer"),
        ("Ctrl+Shift+C",),
        words=QT_TRANSLATE_NOOP("shortcuts", "clipboard"),
        needs_chat=True,
    ),
    Shortcut(
        "copy_markdown",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "Copy what is selected as Markdown"),
        ("Ctrl+Shift+X",),
        words=QT_TRANSLATE_NOOP("shortcuts", "clipboard source formula table"),
        needs_chat=True,
    ),
    Shortcut(
        "what_was_sent",
        Group.READING,
        QT_TRANSLATE_NOOP("shortcuts", "What was sent for the last answer"),
        ("Ctrl+Shift+I",),
        words=QT_TRANSLATE_NOOP("shortcuts", "inspector request context tokens"),
        needs_chat=True,
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
    Shortcut(
        "palette",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Go to a chat or run an action"),
        ("Ctrl+K",),
        words=QT_TRANSLATE_NOOP("shortcuts", "palette commands quick everything"),
    ),
    Shortcut(
        "run_action",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Run an action"),
        ("Ctrl+Shift+P",),
        words=QT_TRANSLATE_NOOP("shortcuts", "palette commands"),
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
    Shortcut("tool_servers", Group.WINDOW, QT_TRANSLATE_NOOP("shortcuts", "State of the tool servers"), ()),
    Shortcut(
        "trash",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Open or close the Trash"),
        (),
        words=QT_TRANSLATE_NOOP("shortcuts", "deleted restore bin"),
    ),
    Shortcut(
        "switch_theme",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Light or dark"),
        (),
        words=QT_TRANSLATE_NOOP("shortcuts", "theme appearance night"),
    ),
    Shortcut(
        "shortcuts",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "This list of shortcuts"),
        (Keys.HelpContents, "F1", "Ctrl+/"),
        words=QT_TRANSLATE_NOOP("shortcuts", "help keyboard keys"),
    ),
    Shortcut(
        "guide",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "User guide"),
        ("Shift+F1",),
        words=QT_TRANSLATE_NOOP("shortcuts", "help manual how to"),
    ),
    Shortcut(
        "whats_new",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "What’s new"),
        (),
        words=QT_TRANSLATE_NOOP("shortcuts", "changes version update"),
    ),
    Shortcut(
        "report_problem",
        Group.WINDOW,
        QT_TRANSLATE_NOOP("shortcuts", "Report a problem"),
        (),
        words=QT_TRANSLATE_NOOP("shortcuts", "bug diagnostics log error"),
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
