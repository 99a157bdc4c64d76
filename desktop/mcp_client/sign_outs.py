"""Tells sign-in servers that the user signed out: best effort, in the background, and said where it fails."""

import asyncio
import logging

from desktop.core.errors import SettingsError
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.mcp_client.reach import Places, ServerPlace
from desktop.mcp_client.sdk import load_sign_in
from desktop.mcp_client.sign_in_errors import SignInError
from desktop.mcp_client.sign_in_record import SignIn, host_of

logger = logging.getLogger(__name__)


class SignOuts:
    """Signals:
    failed: a sign-in server was not reached, or did not agree: what the user gave it may hold until it ends by itself.
    """

    def __init__(self, tasks: TaskSupervisor, places: Places | None = None, *, patience_seconds: float = 15.0) -> None:
        self.failed = Signal[SettingsError]()
        self._tasks = tasks
        self._places = places
        self._patience_seconds = patience_seconds

    def tell(self, kept: str) -> None:
        """Have the tokens of a sign-in revoked that was forgotten here. ``kept`` is what ``SignIn.as_text`` made."""
        sign_in = SignIn.from_text(kept)
        if sign_in is not None and sign_in.revocation_endpoint:
            self._tasks.spawn(self._revoke(sign_in), name="sign out at a sign-in server")

    async def _revoke(self, sign_in: SignIn) -> None:
        place = ServerPlace(self._places)
        try:
            async with asyncio.timeout(self._patience_seconds):
                await place.begin(sign_in.url)
                await (await load_sign_in()).revoke(sign_in, place)
        except (SignInError, OSError) as error:
            host = host_of(sign_in.issuer)
            logger.info("%s was not told that the user signed out: %s", host, type(error).__name__)
            self.failed.emit(SettingsError("settings.sign_out_untold", host=host))
