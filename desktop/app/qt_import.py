"""Loads Qt for Python, and mends what of it costs much for nothing here, or ends the program for a small fault."""

import builtins
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from types import FunctionType, MethodDescriptorType
from typing import Any


def load_qt() -> None:
    """Import Qt for Python; call it before anything else does."""
    import_without_hook()
    if sys.version_info < (3, 12):
        guard_overrides()


def import_without_hook() -> None:
    """Import Qt for Python and take out its hook on ``import``, which ``from __feature__ import …`` needs and nobody here.

    In order to know which modules talk to Qt the hook reads the source text of every module that is imported, and all of
    them stay in memory: 45 MB with the SDKs. Where it asks a module that is half imported for an attribute, as it does
    with pydantic, that import can fail.
    """
    import_module("PySide6.QtCore")
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def guard_overrides() -> None:
    """Let no exception leave an override of a Qt method, in the classes that are made from now on: it is reported.

    Until Python 3.12 an exception that C code raised, such as the ``TypeError`` of ``len(5)``, exists only in part until
    Python code has caught it; Qt for Python reads the missing part, and the process is gone. So it is when several
    overrides fail in one call. The override that failed returns None, with which Qt goes on as with nothing.
    """
    from shiboken6 import Shiboken

    base: Any = Shiboken.Object  # that of every class of Qt

    def guard(cls: type, **options: Any) -> None:
        super(base, cls).__init_subclass__(**options)  # such as that of ``Generic``, which stands behind Qt's class
        _guard_class(cls)

    base.__init_subclass__ = classmethod(guard)


def _guard_class(cls: type) -> None:
    for name, method in list(vars(cls).items()):
        if isinstance(method, FunctionType) and not name.startswith("__") and _is_of_qt(cls, name):
            setattr(cls, name, _guarded(method))


def _is_of_qt(cls: type, name: str) -> bool:
    return any(isinstance(vars(base).get(name), MethodDescriptorType) for base in cls.__mro__[1:])


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        try:
            return method(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 (whatever it is)
            sys.excepthook(type(error), error, error.__traceback__)  # as Qt for Python does
        except BaseException:
            raise  # which completes it

    return guarded
