"""Shows a server the user's token: to its own address only, once more when it was renewed, and notes a refusal.

Imports the HTTP stack at once: only ``transports`` may import this module.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable

import httpx2

from desktop.mcp_client.access import Access
from desktop.mcp_client.sign_in_errors import SignInError
from desktop.mcp_client.sign_in_record import Challenge


class Bearer(httpx2.Auth):
    """``on_refused`` hears that the server wants somebody to sign in, or wants more rights."""

    def __init__(self, url: str, access: Access, on_refused: Callable[[], None]) -> None:
        self._url = httpx2.URL(url)
        self._access = access
        self._on_refused = on_refused

    async def async_auth_flow(self, request: httpx2.Request) -> AsyncGenerator[httpx2.Request, httpx2.Response]:
        may_show = self._is_own(request.url) and "Authorization" not in request.headers
        token = await self._show(request, self._access.token()) if may_show else ""
        response = yield request
        if token and response.status_code == 401 and await self._show(request, self._access.renewed(token)):
            response = yield request
        words = response.headers.get("WWW-Authenticate", "")
        if response.status_code == 401 or (response.status_code == 403 and "insufficient_scope" in words):
            self._access.was_refused(Challenge(status=response.status_code, words=words))
            self._on_refused()

    async def _show(self, request: httpx2.Request, token_of: Awaitable[str]) -> str:
        """Put the token into the request, and return it."""
        try:
            token = await token_of
        except (SignInError, httpx2.HTTPError) as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        if token:
            request.headers["Authorization"] = f"Bearer {token}"
        return token

    def _is_own(self, url: httpx2.URL) -> bool:
        return (url.scheme, url.host, url.port) == (self._url.scheme, self._url.host, self._url.port)
