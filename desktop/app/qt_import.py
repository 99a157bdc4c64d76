"""Loads Qt for Python, and takes away its watch over all later imports, which costs time and memory for nothing here."""

import builtins
from importlib import import_module


def load_qt() -> None:
    """Import Qt for Python; call it before anything else does.

    It puts a hook on ``import`` for the sake of ``from __feature__ import …``, which nothing here uses. In order to know
    which modules talk to Qt the hook reads the source text of every module that is imported, and all of them stay in
    memory: 45 MB with the SDKs.
    """
    import_module("PySide6.QtCore")
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)
