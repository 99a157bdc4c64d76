"""Finds model servers on this machine: plain GET requests to their usual ports, told apart by what only they answer."""

import asyncio
import dataclasses
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from urllib.parse import urlsplit

from desktop.core.endpoints import FoundServer, ListedModel
from desktop.core.errors import ModelError
from desktop.core.imports import import_quietly
from desktop.core.tasks import run_all
from desktop.providers.addresses import is_loopback, parse_address
from desktop.providers.local_kinds import identify
from desktop.providers.local_probe import ANSWER_SECONDS, Place, Server, SilentError

ALL_SECONDS = 2.5
CONNECT_SECONDS = 0.5
CONTEXT_SECONDS = 120.0
"""How long it is believed what a server reads: a model may be loaded anew with another length."""
LOADING_KINDS = frozenset({"LM Studio", "Ollama"})
"""Servers that load a model with the first question, and tell its length from then on."""

OLLAMA_PORT = 11434
USUAL_PORTS: Mapping[int, str] = {
    1234: "LM Studio",
    OLLAMA_PORT: "Ollama",
    8080: "",
    8000: "",
    1337: "Jan",
    30000: "",
    5001: "",
    5000: "",
    4891: "GPT4All",
    12434: "Docker Model Runner",
    23333: "LMDeploy",
    4000: "",
    3000: "",
    10000: "",
}
"""Where to look, and who it must be where nothing but its port tells: nobody, on ports that all kinds of programs use."""


async def find_servers(ports: Mapping[int, str] = USUAL_PORTS, *, ollama_host: str = "") -> tuple[FoundServer, ...]:
    """Return the servers that answer, in the order of ``ports``; ends within ``ALL_SECONDS``, never raises.

    ``ollama_host`` is the variable ``OLLAMA_HOST``; it is looked at too when it names this machine.
    """
    places = [Place("127.0.0.1", port, kind) for port, kind in ports.items()]
    if (ollama := _ollama_place(ollama_host)) is not None and ollama not in places:
        places.append(ollama)
    await asyncio.to_thread(import_quietly, "httpx2")
    deadline = asyncio.get_running_loop().time() + ALL_SECONDS
    found = await run_all([partial(_look, place, deadline) for place in places], at_once=len(places) or 1)
    return tuple(server for server in found if server is not None)


def _ollama_place(value: str) -> Place | None:
    """Read ``OLLAMA_HOST`` as Ollama does: a host, a port, both or a URL. An address to listen on means this machine."""
    value = value.strip().strip("\"'")
    if not value:
        return None
    scheme, mark, rest = value.rpartition("://")
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname or "127.0.0.1", parts.port
    except ValueError:
        return None
    if scheme == "https" or not is_loopback(host):
        return None
    return Place(_loopback_host(host), port or (80 if mark else OLLAMA_PORT), "Ollama")


def _loopback_host(host: str) -> str:
    """The host in digits: a name may be looked up, and be tried over IPv6 first."""
    if ":" in host:
        return "[::1]" if host != "::" else "127.0.0.1"
    return host if host.startswith("127.") else "127.0.0.1"


async def _look(place: Place, deadline: float) -> FoundServer | None:
    """Return what serves at ``place``; None when that is nothing, no model server, or too slow to tell."""
    import httpx2

    try:
        async with AsyncExitStack() as stack:
            # A client for each place: cookies know no ports. Only http is asked, so no certificates are loaded.
            client = await stack.enter_async_context(
                httpx2.AsyncClient(
                    base_url=place.url,
                    trust_env=False,
                    verify=False,
                    follow_redirects=False,
                    timeout=httpx2.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
                    headers={"User-Agent": "Threadwell", "Accept": "application/json", "Accept-Encoding": "identity"},
                )
            )
            async with asyncio.timeout_at(deadline):
                return await identify(Server(place, client))
    except (TimeoutError, SilentError):
        return None


async def server_at(base_url: str) -> FoundServer | None:
    """Return the server of this machine that answers at ``base_url``; None for any other address."""
    try:
        address = parse_address(base_url)
    except ModelError:
        return None
    parts = urlsplit(address.base_url)
    if not address.is_loopback or parts.scheme != "http":
        return None
    port = parts.port or 80
    place = Place(_loopback_host(parts.hostname or ""), port, USUAL_PORTS.get(port, ""))
    await asyncio.to_thread(import_quietly, "httpx2")
    return await _look(place, asyncio.get_running_loop().time() + ALL_SECONDS)


class RunningContexts:
    """How much the servers of this machine read, asked anew when that may have changed."""

    def __init__(self, learn: Callable[[str, ListedModel], object] = lambda _base_url, _model: None) -> None:
        """``learn`` hears what else a server says of the model that it was asked about."""
        self._learn = learn
        self._known: dict[tuple[str, str], tuple[float, int | None]] = {}
        """Until when it holds, and the answer."""

    async def get(self, base_url: str, model: str) -> int | None:
        """Return the tokens that ``model`` reads as it is loaded now; None while it is not, or is not told."""
        now = time.monotonic()
        until, tokens = self._known.get((base_url, model), (0.0, None))
        if now < until:
            return tokens
        server = await server_at(base_url)
        entry = _model_in(server, model) if server is not None else None
        tokens = entry.context_tokens if entry is not None else None
        if entry is not None:
            self._learn(base_url, dataclasses.replace(entry, name=model))
        may_tell_soon = tokens is None and server is not None and server.kind in LOADING_KINDS
        if not may_tell_soon:
            self._known[base_url, model] = (now + CONTEXT_SECONDS, tokens)
        return tokens


def _model_in(server: FoundServer, model: str) -> ListedModel | None:
    models = [entry for entry in server.listed if entry.name == model]
    if not models and len(server.listed) == 1:  # such servers answer with the one that they have, whatever the name
        models = list(server.listed)
    return models[0] if models else None
