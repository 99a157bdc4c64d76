"""Who asks at one remote server: its sign-in, renewed in time, and what to do when the server wants to know more."""

import asyncio
import logging
import re

from desktop.core.settings import KeyPlace
from desktop.core.tasks import begun
from desktop.mcp_client.launch import WITHHELD, NeedsSecretError
from desktop.mcp_client.reach import ServerPlace
from desktop.mcp_client.sdk import load_sign_in
from desktop.mcp_client.sign_in_errors import SignInError
from desktop.mcp_client.sign_in_record import Challenge, KeychainShutError, SignIn, SignIns, host_of
from desktop.tools.entities import ServerConfig
from desktop.tools.server_remarks import Account, Remark
from desktop.tools.sign_in import SignInPages

logger = logging.getLogger(__name__)

_SCOPE = re.compile(r'\bscope="([^"]{1,300})"')
_MOST_OF_CHALLENGE = 4_000


class Access:
    """Without ``sign_ins`` and ``pages`` nobody can sign in; the server's refusal is noted all the same."""

    def __init__(
        self, sign_ins: SignIns | None = None, pages: SignInPages | None = None, place: ServerPlace | None = None
    ) -> None:
        self.place = place or ServerPlace()
        """Where the server is, which bounds where it may lead whoever signs in."""
        self._sign_ins = sign_ins
        self._pages = pages
        self._config: ServerConfig | None = None
        self._sign_in: SignIn | None = None
        self._is_over = False
        self._is_for_session = False
        self._challenge: Challenge | None = None
        self._renewing = asyncio.Lock()
        self._attempt: asyncio.Task[None] | None = None

    @property
    def signed_in_at(self) -> str:
        """The host where the user signed in; empty where nobody did."""
        return host_of(self._sign_in.issuer) if self._sign_in is not None else ""

    @property
    def notes(self) -> tuple[Remark, ...]:
        """What the user should know of a sign-in that works."""
        return (Remark("sign_in_for_session"),) if self._sign_in is not None and self._is_for_session else ()

    @property
    def refusal(self) -> Account | None:
        """What to say of a server that turned us away since ``load``; None while it did not."""
        challenge = self._challenge
        if challenge is None:
            return None
        if challenge.wants_more_rights:
            scope = _SCOPE.search(challenge.words)
            return Account(remarks=(Remark("sign_in_more_rights", scope.group(1) if scope else "?"),))
        return Account(remarks=(Remark("sign_in_over" if self._is_over else "sign_in_wanted"),))

    async def load(self, config: ServerConfig) -> None:
        """Get ready for a connection with this configuration, which has its secrets. Raises ``CannotStartError``."""
        self._config = config
        self._challenge = None
        if config.transport.is_web:
            await self.place.begin(config.url)
        if self._sign_ins is None or _has_own_key(config):
            self._sign_in = None
            return
        try:
            self._sign_in = await self._sign_ins.load(config)
        except KeychainShutError as error:
            raise NeedsSecretError(Remark(WITHHELD[error.state], config.id)) from None

    async def token(self) -> str:
        """Return what to show to the server, renewed where it is over; empty where nobody signed in.

        Raises ``SignInError`` when that cannot be told now.
        """
        kept = self._sign_in
        if kept is None:
            return ""
        return await self.renewed(kept.access_token) if kept.is_over else kept.access_token

    async def renewed(self, used: str) -> str:
        """Return another token than the one that is of no use any more; empty when there is none."""
        async with self._renewing:
            kept = self._sign_in
            if kept is None or self._sign_ins is None or self._config is None:
                return ""
            if kept.access_token != used:
                return kept.access_token  # another request was quicker
            if not kept.refresh_token:
                return ""
            fresh = await (await load_sign_in()).renewed(kept, self.place)
            if self._sign_in is not kept:
                return ""  # signed out meanwhile
            if fresh is None:
                logger.info("the sign-in of MCP server %s has ended", self._config.id)
                self._sign_in, self._is_over = None, True
                await self._sign_ins.forget(self._config, is_over=True)
                return ""
            await self._keep(fresh)
            return fresh.access_token

    def was_refused(self, challenge: Challenge) -> None:
        self._challenge = Challenge(status=challenge.status, words=challenge.words[:_MOST_OF_CHALLENGE])

    async def sign_in(self, config: ServerConfig) -> None:
        """Lead the user through a sign-in and keep it. Raises ``SignInError``, as which ``cancel`` ends it, and
        ``CannotStartError``."""
        if self._sign_ins is None or self._pages is None or not config.sign_in:
            raise SignInError("sign_in_unsupported")
        if _has_own_key(config):
            raise SignInError("sign_in_has_key")
        self._config = config
        await self.place.begin(config.url)
        async with begun(self._attempted(config, self._pages)) as self._attempt:
            await asyncio.wait({self._attempt})
            if self._attempt.cancelled():
                raise SignInError("sign_in_cancelled")
            self._attempt.result()

    def cancel(self) -> None:
        """Give up a sign-in that is going on."""
        if self._attempt is not None:
            self._attempt.cancel()

    async def sign_out(self) -> None:
        """Forget the sign-in everywhere."""
        config, self._sign_in, self._is_over = self._config, None, False
        if self._sign_ins is not None and config is not None:
            await self._sign_ins.forget(config)

    async def _attempted(self, config: ServerConfig, pages: SignInPages) -> None:
        flow = await load_sign_in()
        challenge = self._challenge or Challenge(status=401)
        fresh: SignIn = await flow.sign_in(config, challenge, pages, self.place, former=self._sign_in)
        self._is_over = False
        try:
            await self._keep(fresh)
        except OSError as error:
            raise SignInError("sign_in_failed", str(error)) from error

    async def _keep(self, fresh: SignIn) -> None:
        """In force before it is kept: an issuer that changes the token with every renewal takes the old one no more."""
        self._sign_in = fresh
        if self._sign_ins is not None and self._config is not None:
            place = await self._sign_ins.keep(self._config, fresh)
            self._is_for_session = place is not KeyPlace.KEYCHAIN


def _has_own_key(config: ServerConfig) -> bool:
    return any(name.lower() == "authorization" for name in config.headers)
