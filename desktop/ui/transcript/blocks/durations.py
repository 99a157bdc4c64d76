"""Durations and counts as people read them."""

from PySide6.QtCore import QCoreApplication, QLocale


def duration_text(seconds: float) -> str:
    """``0.4 s``, ``12 s``, ``3 min 20 s``; a whole number comes without decimals."""
    if seconds < 9.95 and not isinstance(seconds, int):
        return QCoreApplication.translate("durations", "{seconds} s").format(
            seconds=QLocale().toString(seconds, "f", 1)
        )
    whole = round(seconds)
    if whole < 60:
        return QCoreApplication.translate("durations", "{seconds} s").format(seconds=whole)
    return QCoreApplication.translate("durations", "{minutes} min {seconds} s").format(
        minutes=whole // 60, seconds=whole % 60
    )
