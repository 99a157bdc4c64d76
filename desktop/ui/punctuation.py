"""Puts texts together with the punctuation of the language shown."""

from functools import reduce

from PySide6.QtCore import QCoreApplication


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


def bracketed(text: str, remark: str) -> str:
    """Return, for example, ``Delete (in the list)``."""
    return QCoreApplication.translate("punctuation", "{text} ({remark})").format(text=text, remark=remark)
