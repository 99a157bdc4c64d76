"""The settings file: kept when it can be read, set aside when it cannot, never silently overwritten."""

import json
import os
from pathlib import Path

import pytest

from desktop.core.settings import (
    SCHEMA_VERSION,
    Accent,
    AgentSettings,
    AppearanceSettings,
    EndpointSettings,
    SetAside,
    Settings,
    SettingsStore,
    Theme,
    write_atomically,
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
        endpoints=(EndpointSettings(id="1", base_url="http://127.0.0.1/v1", model="模型", models=("模型", "m2")),),
        endpoint_id="1",
        welcomed=True,
        appearance=AppearanceSettings(theme=Theme.DARK, language="zh_CN", accent=Accent.TEAL, font_size=12.5),
        agent=AgentSettings(temperature=0.5, max_output_tokens=100),
        mcp_servers={"files": {"command": "npx"}},
        bundled_servers_off=("command",),
        confirmed_servers=("a" * 64,),
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
        '{"schema_version": 2, "endpoints": [{"id": "a"}, {"id": "a"}]}',
        '{"schema_version": 2, "endpoints": [{"base_url": "http://127.0.0.1"}]}',
        '{"schema_version": 2, "endpoints": {}}',
        '{"schema_version": 2, "bundled_servers_off": "command"}',
        '{"schema_version": 2, "confirmed_servers": [1]}',
        '{"schema_version": 2, "endpoints": [{"id": "a", "models": [1]}]}',
        '{"schema_version": 2, "endpoints": [{"id": "a", "key_place": "file"}]}',
        '{"appearance": {"font_size": 500}}',
        '{"appearance": {"font_size": NaN}}',
        '{"appearance": {"text_width": 760.5}}',
        '{"agent": {"temperature": "hot"}}',
        '{"agent": {"temperature": 2.1}}',
        '{"agent": {"top_p": 0}}',
        '{"agent": {"max_output_tokens": true}}',
        '{"appearance": {"theme": "pink"}}',
        '{"agent": {"step_limit": "many"}}',
        '{"mcpServers": []}',
        "[" * 100_000,
        '{"mcpServers": {"x": {"command": "a", "more": ' + "[" * 150 + "]" * 150 + "}}}",
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
    path.write_text('\ufeff{"appearance": {"theme": "dark", "colour": "red"}, "extra": 1}', "utf-8")
    store = SettingsStore(path)
    assert store.set_aside is None
    assert store.settings.appearance.theme is Theme.DARK


def test_the_single_endpoint_of_version_1_is_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text(
        '{"schema_version": 1, "endpoint": {"base_url": "http://h/v1", "model": "m", "key_env": "K"},'
        ' "agent": {"step_limit": 3}}',
        "utf-8",
    )
    settings = SettingsStore(path).settings
    assert (settings.endpoint.base_url, settings.endpoint.model, settings.endpoint.key_env) == ("http://h/v1", "m", "K")
    assert settings.endpoint_id == settings.endpoint.id
    assert settings.welcomed
    assert settings.agent.step_limit == 3


def test_version_1_without_an_endpoint_meets_the_first_start_page(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"schema_version": 1, "endpoint": {"model": "m"}}', "utf-8")
    settings = SettingsStore(path).settings
    assert settings.endpoint.is_demo
    assert not settings.welcomed


def test_whole_numbers_stand_for_fractions(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"appearance": {"font_size": 12}, "agent": {"temperature": 1}}', "utf-8")
    settings = SettingsStore(path).settings
    assert (settings.appearance.font_size, settings.agent.temperature) == (12.0, 1.0)


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", "utf-8")
    store = SettingsStore(tmp_path / "file" / "settings.json")
    with pytest.raises(OSError, match="file"):
        store.update(Settings(appearance=AppearanceSettings(theme=Theme.DARK)))
    assert store.settings == Settings()


def test_what_others_wrote_meanwhile_is_kept_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    kept: list[SetAside] = []
    store.kept_aside.connect(lambda aside: kept.append(aside))
    dark, light = (Settings(appearance=AppearanceSettings(theme=theme)) for theme in (Theme.DARK, Theme.LIGHT))
    store.update(dark)
    path.write_text('{"written": "by hand"}', "utf-8")
    store.update(light)
    assert [(aside.reason, aside.kept_as.read_text("utf-8")) for aside in kept] == [
        ("edited", '{"written": "by hand"}')
    ]
    assert SettingsStore(path).settings == light
    store.update(dark)
    path.unlink()
    store.update(light)
    assert len(kept) == 1, "a file that is as it was written, or that is gone, is nobody's work"


def test_a_folder_in_the_place_of_the_file_is_kept_with_what_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    store = SettingsStore(path)
    (path / "somebody's").mkdir(parents=True)
    dark = Settings(appearance=AppearanceSettings(theme=Theme.DARK))
    store.update(dark)
    assert store.set_aside is not None
    assert (store.set_aside.kept_as / "somebody's").is_dir()
    assert SettingsStore(path).settings == dark


def test_a_broken_file_that_could_not_be_renamed_is_kept_when_it_can_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "settings.json"
    path.write_text("{", "utf-8")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", refuse)
        store = SettingsStore(path)
    store.update(Settings(appearance=AppearanceSettings(theme=Theme.DARK)))
    assert store.set_aside is not None
    assert store.set_aside.kept_as.read_text("utf-8") == "{"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no stand-in for a full disk")
def test_a_full_disk_names_the_file_and_leaves_the_former_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "settings.json"
    path.write_text("former", "utf-8")
    temporary = tmp_path / "temporary"
    temporary.touch()

    def on_full_disk(**_: object) -> tuple[int, str]:
        return os.open("/dev/full", os.O_WRONLY), str(temporary)

    monkeypatch.setattr("tempfile.mkstemp", on_full_disk)
    with pytest.raises(OSError, match="No space left") as failure:
        write_atomically(path, "later")
    assert failure.value.filename == str(path)
    assert path.read_text("utf-8") == "former"
    assert not temporary.exists()
