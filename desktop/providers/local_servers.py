"""Finds model servers on this machine: plain GET requests to their usual ports, told apart by what only they answer."""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from desktop.core.endpoints import FoundServer
from desktop.core.imports import import_quietly
from desktop.core.tasks import run_all
from desktop.providers.addresses import is_loopback
from desktop.providers.model_names import clean_names, names_in_list

if TYPE_CHECKING:
    import httpx2

logger = logging.getLogger(__name__)

ALL_SECONDS = 2.5
CONNECT_SECONDS = 0.5
ANSWER_SECONDS = 1.0
BODY_LIMIT_BYTES = 2 * 1024 * 1024

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

COMPATIBLE = "OpenAI-compatible"
"""The kind of a server that answers as it should and does not say what it is."""

_OWNERS = {
    "llamacpp": "llama.cpp",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "lmdeploy": "LMDeploy",
    "koboldcpp": "KoboldCpp",
    "tabbyAPI": "TabbyAPI",
}
_ASKS_FOR_KEY = re.compile(r"api[ _-]?key|token|unauthori[sz]ed", re.IGNORECASE)
_MOST_VERSION_CHARACTERS = 40


async def find_servers(ports: Mapping[int, str] = USUAL_PORTS, *, ollama_host: str = "") -> tuple[FoundServer, ...]:
    """Return the servers that answer, in the order of ``ports``; ends within ``ALL_SECONDS``, never raises.

    ``ollama_host`` is the variable ``OLLAMA_HOST``; it is looked at too when it names this machine.
    """
    places = [_Place("127.0.0.1", port, kind) for port, kind in ports.items()]
    if (ollama := _ollama_place(ollama_host)) is not None and ollama not in places:
        places.append(ollama)
    await asyncio.to_thread(import_quietly, "httpx2")
    deadline = asyncio.get_running_loop().time() + ALL_SECONDS
    found = await run_all([partial(_look, place, deadline) for place in places], at_once=len(places) or 1)
    return tuple(server for server in found if server is not None)


@dataclass(frozen=True)
class _Place:
    host: str
    port: int
    usual_kind: str

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


def _ollama_place(value: str) -> _Place | None:
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
    if ":" in host:
        host = "[::1]" if host != "::" else "127.0.0.1"
    elif not host.startswith("127."):
        host = "127.0.0.1"
    return _Place(host, port or (80 if mark else OLLAMA_PORT), "Ollama")


async def _look(place: _Place, deadline: float) -> FoundServer | None:
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
                return await _identify(_Server(place, client))
    except (TimeoutError, _SilentError):
        return None


async def _identify(server: "_Server") -> FoundServer | None:
    for recognise in _KINDS:
        if (found := await recognise(server)) is not None:
            logger.info("found %s at %s", found.kind, found.base_url)
            return found
    return None


class _SilentError(Exception):
    """Nobody listens there, or nobody answers."""


@dataclass(frozen=True)
class _Answer:
    """What came for one path; status 0 where nothing did."""

    status: int = 0
    server: str = ""
    text: str = ""
    json: Any = None

    @property
    def fields(self) -> Mapping[str, Any]:
        return self.json if isinstance(self.json, dict) else {}

    @property
    def ok_fields(self) -> Mapping[str, Any]:
        return self.fields if self.status == 200 else {}

    @property
    def names(self) -> tuple[str, ...] | None:
        return names_in_list(self.json) if self.status == 200 else None

    @property
    def is_refusal(self) -> bool:
        return self.status in (401, 403)


@dataclass
class _Server:
    """The program behind one port, asked each path at most once."""

    place: _Place
    client: "httpx2.AsyncClient"
    answers: dict[str, _Answer] = field(default_factory=dict[str, _Answer])

    async def get(self, path: str) -> _Answer:
        """Raises ``_SilentError`` when the very first request fails: the rest would fail, too."""
        if path not in self.answers:
            answer = await self._ask(path)
            if answer.status == 0 and not self.answers:
                raise _SilentError
            self.answers[path] = answer
        return self.answers[path]

    async def _ask(self, path: str) -> _Answer:
        import httpx2

        body = bytearray()
        try:
            async with asyncio.timeout(ANSWER_SECONDS), self.client.stream("GET", path) as response:
                async for piece in response.aiter_raw():
                    body += piece
                    if len(body) > BODY_LIMIT_BYTES:
                        return _Answer()
        except (TimeoutError, httpx2.HTTPError, httpx2.StreamError, OSError, ValueError) as error:
            logger.debug("%s%s: %s", self.place.url, path, type(error).__name__)
            return _Answer()
        text = body.decode("utf-8", "replace")
        return _Answer(response.status_code, response.headers.get("server", ""), text, _parsed(text))

    def found(
        self, kind: str, models: Sequence[Any], *, note: str = "", version: Any = "", path: str = "/v1"
    ) -> FoundServer:
        names = clean_names(models)
        if not note and not names:
            note = "no_models"
        return FoundServer(
            kind=kind,
            base_url=f"{self.place.url}{path}",
            models=names,
            version=_plain_version(version),
            needs_key=note == "needs_key",
            note=note,
        )

    async def listed(self, kind: str, *, version: Any = "") -> FoundServer:
        """A server of a kind that is known already, with the models of its list."""
        answer = await self.get("/v1/models")
        if answer.is_refusal:
            return self.found(kind, (), note="needs_key", version=version)
        return self.found(kind, answer.names or (), version=version)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _plain_version(value: Any) -> str:
    text = value if isinstance(value, str) else ""
    return text if text.isprintable() and len(text) <= _MOST_VERSION_CHARACTERS else ""


def _objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


async def _lm_studio(server: _Server) -> FoundServer | None:
    newer = await server.get("/api/v1/models")
    if newer.is_refusal and "LM Studio" in newer.text:
        return server.found("LM Studio", (), note="needs_key")
    models = _objects(newer.ok_fields.get("models"))
    if models and all("loaded_instances" in model for model in models):
        chats = [model for model in models if not _is_for_embeddings(model)]
        chats.sort(key=lambda model: not model["loaded_instances"])  # what is loaded answers at once
        return server.found("LM Studio", [model.get("key") for model in chats])
    older = await server.get("/api/v0/models")
    models = _objects(older.ok_fields.get("data"))
    if models and all("state" in model and "type" in model for model in models):
        chats = [model for model in models if not _is_for_embeddings(model)]
        chats.sort(key=lambda model: model["state"] != "loaded")
        return server.found("LM Studio", [model.get("id") for model in chats])
    is_empty = newer.ok_fields.get("models") == [] or older.ok_fields.get("data") == []
    return server.found("LM Studio", ()) if is_empty and server.place.usual_kind == "LM Studio" else None


def _is_for_embeddings(model: Mapping[str, Any]) -> bool:
    kind = model.get("type")
    return isinstance(kind, str) and kind.startswith("embed")


async def _ollama(server: _Server) -> FoundServer | None:
    if (await server.get("/")).text.strip() != "Ollama is running":
        return None
    tags = (await server.get("/api/tags")).ok_fields
    if "models" not in tags:
        return None
    version = (await server.get("/api/version")).ok_fields.get("version")
    models = _objects(tags["models"])
    return server.found("Ollama", [model.get("name") or model.get("model") for model in models], version=version)


async def _llama_cpp(server: _Server) -> FoundServer | None:
    # In router mode a bare /props is refused and one for a model would load it: the Server header tells, too.
    props = await server.get("/props")
    kind = "llamafile" if "llamafile" in props.server.lower() else "llama.cpp"
    is_ours = "default_generation_settings" in props.ok_fields or props.server.lower().startswith(
        ("llama.cpp", "llamafile")
    )
    if not is_ours:
        return None
    version = props.ok_fields.get("build_info")
    if props.is_refusal:
        return server.found(kind, (), note="needs_key")
    if props.status == 503:
        return server.found(kind, (await server.get("/v1/models")).names or (), note="loading")
    return await server.listed(kind, version=version)


async def _vllm(server: _Server) -> FoundServer | None:
    listed = await server.get("/v1/models")
    owners = [model.get("owned_by") for model in _objects(listed.ok_fields.get("data"))]
    version = (await server.get("/version")).ok_fields
    if "vllm" in owners:
        return await server.listed("vLLM", version=version.get("version"))
    if listed.is_refusal and listed.json == {"error": "Unauthorized"} and set(version) == {"version"}:
        return server.found("vLLM", (), note="needs_key", version=version["version"])
    return None


async def _kobold_cpp(server: _Server) -> FoundServer | None:
    about = (await server.get("/api/extra/version")).ok_fields
    if about.get("result") != "KoboldCpp":
        return None
    if about.get("protected") is True:
        return server.found("KoboldCpp", (), note="needs_key", version=about.get("version"))
    names = [name for name in (await server.get("/v1/models")).names or () if not name.endswith("inactive")]
    return server.found("KoboldCpp", names, version=about.get("version"))


async def _sglang(server: _Server) -> FoundServer | None:
    about = (await server.get("/get_model_info")).ok_fields
    return await server.listed("SGLang") if "model_path" in about and "tokenizer_path" in about else None


async def _tgi(server: _Server) -> FoundServer | None:
    about = (await server.get("/info")).ok_fields
    if not isinstance(about.get("model_id"), str) or "max_total_tokens" not in about:
        return None
    return server.found("TGI", [about["model_id"]], version=about.get("version"))


async def _text_generation_webui(server: _Server) -> FoundServer | None:
    about = (await server.get("/v1/internal/model/info")).ok_fields
    if "model_name" not in about or "lora_names" not in about:
        return None
    loaded = [about["model_name"]] if about["model_name"] != "None" else []
    return server.found("text-generation-webui", loaded)


async def _tabby_api(server: _Server) -> FoundServer | None:
    health = (await server.get("/health")).ok_fields
    return await server.listed("TabbyAPI") if health.get("status") == "healthy" and "issues" in health else None


async def _lite_llm(server: _Server) -> FoundServer | None:
    alive = await server.get("/health/liveliness")
    return await server.listed("LiteLLM") if alive.status == 200 and alive.json == "I'm alive!" else None


async def _docker_model_runner(server: _Server) -> FoundServer | None:
    if server.place.usual_kind != "Docker Model Runner":
        return None
    names = (await server.get("/engines/v1/models")).names
    return None if names is None else server.found("Docker Model Runner", names, path="/engines/v1")


async def _any_other(server: _Server) -> FoundServer | None:
    """A server whose list of models is beyond doubt, or that asks for a key on a port that is hardly anyone else's."""
    answer = await server.get("/v1/models")
    usual = server.place.usual_kind
    models = answer.ok_fields.get("data")
    if answer.ok_fields.get("object") == "list" and (models is None or isinstance(models, list)):
        items = _objects(models)
        is_valid = len(items) == len(models or ()) and all(
            isinstance(item.get("id"), str) and item.get("object", "model") == "model" for item in items
        )
        if is_valid and (items or usual):
            owners = (item.get("owned_by") for item in items)
            known = (_OWNERS.get(owner) for owner in owners if isinstance(owner, str))
            kind = next(filter(None, known), usual or COMPATIBLE)
            return server.found(kind, [item["id"] for item in items])
    if usual and answer.is_refusal and _ASKS_FOR_KEY.search(answer.text[:1000]):
        return server.found(usual, (), note="needs_key")
    return None


_KINDS: Sequence[Callable[[_Server], Awaitable[FoundServer | None]]] = (
    _lm_studio,
    _ollama,
    _llama_cpp,
    _vllm,
    _kobold_cpp,
    _sglang,
    _tgi,
    _text_generation_webui,
    _tabby_api,
    _lite_llm,
    _docker_model_runner,
    _any_other,
)
"""In this order nothing is taken for another: several answer paths of others as well."""
