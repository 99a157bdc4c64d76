"""The rotating log in the data folder: no message text, no arguments, no secrets."""

import logging
import logging.handlers
import re
from collections.abc import Iterable, Mapping
from io import TextIOWrapper
from typing import cast

from desktop.core.paths import DataPaths
from desktop.core.private_files import private
from desktop.storage.data_folder import prepare_folder, require_regular_file, unwritable

_MAX_BYTES = 1_000_000
_KEPT_FILES = 4
_SHORTEST_SECRET = 8
_SECRET_NAME = re.compile(r"(?i)key|api|token|secret|passw|credential|auth")
_SECRETS = re.compile(
    r"(?i)(?P<name>authorization|api[-_]?key|token|password|secret|bearer)"
    r"(?P<between>[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic)\s+)?"
    # After a mere space it may be an ordinary word, as in "the Secret Service", unless it looks like a key.
    r"|\s+(?=[^\s\"',;}]*\d|[^\s\"',;}]{20}))"
    r"(?P<value>[^\s\"',;}]{6,})|\b(?:sk|pk|ghp|gho|xox[bap])[-_][\w-]{8,}"
)


class RedactingFormatter(logging.Formatter):
    """Writes records with everything that looks like a secret, and the given ones, replaced by ``[hidden]``."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets: tuple[str, ...] = ()
        for secret in secrets:
            self.hide(secret)

    def hide(self, secret: str) -> None:
        """Hide this one, too, from now on; a very short one is left, since it would stand in ordinary words."""
        if len(secret) >= _SHORTEST_SECRET and secret not in self._secrets:
            self._secrets = tuple(sorted((*self._secrets, secret), key=len, reverse=True))

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "[hidden]")
        return _SECRETS.sub(lambda m: f"{m['name']}{m['between']}[hidden]" if m["name"] else "[hidden]", text)


class _PrivateLog(logging.handlers.RotatingFileHandler):
    """A rotating file that is the user's alone."""

    def _open(self) -> TextIOWrapper:
        return cast(
            TextIOWrapper,
            open(self.baseFilename, self.mode, encoding=self.encoding, errors=self.errors, opener=private),
        )


def environment_secrets(environ: Mapping[str, str]) -> list[str]:
    """Return the values of the environment that look secret by their name: keys of endpoints, tokens of servers."""
    return [value for name, value in environ.items() if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET]


def set_up_logging(paths: DataPaths, *, secrets: Iterable[str] = ()) -> logging.Handler:
    """Send the log to ``logs/threadwell.log``. Raises ``StorageError`` when that cannot be written.

    Our own records from INFO on, other packages' from WARNING on; the handler is returned so that it can be closed.
    """
    prepare_folder(paths.logs)
    file = paths.logs / "threadwell.log"
    require_regular_file(file)
    try:
        handler = _PrivateLog(
            file, maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8", errors="backslashreplace"
        )
    except OSError as error:
        raise unwritable(file, f"{error.strerror or error}.") from error
    handler.setFormatter(RedactingFormatter(secrets))
    handler.setLevel(logging.INFO)
    root = logging.getLogger()
    root.addHandler(handler)
    logging.getLogger("desktop").setLevel(logging.INFO)
    return handler


def hide_in_log(secret: str) -> None:
    """Keep a secret that this process came to know out of the log, if one is written."""
    for handler in logging.getLogger().handlers:
        if isinstance(handler.formatter, RedactingFormatter):
            handler.formatter.hide(secret)


def close_logging(handler: logging.Handler) -> None:
    """Detach and close the log."""
    logging.getLogger().removeHandler(handler)
    handler.close()
