"""Regular expressions that are compiled at their first use: the long ones take milliseconds, and few starts need them."""

import re
import sys
from collections.abc import Iterator
from functools import cached_property


class Expression:
    """Stands where ``re.compile`` would, in modules that every start imports."""

    def __init__(self, pattern: str, flags: int = 0) -> None:
        self._pattern = pattern
        self._flags = flags

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        return re.compile(self._pattern, self._flags)

    def search(self, text: str) -> re.Match[str] | None:
        return self.compiled.search(text)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        return self.compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.compiled.fullmatch(text)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        return self.compiled.finditer(text, start, end)

    def sub(self, replacement: str, text: str) -> str:
        return self.compiled.sub(replacement, text)
