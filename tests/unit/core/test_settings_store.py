"""The settings file: kept when it can be read, set aside when it cannot, never silently overwritten."""

import json
from pathlib import Path

import pytest

from desktop.core.settings import (
    SCHEMA_VERSION,
    AppearanceSettings,
    EndpointSettings,
    Settings,
    SettingsStore,
    Theme,
)


def test_no_file_means_the_standard_settings(tmp_path: Path) -> None:
    store = SettingsStore(tmp_path / "settings.json")
    assert store.settings == Settings()
    assert store.set_aside is None
    assert not (tmp_path / "settings.json").exists()


def test_a_change_is_on_disk_before_it_is_announced(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "settings.json"
    store = SettingsStore(path)
    announced: list[Settings] = []
    store.changed.connect(lambda settings: announced.append(SettingsStore(path).settings))
    wanted = Settings(
        endpoint=EndpointSettings(base_url="http://127.0.0.1/v1", model="模型"),
        appearance=AppearanceSettings(theme=Theme.DARK, language="zh_CN"),
        mcp_servers={"files": {"command": "npx"}},
    )
    store.update(wanted)
    assert announced == [wanted]
    store.update(wanted)
    assert len(announced) == 1
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    "text",
    [
        "{ not json",
        "[]",
        '"text"',
        '{"endpoint": 5}',
        '{"endpoint": {"base_url": 5}}',
        '{"appearance": {"theme": "pink"}}',
        '{"agent": {"step_limit": "many"}}',
        '{"mcpServers": []}',
        "[" * 100_000,
        "",
    ],
)
def test_a_broken_file_is_set_aside_unchanged(tmp_path: Path, text: str) -> None:
    path = tmp_path / "settings.json"
    path.write_text(text, "utf-8")
    store = SettingsStore(path)
    assert store.settings == Settings()
    assert store.set_aside is not None
    assert store.set_aside.reason == "broken"
    assert store.set_aside.kept_as.read_text("utf-8") == text
    store.update(Settings(appearance=AppearanceSettings(theme=Theme.DARK)))
    assert store.set_aside.kept_as.read_text("utf-8") == text


def test_a_file_that_is_no_text_is_set_aside(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_bytes(b"\xff\xfe\x00")
    store = SettingsStore(tmp_path / "settings.json")
    assert store.set_aside is not None
    assert store.set_aside.kept_as.read_bytes() == b"\xff\xfe\x00"


def test_a_newer_file_is_set_aside_as_newer(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"schema_version": SCHEMA_VERSION + 1, "endpoint": {"new": True}}), "utf-8")
    store = SettingsStore(path)
    assert store.set_aside is not None
    assert store.set_aside.reason == "newer"


def test_unknown_fields_and_a_byte_order_mark_do_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('\ufeff{"endpoint": {"model": "m", "colour": "red"}, "extra": 1}', "utf-8")
    store = SettingsStore(path)
    assert store.set_aside is None
    assert store.settings.endpoint.model == "m"


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    store = SettingsStore(tmp_path / "file" / "settings.json")
    with pytest.raises(OSError, match="file"):
        store.update(Settings(appearance=AppearanceSettings(theme=Theme.DARK)))
    assert store.settings == Settings()
