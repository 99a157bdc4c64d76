"""The words for what is remembered: its kinds, where it comes from, how often it was of use, and when."""

from collections.abc import Mapping
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.core.memory_settings import MemoryUse
from desktop.memory.entities import MemoryItem, MemoryKind
from desktop.ui.short_dates import day_and_month
from desktop.ui.state.readable import one_line

MOST_TITLE = 60


def kind_word(kind: MemoryKind) -> str:
    """Return what a kind is called in the language shown."""
    match kind:
        case MemoryKind.IDENTITY:
            return QCoreApplication.translate("memory", "About you")
        case MemoryKind.PREFERENCE:
            return QCoreApplication.translate("memory", "Preference")
        case MemoryKind.FACT:
            return QCoreApplication.translate("memory", "Fact")
        case MemoryKind.PLAN:
            return QCoreApplication.translate("memory", "Plan")
        case MemoryKind.EVENT:
            return QCoreApplication.translate("memory", "Event")
        case MemoryKind.WISH:
            return QCoreApplication.translate("memory", "Standing wish")


def kind_sentence(kind: MemoryKind) -> str:
    """Return what belongs to a kind, for whoever has to choose one."""
    match kind:
        case MemoryKind.IDENTITY:
            return QCoreApplication.translate("memory", "Who you are: name, work, family.")
        case MemoryKind.PREFERENCE:
            return QCoreApplication.translate("memory", "What you like, and what you do not.")
        case MemoryKind.FACT:
            return QCoreApplication.translate("memory", "Anything else that stays true.")
        case MemoryKind.PLAN:
            return QCoreApplication.translate("memory", "What you are about to do.")
        case MemoryKind.EVENT:
            return QCoreApplication.translate("memory", "What happened, and when.")
        case MemoryKind.WISH:
            return QCoreApplication.translate("memory", "What every answer should keep to. Sent with each message.")


_USES: Mapping[MemoryUse, tuple[str, str, str]] = {
    MemoryUse.EVERYWHERE: (
        QT_TRANSLATE_NOOP("memory", "All chats"),
        QT_TRANSLATE_NOOP("memory", "Memory: all chats"),
        QT_TRANSLATE_NOOP(
            "memory", "Answers are told what is remembered, and what was said in any chat, where it fits the question."
        ),
    ),
    MemoryUse.THIS_THREAD: (
        QT_TRANSLATE_NOOP("memory", "Only this chat"),
        QT_TRANSLATE_NOOP("memory", "Memory: only this chat"),
        QT_TRANSLATE_NOOP("memory", "Answers are told only what was said in the same chat."),
    ),
    MemoryUse.OFF: (
        QT_TRANSLATE_NOOP("memory", "Off"),
        QT_TRANSLATE_NOOP("memory", "Memory off"),
        QT_TRANSLATE_NOOP("memory", "Answers are told nothing of what was said before, and nothing new is noted."),
    ),
}
"""To choose from, above a chat, and at length."""


def memory_use_word(use: MemoryUse) -> str:
    """Return what the answers of a chat are told, in two words."""
    return QCoreApplication.translate("memory", _USES[use][0])


def memory_use_chip(use: MemoryUse) -> str:
    """Return what says above a chat that it has this way of its own."""
    return QCoreApplication.translate("memory", _USES[use][1])


def memory_use_sentence(use: MemoryUse) -> str:
    """Return what the answers of a chat are told, for whoever has to choose."""
    return QCoreApplication.translate("memory", _USES[use][2])


def day(moment: datetime, today: QDate, locale: QLocale) -> str:
    """Return a date in few words: today, yesterday, ``18 Nov``, and with its year where that is another one."""
    date = QDate(*moment.astimezone().timetuple()[:3])
    match date.daysTo(today):
        case 0:
            return QCoreApplication.translate("memory", "today")
        case 1:
            return QCoreApplication.translate("memory", "yesterday")
        case _ if date.year() == today.year():
            return day_and_month(date, locale)
        case _:
            return locale.toString(date, QLocale.FormatType.ShortFormat)


def use_words(item: MemoryItem, today: QDate, locale: QLocale) -> str:
    """Return how often answers were told of an item, and when last."""
    if not item.used_count or item.last_used_at is None:
        return QCoreApplication.translate("memory", "not used yet")
    count = item.used_count  # lupdate overlooks a text whose number is more than a name, and knows no plurals here
    words = QCoreApplication.translate("memory", "used once, %1")
    if count > 1:
        words = QCoreApplication.translate("memory", "used %n times, last %1", "", count)
    return words.replace("%1", day(item.last_used_at, today, locale))


def origin_words(item: MemoryItem, title: str | None) -> str:
    """Return where an item comes from. ``title`` is that of its chat, empty for one without; None where it is gone."""
    if item.source is None:
        return QCoreApplication.translate("memory", "Written by you")
    if title is None:
        return QCoreApplication.translate("memory", "From a chat that is gone")
    name = one_line(title, MOST_TITLE) or QCoreApplication.translate("memory", "New chat")
    return QCoreApplication.translate("memory", "From “%1”").replace("%1", name)
