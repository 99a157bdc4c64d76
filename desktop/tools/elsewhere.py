"""Servers that other programs of this computer have in their settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class ElsewhereProblem(StrEnum):
    """Why nothing of a file can be shown."""

    UNREADABLE = "unreadable"
    """The system does not let us read it, or it is no regular file."""
    TOO_LARGE = "too_large"
    DAMAGED = "damaged"
    DATABASE = "database"
    """The program keeps its list in a database that is not understood; it shows it as JSON, which can be pasted."""


@dataclass(frozen=True, kw_only=True)
class Elsewhere:
    """One place where a program keeps its servers. Names and entries are untrusted."""

    program: str
    path: str
    servers: Mapping[str, Any] = field(default_factory=dict[str, Any], repr=False)
    """The entries by their names, in our shape, with nothing allowed on their word."""
    problem: ElsewhereProblem | None = None
    detail: str = ""
