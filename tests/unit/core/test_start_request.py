"""What a start asks of the window: links lead somewhere and do nothing else, files are whole paths, the line is read strictly."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.core.start_request import MOST_FILES, StartRequest, file_or_link, read_line, request_of


@pytest.mark.parametrize(
    ("argument", "wanted"),
    [
        ("threadwell:", StartRequest()),
        ("threadwell://new", StartRequest(thread="new")),
        ("THREADWELL:new/", StartRequest(thread="new")),
        ("threadwell:guide", StartRequest(page="guide")),
        ("threadwell://chat/01J-abc_9", StartRequest(thread="01J-abc_9")),
    ],
)
def test_a_link_leads_somewhere(argument: str, wanted: StartRequest) -> None:
    assert file_or_link(argument) == wanted


@pytest.mark.parametrize(
    "argument",
    [
        "threadwell:new?text=Run+rm",
        "threadwell:send/hello",
        "threadwell:chat/../x",
        "threadwell:chat/",
        "threadwell:chat/a b",
        "threadwell:file:///etc/passwd",
        "threadwell:new#--data-dir",
        "threadwell:chat/" + "a" * 65,
    ],
)
def test_a_link_can_do_nothing_else(argument: str) -> None:
    with pytest.raises(ValueError, match="no such place"):
        file_or_link(argument)


def test_files_become_whole_paths_and_links_win(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "我的 文件.txt").touch()
    request = request_of([file_or_link("我的 文件.txt"), file_or_link("threadwell:chat/b")], "a")
    assert request == StartRequest(thread="b", files=(str(tmp_path / "我的 文件.txt"),))
    assert request_of([], "a").thread == "a"
    assert len(request_of([file_or_link("我的 文件.txt")] * 200).files) == MOST_FILES


def test_a_command_that_is_not_spelt_right_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="no such file"):
        file_or_link("thraeds")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    request = StartRequest(thread="a", files=(str(tmp_path / "记 录\udcff.txt"),), page="guide")
    line = request.to_line()
    assert "\n" not in line
    assert read_line(line) == request


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        "null",
        '{"thread": 1}',
        '{"thread": "../x"}',
        '{"page": "settings"}',
        '{"files": "x"}',
        '{"files": ["relative"]}',
        '{"files": ["/a\\u0000b"]}',
        '{"files": [1]}',
        "[" * 100_000,
    ],
)
def test_any_other_line_is_refused(line: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        read_line(line)


@given(st.text(max_size=200))
def test_no_line_does_harm(line: str) -> None:
    try:
        request = read_line(line)
    except ValueError:
        return
    assert all(Path(file).is_absolute() for file in request.files)
