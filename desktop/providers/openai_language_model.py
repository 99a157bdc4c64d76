"""The language model behind any endpoint that speaks the chat-completions protocol."""

import asyncio
import dataclasses
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from desktop.core.endpoint_settings import RESERVED_BODY_FIELDS, ModelOptions
from desktop.core.errors import ModelError
from desktop.core.language_model import ModelChunk, ModelRequest, Remark, Waiting
from desktop.core.model_facts import FactsInMemory, ModelFactsStore
from desktop.providers.address_slips import suggested_address, without_tls
from desktop.providers.addresses import parse_address
from desktop.providers.answer_body import BODY_LIMIT_BYTES, AnswerBody
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import EndpointTraits, traits_of
from desktop.providers.error_mapping import NO_TLS_WORDS, EndpointError, ErrorMapper
from desktop.providers.openai_client import accepted, build_client, errors_of_requests, request_headers
from desktop.providers.patience import Patience, Retries
from desktop.providers.refusals import Without, refusal_of, remark_on, remarks_on_known, tool_limit_in
from desktop.providers.sendable import sendable_value
from desktop.providers.watchdog import Watchdog, WatchdogExpiredError

if TYPE_CHECKING:
    from openai import AsyncOpenAI
    from openai._response import AsyncAPIResponse  # the type has no public name

logger = logging.getLogger(__name__)

WHOLE_ANSWER_SECONDS = 600.0
"""How long an answer may take that comes in one piece: nothing of it is seen while it is written."""
WHOLE_ANSWER_BYTES = 32 * 1024 * 1024

OWN_FIELD = "(a field of your own: its value is not recorded)"
"""What is told of it: it may hold a key."""

_MAY_REFUSE = frozenset(
    {"model.rejected", "model.server_error", "model.not_found", "model.no_such_model", "model.forbidden"}
)
"""Errors whose words may say that something in the request is not wanted."""
_NO_ENDPOINT = frozenset({"model.not_found", "model.not_a_stream"})
"""What an address answers that is not, or not quite, the one of an endpoint."""


class OpenAILanguageModel:
    """One model at one endpoint. Safe to use for several answers at once; the client is built at the first.

    ``first_seconds`` and ``gap_seconds`` are the watchdog: the time until the first useful chunk (a local model may
    read its prompt for minutes) and between two of them; comments and empty chunks do not count. ``patience`` says how
    often a busy endpoint is asked again. A key is sent only when one is given, and nothing of ``OPENAI_*`` in the
    environment is. ``key`` may be a function that is asked for each request; the ``ModelError`` that it raises is the
    answer's. ``headers``, ``proxy`` and ``options`` are what the user set for the endpoint and the model; ``facts`` is
    where the adapter keeps what the endpoint refuses and how long a request may be.
    """

    def __init__(
        self,
        *,
        base_url: str,
        model: str,
        key: str | Callable[[], Awaitable[str]] = "",
        first_seconds: float | None = None,
        gap_seconds: float | None = None,
        patience: Patience | None = None,
        headers: Mapping[str, str] | None = None,
        proxy: str = "",
        options: ModelOptions | None = None,
        facts: ModelFactsStore | None = None,
    ) -> None:
        """Raises ``ModelError("model.bad_address")``."""
        self._address = parse_address(base_url)
        local = self._address.is_loopback
        self._model = model
        self._key = key
        self._first_seconds = first_seconds if first_seconds is not None else 600.0 if local else 120.0
        self._gap_seconds = gap_seconds if gap_seconds is not None else 120.0 if local else 60.0
        self._patience = patience or Patience()
        self._headers = headers or {}
        self._proxy = proxy
        self._options = options or ModelOptions()
        self._facts = facts or FactsInMemory()
        self._errors = ErrorMapper(url=self._address.base_url, model=model, secrets=self._address.secrets, proxy=proxy)
        self._client: AsyncOpenAI | None = None
        self._building = asyncio.Lock()

    @property
    def name(self) -> str:
        return self._model

    @property
    def is_scripted(self) -> bool:
        return False

    async def close(self) -> None:
        """Close connections; the object is not used afterwards."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelChunk, None]:
        """See ``LanguageModel.stream``.

        What the endpoint refuses and is not needed is left out, once each; a busy endpoint is asked again. Neither
        happens once a part of the answer was given.
        """
        refused_before = self._refused_before()
        lacking, listed = _by_choice(self._options, can=False), self._listed_as_lacking()
        known = refused_before | lacking | listed
        remarks = remarks_on_known(request, refused=refused_before, lacking=lacking, listed=listed)
        retries, learned = Retries(self._patience), _Learned()
        while True:
            is_answering = False
            try:
                async with aclosing(self._attempt(request, known, learned)) as chunks:
                    async for chunk in chunks:
                        if not is_answering and not isinstance(chunk, Waiting | Remark):
                            is_answering = True
                            self._remember(learned)
                            for remark in remarks:
                                yield remark
                        yield chunk
                return
            except ModelError as error:
                failure = error
            if is_answering:
                raise failure
            self._learn_limit(failure)
            way = self._way_round(failure, request, known, learned)
            if way is not None:
                learned, remark = way
                if remark is not None:
                    remarks.append(remark)
            elif (pause := retries.after(failure)) is not None:
                logger.info("%s: %s; asking again in %.1f s", self._address.base_url, failure.code, pause.seconds)
                yield pause.waiting
                await asyncio.sleep(pause.seconds)
            else:
                raise self._explained(failure)

    async def _attempt(
        self, request: ModelRequest, known: frozenset[Without], learned: "_Learned"
    ) -> AsyncGenerator[ModelChunk, None]:
        """Ask once."""
        without = known | learned.without
        # In a thread: to adapt the schemas of a hundred tools takes half a second.
        built = await asyncio.to_thread(build_request, request, self._model, self._traits(learned), without)
        in_one_piece = Without.STREAMING in without
        first_seconds = max(self._first_seconds, WHOLE_ANSWER_SECONDS) if in_one_piece else self._first_seconds
        client = await self._ensure_client()
        async with AsyncExitStack() as stack:
            watchdog = Watchdog(first_seconds)
            try:
                response = await watchdog.wait(self._send(client, stack, built.body, request))
            except WatchdogExpiredError:
                raise self._errors.error("model.timeout", seconds=round(first_seconds)) from None
            for remark in built.remarks:
                yield remark
            body = AnswerBody(
                response,
                self._errors,
                watchdog,
                gap_seconds=self._gap_seconds,
                hint_seconds=self._patience.hint_seconds if self._address.is_loopback else None,
                limit_bytes=WHOLE_ANSWER_BYTES if in_one_piece else BODY_LIMIT_BYTES,
                goes_on=request.goes_on,
            )
            async with aclosing(body.chunks()) as chunks:
                async for chunk in chunks:
                    yield chunk

    async def _send(
        self, client: "AsyncOpenAI", stack: AsyncExitStack, body: dict[str, Any], request: ModelRequest
    ) -> "AsyncAPIResponse[Any]":
        key = (self._key if isinstance(self._key, str) else await self._key()).strip()
        self._errors.hide(key)
        arguments = _around_the_sdk(body, self._options.extra_body)
        headers = request_headers(key, self._headers)
        create: Any = (
            client.chat.completions.with_streaming_response.create
        )  # the body is typed by the wire, not the SDK
        if request.on_body is not None:
            request.on_body({**body, **dict.fromkeys(_added(self._options.extra_body), OWN_FIELD)})
        with errors_of_requests(self._errors):
            return await accepted(stack, lambda: create(**arguments, extra_headers=headers))

    async def _ensure_client(self) -> "AsyncOpenAI":
        async with self._building:
            if self._client is None:
                # In a thread: the first import of the SDK alone takes half a second.
                try:
                    self._client = await asyncio.to_thread(
                        build_client, self._address, proxy=self._proxy, max_retries=0
                    )
                except ImportError as error:  # a SOCKS proxy in the environment without the package for it
                    raise self._errors.unreachable(error) from None
            return self._client

    # -- what is known of the endpoint ----------------------------------------------------------------------------

    def _refused_before(self) -> frozenset[Without]:
        """What the endpoint refused earlier, but for what the user says about the model."""
        stored = self._facts.get(self._address.base_url, self._model).without
        chosen = _by_choice(self._options, can=True) | _by_choice(self._options, can=False)
        return frozenset(name for name in Without if name in stored) - chosen

    def _listed_as_lacking(self) -> frozenset[Without]:
        """What the model cannot do as a list says, but for what the user says about it."""
        facts = self._facts.get(self._address.base_url, self._model)
        said = ModelOptions(takes_tools=facts.takes_tools, sees_images=facts.sees_images)
        return _by_choice(said, can=False) - _by_choice(self._options, can=True)

    def _traits(self, learned: "_Learned") -> EndpointTraits:
        facts = self._facts.get(self._address.base_url, self._model)
        limits = [limit for limit in (facts.max_tools, learned.max_tools) if limit is not None]
        return traits_of(
            self._address.base_url,
            self._model,
            max_tools=min(limits, default=None),
            sees_images=self._options.sees_images,
        )

    def _remember(self, learned: "_Learned") -> None:
        """Keep what was learned, now that the endpoint answers."""
        base_url, changes = self._address.base_url, dict[str, Any]()
        if learned.without:
            stored = self._facts.get(base_url, self._model).without
            changes["without"] = stored | {name.value for name in learned.without}
        if learned.max_tools is not None:
            changes["max_tools"] = learned.max_tools
        if changes:
            self._facts.update(base_url, self._model, **changes)

    def _learn_limit(self, failure: ModelError) -> None:
        overflow = failure.overflow if isinstance(failure, EndpointError) else None
        if overflow is not None and overflow.limit is not None and overflow.is_for_each_request:
            self._facts.update(self._address.base_url, self._model, context_tokens=overflow.limit)

    def _way_round(
        self, failure: ModelError, request: ModelRequest, known: frozenset[Without], learned: "_Learned"
    ) -> "tuple[_Learned, Remark | None] | None":
        """Return what is left out from now on, and what to say of it; None where the failure is about all of it."""
        if not isinstance(failure, EndpointError) or failure.code not in _MAY_REFUSE:
            return None
        most = tool_limit_in(failure.reason)
        if most is not None and most < len(request.tools) and learned.max_tools is None:
            return dataclasses.replace(learned, max_tools=most), None
        refused = refusal_of(failure.reason, request, known | learned.without)
        if refused is None:
            return None
        logger.info("%s refuses %s; going on without", self._address.base_url, refused)
        detail = str(failure.params.get("detail", ""))
        return dataclasses.replace(learned, without=learned.without | {refused}), remark_on(refused, detail)

    def _explained(self, failure: ModelError) -> ModelError:
        """Return the failure with the address that was probably meant, where it looks like a wrong one."""
        if failure.code in _NO_ENDPOINT or failure.params.get("status") in (405, 501):
            if suggestion := suggested_address(self._address):
                return ModelError("model.wrong_address", **{**failure.params, "suggestion": suggestion})
        elif failure.params.get("detail") == NO_TLS_WORDS:
            return ModelError(failure.code, **{**failure.params, "suggestion": without_tls(self._address)})
        return failure


@dataclass(frozen=True)
class _Learned:
    """What was found out while one answer was asked for; kept when it comes."""

    without: frozenset[Without] = frozenset()
    max_tools: int | None = None


def _by_choice(options: ModelOptions, *, can: bool) -> frozenset[Without]:
    """Return what the user says that the model can do, or cannot."""
    chosen = {Without.TOOLS: options.takes_tools, Without.IMAGES: options.sees_images}
    return frozenset(name for name, choice in chosen.items() if choice is can)


def _added(extra: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in extra.items() if name not in RESERVED_BODY_FIELDS}


def _around_the_sdk(body: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that send ``body`` and the user's ``extra`` fields as they are.

    The SDK knows only OpenAI's fields, and would search every value of a long thread for some to rename. There are
    none, and the search holds up the window for 40 ms with a hundred messages.
    """
    added = sendable_value(_added(extra))
    return {"model": body["model"], "messages": [], "stream": body["stream"], "extra_body": {**body, **added}}
