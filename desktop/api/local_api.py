"""The life of the API: it follows its switch in the settings, on the loop of the program, and ends with it."""

import asyncio
import errno
import secrets
import socket
from typing import TYPE_CHECKING

from desktop.api.guard import ApiLimits
from desktop.api.services import ApiServices
from desktop.core.api_settings import API_TOKEN, ApiSettings
from desktop.core.errors import ThreadwellError
from desktop.core.local_api import ApiState, ApiStatus
from desktop.core.secrets import KeychainState, SecretStore
from desktop.core.settings import KeyPlace, Settings
from desktop.core.signal import Signal

if TYPE_CHECKING:
    from desktop.api.http_server import HttpServer

_KEPT_IN_MEMORY = (KeychainState.LOCKED, KeychainState.REFUSED, KeychainState.FAILED)
"""The keychain may hold a token that it does not give now: a new one must not take its place."""


class LocalApi:
    """Implements ``LocalApiSwitch``. Nothing of the HTTP libraries is loaded before it is switched on."""

    def __init__(
        self,
        services: ApiServices,
        keychain: SecretStore,
        *,
        token: str = "",
        always: ApiSettings | None = None,
        limits: ApiLimits | None = None,
    ) -> None:
        """Without a ``token`` the one of the keychain holds. ``always`` stands in the place of the settings."""
        self._services = services
        self._keychain = keychain
        self._token = token
        self._is_token_kept = True
        self._always = always
        self._limits = limits or ApiLimits()
        self._server: HttpServer | None = None
        self._serving: asyncio.Task[None] | None = None
        self._closing = asyncio.Event()
        self._changing = asyncio.Lock()
        self._is_closed = False
        self._served = ApiSettings()
        self.status = ApiStatus()
        self.changed = Signal[ApiStatus]()
        services.settings.changed.connect(self._settings_changed)
        keychain.place_changed.connect(self._token_moved)

    @property
    def token(self) -> str:
        return self._token

    @property
    def is_token_kept(self) -> bool:
        return self._is_token_kept

    async def follow(self) -> None:
        """Start, stop or move the server to be as the settings say; never raises: see ``status``."""
        async with self._changing:
            wanted = self._always or self._services.settings.settings.api
            if self._is_closed or not wanted.enabled:
                await self._stop()
                self._set(ApiStatus())
            elif wanted != self._served or self._serving is None:
                await self._stop()
                self._set(ApiStatus(state=ApiState.STARTING, port=wanted.port))
                await self._start(wanted)

    def try_again(self) -> None:
        self._services.tasks.spawn(self.follow(), name="start the local API")

    async def renew_token(self) -> None:
        self._token = secrets.token_urlsafe(32)
        await self._keep_token()
        self.changed.emit(self.status)

    async def close(self) -> None:
        """End the server and every stream; answers that were to end with their readers do."""
        self._is_closed = True
        await self.follow()

    async def _start(self, wanted: ApiSettings) -> None:
        from desktop.api.application import make_application
        from desktop.api.http_server import HttpServer, listening_socket

        await self._require_token()
        try:
            listener = listening_socket(wanted.port)
        except OSError as error:
            self._set(ApiStatus(state=ApiState.FAILED, port=wanted.port, error=_failure(error, wanted.port)))
            return
        port = int(listener.getsockname()[1])
        self._closing = asyncio.Event()
        app = make_application(
            self._services, token=lambda: self._token, port=port, limits=self._limits, closing=self._closing
        )
        self._server = HttpServer(app, self._limits)
        self._served = wanted
        self._serving = self._services.tasks.spawn(self._serve(self._server, listener), name="local API")
        self._set(ApiStatus(state=ApiState.ON, port=port))

    async def _serve(self, server: "HttpServer", listener: socket.socket) -> None:
        with listener:
            await server.serve_on(listener)

    async def _stop(self) -> None:
        if self._server is None or self._serving is None:
            return
        self._closing.set()
        self._server.end()
        await asyncio.wait({self._serving})
        self._server = self._serving = None

    async def _require_token(self) -> None:
        if self._token:
            return
        self._token = await self._keychain.get(API_TOKEN) or ""
        if not self._token:
            self._token = secrets.token_urlsafe(32)
            if self._keychain.status.state in _KEPT_IN_MEMORY:
                self._is_token_kept = False
            else:
                await self._keep_token()

    async def _keep_token(self) -> None:
        self._is_token_kept = await self._keychain.set(API_TOKEN, self._token) is KeyPlace.KEYCHAIN

    def _token_moved(self, change: tuple[str, KeyPlace]) -> None:
        """A keychain that answered late took it after all, or did not."""
        name, place = change
        if name == API_TOKEN and self._token:
            self._is_token_kept = place is KeyPlace.KEYCHAIN
            self.changed.emit(self.status)

    def _settings_changed(self, settings: Settings) -> None:
        if self._always is None and not self._is_closed and self._differs(settings.api):
            self.try_again()

    def _differs(self, wanted: ApiSettings) -> bool:
        is_off = self.status.state is ApiState.OFF
        return wanted.enabled is is_off or (wanted.enabled and wanted.port != self.status.port)

    def _set(self, status: ApiStatus) -> None:
        if status != self.status:
            self.status = status
            self.changed.emit(status)


def _failure(error: OSError, port: int) -> ThreadwellError:
    if error.errno in (errno.EADDRINUSE, errno.EACCES):
        return ThreadwellError("api.port_taken", port=port)
    return ThreadwellError("api.not_started", detail=error.strerror or str(error))
