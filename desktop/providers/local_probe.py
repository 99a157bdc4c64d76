"""Asks one port of this machine what serves there: plain GET requests, each path once, nothing endless, no key."""

import asyncio
import dataclasses
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from desktop.core.endpoints import FoundServer, ListedModel
from desktop.providers.model_lists import listed_models
from desktop.providers.model_names import clean_names

if TYPE_CHECKING:
    import httpx2

logger = logging.getLogger(__name__)

ANSWER_SECONDS = 1.0
BODY_LIMIT_BYTES = 2 * 1024 * 1024
_MOST_VERSION_CHARACTERS = 40


@dataclass(frozen=True)
class Place:
    host: str
    port: int
    usual_kind: str

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


class SilentError(Exception):
    """Nobody listens there, or nobody answers."""


@dataclass(frozen=True)
class Answer:
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
    def models(self) -> tuple[ListedModel, ...] | None:
        return listed_models(self.json) if self.status == 200 else None

    @property
    def is_refusal(self) -> bool:
        return self.status in (401, 403)


@dataclass
class Server:
    """The program behind one port, asked each path at most once."""

    place: Place
    client: "httpx2.AsyncClient"
    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])

    async def get(self, path: str) -> Answer:
        """Raises ``SilentError`` when the very first request fails: the rest would fail, too."""
        if path not in self.answers:
            answer = await self._ask(path)
            if answer.status == 0 and not self.answers:
                raise SilentError
            self.answers[path] = answer
        return self.answers[path]

    async def _ask(self, path: str) -> Answer:
        import httpx2

        body = bytearray()
        try:
            async with asyncio.timeout(ANSWER_SECONDS), self.client.stream("GET", path) as response:
                async for piece in response.aiter_raw():
                    body += piece
                    if len(body) > BODY_LIMIT_BYTES:
                        return Answer()
        except (TimeoutError, httpx2.HTTPError, httpx2.StreamError, OSError, ValueError) as error:
            logger.debug("%s%s: %s", self.place.url, path, type(error).__name__)
            return Answer()
        text = body.decode("utf-8", "replace")
        return Answer(response.status_code, response.headers.get("server", ""), text, _parsed(text))

    def found(
        self, kind: str, models: Iterable[ListedModel], *, note: str = "", version: Any = "", path: str = "/v1"
    ) -> FoundServer:
        """Return the server with its models, or with what stands in the way of talking to one."""
        by_name: dict[str, ListedModel] = {}
        for model in models:
            by_name.setdefault(model.name, model)
        names = clean_names(by_name)
        if not note and not names:
            note = "no_models"
        return FoundServer(
            kind=kind,
            base_url=f"{self.place.url}{path}",
            models=names,
            version=_plain_version(version),
            needs_key=note == "needs_key",
            note=note,
            listed=tuple(by_name[name] for name in names),
        )

    async def listed(self, kind: str, *, version: Any = "", context_tokens: int | None = None) -> FoundServer:
        """A server of a kind that is known already, with the models of its list; ``context_tokens`` is that of all."""
        answer = await self.get("/v1/models")
        if answer.is_refusal:
            return self.found(kind, (), note="needs_key", version=version)
        models = answer.models or ()
        if context_tokens is not None:
            models = tuple(dataclasses.replace(model, context_tokens=context_tokens) for model in models)
        return self.found(kind, models, version=version)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _plain_version(value: Any) -> str:
    text = value if isinstance(value, str) else ""
    return text if text.isprintable() and len(text) <= _MOST_VERSION_CHARACTERS else ""


def objects(value: Any) -> list[Mapping[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
