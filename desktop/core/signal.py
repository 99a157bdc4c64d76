"""A typed signal without Qt: receivers are held weakly, and one that fails does not stop the others."""

import logging
import weakref
from collections.abc import Callable
from typing import Any, Generic, ParamSpec

P = ParamSpec("P")
logger = logging.getLogger(__name__)


class Signal(Generic[P]):
    """Facts that a service announces, for example ``thread_renamed = Signal[str, str]()``.

    Bound methods are held weakly: a receiver that was garbage-collected is forgotten by itself. Plain functions
    and lambdas are held strongly, since nobody else does.
    """

    def __init__(self) -> None:
        self._receivers: list[Callable[[], Callable[P, object] | None]] = []

    def connect(self, receiver: Callable[P, object]) -> None:
        """Call ``receiver`` at every later emit."""
        bound: Any = receiver
        if hasattr(bound, "__self__"):
            self._receivers.append(weakref.WeakMethod(bound))
        else:
            self._receivers.append(lambda: receiver)

    def disconnect(self, receiver: Callable[P, object]) -> None:
        """Stop calling ``receiver``; unknown receivers are ignored."""
        self._receivers = [r for r in self._receivers if r() not in (receiver, None)]

    def emit(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every living receiver in the order of connection; an exception is logged and the rest still run."""
        for ref in tuple(self._receivers):
            receiver = ref()
            if receiver is None:
                self._receivers.remove(ref)
                continue
            try:
                receiver(*args, **kwargs)
            except Exception:
                logger.exception("a receiver of a signal failed")
