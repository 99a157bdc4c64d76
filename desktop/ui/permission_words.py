"""When tools ask, in words for people."""

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.core.permission_mode import PermissionMode


class _Mode(NamedTuple):
    title: str
    sentence: str
    icon: str


_MODES: Mapping[PermissionMode, _Mode] = {
    PermissionMode.CHAT_ONLY: _Mode(
        QT_TRANSLATE_NOOP("permissions", "Chat only"),
        QT_TRANSLATE_NOOP("permissions", "The model gets no tools and can do nothing but answer."),
        "message-circle",
    ),
    PermissionMode.READ_ONLY: _Mode(
        QT_TRANSLATE_NOOP("permissions", "Read only"),
        QT_TRANSLATE_NOOP("permissions", "Tools may look at things; whatever could change something is refused."),
        "eye",
    ),
    PermissionMode.ASK_ALWAYS: _Mode(
        QT_TRANSLATE_NOOP("permissions", "Ask always"),
        QT_TRANSLATE_NOOP("permissions", "You are asked each time, also about what you have allowed before."),
        "shield-question-mark",
    ),
    PermissionMode.ASK_FOR_RISK: _Mode(
        QT_TRANSLATE_NOOP("permissions", "Ask for risk"),
        QT_TRANSLATE_NOOP(
            "permissions", "You are asked, except about what you have allowed and harmless commands in the sandbox."
        ),
        "shield-check",
    ),
}


def mode_title(mode: PermissionMode) -> str:
    return _translated(_MODES[mode].title)


def mode_sentence(mode: PermissionMode) -> str:
    """Say in one sentence what a mode means."""
    return _translated(_MODES[mode].sentence)


def mode_icon(mode: PermissionMode) -> str:
    return _MODES[mode].icon


def _translated(text: str) -> str:
    return QCoreApplication.translate("permissions", text)
