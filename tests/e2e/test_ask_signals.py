"""``ask`` is ended before its first event, or asked politely to end: the folder is usable and the answer is stored."""

import json
import signal
import sys
from pathlib import Path

import pytest

from tests.support.endpoint import LoopbackEndpoint, text
from tests.support.shell_app import ShellApp


def test_killed_before_the_first_event_the_folder_is_usable(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "data")
    with app.start("ask", "hi", "--demo", "--json") as process:
        process.kill()
    assert app.run("threads", "list").status == 0


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_polite_signal_stops_the_answer(tmp_path: Path, number: str) -> None:
    if sys.platform == "win32":
        pytest.skip("signals of this kind are a matter of POSIX systems")
    app = ShellApp(tmp_path, tools=number == "SIGTERM")
    with (
        LoopbackEndpoint([[text("half an"), {"hold": "never"}]]) as endpoint,
        app.start("ask", "hi", "--json", "--base-url", endpoint.base_url, "--model", "m") as process,
    ):
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(getattr(signal, number))
        rest = [json.loads(line) for line in process.stdout.read().splitlines()]
        assert process.wait(30) == 0
        endpoint.release("never")
    assert rest[-1]["kind"] == "done"
    assert rest[-1]["reason"] == "stopped"
    assert app.show(first["thread_id"])[1]["status"] == "stopped"
