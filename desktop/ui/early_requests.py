"""Keeps what is asked of the window before there is anybody to act on it, and has it done when there is."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, SignalInstance

Act = Callable[..., object]


class EarlyRequests(QObject):
    """The window is on the screen before the core is open: a key or a click in between must not be lost."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._is_early = True
        self._kept: list[tuple[Act, tuple[Any, ...]]] = []

    @property
    def is_early(self) -> bool:
        """Nobody can act on anything yet."""
        return self._is_early

    def keep(self, *signals: SignalInstance) -> None:
        """Keep what these signals ask for; the same thing without a number or a text is asked for only once."""
        for signal in signals:
            signal.connect(lambda *what, emit=signal.emit: self._asked(emit, *what))

    def when_possible(self, act: Callable[[], object]) -> Callable[[], object]:
        """Return what calls ``act``, at once or as soon as it makes sense."""
        return lambda: self._kept.append((act, ())) if self._is_early else act()

    def end(self) -> None:
        """Somebody acts on the requests from now on."""
        self._is_early = False

    def replay(self) -> None:
        """Do what was asked for meanwhile, in the same order."""
        self.end()
        kept, self._kept = self._kept, []
        for act, what in kept:
            act(*what)

    def _asked(self, emit: Act, *what: Any) -> None:
        if self._is_early and (what or (emit, what) not in self._kept):
            self._kept.append((emit, what))
