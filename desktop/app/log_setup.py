"""The rotating log in the data folder: no message text, no arguments, no secrets."""

import logging
import logging.handlers
import re
from collections.abc import Iterable

from desktop.core.paths import DataPaths

_MAX_BYTES = 1_000_000
_KEPT_FILES = 4
_SECRETS = re.compile(
    r"(?i)(?P<name>authorization|api[-_]?key|token|password|secret|bearer)(?P<between>[\"']?\s*[:= ]\s*[\"']?(?:bearer\s+)?)"
    r"(?P<value>[^\s\"',;}]{6,})|\b(?:sk|pk|ghp|gho|xox[bap])[-_][\w-]{8,}"
)


class RedactingFormatter(logging.Formatter):
    """Writes records with everything that looks like a secret, and the given ones, replaced by ``[hidden]``."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = tuple(s for s in secrets if len(s) >= 4)

    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        for secret in self._secrets:
            text = text.replace(secret, "[hidden]")
        return _SECRETS.sub(lambda m: f"{m['name']}{m['between']}[hidden]" if m["name"] else "[hidden]", text)


def set_up_logging(paths: DataPaths, *, secrets: Iterable[str] = ()) -> logging.Handler:
    """Send the log to ``logs/threadwell.log``. Raises ``OSError`` when the folder cannot be written.

    Our own records from INFO on, other packages' from WARNING on; the handler is returned so that it can be closed.
    """
    paths.logs.mkdir(parents=True, exist_ok=True)
    handler = logging.handlers.RotatingFileHandler(
        paths.logs / "threadwell.log", maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8"
    )
    handler.setFormatter(RedactingFormatter(secrets))
    handler.setLevel(logging.INFO)
    root = logging.getLogger()
    root.addHandler(handler)
    logging.getLogger("desktop").setLevel(logging.INFO)
    return handler


def close_logging(handler: logging.Handler) -> None:
    """Detach and close the log."""
    logging.getLogger().removeHandler(handler)
    handler.close()
