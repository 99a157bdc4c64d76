"""What was learned about models, kept in one small JSON file: broken or too old it is forgotten, never a hindrance."""

import contextlib
import dataclasses
import json
import logging
import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, cast

from desktop.core.clock import Clock, utc_now
from desktop.core.endpoints import ListedModel
from desktop.core.model_facts import ModelFacts, place_of
from desktop.core.private_files import private

logger = logging.getLogger(__name__)

LIFE = timedelta(days=30)
"""After that an endpoint is asked anew: servers learn."""
MOST_ENTRIES = 1000
MOST_BYTES = 4 * 1024 * 1024
MOST_CHARACTERS = 1000
"""Of an address, and of a model's name."""


@dataclass(frozen=True)
class _Entry:
    facts: ModelFacts
    learned_at: datetime


class ModelFactsFile:
    """Implements ``core.model_facts.ModelFactsStore``. The file is small and not forced to the disk: no call waits."""

    def __init__(self, path: Path, *, clock: Clock = utc_now) -> None:
        self._path = path
        self._clock = clock
        self._entries = self._read()
        self._could_write = True

    def get(self, base_url: str, model: str) -> ModelFacts:
        entry = self._entries.get((place_of(base_url), model))
        if entry is None or self._is_old(entry):
            return ModelFacts()
        return entry.facts

    def update(self, base_url: str, model: str, **changes: Any) -> ModelFacts:
        if self._changed(base_url, model, dataclasses.replace(self.get(base_url, model), **changes)):
            self._write()
        return self.get(base_url, model)

    def note_listed(self, base_url: str, models: Sequence[ListedModel]) -> None:
        changed = [self._changed(base_url, m.name, self.get(base_url, m.name).with_listed(m)) for m in models]
        if any(changed):
            self._write()

    def forget(self, base_url: str) -> None:
        place = place_of(base_url)
        kept = {key: entry for key, entry in self._entries.items() if key[0] != place}
        if len(kept) < len(self._entries):
            self._entries = kept
            self._write()

    def _changed(self, base_url: str, model: str, facts: ModelFacts) -> bool:
        if facts == self.get(base_url, model):
            return False
        self._entries.pop((place_of(base_url), model), None)
        self._entries[place_of(base_url), model] = _Entry(facts, self._clock())
        return True

    def _is_old(self, entry: _Entry) -> bool:
        return abs(self._clock() - entry.learned_at) > LIFE  # also one from a clock that was wrong

    def _read(self) -> dict[tuple[str, str], _Entry]:
        try:
            state = self._path.stat()
            if not stat.S_ISREG(state.st_mode) or state.st_size > MOST_BYTES:
                raise ValueError("it is no file of ours")
            data: Any = json.loads(self._path.read_text("utf-8"))
            entries = {key: entry for key, entry in map(_decoded, data["models"]) if not self._is_old(entry)}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
            logger.warning("what was known of models is forgotten: %s", error)
            return {}
        return entries

    def _write(self) -> None:
        fit = {
            key: entry
            for key, entry in self._entries.items()
            if not self._is_old(entry) and max(map(len, key)) <= MOST_CHARACTERS
        }
        newest = list(fit.items())[-MOST_ENTRIES:]
        text = json.dumps({"models": [_encoded(*item) for item in newest]}, ensure_ascii=True, indent=1)
        temporary = self._path.with_name(f"{self._path.name}.{os.getpid()}.tmp")
        try:
            with open(temporary, "w", encoding="utf-8", opener=private) as file:
                file.write(text + "\n")
            os.replace(temporary, self._path)
        except OSError as error:
            if self._could_write:
                logger.warning("what is known of models is kept in memory only: %s", error.strerror or error)
            self._could_write = False
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
        else:
            self._could_write = True


def _encoded(key: tuple[str, str], entry: _Entry) -> dict[str, Any]:
    facts = dataclasses.asdict(entry.facts) | {"without": sorted(entry.facts.without)}
    return {"base_url": key[0], "model": key[1], "learned_at": entry.learned_at.isoformat(), **facts}


def _decoded(data: Mapping[str, Any]) -> tuple[tuple[str, str], _Entry]:
    """Return one entry. Raises ``ValueError``, ``TypeError`` or ``KeyError`` for what this program did not write."""
    known = ModelFacts()
    facts = ModelFacts(
        without=frozenset(_text(name) for name in data["without"]),
        context_tokens=_count(data["context_tokens"]),
        token_ratio=_ratio(data.get("token_ratio", known.token_ratio)),
        max_tools=_count(data["max_tools"]),
        sees_images=_answer(data.get("sees_images")),
        takes_tools=_answer(data.get("takes_tools")),
    )
    learned_at = datetime.fromisoformat(_text(data["learned_at"]))
    if learned_at.tzinfo is None:
        raise ValueError("a time without a zone")
    return (_text(data["base_url"]), _text(data["model"])), _Entry(facts, learned_at)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text where one should be")
    return value


def _count(value: object) -> int | None:
    if value is None:
        return None
    if type(value) is not int or value <= 0:
        raise ValueError("no count where one should be")
    return value


def _answer(value: object) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise TypeError("no yes or no where one should be")
    return value


def _ratio(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.1 <= value <= 10:
        raise ValueError("no ratio where one should be")
    return cast(float, value)
