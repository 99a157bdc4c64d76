"""Dates without their day or without their year, written as the locale writes its long ones."""

import re
from functools import cache

from PySide6.QtCore import QDate, QLocale

_PIECE = re.compile(r"(?P<field>d+|M+|y+)|(?:'(?:[^']|'')*'|[^dMy'])+")
_SEPARATOR_AT_END = re.compile(r"(?:'(?:[^']|'')*'|\W)+$")


def month_and_year(day: QDate, locale: QLocale) -> str:
    """Return, for example, ``November 2026`` or ``2026年11月``."""
    name = locale.standaloneMonthName(day.month(), QLocale.FormatType.LongFormat).replace("'", "''")
    text = locale.toString(day, _long_format_without(locale, "dddd", "d").replace("MMMM", f"'{name}'"))
    return text[:1].upper() + text[1:]


def day_and_month(day: QDate, locale: QLocale) -> str:
    """Return, for example, ``Nov 18``, ``18 Nov`` or ``11月18日``."""
    return locale.toString(day, _long_format_without(locale, "dddd", "yyyy").replace("MMMM", "MMM"))


def _long_format_without(locale: QLocale, *unwanted: str) -> str:
    return _without(locale.dateFormat(QLocale.FormatType.LongFormat), unwanted)


@cache  # lists paint dates in every row
def _without(date_format: str, unwanted: tuple[str, ...]) -> str:
    """Return the format without these fields, each with what stands between it and the next one."""
    pieces = [match.group() for match in _PIECE.finditer(date_format)]
    for field in unwanted:
        if field not in pieces:
            continue
        place = pieces.index(field)
        is_last = place == len(pieces) - 1
        del pieces[place : place + 2]
        if is_last and pieces:
            pieces[-1] = _SEPARATOR_AT_END.sub("", pieces[-1])  # Chinese has words there that belong to what is before
    return "".join(pieces).strip()
