"""``ask`` and ``threads`` where the machine is against them: closed streams, full output, odd files, plain locales."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.endpoint import LoopbackEndpoint, call, text
from tests.support.shell_app import PATIENCE_SECONDS, ROOT, Finished, ShellApp

COMMAND = "command__execute_command_local"
linux_only = pytest.mark.skipif(sys.platform != "linux", reason="uses /proc, /dev/full and pipes with names")


@pytest.fixture
def app(tmp_path: Path) -> ShellApp:
    return ShellApp(tmp_path / "data")


@pytest.fixture
def talker(tmp_path: Path) -> ShellApp:
    """For what has nothing to do with tools."""
    return ShellApp(tmp_path / "data", tools=False)


def at(endpoint: LoopbackEndpoint) -> list[str]:
    return ["--base-url", endpoint.base_url, "--model", "test-model"]


def _in_shell(app: ShellApp, line: str, **environment: str) -> Finished:
    """Run a shell line in which ``$APP`` is the program and ``$DATA`` its data folder."""
    names = {"APP": f"{sys.executable} -m desktop", "DATA": str(app.data_dir), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-c", line],
        capture_output=True,
        timeout=PATIENCE_SECONDS,
        env={**os.environ, **names, **environment},
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


@linux_only
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", "<&- >&- 2>&-"])
def test_streams_that_the_caller_closed(app: ShellApp, closed: str) -> None:
    with LoopbackEndpoint([[call("command__calculate", {"expression": "6*7"})], [text("fine")]]) as endpoint:
        where = " ".join(at(endpoint))
        done = _in_shell(app, f'$APP ask question {where} --data-dir "$DATA" {closed}')
    assert done.status == 0
    assert "Traceback" not in done.err
    (thread,) = app.threads()
    assert app.show(thread["id"])[-1]["text"] == "fine"


@linux_only
@pytest.mark.parametrize("command", ["ask hi --demo --json", "ask hi --demo", "threads list --json"])
def test_output_that_cannot_be_written_is_said(talker: ShellApp, command: str) -> None:
    talker.run("ask", "hi", "--demo")
    done = _in_shell(talker, f'$APP {command} --data-dir "$DATA" >/dev/full')
    assert done.status == 1
    assert "No space left" in done.err
    assert "Traceback" not in done.err


def test_a_reader_that_has_seen_enough_is_no_failure_to_talk_about(app: ShellApp) -> None:
    with LoopbackEndpoint([[text("word " * 50_000, piece_chars=5)]]) as endpoint:
        done = _in_shell(app, f'$APP ask hi --json {" ".join(at(endpoint))} --data-dir "$DATA" | head -1 | wc -l')
    assert done.out.strip() == "1"
    assert done.err == ""
    (thread,) = app.threads()
    assert app.show(thread["id"])[-1]["status"] == "stopped"


def _file(path: Path) -> None:
    path.write_text("in the way", "utf-8")


@linux_only
@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("logs", _file),
        ("logs/threadwell.log", Path.mkdir),
        ("logs/threadwell.log", os.mkfifo),
        ("ballast", Path.mkdir),
        ("threadwell.db", os.mkfifo),
    ],
)
def test_something_else_where_a_file_of_ours_should_be(app: ShellApp, name: str, make: Callable[[Path], None]) -> None:
    path = app.data_dir / name
    path.parent.mkdir(parents=True)
    make(path)
    done = app.run("ask", "hi", "--demo", "--json")
    assert done.status == 1
    (error,) = done.lines
    assert (error["kind"], error["code"]) == ("error", "storage.unwritable")
    assert path.name in error["detail"]
    assert "Traceback" not in done.err
    assert path.exists()


@linux_only
def test_chinese_in_a_locale_that_knows_only_ascii(talker: ShellApp) -> None:
    plain = {"LC_ALL": "POSIX", "LANG": "", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    with LoopbackEndpoint([[text("好的")]]) as endpoint:
        done = _in_shell(talker, f'$APP ask 你好 --json {" ".join(at(endpoint))} --data-dir "$DATA"', **plain)
        assert endpoint.chats[0].last_user_text == "你好"
    assert done.answer == "好的"
    found = _in_shell(talker, '$APP threads search 你好 --json --data-dir "$DATA"', **plain)
    assert found.lines[0]["title"] == "你好"


def test_settings_that_list_too_much_or_mean_an_odd_folder(app: ShellApp, tmp_path: Path) -> None:
    servers = ", ".join(f'"s{number}": {{"command": "x", "disabled": true}}' for number in range(150))
    app.data_dir.mkdir()
    settings = '{"agent": {"workspace": "~nobody-of-that-name/work"}, "mcpServers": {' + servers + "}}"
    (app.data_dir / "settings.json").write_text(settings, "utf-8")
    home = tmp_path / "a home 家"
    home.mkdir()
    app = ShellApp(app.data_dir, HOME=str(home))
    with LoopbackEndpoint([[call(COMMAND, {"command": "pwd"})], [text("done")]]) as endpoint:
        done = app.run("ask", "where?", "--json", "--approve", "all", *at(endpoint))
    assert done.status == 0, done.err
    assert "more than 100 servers" in done.err
    assert str(home / "~nobody-of-that-name" / "work") in done.of_kind("tool_result")[0]["text"]


def test_a_server_that_cannot_be_started_is_named_beside_the_answer(app: ShellApp, tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"mcpServers": {"dead": {"command": "/no/such/program"}}}', "utf-8")
    with LoopbackEndpoint([[text("fine")]]) as endpoint:
        done = app.run("ask", "hi", "--json", "--mcp-config", str(tmp_path / "mcp.json"), *at(endpoint))
    assert done.status == 0
    assert done.answer == "fine"
    assert "dead: The program “/no/such/program” was not found" in done.err


@linux_only
def test_a_command_cannot_read_the_key_of_the_endpoint(app: ShellApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_KEY", "sk-sentinel-of-the-endpoint")
    everything = "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -a ^TEST_KEY= | sort | uniq"
    with LoopbackEndpoint([[call(COMMAND, {"command": everything})], [text("done")]]) as endpoint:
        done = ShellApp(app.data_dir).run(
            "ask", "look", "--json", "--approve", "all", "--key-env", "TEST_KEY", *at(endpoint)
        )
    assert endpoint.chats[0].headers["authorization"] == "Bearer sk-sentinel-of-the-endpoint"
    (result,) = done.of_kind("tool_result")
    assert result["status"] == "ok", result
    assert "sentinel" not in result["text"]


@linux_only
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_impatience_leaves_no_trace_on_the_screen(app: ShellApp, number: signal.Signals) -> None:
    with (
        LoopbackEndpoint([[text("wait"), {"hold": "go"}]]) as endpoint,
        app.start("ask", "hi", "--json", *at(endpoint)) as process,
    ):
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.send_signal(number)
        *_, last = process.stdout
        assert '"reason": "stopped"' in last
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) in (0, 130)
        assert process.stderr.read() == ""
