"""Asks an endpoint for its list of models: every page of it, in whatever shape it sends it."""

import asyncio
import json
from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from desktop.core.endpoints import ListedModel
from desktop.core.errors import ModelError
from desktop.core.settings import EndpointSettings
from desktop.providers.addresses import EndpointAddress
from desktop.providers.error_bodies import detail_of, is_error_body
from desktop.providers.error_mapping import ErrorMapper
from desktop.providers.model_lists import listed_models
from desktop.providers.model_names import MOST_NAMES
from desktop.providers.openai_client import build_client, errors_of_requests, request_headers

if TYPE_CHECKING:
    from openai import AsyncOpenAI

LIST_SECONDS = 8.0
"""For all pages."""
LIST_LIMIT_BYTES = 8 * 1024 * 1024
MOST_PAGES = 20
PAGE_SIZE = 1000

_WRONG_PLACE = frozenset(
    {"model.no_list", "model.not_found", "model.not_a_stream", "model.empty", "model.wrong_address"}
)
"""What an address answers that is not, or not quite, the one of an endpoint."""


def is_wrong_place(error: ModelError) -> bool:
    """Tell whether the address may be a little wrong: something answers there that is no endpoint."""
    return error.code in _WRONG_PLACE or error.params.get("status") in (405, 501)


async def list_of(address: EndpointAddress, endpoint: EndpointSettings, key: str) -> tuple[ListedModel, ...]:
    """Return the models that the endpoint lists. Raises ``ModelError``; ``model.no_list`` for what is no list."""
    errors = ErrorMapper(
        url=address.base_url, model=endpoint.model, secrets=[key, *address.secrets], proxy=endpoint.proxy
    )
    try:
        async with asyncio.timeout(LIST_SECONDS), AsyncExitStack() as stack:
            try:
                client = await asyncio.to_thread(build_client, address, proxy=endpoint.proxy, max_retries=1)
            except ImportError as error:  # a SOCKS proxy in the environment without the package for it
                raise errors.unreachable(error) from None
            stack.push_async_callback(client.close)
            return await _all_pages(_Source(client, request_headers(key, endpoint.headers), errors))
    except TimeoutError:
        raise errors.error("model.no_answer", seconds=round(LIST_SECONDS)) from None
    except ModelError as error:
        if error.code == "model.not_found" or is_wrong_place(error):
            raise errors.error("model.no_list", str(error.params.get("detail", ""))) from None
        raise


class _Source:
    """Where the pages come from."""

    def __init__(self, client: "AsyncOpenAI", headers: Mapping[str, Any], errors: ErrorMapper) -> None:
        self._client = client
        self._headers = {"Accept": "application/json", **headers}
        self.errors = errors

    async def page(self, query: Mapping[str, Any]) -> Any:
        """Return what ``GET /models`` sends: parsed where that is JSON, else the beginning as text."""
        import httpx2

        body = bytearray()
        async with AsyncExitStack() as stack:
            with errors_of_requests(self.errors):
                listing = self._client.models.with_streaming_response.list(
                    extra_headers=self._headers, extra_query=query or None
                )
                response = await stack.enter_async_context(listing)
            try:
                async for piece in response.iter_bytes():
                    body += piece
                    if len(body) > LIST_LIMIT_BYTES:
                        break
            except (httpx2.HTTPError, httpx2.StreamError, OSError) as error:
                raise self.errors.connection_lost(error) from None
        text = body.decode("utf-8-sig", "replace")
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text[:1000]


async def _all_pages(source: _Source) -> tuple[ListedModel, ...]:
    """Read pages as Anthropic numbers them; what goes wrong after the first one leaves the list as it is so far."""
    page = await source.page({})
    models = {model.name: model for model in _models_of(page, source.errors)}
    seen: set[str] = set()
    while (last := _last_id(page)) and last not in seen and len(seen) < MOST_PAGES and len(models) < MOST_NAMES:
        seen.add(last)
        try:
            page = await source.page({"after_id": last, "limit": PAGE_SIZE})
        except ModelError:
            break
        models |= {model.name: model for model in listed_models(page) or ()}
    return tuple(models.values())[:MOST_NAMES]


def _last_id(page: Any) -> str:
    """Return after which model the next page begins; empty when this is the last one."""
    if not isinstance(page, Mapping) or page.get("has_more") is not True:
        return ""
    last = page.get("last_id")
    return last if isinstance(last, str) else ""


def _models_of(value: Any, errors: ErrorMapper) -> tuple[ListedModel, ...]:
    if (models := listed_models(value)) is not None:
        return models
    if is_error_body(value):
        error = errors.from_body(value)
        if error.code not in ("model.server_error", "model.not_found"):
            raise error
    raise errors.error("model.no_list", detail_of(value) or "it sent something else")
