"""Notes beside the library: when it was last looked through as a whole, and that something in it could not be read."""

import json
import logging
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

from desktop.core.settings import write_atomically

logger = logging.getLogger(__name__)

LOOK_EVERY = timedelta(days=7)


class CheckNote:
    """A small file. Where it cannot be read, a look is due; where it cannot be written, the log says so and nothing else."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def is_suspected(self) -> bool:
        """Something could not be read since the last look."""
        return self._read().get("suspected") is True

    def is_due(self, moment: datetime) -> bool:
        """The last look is longer ago than ``LOOK_EVERY``, or in the future."""
        try:
            age = moment - datetime.fromisoformat(str(self._read().get("looked_at")))
        except (TypeError, ValueError):
            return True
        return not timedelta(0) <= age <= LOOK_EVERY

    def suspect(self) -> None:
        """The next start is to look through the whole library, and put right what it can, before it is used."""
        if not self.is_suspected:
            self._write({**self._read(), "suspected": True})

    def looked(self, moment: datetime) -> None:
        """It was looked through, and what could be was put right."""
        self._write({"looked_at": moment.astimezone(UTC).isoformat()})

    def _read(self) -> dict[str, Any]:
        try:
            data: object = json.loads(self._path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return {}
        return cast("dict[str, Any]", data) if isinstance(data, dict) else {}

    def _write(self, data: dict[str, Any]) -> None:
        try:
            write_atomically(self._path, json.dumps(data))
        except OSError as error:
            logger.warning("when the library was looked through could not be noted: %s", error)
