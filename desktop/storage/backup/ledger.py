"""What this library has written where, so that nothing else is ever deleted; and which of it makes room for newer ones."""

import json
import logging
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, cast

from desktop.core.backups import BackupKind
from desktop.core.settings import write_atomically

logger = logging.getLogger(__name__)

_MOST_ENTRIES = 5_000


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One backup that was written."""

    place: str
    name: str
    size: int
    made_at: datetime
    kind: BackupKind


class Ledger:
    """A file in the data folder. Where it is lost, nothing that it knew is deleted by itself."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def entries(self) -> list[Entry]:
        """Return what was written, the oldest first."""
        try:
            content = json.loads(self._path.read_text(encoding="utf-8"))
            listed = cast(list[dict[str, Any]], content["backups"])
            found = [
                Entry(
                    place=str(one["place"]),
                    name=str(one["name"]),
                    size=int(one["size"]),
                    made_at=datetime.fromisoformat(one["made_at"]).astimezone(),
                    kind=BackupKind(one["kind"]),
                )
                for one in listed
            ]
        except FileNotFoundError:
            return []
        except (OSError, ValueError, KeyError, TypeError) as error:
            logger.warning("the list of backups cannot be read: %s", error)
            return []
        return sorted(found, key=lambda entry: entry.made_at)

    def add(self, entry: Entry) -> None:
        """Note one. Raises ``OSError``."""
        self._write([*self.entries(), entry][-_MOST_ENTRIES:])

    def forget(self, gone: Sequence[Entry]) -> None:
        """These are not there any more. Raises ``OSError``."""
        if gone:
            self._write([entry for entry in self.entries() if entry not in gone])

    def _write(self, entries: Sequence[Entry]) -> None:
        listed = [{**asdict(entry), "made_at": entry.made_at.isoformat()} for entry in entries]
        write_atomically(self._path, json.dumps({"backups": listed}, ensure_ascii=False, indent=1) + "\n")


def superseded(entries: Sequence[Entry], *, keep_days: int, keep_weeks: int) -> list[Entry]:
    """Return which daily backups of one place make room: all but the newest of each of the newest ``keep_days`` days on
    which there is one, and of each of ``keep_weeks`` weeks."""
    daily = sorted((one for one in entries if one.kind is BackupKind.DAILY), key=lambda one: one.made_at, reverse=True)
    days: dict[object, Entry] = {}
    weeks: dict[object, Entry] = {}
    for entry in daily:
        local = entry.made_at.astimezone()
        days.setdefault(local.date(), entry)
        weeks.setdefault(local.isocalendar()[:2], entry)
    kept = [*list(days.values())[:keep_days], *list(weeks.values())[:keep_weeks]]
    return [entry for entry in daily if entry not in kept]
