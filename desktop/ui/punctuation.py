"""Puts two texts together with the punctuation of the language shown."""

from PySide6.QtCore import QCoreApplication


def labelled(label: str, text: str) -> str:
    """Return, for example, ``Folder: /home/mei``."""
    return QCoreApplication.translate("punctuation", "{label}: {text}").format(label=label, text=text)


def sentences(first: str, second: str) -> str:
    """Return both as sentences after each other; only the first where there is no second."""
    if not second:
        return first
    return QCoreApplication.translate("punctuation", "{first}. {second}").format(first=first, second=second)
