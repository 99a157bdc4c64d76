"""Starts a server's program: found as a login shell would find it, with its secrets and a small environment of its own."""

import os
import shutil
import sys
from collections.abc import Mapping

from desktop.core.address_reach import PROXY_VARIABLES
from desktop.core.process_tree import IS_WINDOWS
from desktop.core.secrets import KeychainState, SecretStore
from desktop.mcp_client.child import ChildProcess
from desktop.mcp_client.config import EntryError, with_secrets
from desktop.mcp_client.programs import ProgramPaths
from desktop.tools.entities import ServerConfig
from desktop.tools.programs import RUNNERS
from desktop.tools.server_remarks import Remark

_INHERITED = (
    *("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"),
    "XDG_RUNTIME_DIR",
)
_INHERITED_ON_WINDOWS = (
    *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
    *("PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE", "WINDIR"),
)
_CERTIFICATES = ("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Without these, and without proxies, nothing can be fetched in many offices."""
_BUNDLES = (
    *("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem"),
    *("/var/lib/ca-certificates/ca-bundle.pem", "/etc/ssl/cert.pem"),
)
"""Where systems keep the certificates that they trust: Debian, Red Hat, SUSE twice, Alpine and others."""
WITHHELD = {
    KeychainState.MISSING: "secret_no_keychain",
    KeychainState.LOCKED: "secret_locked",
    KeychainState.REFUSED: "secret_refused",
    KeychainState.FAILED: "secret_unreadable",
}


class CannotStartError(OSError):
    """Something that the server needs to start is not there; trying again cannot help."""

    def __init__(self, remark: Remark) -> None:
        super().__init__(remark.english)
        self.remark = remark


class NeedsSecretError(CannotStartError):
    """A secret of the server could not be read: it waits for the user."""


class Launcher:
    """What a server needs before it is started: its secrets, and where programs are found.

    Without a store there are no secrets; without ``paths`` programs are looked for on this process's own PATH.
    """

    def __init__(self, *, secrets: SecretStore | None = None, paths: ProgramPaths | None = None) -> None:
        self._secrets = secrets
        self._paths = paths

    async def prepare(self, config: ServerConfig) -> ServerConfig:
        """Return the configuration with its secrets, for this start only. Raises ``NeedsSecretError``."""
        values = {name: await self._secret(name, kept) for name, kept in config.secrets.items()}
        try:
            return with_secrets(config, values) if values else config
        except EntryError:
            raise NeedsSecretError(Remark("secret_unusable")) from None

    async def start_child(self, config: ServerConfig, extra_env: Mapping[str, str]) -> ChildProcess:
        """Start the program of a stdio server. Raises ``OSError`` when it cannot be found or started."""
        env = child_environment({})
        if self._paths is not None and not config.bundled:
            # A whole path needs no search, and should not wait for somebody's slow start files.
            env["PATH"] = await self._paths.search_path(may_wait=not os.path.isabs(config.command))
        if config.bundled:  # for the page reader; it keeps them from commands
            env |= {name: value for name in PROXY_VARIABLES if (value := os.environ.get(name)) is not None}
        else:
            env |= trusted_by_the_system(env)
        env |= {**config.env, **extra_env}
        program = _found_program(config, env)
        # The bundled server asks for its signal itself and needs it to end what its commands started.
        stop_signal = None if config.bundled else "KILL"
        return await ChildProcess.start(
            [program, *config.args], env=env, cwd=config.cwd or None, stop_signal=stop_signal
        )

    async def _secret(self, name: str, kept: str) -> str:
        value = await self._secrets.get(kept) if self._secrets is not None else None
        if value:
            return value
        state = self._secrets.status.state if self._secrets is not None else KeychainState.MISSING
        raise NeedsSecretError(Remark(WITHHELD.get(state, "secret_missing"), name))


def trusted_by_the_system(env: Mapping[str, str]) -> dict[str, str]:
    """Return what lets Node and uv trust what the system trusts, where ``env`` does not say what they trust.

    Both bring a list of their own, which does not hold the certificate that a company's proxy signs with.
    """
    bundle = next((path for path in (env.get("SSL_CERT_FILE", ""), *_BUNDLES) if path and os.path.isfile(path)), "")
    if not bundle and sys.platform == "linux":
        return {}
    trusted = {"NODE_USE_SYSTEM_CA": "1", "UV_SYSTEM_CERTS": "1"}  # Node from 22.19 and 24.6 on
    if bundle:  # what older ones understand
        trusted["NODE_EXTRA_CA_CERTS"] = bundle
    return {name: value for name, value in trusted.items() if name not in env}


def _found_program(config: ServerConfig, env: Mapping[str, str]) -> str:
    program = shutil.which(config.command, path=env.get("PATH"))
    if program is None:
        name = config.command
        raise CannotStartError(Remark("runner_missing" if name in RUNNERS else "program_missing", name))
    if config.cwd and not os.path.isdir(config.cwd):
        raise CannotStartError(Remark("folder_missing", config.cwd))
    return program


def child_environment(configured: Mapping[str, str]) -> dict[str, str]:
    """Return what a server's process gets: a few harmless variables, UTF-8, and what its configuration says.

    Nothing else of our own environment: it may hold keys of model providers.
    """
    names = (*(_INHERITED_ON_WINDOWS if IS_WINDOWS else _INHERITED), *_CERTIFICATES)
    env = {name: value for name in names if (value := os.environ.get(name)) is not None}
    for name in PROXY_VARIABLES:
        value = os.environ.get(name, "")
        if value and "@" not in value:  # else there is a password in it
            env[name] = value
    if not IS_WINDOWS and not any("UTF-8" in env.get(name, "").upper() for name in ("LC_ALL", "LC_CTYPE", "LANG")):
        env["LC_ALL"] = "C.UTF-8"
    return env | {"PYTHONUTF8": "1"} | dict(configured)
