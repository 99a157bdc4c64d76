"""Reads what other programs have set up as servers: only their files, bounded, and nothing of it is started or asked."""

import logging
import os
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from desktop.core.errors import SettingsError
from desktop.mcp_client import cherry_studio
from desktop.mcp_client.mcp_json import MAX_CHARACTERS, read_mcp_json
from desktop.tools.elsewhere import Elsewhere, ElsewhereProblem

MAX_BYTES = 8 * 2**20
"""Some programs keep all their settings in the same file."""
_MOST_PROFILES = 20

logger = logging.getLogger(__name__)


class _Place(NamedTuple):
    program: str
    path: Path
    is_shared: bool = False
    """The file holds other things: without one of the known roots there are no servers in it."""
    read: Callable[[Path], str] | None = None
    """Returns the text of what is no plain file; ``ValueError`` where that is not understood."""


def read_elsewhere(home: Path, environment: Mapping[str, str], *, platform: str = sys.platform) -> list[Elsewhere]:
    """Return what was found, each place once, also those that cannot be read. Places without servers are left out."""
    found: list[Elsewhere] = []
    seen: set[str] = set()
    for place in _places(home, _config_folder(home, environment, platform), platform):
        resolved = os.path.realpath(place.path)
        if resolved in seen or not os.path.lexists(place.path):
            continue
        seen.add(resolved)
        one = _read(place)
        if one.servers or one.problem:
            found.append(one)
    return found


def _config_folder(home: Path, environment: Mapping[str, str], platform: str) -> Path:
    """Return where programs with a window keep their settings."""
    if platform == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming")
    if platform == "darwin":
        return home / "Library" / "Application Support"
    return Path(environment.get("XDG_CONFIG_HOME") or home / ".config")


def _places(home: Path, config: Path, platform: str) -> Iterator[_Place]:
    yield _Place("Claude Desktop", config / "Claude" / "claude_desktop_config.json", True)
    yield _Place("Claude Code", home / ".claude.json", True)
    yield _Place("Cursor", home / ".cursor" / "mcp.json")
    for name, folder in (("VS Code", "Code"), ("VS Code Insiders", "Code - Insiders"), ("VSCodium", "VSCodium")):
        user = config / folder / "User"
        yield _Place(name, user / "mcp.json")
        yield _Place(name, user / "settings.json", True)
        for profile in _folders_in(user / "profiles"):
            yield _Place(name, profile / "mcp.json")
        storage = user / "globalStorage"
        yield _Place("Cline", storage / "saoudrizwan.claude-dev" / "settings" / "cline_mcp_settings.json")
        yield _Place("Roo Code", storage / "rooveterinaryinc.roo-cline" / "settings" / "mcp_settings.json")
    yield _Place("LM Studio", home / ".lmstudio" / "mcp.json")
    yield _Place("LM Studio", home / ".cache" / "lm-studio" / "mcp.json")
    yield _Place("Windsurf", home / ".codeium" / "windsurf" / "mcp_config.json")
    yield _Place("Kiro", home / ".kiro" / "settings" / "mcp.json")
    yield _Place("Gemini CLI", home / ".gemini" / "settings.json", True)
    yield _Place("Codex", home / ".codex" / "config.toml", True)
    zed = config / "Zed" if platform == "win32" else home / ".config" / "zed"
    yield _Place("Zed", zed / "settings.json", True)
    yield _Place("OpenCode", home / ".config" / "opencode" / "opencode.json", True)
    yield _Place("Amazon Q", home / ".aws" / "amazonq" / "mcp.json")
    yield _Place("Jan", config / "Jan" / "data" / "mcp_config.json")
    yield from _places_of_cherry_studio(config / "CherryStudio")


def _places_of_cherry_studio(folder: Path) -> Iterator[_Place]:
    """Since its version 2 the list is in SQLite; what the versions before have left beside it is out of date."""
    newer = folder / "Data" / "cherrystudio.sqlite"
    if newer.exists():
        yield _Place("Cherry Studio", newer, read=_not_understood)
    else:
        yield _Place("Cherry Studio", folder / "Local Storage" / "leveldb", read=cherry_studio.read_servers)


def _not_understood(path: Path) -> str:
    raise ValueError(path.name)


def _folders_in(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.is_dir())[:_MOST_PROFILES]
    except OSError:
        return []


def _read(place: _Place) -> Elsewhere:
    problem, detail = None, ""
    try:
        text = _text_of(place)
        return Elsewhere(
            program=place.program,
            path=str(place.path),
            servers=read_mcp_json(text, source=str(place.path), any_root=not place.is_shared) if text.strip() else {},
        )
    except _CannotReadError as error:
        problem = error.problem
    except OSError as error:
        problem, detail = ElsewhereProblem.UNREADABLE, error.strerror or ""
    except UnicodeDecodeError:
        problem = ElsewhereProblem.DAMAGED
    except SettingsError as error:
        problem, detail = ElsewhereProblem.DAMAGED, str(error.params.get("detail", ""))
    return Elsewhere(program=place.program, path=str(place.path), problem=problem, detail=detail)


class _CannotReadError(Exception):
    def __init__(self, problem: ElsewhereProblem) -> None:
        super().__init__(problem)
        self.problem = problem


def _text_of(place: _Place) -> str:
    if place.read is None:
        return _text_of_file(place.path)
    try:
        return place.read(place.path)
    except (OSError, ValueError) as error:
        logger.info("%s: %s", place.path, error)
        raise _CannotReadError(ElsewhereProblem.DATABASE) from error


def _text_of_file(path: Path) -> str:
    """Return the text of a regular file; a pipe or a device is not waited for."""
    if path.is_dir():
        raise _CannotReadError(ElsewhereProblem.UNREADABLE)
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _CannotReadError(ElsewhereProblem.UNREADABLE)
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise _CannotReadError(ElsewhereProblem.TOO_LARGE)
    text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    if len(text) > MAX_CHARACTERS:
        raise _CannotReadError(ElsewhereProblem.TOO_LARGE)
    return text
