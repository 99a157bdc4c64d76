"""Puts texts together with the punctuation of the language shown."""

import re
from functools import reduce

from PySide6.QtCore import QCoreApplication

_IN_DATES = re.compile(r"(?<=\d)(?=[年月日])|(?<=[年月])(?=\d)")


def labelled(label: str, text: str) -> str:
    """Return, for example, ``Folder: /home/mei``."""
    return QCoreApplication.translate("punctuation", "{label}: {text}").format(label=label, text=text)


def sentences(first: str, second: str) -> str:
    """Return both as sentences after each other; only the first where there is no second."""
    if not second:
        return first
    return QCoreApplication.translate("punctuation", "{first}. {second}").format(first=first, second=second)


def sentence(text: str) -> str:
    """Return words without an end as one sentence."""
    return QCoreApplication.translate("punctuation", "{text}.").format(text=text)


def follow(*sentences: str) -> str:
    """Return whole sentences, at least one, after each other."""
    words = QCoreApplication.translate("punctuation", "{first} {second}")
    return reduce(lambda first, second: words.format(first=first, second=second), sentences)


def unbroken(text: str) -> str:
    """Return pieces that are divided by dots for a label of several lines: none begins with a dot, no date is broken."""
    return _IN_DATES.sub("\u2060", text.replace(" · ", "\u00a0· "))


def bracketed(text: str, remark: str) -> str:
    """Return, for example, ``Delete (in the list)``."""
    return QCoreApplication.translate("punctuation", "{text} ({remark})").format(text=text, remark=remark)
