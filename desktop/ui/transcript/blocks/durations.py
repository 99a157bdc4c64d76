"""Durations and costs as people read them."""

import math

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.core.costs import Cost


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


def cost_text(cost: Cost) -> str:
    """``$0.0123``, ``1.20 CNY``: three figures of a small amount, else two decimals; the currency as the user wrote it."""
    amount = cost.amount
    decimals = 2 if amount >= 0.1 or amount == 0 else min(6, 2 - math.floor(math.log10(amount)))
    number = QLocale().toString(amount, "f", decimals)
    if not cost.currency:
        return number
    return f"{number} {cost.currency}" if cost.currency[-1].isalnum() else f"{cost.currency}{number}"
