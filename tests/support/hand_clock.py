"""A clock that goes when it is moved."""

from dataclasses import dataclass


@dataclass
class Clock:
    """Call it for the time; add to ``seconds`` to let some pass."""

    seconds: float = 0.0

    def __call__(self) -> float:
        return self.seconds
