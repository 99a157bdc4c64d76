"""The settings file: frozen values, written atomically; a broken or newer file is set aside, never overwritten."""

import dataclasses
import json
import os
import shutil
import stat
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, cast

from desktop.core.api_settings import LEAST_PORT, MOST_PORT, USUAL_API, ApiSettings
from desktop.core.backup_settings import MOST_KEPT, USUAL_BACKUP, BackupSettings
from desktop.core.clock import Clock, utc_now
from desktop.core.endpoint_settings import EndpointSettings, require_in_bounds
from desktop.core.endpoint_settings import KeyPlace as KeyPlace  # with the settings, for those who read them
from desktop.core.memory_settings import USUAL_MEMORY, MemorySettings
from desktop.core.nesting import is_nested_deeper
from desktop.core.permission_mode import PermissionMode
from desktop.core.session_settings import USUAL_SESSIONS, SessionSettings
from desktop.core.shortcut_settings import OwnKeys, read_own_keys
from desktop.core.signal import Signal
from desktop.core.typed_reading import read, value

SCHEMA_VERSION = 2
MAX_STEP_LIMIT = 1000
MAX_OUTPUT_TOKENS = 10_000_000
FONT_SIZES = (7.0, 24.0)
TEXT_WIDTHS = (480, 2400)
MOST_LEVELS = 100
"""How deep the file may be nested: Python writes some hundred levels only, and what was read must be writable."""
MOST_ENTRY_LEVELS = 64
"""How deep an entry of ``mcp_servers`` may be nested, with room for what stands around it in the file."""


class Theme(StrEnum):
    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Accent(StrEnum):
    """The one colour of buttons, links and marks; what it looks like stands in the theme's tokens."""

    INDIGO = "indigo"
    BLUE = "blue"
    TEAL = "teal"
    GREEN = "green"
    ORANGE = "orange"
    ROSE = "rose"
    GRAPHITE = "graphite"


class Density(StrEnum):
    COMFORTABLE = "comfortable"
    COMPACT = "compact"


@dataclass(frozen=True, kw_only=True)
class AppearanceSettings:
    theme: Theme = Theme.SYSTEM
    language: str = "system"
    """``system``, ``en``, ``zh_CN``, or another translation in ``resources/translations``."""
    accent: Accent = Accent.INDIGO
    font_size: float = 10.0
    """Point size of the interface and of prose: ``FONT_SIZES``."""
    code_font_size: float = 9.5
    density: Density = Density.COMFORTABLE
    text_width: int = 760
    """The greatest width of the transcript's text in pixels: ``TEXT_WIDTHS``."""
    wrap_code: bool = False
    """Whether long lines of code are wrapped in blocks that are shown for the first time."""
    reduce_motion: bool = False
    """No animation at all, also where the system does not ask for that."""
    notify: bool = True
    """System notifications while the window is hidden or in the background."""


@dataclass(frozen=True, kw_only=True)
class AgentSettings:
    """How answers are made. None leaves a parameter to the endpoint: it is not sent at all."""

    system_prompt: str = ""
    """For all threads that have none of their own."""
    temperature: float | None = None
    """0 to 2."""
    top_p: float | None = None
    """Above 0 to 1."""
    max_output_tokens: int | None = None
    step_limit: int = 25
    """Model requests for one answer: 1 to ``MAX_STEP_LIMIT``."""
    workspace: str = ""
    """Where commands run; empty is ``Documents/Threadwell``."""
    permission_mode: PermissionMode = PermissionMode.ASK_FOR_RISK
    """For all threads that have none of their own."""
    name_chats: bool = True
    """Ask the model that answered for the title of a new chat, which is one more short request."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    endpoints: tuple[EndpointSettings, ...] = ()
    endpoint_id: str = ""
    """Which of ``endpoints`` answers; empty or unknown: the demo model."""
    keys_to_forget: tuple[str, ...] = ()
    """Ids of endpoints whose keys may still lie in the keychain, although nobody needs them any more."""
    welcomed: bool = False
    """The first-start page was answered; it is not shown by itself any more."""
    appearance: AppearanceSettings = AppearanceSettings()
    agent: AgentSettings = AgentSettings()
    memory: MemorySettings = USUAL_MEMORY
    backup: BackupSettings = USUAL_BACKUP
    api: ApiSettings = USUAL_API
    sessions: SessionSettings = USUAL_SESSIONS
    mcp_servers: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """The usual ``mcpServers`` object: name to ``{command, args, env}`` or ``{url, headers}``; ``disabled`` switches off."""
    bundled_servers_off: tuple[str, ...] = ()
    """Ids of servers that come with the app and are not to be started."""
    confirmed_servers: tuple[str, ...] = ()
    """Fingerprints of servers whose exact command or address the user has seen and agreed to start."""

    server_places: Mapping[str, str] = field(default_factory=dict[str, str])
    """How near each remote server's host was when the user agreed to it (``public``, ``private``, ``loopback``)."""
    server_secrets: tuple[str, ...] = ()
    """Names of servers' secrets that may lie in the keychain, also of those that nothing refers to any more."""
    shortcuts: OwnKeys = field(default_factory=dict[str, tuple[str, ...]])
    """Actions whose keys are not the usual ones."""

    @property
    def endpoint(self) -> EndpointSettings:
        """The endpoint that answers; the demo model where none was chosen."""
        return next((e for e in self.endpoints if e.id == self.endpoint_id and e.id), EndpointSettings())


@dataclass(frozen=True, kw_only=True)
class SetAside:
    """A settings file that could not be read, or that others changed meanwhile, and was kept under another name."""

    kept_as: Path
    reason: str
    """``broken``, ``newer`` or ``edited``."""
    detail: str


class SettingsStore:
    """Loads once, then holds the present settings.

    Signals:
        changed: the new settings, when they are on disk.
        kept_aside: before a change was written: the file was not the one that this process knows.
    """

    def __init__(self, path: Path, *, clock: Clock = utc_now) -> None:
        self._path = path
        self._clock = clock
        self.changed = Signal[Settings]()
        self.kept_aside = Signal[SetAside]()
        self.set_aside: SetAside | None = None
        self._written = b""
        """The file as this process read or wrote it; empty when there was none that could be read."""
        self._settings = self._load()

    @property
    def settings(self) -> Settings:
        return self._settings

    def update(self, settings: Settings) -> None:
        """Write and announce the new settings. Raises ``OSError`` when they cannot be written; then nothing changed."""
        if settings == self._settings:
            return
        text = settings_text(settings)
        aside = self._keep_what_others_wrote()
        write_atomically(self._path, text)
        self._written = text.encode()
        self._settings = settings
        self.changed.emit(settings)
        if aside is not None:
            self.set_aside = aside
            self.kept_aside.emit(aside)

    def _load(self) -> Settings:
        try:
            if not stat.S_ISREG(self._path.stat().st_mode):  # a pipe would be waited for without end
                return self._keep_and_start_afresh("broken", "this is no regular file")
            self._written = self._path.read_bytes()
            text = self._written.decode("utf-8-sig")
        except FileNotFoundError:
            return Settings()
        except (OSError, UnicodeDecodeError) as error:
            return self._keep_and_start_afresh("broken", str(error))
        try:
            return read_settings(text)
        except NewerSettingsError as error:
            return self._keep_and_start_afresh("newer", str(error))
        except (ValueError, TypeError, RecursionError) as error:
            return self._keep_and_start_afresh("broken", str(error))

    def _keep_what_others_wrote(self) -> SetAside | None:
        """Keep what somebody put in the file's place since this process read or wrote it. Raises ``OSError``."""
        try:
            is_file = stat.S_ISREG(self._path.stat().st_mode)
            if is_file and self._path.read_bytes() == self._written:
                return None
        except FileNotFoundError:
            return None
        kept_as = self._free_name("edited")
        if is_file:
            shutil.copyfile(self._path, kept_as)  # so that at every moment there is a settings file
        else:
            os.replace(self._path, kept_as)
        return SetAside(kept_as=kept_as, reason="edited", detail="")

    def _free_name(self, reason: str) -> Path:
        stem = f"{self._path.stem}.{reason}-{self._clock():%Y%m%d-%H%M%S}"
        name, counter = self._path.with_name(f"{stem}{self._path.suffix}"), 1
        while name.exists():
            counter += 1
            name = self._path.with_name(f"{stem}-{counter}{self._path.suffix}")
        return name

    def _keep_and_start_afresh(self, reason: str, detail: str) -> Settings:
        self._written = b""
        kept_as = self._free_name(reason)
        try:
            os.replace(self._path, kept_as)
        except OSError as error:
            detail = f"{detail}; it could not be renamed: {error.strerror or error}"
            kept_as = self._path
        self.set_aside = SetAside(kept_as=kept_as, reason=reason, detail=detail)
        return Settings()


class NewerSettingsError(ValueError):
    """A later version of this program wrote it."""


def settings_text(settings: Settings) -> str:
    """Return the file that holds these settings."""
    return json.dumps(_to_json(settings), ensure_ascii=False, indent=2) + "\n"


def read_settings(text: str) -> Settings:
    """Return what a file holds. Raises ``ValueError``, ``TypeError`` or ``RecursionError`` for what is none."""
    data = json.loads(text)
    if not isinstance(data, dict):
        raise ValueError("the file does not hold an object")
    data = cast(dict[str, Any], data)
    if is_nested_deeper(data, MOST_LEVELS):
        raise ValueError(f"it is nested more than {MOST_LEVELS} levels deep")
    _require_sendable(json.dumps(data, ensure_ascii=False))
    if type(version := data.get("schema_version", SCHEMA_VERSION)) is not int:
        raise ValueError("schema_version should be of type int")
    if version > SCHEMA_VERSION:
        raise NewerSettingsError(f"schema version {version}")
    return _from_json(data)


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
    except BaseException as error:
        Path(temporary).unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a full disk does not say where
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
    if data.get("schema_version", 1) == 1:
        data = _from_version_1(data)
    settings = Settings(
        endpoints=tuple(read(EndpointSettings, f"endpoints[{i}]", e) for i, e in enumerate(_list("endpoints", data))),
        endpoint_id=value(str, "endpoint_id", data.get("endpoint_id", "")),
        keys_to_forget=_texts("keys_to_forget", data),
        welcomed=value(bool, "welcomed", data.get("welcomed", False)),
        appearance=read(AppearanceSettings, "appearance", data.get("appearance", {})),
        agent=read(AgentSettings, "agent", data.get("agent", {})),
        memory=read(MemorySettings, "memory", data.get("memory", {})),
        backup=read(BackupSettings, "backup", data.get("backup", {})),
        api=read(ApiSettings, "api", data.get("api", {})),
        sessions=read(SessionSettings, "sessions", data.get("sessions", {})),
        mcp_servers=cast(dict[str, Any], servers),
        bundled_servers_off=_texts("bundled_servers_off", data),
        confirmed_servers=_texts("confirmed_servers", data),
        server_places=value(Mapping[str, str], "server_places", data.get("server_places", {})),
        server_secrets=_texts("server_secrets", data),
        shortcuts=read_own_keys(data.get("shortcuts", {})),
    )
    _require_in_bounds(settings)
    return settings


def _from_version_1(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """Version 1 knew a single endpoint, without an id."""
    endpoint = data.get("endpoint", {})
    if not isinstance(endpoint, dict):
        raise ValueError("endpoint is not an object")
    endpoint = cast(dict[str, Any], endpoint)
    if not endpoint.get("base_url"):
        return data
    return {**data, "endpoints": [{**endpoint, "id": "endpoint-1"}], "endpoint_id": "endpoint-1", "welcomed": True}


def _require_in_bounds(settings: Settings) -> None:
    for endpoint in settings.endpoints:
        require_in_bounds(endpoint)
    agent, appearance = settings.agent, settings.appearance
    ids = [endpoint.id for endpoint in settings.endpoints]
    for holds, complaint in (
        (all(ids) and len(set(ids)) == len(ids), "each of endpoints needs an id of its own"),
        (1 <= agent.step_limit <= MAX_STEP_LIMIT, f"step_limit should be 1 to {MAX_STEP_LIMIT}"),
        (settings.backup.is_in_bounds, f"keep_days should be 1 to {MOST_KEPT}, keep_weeks 0 to {MOST_KEPT}"),
        (settings.api.is_in_bounds, f"port should be {LEAST_PORT} to {MOST_PORT}"),
        ("\0" not in agent.workspace, "workspace contains a NUL character"),
        (agent.temperature is None or 0 <= agent.temperature <= 2, "temperature should be 0 to 2"),
        (agent.top_p is None or 0 < agent.top_p <= 1, "top_p should be above 0 and at most 1"),
        (
            agent.max_output_tokens is None or 1 <= agent.max_output_tokens <= MAX_OUTPUT_TOKENS,
            f"max_output_tokens should be 1 to {MAX_OUTPUT_TOKENS}",
        ),
        (_is_within(appearance.font_size, FONT_SIZES), "font_size should be {} to {}".format(*FONT_SIZES)),
        (_is_within(appearance.code_font_size, FONT_SIZES), "code_font_size should be {} to {}".format(*FONT_SIZES)),
        (_is_within(appearance.text_width, TEXT_WIDTHS), "text_width should be {} to {}".format(*TEXT_WIDTHS)),
    ):
        if not holds:
            raise ValueError(complaint)


def _is_within(value: float, bounds: tuple[float, float]) -> bool:
    return bounds[0] <= value <= bounds[1]


def _list(name: str, data: Mapping[str, Any]) -> list[Any]:
    values = data.get(name, [])
    if not isinstance(values, list):
        raise ValueError(f"{name} is not a list")
    return cast(list[Any], values)


def _texts(name: str, data: Mapping[str, Any]) -> tuple[str, ...]:
    return value(tuple[str, ...], name, data.get(name, []))


def _require_sendable(text: str) -> None:
    """JSON can carry half a surrogate pair, which no file, log or server could be given."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("it contains half of a character (a lone surrogate)") from None
