"""What the palette can do: the actions of the table of shortcuts, the pages of the settings, themes and languages."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from desktop.core.settings import Theme
from desktop.ui.assistants.button import AssistantOffer
from desktop.ui.main_window import MainWindow
from desktop.ui.settings.catalogue import page_entries
from desktop.ui.shortcuts import SHORTCUTS, shown_keys, translated
from desktop.ui.translations import SYSTEM, own_name

LEFT_OUT = frozenset(("palette", "run_action", "next_part", "previous_part"))
"""The palette itself, and what only makes sense from where the focus is."""
_USUAL_ICON = "chevron-right"
_ICONS = {
    "new_chat": "square-pen",
    "temporary_chat": "ghost",
    "go_to_chat": "message-square",
    "search": "search",
    "find": "text-search",
    "next_chat": "arrow-down",
    "previous_chat": "arrow-up",
    "rename": "pencil",
    "chat_options": "sliders-horizontal",
    "export_chat": "download",
    "export_all": "download",
    "import_chats": "upload",
    "delete_chat": "trash",
    "pin_chat": "pin",
    "archive_chat": "archive",
    "undo": "undo-2",
    "attach_files": "paperclip",
    "insert_prompt": "message-square-quote",
    "choose_model": "bot",
    "branch_map": "git-branch",
    "answer_again": "refresh-cw",
    "copy_answer": "copy",
    "toggle_sidebar": "panel-left",
    "settings": "settings",
    "memory": "brain",
    "tool_servers": "plug",
    "trash": "trash",
    "switch_theme": "sun-moon",
    "shortcuts": "keyboard",
    "guide": "book-open",
    "whats_new": "gift",
    "report_problem": "bug",
    "full_screen": "maximize",
}


@dataclass(frozen=True)
class PaletteAction:
    """``name`` is in the language shown; it is also found by its English name and by ``words``."""

    id: str
    name: str
    english: str
    act: Callable[[], object]
    icon: str = _USUAL_ICON
    keys: str = ""
    words: str = ""


def possible_actions(
    window: MainWindow, *, chat: str | None, open_settings: Callable[[str], object]
) -> list[PaletteAction]:
    """Return what can be done now, in the order of the table; what makes no sense now is left out.

    ``chat`` is the one that is open.
    """
    return [
        *_of_table(window, chat is not None),
        *(_of_folders(window, chat) if chat is not None else ()),
        *_of_assistants(window),
        *_of_settings(open_settings),
        *_of_look(window),
    ]


def _of_table(window: MainWindow, has_chat: bool) -> Iterator[PaletteAction]:
    for shortcut in SHORTCUTS.values():
        is_possible = window.keys.can(shortcut.id) and (has_chat or not shortcut.needs_chat)
        if not is_possible or shortcut.id in LEFT_OUT or (shortcut.id == "undo" and not window.toast.can_act):
            continue
        yield PaletteAction(
            id=shortcut.id,
            name=translated(shortcut.name),
            english=shortcut.name,
            act=lambda shortcut_id=shortcut.id: window.keys.act(shortcut_id),
            icon=_ICONS.get(shortcut.id, _USUAL_ICON),
            keys=shown_keys(shortcut.id).split(", ")[0],
            words=f"{translated(shortcut.words)} {shortcut.words}",
        )


def _of_folders(window: MainWindow, chat: str) -> Iterator[PaletteAction]:
    translate, view, model = QCoreApplication.translate, window.sidebar.list, window.sidebar.model
    thread = model.get(chat)
    if thread is None:
        return  # a temporary one stands in no folder
    for folder in model.folders:
        if folder.id != thread.folder_id:
            yield PaletteAction(
                id=f"folder:{folder.id}",
                name=translate("palette", "Move to folder: %1").replace("%1", folder.name),
                english=f"Move to folder: {folder.name}",
                act=lambda folder_id=folder.id: view.move_requested.emit([chat], folder_id),
                icon="folder",
            )
    if thread.folder_id is not None:
        yield PaletteAction(
            id="folder:",
            name=translate("palette", "Take out of its folder"),
            english="Take out of its folder",
            act=lambda: view.move_requested.emit([chat], None),
            icon="folder",
        )


def _of_assistants(window: MainWindow) -> Iterator[PaletteAction]:
    """Who else can answer in the open chat."""
    button = window.composer.model_bar.assistants
    current = button.current.id if button.current is not None else ""
    none = AssistantOffer("", QCoreApplication.translate("palette", "No assistant"))
    for offer in (none, *button.offers):
        if offer.id != current:
            name = QCoreApplication.translate("palette", "Assistant: %1")
            yield PaletteAction(
                id=f"assistant:{offer.id}",
                name=name.replace("%1", offer.name),
                english=f"Assistant: {offer.name}",
                act=lambda chosen=offer.id: button.chosen.emit(chosen),
                icon="drama",
                words=offer.hint,
            )


def _of_settings(open_settings: Callable[[str], object]) -> Iterator[PaletteAction]:
    translate = QCoreApplication.translate
    for entry in page_entries():
        yield PaletteAction(
            id=f"settings:{entry.key}",
            name=translate("palette", "Settings: %1").replace("%1", entry.title()),
            english=f"Settings: {entry.key}",
            act=lambda key=entry.key: open_settings(key),
            icon=entry.icon,
            words=translated("preferences options"),
        )


def _of_look(window: MainWindow) -> Iterator[PaletteAction]:
    translate, footer = QCoreApplication.translate, window.sidebar.footer
    names = {
        Theme.SYSTEM: translate("palette", "Theme: same as system"),
        Theme.LIGHT: translate("palette", "Theme: light"),
        Theme.DARK: translate("palette", "Theme: dark"),
    }
    icons = {Theme.SYSTEM: "monitor", Theme.LIGHT: "sun", Theme.DARK: "moon"}
    for theme, name in names.items():
        yield PaletteAction(
            id=f"theme:{theme}",
            name=name,
            english=f"Theme: {theme}",
            act=lambda theme=theme: footer.theme_chosen.emit(theme),
            icon=icons[theme],
        )
    for language in (SYSTEM, *footer.languages):
        called = translate("palette", "same as system") if language == SYSTEM else own_name(language)
        yield PaletteAction(
            id=f"language:{language}",
            name=translate("palette", "Language: %1").replace("%1", called),
            english=f"Language: {language}",
            act=lambda language=language: footer.language_chosen.emit(language),
            icon="languages",
        )
