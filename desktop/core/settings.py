"""The settings file: frozen values, written atomically; a broken or newer file is set aside, never overwritten."""

import dataclasses
import json
import os
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from desktop.core.clock import Clock, utc_now
from desktop.core.signal import Signal

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    S = TypeVar("S", bound=DataclassInstance)
else:
    S = TypeVar("S")

SCHEMA_VERSION = 1
MAX_STEP_LIMIT = 1000


class Theme(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, kw_only=True)
class EndpointSettings:
    """The model endpoint. Without a base URL the built-in demo model answers. ``key_env`` names a variable, never a key."""

    base_url: str = ""
    model: str = ""
    key_env: str = ""

    @property
    def is_demo(self) -> bool:
        return not self.base_url


@dataclass(frozen=True, kw_only=True)
class AppearanceSettings:
    theme: Theme = Theme.SYSTEM
    language: str = "system"
    """``system``, ``en``, ``zh_CN``, or another translation in ``resources/translations``."""


@dataclass(frozen=True, kw_only=True)
class AgentSettings:
    system_prompt: str = ""
    step_limit: int = 25
    """Model requests for one answer: 1 to ``MAX_STEP_LIMIT``."""
    workspace: str = ""
    """Where commands run; empty is ``Documents/Threadwell``."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    endpoint: EndpointSettings = EndpointSettings()
    appearance: AppearanceSettings = AppearanceSettings()
    agent: AgentSettings = AgentSettings()
    mcp_servers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The usual ``mcpServers`` object: name to ``{command, args, env}`` or ``{url, headers}``."""


@dataclass(frozen=True, kw_only=True)
class SetAside:
    """A settings file that could not be read and was kept under another name."""

    kept_as: Path
    reason: str
    """``broken`` or ``newer``."""
    detail: str


class SettingsStore:
    """Loads once, then holds the present settings. ``changed`` is emitted after a change is on disk."""

    def __init__(self, path: Path, *, clock: Clock = utc_now) -> None:
        self._path = path
        self._clock = clock
        self.changed = Signal[Settings]()
        self.set_aside: SetAside | None = None
        self._settings = self._load()

    @property
    def settings(self) -> Settings:
        return self._settings

    def update(self, settings: Settings) -> None:
        """Write and announce the new settings. Raises ``OSError`` when they cannot be written; then nothing changed."""
        if settings == self._settings:
            return
        write_atomically(self._path, json.dumps(_to_json(settings), ensure_ascii=False, indent=2) + "\n")
        self._settings = settings
        self.changed.emit(settings)

    def _load(self) -> Settings:
        try:
            if not stat.S_ISREG(self._path.stat().st_mode):  # a pipe would be waited for without end
                return self._keep_and_start_afresh("broken", "this is no regular file")
            text = self._path.read_text("utf-8-sig")
        except FileNotFoundError:
            return Settings()
        except (OSError, UnicodeDecodeError) as error:
            return self._keep_and_start_afresh("broken", str(error))
        try:
            data = json.loads(text)
            if not isinstance(data, dict):
                raise ValueError("the file does not hold an object")
            data = cast(dict[str, Any], data)
            _require_sendable(json.dumps(data, ensure_ascii=False))
            if type(version := data.get("schema_version", SCHEMA_VERSION)) is not int:
                raise ValueError("schema_version should be of type int")
            if version > SCHEMA_VERSION:
                return self._keep_and_start_afresh("newer", f"schema version {version}")
            return _from_json(data)
        except (ValueError, TypeError, RecursionError) as error:
            return self._keep_and_start_afresh("broken", str(error))

    def _keep_and_start_afresh(self, reason: str, detail: str) -> Settings:
        stem = f"{self._path.stem}.{reason}-{self._clock():%Y%m%d-%H%M%S}"
        kept_as, counter = self._path.with_name(f"{stem}{self._path.suffix}"), 1
        while kept_as.exists():
            counter += 1
            kept_as = self._path.with_name(f"{stem}-{counter}{self._path.suffix}")
        try:
            os.replace(self._path, kept_as)
        except OSError as error:
            detail = f"{detail}; it could not be renamed: {error.strerror or error}"
            kept_as = self._path
        self.set_aside = SetAside(kept_as=kept_as, reason=reason, detail=detail)
        return Settings()


def write_atomically(path: Path, text: str) -> None:
    """Write a whole file so that a crash leaves either the old or the new one, also after a power loss."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _to_json(settings: Settings) -> dict[str, Any]:
    data = dataclasses.asdict(settings)
    data["mcpServers"] = data.pop("mcp_servers")
    return {"schema_version": SCHEMA_VERSION, **data}


def _from_json(data: Mapping[str, Any]) -> Settings:
    """Build settings from a parsed file. Unknown fields are ignored. Raises ``ValueError`` for a value of a wrong type."""
    servers = data.get("mcpServers", {})
    if not isinstance(servers, dict):
        raise ValueError("mcpServers is not an object")
    agent = _section(AgentSettings, "agent", data)
    if not 1 <= agent.step_limit <= MAX_STEP_LIMIT:
        raise ValueError(f"step_limit should be 1 to {MAX_STEP_LIMIT}")
    if "\0" in agent.workspace:
        raise ValueError("workspace contains a NUL character")
    return Settings(
        endpoint=_section(EndpointSettings, "endpoint", data),
        appearance=_section(AppearanceSettings, "appearance", data),
        agent=agent,
        mcp_servers=cast(dict[str, Any], servers),
    )


def _section(kind: type[S], name: str, data: Mapping[str, Any]) -> S:
    section = data.get(name, {})
    if not isinstance(section, dict):
        raise ValueError(f"{name} is not an object")
    given = cast(dict[str, Any], section)
    values: dict[str, Any] = {}
    for field_ in dataclasses.fields(kind):
        if field_.name not in given:
            continue
        value = given[field_.name]
        default = field_.default
        if isinstance(default, StrEnum):
            value = type(default)(value)
        elif type(value) is not type(default):
            raise ValueError(f"{field_.name} should be of type {type(default).__name__}")
        values[field_.name] = value
    return kind(**values)


def _require_sendable(text: str) -> None:
    """JSON can carry half a surrogate pair, which no file, log or server could be given."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it contains half of a character (a lone surrogate)") from None
