"""Builds the SDK's client so that nothing reaches an endpoint but what was meant for it. Slow: call it in a thread."""

import logging
import os
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from typing import TYPE_CHECKING, Any

from desktop.core.endpoint_reach import DIRECT, headers_with_key, proxy_problem
from desktop.core.errors import ModelError
from desktop.core.imports import import_quietly
from desktop.providers.addresses import EndpointAddress
from desktop.providers.error_mapping import ErrorMapper

if TYPE_CHECKING:
    import httpx2
    from openai import APIStatusError, AsyncOpenAI

logger = logging.getLogger(__name__)

CONNECT_SECONDS = 10.0
WRITE_SECONDS = 60.0
LONGEST_RETRY_WAIT_SECONDS = 10.0
ERROR_LIMIT_BYTES = 256 * 1024
"""Of the body of a refusal or a redirect, which the SDK reads whole before anybody can look at its length."""


def load_sdk() -> None:
    """Import the SDK where that was not done yet; about half a second."""
    import_quietly("openai")
    import_quietly("openai.resources.chat.completions")  # else loaded at the first access


def build_client(address: EndpointAddress, *, proxy: str = "", max_retries: int) -> "AsyncOpenAI":
    """Return a client for one endpoint. It knows no key: each request is given its ``request_headers``.

    ``proxy`` as in ``EndpointSettings``. Redirects are not followed: they would take the thread and the key to a host
    that the user did not name. There is no time limit on reading; the caller watches for useful data.
    """
    load_sdk()
    import httpx2
    import openai

    http_client = openai.DefaultAsyncHttpx2Client(
        **_way(address, proxy),
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS, write=WRITE_SECONDS),
        # Local servers close idle connections after five seconds, which is also httpx2's own limit: a race.
        limits=httpx2.Limits(keepalive_expiry=2.0 if address.is_loopback else 15.0),
        follow_redirects=False,
        event_hooks={"response": [*([_give_up_on_long_waits] if max_retries else []), _cut_long_errors]},
    )
    client = openai.AsyncOpenAI(
        base_url=address.base_url,
        api_key="none",
        admin_api_key="",
        timeout=http_client.timeout,
        max_retries=max_retries,
        http_client=http_client,
        default_query=address.query,
        default_headers=_default_headers(),
    )
    # These attributes load their modules at first access, which belongs into this thread.
    _ = client.chat.completions.with_streaming_response
    return client


@contextmanager
def errors_of_requests(errors: ErrorMapper) -> Iterator[None]:
    """Turn what the SDK raises until a response is there into ``ModelError``s."""
    import httpx2
    import openai

    try:
        yield
    except openai.APIStatusError as error:
        raise _refused(error, errors) from None
    except (openai.APIConnectionError, httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        raise errors.unreachable(error) from None
    except (ValueError, TypeError) as error:  # something that cannot be written into a request
        raise errors.unreachable(error) from None


async def accepted(stack: AsyncExitStack, request: Callable[[], Any]) -> Any:
    """Enter the response of ``request`` into ``stack``.

    Once it is sent again at once when the connection closed before any answer: a server may give up an idle
    connection in the moment in which it is used again. Raises what the SDK does.
    """
    import httpx2
    import openai

    closed = (httpx2.RemoteProtocolError, httpx2.ReadError, httpx2.WriteError, httpx2.CloseError)
    try:
        return await stack.enter_async_context(request())
    except openai.APIConnectionError as error:
        if not isinstance(error.__cause__, closed):
            raise
    logger.info("the server closed the connection before it answered; sending again")
    return await stack.enter_async_context(request())


def _refused(error: "APIStatusError", errors: ErrorMapper) -> ModelError:
    import httpx2

    try:
        body = error.response.text
    except httpx2.ResponseNotRead:
        body = str(error.body or "")
    headers = {name.lower(): value for name, value in error.response.headers.items()}
    return errors.from_status(error.status_code, body, location=headers.get("location", ""), headers=headers)


def request_headers(key: str, extra: Mapping[str, str]) -> dict[str, Any]:
    """Return what a request to the SDK takes as ``extra_headers``; without a key it says that none is sent.

    ``extra`` are the endpoint's own ones. Where the key stands in one of them it is sent nowhere else.
    """
    import openai

    own, holds_key = headers_with_key(extra, key)
    headers: dict[str, Any] = {"Authorization": f"Bearer {key}" if key and not holds_key else openai.omit}
    spelt = {name.lower(): name for name in ("Authorization", "User-Agent", "OpenAI-Organization", "OpenAI-Project")}
    # The SDK would send two headers that it spells differently.
    return headers | {spelt.get(name.lower(), name): value for name, value in own.items()}


def _way(address: EndpointAddress, proxy: str) -> dict[str, Any]:
    """Return the arguments of the HTTP client that lead through this proxy, or through none."""
    if proxy == DIRECT:
        # Not ``trust_env``, which would also give up the certificates that the environment names.
        return {"mounts": dict.fromkeys(("all://", "http://", "https://"))}
    if proxy and not proxy_problem(proxy):
        return {"proxy": proxy}
    return {"trust_env": not address.is_loopback}  # a proxy from the environment cannot reach this machine


def _default_headers() -> dict[str, str]:
    """The headers that replace or remove what the SDK takes from the environment."""
    import openai

    headers: dict[str, object] = {"OpenAI-Organization": openai.omit, "OpenAI-Project": openai.omit}
    for line in os.environ.get("OPENAI_CUSTOM_HEADERS", "").split("\n"):
        name, colon, _ = line.partition(":")
        if colon:
            headers[name.strip()] = openai.omit
    # Compressed chunks would arrive in lumps, and a few bytes could unpack to gigabytes.
    headers |= {"Accept": "text/event-stream, application/json", "Accept-Encoding": "identity"}
    headers["Authorization"] = openai.omit
    return headers  # type: ignore[return-value]  # the SDK takes its omit marker here, its signature does not say so


async def _give_up_on_long_waits(response: "httpx2.Response") -> None:
    """Keep the SDK from sleeping unseen for up to two minutes when the endpoint asks for a long wait."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = response.headers.get(name)
        if value is None:
            continue
        try:
            is_long = float(value) * unit > LONGEST_RETRY_WAIT_SECONDS
        except ValueError:
            is_long = True  # a date
        if is_long:
            response.headers["x-should-retry"] = "false"


async def _cut_long_errors(response: "httpx2.Response") -> None:
    """Let the body of anything but a success end early: an endless one would fill the memory."""
    import httpx2

    class Beginning(httpx2.AsyncByteStream):
        def __init__(self, whole: httpx2.AsyncByteStream) -> None:
            self._whole = whole

        async def __aiter__(self) -> AsyncIterator[bytes]:
            left = ERROR_LIMIT_BYTES
            async for piece in self._whole:
                yield piece[:left]
                left -= len(piece)
                if left <= 0:
                    break

        async def aclose(self) -> None:
            await self._whole.aclose()

    if not response.is_success and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = Beginning(response.stream)
