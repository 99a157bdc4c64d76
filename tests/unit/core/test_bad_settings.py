"""Settings files that are no use: set aside under a name of their own, and the standard settings are used."""

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.core.settings import Settings, SettingsStore

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def _loaded(path: Path) -> SettingsStore:
    return SettingsStore(path, clock=lambda: NOON)


@pytest.mark.parametrize(
    "data",
    [
        {"agent": {"step_limit": 0}},
        {"agent": {"step_limit": -5}},
        {"agent": {"step_limit": 10**20}},
        {"agent": {"workspace": "a\0b"}},
        {"agent": {"system_prompt": "half of an emoji: \ud83d"}},
        {"mcpServers": {"x": {"command": "\ud800"}}},
        {"schema_version": "7"},
        {"schema_version": 7.5},
        {"schema_version": True},
    ],
)
def test_values_that_cannot_be_used(tmp_path: Path, data: Any) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps(data), "utf-8")
    store = _loaded(path)
    assert store.settings == Settings()
    assert store.set_aside is not None
    assert store.set_aside.reason == "broken"
    assert json.loads(store.set_aside.kept_as.read_text("utf-8")) == data


def test_each_file_that_is_set_aside_keeps_its_own_name(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    kept: list[Path] = []
    for text in ("first {", "second {", "third {"):
        path.write_text(text, "utf-8")
        aside = _loaded(path).set_aside
        assert aside is not None
        kept.append(aside.kept_as)
    assert [file.read_text("utf-8") for file in kept] == ["first {", "second {", "third {"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    os.mkfifo(path)
    store = _loaded(path)
    assert store.settings == Settings()
    assert store.set_aside is not None
    assert "regular file" in store.set_aside.detail


def test_a_file_that_stays_where_it_is_is_named_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{", "utf-8")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    aside = _loaded(path).set_aside
    assert aside is not None
    assert aside.kept_as == path
    assert "Permission denied" in aside.detail
