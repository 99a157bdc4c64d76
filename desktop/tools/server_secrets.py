"""The secrets of servers: kept while an entry of the settings refers to them, and forgotten when none does any more."""

import dataclasses
import logging
from collections.abc import Collection, Mapping

from desktop.core.errors import SettingsError, ThreadwellError
from desktop.core.secrets import KeychainState, SecretStore
from desktop.core.settings import KeyPlace, SettingsStore
from desktop.core.signal import Signal
from desktop.core.tasks import TaskSupervisor
from desktop.tools.server_inputs import kept_secrets, secret_name
from desktop.tools.sign_in import is_sign_in_name, sign_in_name

logger = logging.getLogger(__name__)


class ServerSecrets:
    """Names are those that entries call ``kept``. The settings know every name that may still lie in the keychain.

    Signals:
        failed: a secret could not be deleted, for the user to hear.
        signed_out: a sign-in was forgotten that its issuer may still hold to be good; as it was kept.
    """

    def __init__(
        self, settings: SettingsStore, secrets: SecretStore, tasks: TaskSupervisor, *, held: Collection[str] = ()
    ) -> None:
        """``held`` are names of secrets for servers that no entry of the settings stands for."""
        self.failed = Signal[ThreadwellError]()
        self.signed_out = Signal[str]()
        self._settings = settings
        self._secrets = secrets
        self._tasks = tasks
        self._held = set(held)
        self._in_session: set[str] = set()
        """No keychain has them: they end with this process by themselves."""

    def keep(self, secrets: Mapping[str, str]) -> None:
        """Keep these; they are in force from the next turn of the loop on. Raises ``OSError`` when the settings cannot
        be written; then nothing is kept."""
        if not secrets:
            return
        settings = self._settings.settings
        known = tuple(dict.fromkeys([*settings.server_secrets, *secrets]))
        self._settings.update(dataclasses.replace(settings, server_secrets=known))
        for name, value in secrets.items():
            self._tasks.spawn(self._keep(name, value), name="keep a server's secret")

    async def _keep(self, name: str, value: str) -> KeyPlace:
        place = await self._secrets.set(secret_name(name), value)
        if place is KeyPlace.SESSION and self._secrets.status.state is KeychainState.MISSING:
            self._in_session.add(name)
        return place

    def is_known(self, name: str) -> bool:
        """Whether there may be a secret of this name; where not, nobody need ask the keychain."""
        return bool(name) and name in self._settings.settings.server_secrets

    async def keep_one(self, name: str, value: str) -> KeyPlace:
        """Keep this one; in force at once. Returns where it lies. Raises ``OSError`` when the settings cannot be
        written: nobody would forget it with its server then."""
        settings = self._settings.settings
        if name not in settings.server_secrets:
            self._settings.update(dataclasses.replace(settings, server_secrets=(*settings.server_secrets, name)))
        return await self._keep(name, value)

    async def forget_one(self, name: str, *, is_told: bool = True) -> None:
        """Forget this one, whoever refers to it; ``is_told`` says whether ``signed_out`` hears of it."""
        if self.is_known(name):
            await self._forget([name], is_told=is_told)

    def hold(self, entry: object, key: str = "") -> tuple[str, ...]:
        """Spare what a removed entry refers to until ``release``, so that it can come back with it; with its ``key``
        in the settings also the sign-in there."""
        names = tuple(name.removeprefix(secret_name("")) for name in kept_secrets(entry).values())
        names = (*names, sign_in_name(key)) if key else names
        self._held.update(names)
        return names

    def release(self, names: Collection[str]) -> None:
        """Nobody can bring it back any more."""
        self._held.difference_update(names)
        self.forget_unused()

    def forget_unused(self) -> None:
        """Forget, beside everything else, what no entry refers to any more; also what an earlier start left."""
        unused = self._unused()
        if unused:
            self._tasks.spawn(self._forget(unused), name="forget servers' secrets")

    def _unused(self) -> list[str]:
        settings = self._settings.settings
        used = {name for entry in settings.mcp_servers.values() for name in kept_secrets(entry).values()}
        used |= {secret_name(sign_in_name(key)) for key in settings.mcp_servers}
        return [n for n in settings.server_secrets if secret_name(n) not in used and n not in self._held]

    async def _forget(self, names: Collection[str], *, is_told: bool = True) -> None:
        forgotten: set[str] = set()
        for name in names:
            sign_in = await self._secrets.get(secret_name(name)) if is_told and is_sign_in_name(name) else None
            try:
                await self._secrets.delete(secret_name(name), was_in_keychain=name not in self._in_session)
                forgotten.add(name)
                if sign_in:
                    self.signed_out.emit(sign_in)
            except SettingsError as error:
                self.failed.emit(error)
                break  # the next one would be the same question to the same keychain
        settings = self._settings.settings
        left = tuple(name for name in settings.server_secrets if name not in forgotten)
        try:
            self._settings.update(dataclasses.replace(settings, server_secrets=left))
        except OSError as error:
            logger.warning("the settings could not be written: %s", error)  # the next start forgets them again
