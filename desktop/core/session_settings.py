"""What the user chose about shared sessions: which chats share their newest turns, and where these are kept."""

import re
from dataclasses import dataclass
from enum import StrEnum
from urllib.parse import quote, unquote, urlsplit, urlunsplit

REDIS_PASSWORD = "sessions:redis"
"""Under this name the ``SecretStore`` has the password of the Redis server, if there is one."""
OWN_SESSION = "*"
"""As the session of a thread: shared, under the thread's own id. No session can be called so."""
NO_SESSION = ""
"""As the session of a thread: not shared, whatever the settings say."""
_DAY = 24 * 3_600
_NAME = re.compile(r"[A-Za-z0-9\-_.:]{1,128}")
_SCHEMES = ("redis", "rediss")


class SessionUse(StrEnum):
    OFF = "off"
    CHOSEN = "chosen"
    """Chats in which it is switched on."""
    ALL = "all"
    """All but those in which it is switched off, and temporary ones."""


@dataclass(frozen=True)
class SessionPlace:
    """Where sessions are kept: a file in the data folder, or the Redis server at this address, which has no password."""

    redis_url: str = ""
    as_lists: bool = False
    """On Redis: each session is the list ``chat:session:{id}`` and kept for seven days instead of one."""

    @property
    def seconds(self) -> int:
        """For how long a session is kept after its last use."""
        return 7 * _DAY if self.redis_url and self.as_lists else _DAY

    @property
    def key(self) -> str:
        """Names the place in the record of what must be cleared."""
        return f"{'lists ' if self.as_lists else ''}{self.redis_url}" if self.redis_url else ""

    @classmethod
    def of(cls, key: str) -> "SessionPlace":
        """Return the place of a ``key``."""
        return cls(key.removeprefix("lists "), key.startswith("lists "))


@dataclass(frozen=True, kw_only=True)
class SessionSettings:
    use: SessionUse = SessionUse.OFF
    redis_url: str = ""
    """Without a password, which lies with the secrets; empty keeps sessions in a file of the data folder."""
    as_lists: bool = False

    @property
    def place(self) -> SessionPlace:
        return SessionPlace(self.redis_url, self.as_lists and bool(self.redis_url))

    def session_of(self, thread_id: str, own: str | None, *, is_temporary: bool) -> str | None:
        """Return the session of a thread that has this of its own (None: nothing); None where it shares none."""
        if is_temporary or self.use is SessionUse.OFF or own == NO_SESSION:
            return None
        if own is None:
            return thread_id if self.use is SessionUse.ALL else None
        return thread_id if own == OWN_SESSION else own


def is_session_name(text: str) -> bool:
    """Whether the memory server takes it as the id of a session."""
    return _NAME.fullmatch(text) is not None


def split_redis_url(text: str) -> tuple[str, str] | None:
    """Return the address without the password, and the password; None for what is no address of a Redis server."""
    text = text.strip()
    try:
        parts = urlsplit(text)
        port, password = parts.port, parts.password or ""
    except ValueError:
        return None
    if parts.scheme not in _SCHEMES or not parts.hostname or port == 0 or any(map(str.isspace, text)):
        return None
    if parts.fragment or re.fullmatch(r"/?\d{0,4}", parts.path) is None:
        return None
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    user = f"{parts.username}@" if parts.username else ""
    place = f"{user}{host}{f':{port}' if port else ''}"
    return urlunsplit((parts.scheme, place, parts.path, parts.query, "")), unquote(password)


def with_password(url: str, password: str) -> str:
    """Return the address with the password in it, as the memory server is given it."""
    if not password:
        return url
    parts = urlsplit(url)
    user, _, host = parts.netloc.rpartition("@")
    return urlunsplit((parts.scheme, f"{user}:{quote(password, safe='')}@{host}", parts.path, parts.query, ""))


USUAL_SESSIONS = SessionSettings()
