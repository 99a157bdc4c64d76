"""The chosen keys in the settings file: what is no list of texts costs those keys and nothing else."""

import json
import logging
from pathlib import Path

import pytest

from desktop.core.settings import Settings, SettingsStore


def stored(folder: Path, shortcuts: object) -> Settings:
    path = folder / "settings.json"
    path.write_text(json.dumps({"schema_version": 2, "welcomed": True, "shortcuts": shortcuts}), encoding="utf-8")
    store = SettingsStore(path)
    assert store.set_aside is None
    assert store.settings.welcomed, "all else is read"
    return store.settings


def test_chosen_keys_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    store.update(Settings(shortcuts={"memory": ("Ctrl+Alt+F2",), "settings": ()}))
    assert SettingsStore(path).settings.shortcuts == {"memory": ("Ctrl+Alt+F2",), "settings": ()}


@pytest.mark.allowed_log("in the settings is no")
@pytest.mark.parametrize("bad", ["Ctrl+B", 7, None, [1], ["a", None], ["a"] * 5, {"keys": "a"}])
def test_a_bad_entry_is_left_out_and_the_log_says_so(
    tmp_path: Path, bad: object, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assert stored(tmp_path, {"memory": bad, "settings": ["F8"]}).shortcuts == {"settings": ("F8",)}
    assert "shortcuts.memory" in caplog.text


@pytest.mark.allowed_log("in the settings is no")
@pytest.mark.parametrize("bad", ["Ctrl+B", 7, None, ["a"]])
def test_what_is_no_object_is_left_out(tmp_path: Path, bad: object, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert stored(tmp_path, bad).shortcuts == {}
    assert "shortcuts" in caplog.text
