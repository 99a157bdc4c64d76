"""Keeps sessions on a Redis server: a hash and a list for each, which other programs of the same layout can share."""

import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlsplit

from desktop.servers.memory.store import Item, Session, StoreError, TooManyKeysError, Usage

T = TypeVar("T")

PREFIX = "mcp:mem:"
LIST_PREFIX = "chat:session:"
_SAID_BY = {"user": "user", "assistant": "agent", "agent": "agent"}
_CONNECT_SECONDS = 3.0
_ANSWER_SECONDS = 10.0
_MOST_COUNTED = 200_000
"""Of the keys that ``usage`` looks through to count the sessions."""

# KEYS: the hash, the list. Both are renewed by whatever is done to either.
_PUT = """
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 and redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[4])
redis.call('EXPIRE', KEYS[2], ARGV[4])
return 1
"""
# By Redis's own clock: who shares a session has one order and one time.
_APPEND = """
local now = redis.call('TIME')
local item = string.format('{"ts": %d.%03d, %s', now[1], math.floor(now[2] / 1000), ARGV[1])
redis.call('RPUSH', KEYS[2], item)
redis.call('LTRIM', KEYS[2], -tonumber(ARGV[2]), -1)
redis.call('EXPIRE', KEYS[1], ARGV[3])
redis.call('EXPIRE', KEYS[2], ARGV[3])
return 1
"""


class RedisStore:
    """The ``MemoryStore`` on Redis, which ends sessions by itself.

    A connection that is lost is made again with the next call. The call that met the loss is told so and not repeated:
    whether it was carried out before is not known.
    """

    def __init__(self, url: str, *, cluster: bool = False, chat_lists: bool = False) -> None:
        """``chat_lists``: timelines are lists ``chat:session:{id}`` of role and content, as chat programs keep them."""
        self._url = url
        self._cluster = cluster
        self._chat_lists = chat_lists
        self._client: Any = None
        self._put: Any = None
        self._append: Any = None

    @property
    def name(self) -> str:
        parts = urlsplit(self._url)
        return f"Redis at {parts.hostname or parts.path}{f':{parts.port}' if parts.port else ''}"

    async def open(self) -> None:
        """Raises ``StoreError`` when the package is missing or the address cannot be read; Redis may come later."""
        try:
            from redis.asyncio import Redis
            from redis.asyncio.retry import Retry
            from redis.backoff import NoBackoff
        except ModuleNotFoundError as error:
            raise StoreError(
                "REDIS_URL is set, and the Python package redis is not installed: pip install 'redis>=8,<9'."
            ) from error
        try:
            self._client = Redis.from_url(
                self._url,
                decode_responses=True,
                socket_connect_timeout=_CONNECT_SECONDS,
                socket_timeout=_ANSWER_SECONDS,
                retry=Retry(NoBackoff(), 0),
            )
        except ValueError as error:
            raise StoreError(f"REDIS_URL cannot be read: {error}.") from None
        self._put = self._client.register_script(_PUT)
        self._append = self._client.register_script(_APPEND)

    async def put(self, session: Session, key: str, value: str, *, ttl_s: int, max_keys: int) -> None:
        done = await self._call(lambda: self._put(keys=self._keys(session), args=[key, value, max_keys, ttl_s]))
        if not done:
            raise TooManyKeysError

    async def get(self, session: Session, key: str, *, ttl_s: int) -> str | None:
        return await self._read(session, ttl_s, lambda pipe, keys: pipe.hget(keys[0], key))

    async def append(self, session: Session, role: str, text: str, *, max_items: int, ttl_s: int) -> None:
        fields = {"role": role, "text": text}
        if self._chat_lists:
            fields = {"role": {"agent": "assistant", "note": "system"}.get(role, role), "content": text}
        rest = json.dumps(fields, ensure_ascii=False)[1:]
        await self._call(lambda: self._append(keys=self._keys(session), args=[rest, max_items, ttl_s]))

    async def recent(self, session: Session, n: int, *, ttl_s: int) -> Sequence[Item]:
        found = await self._read(session, ttl_s, lambda pipe, keys: pipe.lrange(keys[1], -n, -1))
        return [_item(raw) for raw in found]

    async def clear(self, session: Session) -> None:
        await self._call(lambda: self._client.delete(*self._keys(session)))

    async def sweep(self) -> int:
        return 0

    async def usage(self) -> Usage:
        async def work() -> Usage:
            names: set[str] = set()
            seen = 0
            for prefix in (PREFIX, *([LIST_PREFIX] if self._chat_lists else [])):
                async for key in self._client.scan_iter(match=f"{prefix}*", count=1_000):
                    is_list = prefix == LIST_PREFIX
                    names.add(key.removeprefix(prefix) if is_list else key.removeprefix(prefix).rpartition(":")[0])
                    seen += 1
                    if seen >= _MOST_COUNTED:
                        break
            memory = await self._client.info("memory")
            return Usage(len(names), int(memory["used_memory"]))

        return await self._call(work)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    def _keys(self, session: Session) -> list[str]:
        name = f"{session.tenant}:{session.id}" if session.tenant else session.id
        if self._cluster:  # both keys on one node
            name = f"{{{name}}}"
        return [f"{PREFIX}{name}:kv", f"{LIST_PREFIX}{name}" if self._chat_lists else f"{PREFIX}{name}:tl"]

    async def _read(self, session: Session, ttl_s: int, ask: Callable[[Any, list[str]], Any]) -> Any:
        keys = self._keys(session)

        async def work() -> Any:
            async with self._client.pipeline(transaction=True) as pipe:
                ask(pipe, keys)
                pipe.expire(keys[0], ttl_s)
                pipe.expire(keys[1], ttl_s)
                found = (await pipe.execute(raise_on_error=False))[0]  # its own would tell the whole command
                if isinstance(found, Exception):
                    raise found
                return found

        return await self._call(work)

    async def _call(self, work: Callable[[], Awaitable[T]]) -> T:
        from redis import exceptions

        try:
            return await work()
        except exceptions.BusyLoadingError as error:
            raise StoreError(f"{self.name} is starting and not ready yet. Try again in a moment.") from error
        except exceptions.AuthenticationError as error:
            raise StoreError(f"{self.name} refuses the user name or the password of REDIS_URL.") from error
        except (exceptions.ConnectionError, exceptions.TimeoutError, OSError) as error:
            raise StoreError(
                f"{self.name} cannot be reached, so it is not known whether this call was carried out."
                " It is tried again with the next call."
            ) from error
        except exceptions.RedisError as error:
            reason = str(error).partition(" script:")[0].rstrip(".")
            raise StoreError(f"{self.name} refused: {reason}.") from error


def _item(raw: str) -> Item:
    """Return an entry, whoever wrote it; what is none of this layout is a note of unknown time."""
    try:
        entry = json.loads(raw)
        if "text" not in entry:  # of a list that other chat programs write, too
            return Item(float(entry.get("ts", 0.0)), _SAID_BY.get(entry["role"], "note"), str(entry["content"]))
        return Item(float(entry["ts"]), str(entry["role"]), str(entry["text"]))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Item(0.0, "note", raw)
