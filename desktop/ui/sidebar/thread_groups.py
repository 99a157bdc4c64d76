"""Into which group of the sidebar a thread falls by its day, and how its time is written there."""

from datetime import date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from desktop.ui.short_dates import day_and_month, month_and_year

DAYS_OF_A_WEEK = 7


def group_key(moment: datetime, today: date) -> str:
    """Return ``today``, ``yesterday``, ``week``, or ``2026-03`` for an older month (local days)."""
    day = moment.astimezone().date()
    if day >= today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    if day >= today - timedelta(days=DAYS_OF_A_WEEK):
        return "week"
    return f"{day.year:04d}-{day.month:02d}"


def group_label(key: str, locale: QLocale) -> str:
    """Return the heading of the group in the language shown."""
    translate = QCoreApplication.translate
    if key == "today":
        return translate("ThreadGroups", "Today")
    if key == "yesterday":
        return translate("ThreadGroups", "Yesterday")
    if key == "week":
        return translate("ThreadGroups", "Previous 7 days")
    year, month = key.split("-")
    return month_and_year(QDate(int(year), int(month), 1), locale)


def time_label(moment: datetime, today: date, locale: QLocale) -> str:
    """Return the time of a row, short: the clock time, the weekday, or the date."""
    local = moment.astimezone()
    key = group_key(moment, today)
    if key in ("today", "yesterday"):
        return locale.toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)
    if key == "week":
        return locale.dayName(local.isoweekday(), QLocale.FormatType.ShortFormat)
    day = QDate(local.year, local.month, local.day)
    if local.year == today.year:
        return day_and_month(day, locale)
    return locale.toString(day, QLocale.FormatType.ShortFormat)
