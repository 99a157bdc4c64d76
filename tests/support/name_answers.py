"""A resolver for tests: it answers for some names what it is told, anew each time, and counts who asked."""

import socket
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest


class NameAnswers:
    """What it ``say``s may change at any time; every other name is looked up as usual."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **answers: Sequence[str]) -> None:
        """Names stand with underscores for their dots."""
        self.asked: Counter[str] = Counter()
        self._answers = {name.replace("_", "."): list(addresses) for name, addresses in answers.items()}
        self._others = socket.getaddrinfo
        monkeypatch.setattr(socket, "getaddrinfo", self._answer)

    def say(self, name: str, *addresses: str) -> None:
        self._answers[name] = list(addresses)

    def _answer(self, host: Any, port: Any, *arguments: Any, **options: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else str(host)
        if name not in self._answers:
            return self._others(host, port, *arguments, **options)
        self.asked[name] += 1
        found: list[Any] = []
        for address in self._answers[name]:
            found += self._others(address, port, *arguments, **options)
        return found
