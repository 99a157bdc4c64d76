"""Tools that are called like another server's, or nearly so: a model, and a person, may take one for the other."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from desktop.tools import findings
from desktop.tools.entities import Finding, ToolDescriptor
from desktop.tools.look_alikes import look_alike_of

_TAKEN_FOR_EACH_OTHER = str.maketrans("01i", "oll")
MOST_CLASHES = 5


@dataclass(frozen=True)
class NameClash:
    """``other`` is the tool that this one could be taken for. ``is_same``: the names are equal to the letter."""

    other: ToolDescriptor
    is_same: bool


class NameIndex:
    """Tools by what their names look like."""

    def __init__(self, tools: Iterable[ToolDescriptor]) -> None:
        self._by_shape: dict[str, dict[tuple[str, str], ToolDescriptor]] = {}
        for tool in tools:
            for name in (tool.name, tool.alias, f"{tool.server_id}{tool.name}"):
                self._by_shape.setdefault(_shape(name), {})[tool.server_id, tool.name] = tool

    def clashes(self, tool: ToolDescriptor) -> tuple[NameClash, ...]:
        """Return with which tools this one could be confused: of other servers, and imitations within its own.

        A tool that comes with the app is never the imitation.
        """
        if tool.bundled:
            return ()
        alike = self._by_shape.get(_shape(tool.name), {})
        others = (other for key, other in alike.items() if key != (tool.server_id, tool.name))
        return tuple(NameClash(other, is_same=other.name == tool.name) for other in islice(others, MOST_CLASHES))

    def findings(self, tool: ToolDescriptor) -> tuple[Finding, ...]:
        """Return the same as what is noticed about a call: an imitation is grave, a name in common is not."""
        return tuple(
            findings.finding(
                findings.SAME_NAME if clash.is_same else findings.IMITATES_NAME,
                f"{clash.other.name} ({clash.other.server_id})",
                severe=not clash.is_same,
            )
            for clash in self.clashes(tool)
        )


@lru_cache(maxsize=8192)
def _shape(name: str) -> str:
    """Return what is left of a name for a careless eye: letters and digits, those that look alike made one."""
    plain = "".join(look_alike_of(char) or char for char in unicodedata.normalize("NFKD", name))
    kept = "".join(char for char in plain.casefold() if char.isalnum())
    return kept.translate(_TAKEN_FOR_EACH_OTHER).replace("rn", "m").replace("vv", "w") or name
