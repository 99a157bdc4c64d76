"""The pages of the settings window in their order; each one is imported and made when it is first needed.

A page joins by one entry here: key, icon, title, and a factory ``make(context) -> SettingsPage`` in a module that the
entry's function imports. The page's presenter is a child of the page, so that both live as long as the window. What
has to be read from disk or asked from elsewhere is begun in the page's ``showEvent``: a search makes all pages at once.
"""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.page import SettingsPage


@dataclass(frozen=True)
class PageEntry:
    """``key`` is what ``open_page`` takes; ``title`` is asked again when the language changed."""

    key: str
    icon: str
    title: Callable[[], str]
    make: Callable[[SettingsContext], SettingsPage]


def page_entries() -> list[PageEntry]:
    """Return the pages in the order of the navigation."""
    return [
        PageEntry("models", "bot", lambda: QCoreApplication.translate("settings", "Models"), _models),
        PageEntry("servers", "plug", lambda: QCoreApplication.translate("settings", "Tool servers"), _servers),
        PageEntry(
            "permissions",
            "shield-check",
            lambda: QCoreApplication.translate("settings", "Permissions"),
            _permissions,
        ),
        PageEntry("assistant", "sparkles", lambda: QCoreApplication.translate("settings", "Assistant"), _assistant),
        PageEntry(
            "assistants", "drama", lambda: QCoreApplication.translate("settings", "Your assistants"), _assistants
        ),
        PageEntry(
            "prompts", "message-square-quote", lambda: QCoreApplication.translate("settings", "Prompts"), _prompts
        ),
        PageEntry("memory", "brain", lambda: QCoreApplication.translate("settings", "Memory"), _memory),
        PageEntry(
            "sessions",
            "arrow-left-right",
            lambda: QCoreApplication.translate("settings", "Shared sessions"),
            _sessions,
        ),
        PageEntry("documents", "book-open", lambda: QCoreApplication.translate("settings", "Documents"), _documents),
        PageEntry("appearance", "palette", lambda: QCoreApplication.translate("settings", "Appearance"), _appearance),
        PageEntry("language", "languages", lambda: QCoreApplication.translate("settings", "Language"), _language),
        PageEntry("keyboard", "keyboard", lambda: QCoreApplication.translate("settings", "Keyboard"), _keyboard),
        PageEntry("api", "webhook", lambda: QCoreApplication.translate("settings", "Local API"), _api),
        PageEntry("data", "database", lambda: QCoreApplication.translate("settings", "Data"), _data),
        PageEntry("about", "info", lambda: QCoreApplication.translate("settings", "About"), _about),
    ]


def _models(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.providers_page import make_models_page

    return make_models_page(context)


def _servers(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.servers_page import make_servers_page

    return make_servers_page(context)


def _permissions(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.permissions_page import make_permissions_page

    return make_permissions_page(context)


def _assistant(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.assistant_page import make_assistant_page

    return make_assistant_page(context)


def _assistants(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.assistants_page import make_assistants_page

    return make_assistants_page(context)


def _prompts(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.prompts_page import make_prompts_page

    return make_prompts_page(context)


def _memory(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.memory_presenter import make_memory_page

    return make_memory_page(context)


def _sessions(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.sessions_page import make_sessions_page

    return make_sessions_page(context)


def _documents(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.documents_page import make_documents_page

    return make_documents_page(context)


def _appearance(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.appearance_page import make_appearance_page

    return make_appearance_page(context)


def _language(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.language_page import make_language_page

    return make_language_page(context)


def _keyboard(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.keyboard_page import make_keyboard_page

    return make_keyboard_page(context)


def _api(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.api_page import make_api_page

    return make_api_page(context)


def _data(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.data_page import make_data_page

    return make_data_page(context)


def _about(context: SettingsContext) -> SettingsPage:
    from desktop.ui.settings.about_page import make_about_page

    return make_about_page(context)
