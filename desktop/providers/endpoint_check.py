"""Tries an endpoint as a chat would, its list of models and one short question, and says what to do when it fails."""

import asyncio
import json
import logging
import os
import re
import time
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Any

from desktop.core.endpoint_keys import can_be_sent, key_of_environment
from desktop.core.endpoints import EndpointCheck, FoundServer, ProviderPreset
from desktop.core.errors import ModelError
from desktop.core.language_model import (
    LanguageModel,
    ModelRequest,
    Sampling,
    StreamEnd,
    TextDelta,
    ThinkingDelta,
    UserMessage,
)
from desktop.core.settings import EndpointSettings
from desktop.providers.addresses import EndpointAddress, parse_address
from desktop.providers.error_mapping import ErrorMapper, detail_of, is_error_body
from desktop.providers.local_servers import USUAL_PORTS, find_servers
from desktop.providers.model_names import names_in_list
from desktop.providers.openai_client import build_client, errors_of_requests
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.presets import PRESETS

logger = logging.getLogger(__name__)

REMOTE_SECONDS = 20.0
LOCAL_SECONDS = 60.0
"""A local server may have to load the model first."""
LIST_SECONDS = 8.0
LIST_LIMIT_BYTES = 8 * 1024 * 1024
THINKING_SECONDS = 4.0
"""How long a model that has begun to think may take to its first word; that it thinks shows that it works."""
LOADING_PAUSE_SECONDS = 1.0
ANSWER_CHARACTERS = 200
NAMED_MODELS = 8

QUESTION = ModelRequest(
    messages=(UserMessage(text="Say hello in one short sentence."),),
    sampling=Sampling(max_output_tokens=300),  # models that think spend most of it before the first word
)

_WRONG_PLACE = frozenset({"model.no_list", "model.not_found", "model.not_a_stream", "model.empty"})
"""What an address answers that is not, or not quite, the one of an endpoint."""
_NOBODY_THERE = frozenset({"model.unreachable", "model.unknown_host", "model.redirected"})
_BROKE_OFF = frozenset({"model.connection_lost", "model.ended_early", "model.bad_stream"})
"""What a chat says of an answer that is kept in part; of a test nothing is kept."""
_SPEAKS_OF_MODELS = re.compile(r"model|模型", re.IGNORECASE)
_SPENT_ON_THINKING = re.compile(r"max_tokens or model output limit was reached", re.IGNORECASE)


class Endpoints:
    """Implements ``core.endpoints.EndpointDirectory``. Safe to use for several checks at once."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str] = os.environ,
        ports: Mapping[int, str] = USUAL_PORTS,
        remote_seconds: float = REMOTE_SECONDS,
        local_seconds: float = LOCAL_SECONDS,
        thinking_seconds: float = THINKING_SECONDS,
    ) -> None:
        self._environ = environ
        self._ports = ports
        self._remote_seconds = remote_seconds
        self._local_seconds = local_seconds
        self._thinking_seconds = thinking_seconds

    def presets(self) -> Sequence[ProviderPreset]:
        return PRESETS

    async def find_local(self) -> Sequence[FoundServer]:
        return await find_servers(self._ports, ollama_host=self._environ.get("OLLAMA_HOST", ""))

    async def list_models(self, endpoint: EndpointSettings, key: str) -> tuple[str, ...]:
        """See ``EndpointDirectory``. The address is tried with ``/v1``, too, where it names no version."""
        address = parse_address(endpoint.base_url)
        key = self._usable_key(endpoint, key)
        try:
            return await _listed(address, endpoint, key)
        except ModelError as error:
            versioned = address.with_version()
            if error.code != "model.no_list" or versioned is None:
                raise
            try:
                return await _listed(versioned, endpoint, key)
            except ModelError:
                raise error from None

    async def check(self, endpoint: EndpointSettings, key: str) -> EndpointCheck:
        """See ``EndpointDirectory``."""
        try:
            if endpoint.is_demo:
                return await self._check_demo()
            address = parse_address(endpoint.base_url)
            key = self._usable_key(endpoint, key)
        except ModelError as error:
            return EndpointCheck(error=error)
        seconds = self._local_seconds if address.is_loopback else self._remote_seconds
        trial = _Trial(endpoint, key, address, seconds, self._thinking_seconds)
        return await trial.run()

    def _usable_key(self, endpoint: EndpointSettings, key: str) -> str:
        key = key.strip()
        if not key and endpoint.key_env:
            return key_of_environment(endpoint, self._environ)
        if not can_be_sent(key):
            raise ModelError("model.key_malformed", name=endpoint.name or endpoint.base_url)
        return key

    async def _check_demo(self) -> EndpointCheck:
        from desktop.providers.demo_language_model import DemoLanguageModel

        question = _Question(DemoLanguageModel(), self._remote_seconds, self._thinking_seconds)
        await question.ask()
        return EndpointCheck(answer=question.words, seconds=question.seconds)


class _Trial:
    """One check of one endpoint. ``models`` and ``address`` are the best that is known so far."""

    def __init__(
        self, endpoint: EndpointSettings, key: str, address: EndpointAddress, seconds: float, thinking_seconds: float
    ) -> None:
        self._endpoint = endpoint
        self._key = key
        self._seconds = seconds
        self._thinking_seconds = thinking_seconds
        versioned = address.with_version()
        self._addresses = [address] if versioned is None else [address, versioned]
        self._models: tuple[str, ...] = ()
        self._deadline = 0.0

    async def run(self) -> EndpointCheck:
        self._deadline = asyncio.get_running_loop().time() + self._seconds
        list_error = await self._list()
        if list_error is not None and list_error.code in _NOBODY_THERE:
            return EndpointCheck(error=list_error)
        works_at = "" if list_error else self._addresses[0].text
        if not self._endpoint.model.strip():
            no_model = ModelError("model.no_model", url=self._addresses[0].base_url)
            return EndpointCheck(models=self._models, base_url=works_at, error=list_error or no_model)
        first_error: ModelError | None = None
        for address in self._addresses:
            try:
                return await self._ask(address)
            except ModelError as error:
                if first_error is None or not _is_wrong_place(error):
                    first_error = error
                if not _is_wrong_place(error):
                    break
        assert first_error is not None
        return EndpointCheck(models=self._models, base_url=works_at, error=self._explained(first_error))

    async def _list(self) -> ModelError | None:
        """Ask for the models; what has a list is the address from then on. Returns why there is none."""
        first_error: ModelError | None = None
        for address in self._addresses:
            try:
                self._models = await _listed(address, self._endpoint, self._key)
            except ModelError as error:
                logger.info("%s lists no models: %s", address.base_url, error.code)
                first_error = first_error or error
                if error.code != "model.no_list":
                    if address is not self._addresses[0]:  # it answered like an endpoint, the one before did not
                        self._addresses, first_error = [address], error
                    break
            else:
                self._addresses = [address]
                return None
        return first_error

    async def _ask(self, address: EndpointAddress) -> EndpointCheck:
        model = OpenAILanguageModel(
            base_url=address.text,
            model=self._endpoint.model.strip(),
            key=self._key,
            first_seconds=self._seconds,
            gap_seconds=self._seconds,
            max_retries=1,
        )
        try:
            question = await self._answered(model)
        except TimeoutError:
            raise ModelError("model.no_answer", url=address.base_url, seconds=round(self._seconds)) from None
        finally:
            await model.close()
        return EndpointCheck(
            models=self._models, answer=question.words, seconds=question.seconds, base_url=address.text
        )

    async def _answered(self, model: LanguageModel) -> "_Question":
        """Ask until the model is loaded. Raises ``ModelError``, and ``TimeoutError`` after the time for all of it."""
        while True:
            remaining = self._deadline - asyncio.get_running_loop().time()
            question = _Question(model, remaining, self._thinking_seconds)
            try:
                await question.ask()
                return question
            except ModelError as error:
                if _SPENT_ON_THINKING.search(str(error.params.get("detail", ""))):
                    return question
                if error.code != "model.loading" or remaining < 2 * LOADING_PAUSE_SECONDS:
                    raise
            await asyncio.sleep(LOADING_PAUSE_SECONDS)

    def _explained(self, error: ModelError) -> ModelError:
        """Return the error in the words of a test.

        A refusal of a model that is not in the list is about its name, whatever words the endpoint chose.
        """
        if error.code in _BROKE_OFF:
            return ModelError("model.broke_off", **error.params)
        if error.code == "model.timeout":
            return ModelError("model.no_answer", **error.params)
        model = self._endpoint.model.strip()
        is_about_model = error.code == "model.not_found" or (
            error.code == "model.rejected" and _SPEAKS_OF_MODELS.search(str(error.params.get("detail", "")))
        )
        if not is_about_model or not self._models or model in self._models:
            return error
        shown = ", ".join(self._models[:NAMED_MODELS]) + (", …" if len(self._models) > NAMED_MODELS else "")
        return ModelError("model.unknown_model", url=error.params["url"], model=model, models=shown)


class _Question:
    """The question on its way: how long the first word took, and the beginning of the answer."""

    def __init__(self, model: LanguageModel, seconds: float, thinking_seconds: float) -> None:
        self._model = model
        self._limit = seconds
        self._thinking_seconds = thinking_seconds
        self._text = ""
        self._began = time.monotonic()
        self.seconds = 0.0

    @property
    def words(self) -> str:
        text = " ".join("".join(c if c.isprintable() else " " for c in self._text).split())
        return text if len(text) <= ANSWER_CHARACTERS else f"{text[: ANSWER_CHARACTERS - 1].rstrip()}…"

    async def ask(self) -> None:
        """Return when the model showed that it answers. Raises ``ModelError``, and ``TimeoutError`` for silence."""
        try:
            async with asyncio.timeout(self._limit) as limit, aclosing(self._model.stream(QUESTION)) as chunks:
                async for chunk in chunks:
                    if isinstance(chunk, StreamEnd):
                        break
                    if not self.seconds:
                        self.seconds = time.monotonic() - self._began
                        if isinstance(chunk, ThinkingDelta):
                            now = asyncio.get_running_loop().time()
                            limit.reschedule(min(limit.when() or now, now + self._thinking_seconds))
                    if isinstance(chunk, TextDelta):
                        self._text += chunk.text
                        if len(self._text) > ANSWER_CHARACTERS:
                            break
        except TimeoutError:
            if not self.seconds:
                raise
        self.seconds = self.seconds or time.monotonic() - self._began


def _is_wrong_place(error: ModelError) -> bool:
    return error.code in _WRONG_PLACE or error.params.get("status") in (405, 501)


async def _listed(address: EndpointAddress, endpoint: EndpointSettings, key: str) -> tuple[str, ...]:
    """Return the names that the endpoint lists. Raises ``ModelError``; ``model.no_list`` for what is no list."""
    errors = ErrorMapper(url=address.base_url, model=endpoint.model, secrets=[key] if key else [])
    try:
        async with asyncio.timeout(LIST_SECONDS):
            value = await _fetch_list(address, key, errors)
    except TimeoutError:
        raise errors.error("model.no_answer", seconds=round(LIST_SECONDS)) from None
    except ModelError as error:
        if error.code == "model.not_found" or _is_wrong_place(error):
            raise errors.error("model.no_list", str(error.params.get("detail", ""))) from None
        raise
    if (names := names_in_list(value)) is not None:
        return names
    if is_error_body(value):
        error = errors.from_body(value)
        if error.code not in ("model.server_error", "model.not_found"):
            raise error
    raise errors.error("model.no_list", detail_of(value) or "it sent something else")


async def _fetch_list(address: EndpointAddress, key: str, errors: ErrorMapper) -> Any:
    """Return what ``GET /models`` sends: parsed where that is JSON, else the beginning as text."""
    try:
        client = await asyncio.to_thread(build_client, address, key=key, max_retries=1)
    except ImportError as error:  # a SOCKS proxy in the environment without the package for it
        raise errors.unreachable(error) from None
    import httpx2
    import openai

    headers: Any = (
        {"Accept": "application/json"} if key else {"Accept": "application/json", "Authorization": openai.omit}
    )
    body = bytearray()
    async with AsyncExitStack() as stack:
        stack.push_async_callback(client.close)
        with errors_of_requests(errors):
            listing = client.models.with_streaming_response.list(extra_headers=headers)
            response = await stack.enter_async_context(listing)
        try:
            async for piece in response.iter_bytes():
                body += piece
                if len(body) > LIST_LIMIT_BYTES:
                    break
        except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
            raise errors.connection_lost(error) from None
    text = body.decode("utf-8-sig", "replace")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text[:1000]
