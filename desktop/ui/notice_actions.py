"""What can be done about each error at once: the buttons of its notice, by the error's code."""

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import QT_TRANSLATE_NOOP


class Action(StrEnum):
    """What a button does."""

    ENTER_KEY = "enter_key"
    """The key of the error's parameter ``endpoint``; where that is not given, of the one that answers."""
    OPEN_MODELS = "open_models"
    OPEN_SERVERS = "open_servers"
    OPEN_DATA = "open_data"
    OPEN_API = "open_api"
    OPEN_ASSISTANTS = "open_assistants"
    OPEN_SESSIONS = "open_sessions"
    OPEN_SETTINGS = "open_settings"
    NEW_CHAT = "new_chat"
    SHOW_LOG = "show_log"
    SHOW_DATA_FOLDER = "show_data_folder"
    SHOW_KEPT_FILE = "show_kept_file"
    """The folder with the file that was set aside: the error's parameter ``kept_as``."""


SETTINGS_PAGES: Mapping[Action, str] = {
    Action.OPEN_MODELS: "models",
    Action.OPEN_SERVERS: "servers",
    Action.OPEN_DATA: "data",
    Action.OPEN_API: "api",
    Action.OPEN_ASSISTANTS: "assistants",
    Action.OPEN_SESSIONS: "sessions",
    Action.OPEN_SETTINGS: "",
}
"""The actions that open a page of the settings, with its key."""


_LABELS: Mapping[Action, str] = {
    Action.ENTER_KEY: QT_TRANSLATE_NOOP("notices", "Enter the key…"),
    Action.OPEN_MODELS: QT_TRANSLATE_NOOP("notices", "Open the model settings"),
    Action.OPEN_SERVERS: QT_TRANSLATE_NOOP("notices", "Open the tool server settings"),
    Action.OPEN_DATA: QT_TRANSLATE_NOOP("notices", "Open the data settings"),
    Action.OPEN_API: QT_TRANSLATE_NOOP("notices", "Open the settings of the local API"),
    Action.OPEN_ASSISTANTS: QT_TRANSLATE_NOOP("notices", "Open your assistants"),
    Action.OPEN_SESSIONS: QT_TRANSLATE_NOOP("notices", "Open the settings of shared sessions"),
    Action.OPEN_SETTINGS: QT_TRANSLATE_NOOP("notices", "Open the settings"),
    Action.NEW_CHAT: QT_TRANSLATE_NOOP("notices", "New chat"),
    Action.SHOW_LOG: QT_TRANSLATE_NOOP("notices", "Show the log files"),
    Action.SHOW_DATA_FOLDER: QT_TRANSLATE_NOOP("notices", "Show the data folder"),
    Action.SHOW_KEPT_FILE: QT_TRANSLATE_NOOP("notices", "Show the file that was kept"),
}

ACTIONS: Mapping[str, tuple[Action, ...]] = {
    "model.unreachable": (Action.OPEN_MODELS,),
    "model.proxy_failed": (Action.OPEN_MODELS,),
    "model.unknown_host": (Action.OPEN_MODELS,),
    "model.broke_off": (Action.OPEN_MODELS,),
    "model.timeout": (),
    "model.connection_lost": (),
    "model.ended_early": (),
    "model.empty": (Action.NEW_CHAT,),
    "model.unauthorized": (Action.ENTER_KEY, Action.OPEN_MODELS),
    "model.not_found": (Action.OPEN_MODELS,),
    "model.no_such_model": (Action.OPEN_MODELS,),
    "model.endpoint_gone": (Action.OPEN_MODELS,),
    "model.wrong_address": (Action.OPEN_MODELS,),
    "model.filtered": (Action.NEW_CHAT,),
    "model.overloaded": (),
    "model.call_unreadable": (),
    "model.rate_limited": (),
    "model.rejected": (Action.OPEN_MODELS,),
    "model.server_error": (),
    "model.not_a_stream": (Action.OPEN_MODELS,),
    "model.bad_address": (Action.OPEN_MODELS,),
    "model.no_model": (Action.OPEN_MODELS,),
    "model.key_missing": (Action.OPEN_MODELS,),
    "model.key_unusable": (Action.OPEN_MODELS,),
    "model.key_not_found": (Action.ENTER_KEY,),
    "model.key_forgotten": (Action.ENTER_KEY,),
    "model.key_locked": (Action.ENTER_KEY,),
    "model.key_refused": (Action.ENTER_KEY,),
    "model.key_no_keychain": (Action.ENTER_KEY,),
    "model.key_unreadable": (Action.ENTER_KEY,),
    "model.key_malformed": (Action.ENTER_KEY,),
    "model.forbidden": (Action.OPEN_MODELS,),
    "model.no_credit": (),
    "model.context_full": (Action.NEW_CHAT,),
    "model.redirected": (Action.OPEN_MODELS,),
    "model.bad_stream": (),
    "model.too_long": (),
    "model.unknown_model": (Action.OPEN_MODELS,),
    "model.no_answer": (Action.OPEN_MODELS,),
    "model.no_list": (Action.OPEN_MODELS,),
    "model.loading": (),
    "model.internal": (Action.SHOW_LOG,),
    "api.port_taken": (Action.OPEN_API,),
    "api.not_started": (Action.OPEN_API,),
    "session.unreachable": (Action.OPEN_SESSIONS,),
    "session.refused": (Action.OPEN_SESSIONS,),
    "session.starting": (),
    "session.no_package": (Action.OPEN_SESSIONS,),
    "session.failed": (Action.OPEN_SESSIONS, Action.SHOW_LOG),
    "assistant.out_of_tokens": (Action.OPEN_ASSISTANTS,),
    "api.no_token": (),  # the command line says it
    "storage.unwritable": (Action.SHOW_DATA_FOLDER,),
    "storage.newer": (),  # the window does not open
    "storage.damaged": (Action.OPEN_DATA, Action.SHOW_KEPT_FILE),
    "storage.salvaged": (Action.OPEN_DATA, Action.SHOW_KEPT_FILE),
    "storage.mended": (Action.OPEN_DATA, Action.SHOW_LOG),
    "storage.suspected": (Action.OPEN_DATA, Action.SHOW_LOG),
    "backup.unsound": (Action.OPEN_DATA, Action.SHOW_LOG),
    "backup.busy": (),
    "backup.failed": (Action.SHOW_LOG,),
    "backup.no_folder": (Action.OPEN_DATA,),
    "backup.full": (Action.OPEN_DATA,),
    "backup.no_room": (Action.OPEN_DATA, Action.SHOW_DATA_FOLDER),
    "backup.not_sound": (Action.OPEN_DATA, Action.SHOW_LOG),
    "backup.unreadable": (),
    "backup.not_a_backup": (),
    "backup.damaged": (),
    "backup.newer": (),
    "backup.web_address": (Action.OPEN_DATA,),
    "backup.web_insecure": (Action.OPEN_DATA,),
    "backup.web_unauthorized": (Action.OPEN_DATA,),
    "backup.web_forbidden": (Action.OPEN_DATA,),
    "backup.web_not_found": (Action.OPEN_DATA,),
    "backup.web_too_large": (Action.OPEN_DATA,),
    "backup.web_locked": (),
    "backup.web_full": (Action.OPEN_DATA,),
    "backup.web_redirected": (Action.OPEN_DATA,),
    "backup.web_certificate": (Action.OPEN_DATA,),
    "backup.web_unreachable": (Action.OPEN_DATA,),
    "backup.web_failed": (Action.OPEN_DATA,),
    "storage.full": (Action.OPEN_DATA, Action.SHOW_DATA_FOLDER),
    "storage.failed": (Action.SHOW_LOG,),
    "storage.thread_missing": (),
    "storage.busy": (),  # the window does not open
    "storage.attachment_missing": (),
    "file.unreadable": (),
    "file.not_saved": (),
    "file.no_file": (),
    "file.empty": (),
    "file.too_large": (),
    "file.text_too_long": (),
    "file.binary": (),
    "file.picture_kind": (),
    "file.picture_unreadable": (),
    "file.picture_too_large": (),
    "file.pdf_unreadable": (),
    "file.pdf_locked": (),
    "file.pdf_no_text": (),
    "file.docx_unreadable": (),
    "file.unpacks_too_large": (),
    "file.no_text": (),
    "file.document_unreadable": (),
    "file.no_room": (),
    "file.chats_unreadable": (),
    "file.chats_too_large": (),
    "file.no_chats": (),
    "file.too_slow": (),
    "file.remote_refused": (),
    "file.remote_slow": (),
    "file.remote_not_loaded": (),
    "settings.broken": (Action.OPEN_SETTINGS, Action.SHOW_KEPT_FILE),
    "settings.newer": (Action.OPEN_SETTINGS, Action.SHOW_KEPT_FILE),
    "settings.edited": (Action.SHOW_KEPT_FILE,),
    "settings.mcp_config": (Action.OPEN_SERVERS,),
    "settings.mcp_entry": (Action.OPEN_SERVERS,),
    "settings.mcp_unseen": (Action.OPEN_SERVERS,),
    "settings.key_not_deleted": (),
    "settings.sign_out_untold": (),
    "memory.embedder_missing": (Action.SHOW_LOG,),
    "memory.embedder_failed": (Action.SHOW_LOG,),
    "memory.index_broken": (),
    "memory.embedder_late": (),
    "memory.endpoint_gone": (Action.OPEN_SETTINGS,),
    "memory.endpoint_failed": (Action.SHOW_LOG,),
    "memory.endpoint_changed": (Action.OPEN_SETTINGS,),
    "memory.endpoint_odd": (Action.OPEN_SETTINGS,),
    "memory.index_makeshift": (Action.SHOW_LOG,),
    "memory.index_waits": (),
    "memory.known": (),
    "run.busy": (),
    "queue.full": (),
    "run.too_many_answers": (),
    "run.nothing_to_continue": (),
    "run.question_removed": (),
    "tool.timeout": (),
    "tool.server_gone": (Action.OPEN_SERVERS,),
    "server.timeout": (Action.OPEN_SERVERS,),
    "server.failed": (Action.OPEN_SERVERS,),
    "tool.failed": (),
    "unknown": (Action.SHOW_LOG,),
}
"""For every code; nothing where the words themselves are all that helps, or "Try again" stands beside them."""


def actions_for(code: str) -> tuple[Action, ...]:
    """Return what can be done about an error; for an unknown code what can be done about any."""
    return ACTIONS.get(code, ACTIONS["unknown"])


def action_label(action: Action) -> str:
    """Return the words of the button in the language shown."""
    return QCoreApplication.translate("notices", _LABELS[action])
