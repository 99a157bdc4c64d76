"""Where an answer stands among the answers to the same message."""

from dataclasses import dataclass


@dataclass(frozen=True)
class AnswerPlace:
    """``is_beside``: it stands in a column below a head of its own; ``is_settled``: the chat has gone on below it."""

    number: int = 1
    count: int = 1
    is_beside: bool = False
    is_settled: bool = False
