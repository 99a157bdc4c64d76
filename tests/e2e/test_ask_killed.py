"""``kill -9`` at different moments of a turn: nothing shown as sent is missing, and a strict endpoint takes the thread on."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, call, text, thinking, wait
from tests.support.shell_app import ShellApp

COMMAND = "command__execute_command_local"
PAUSE_SECONDS = 0.02


def slow(words: str) -> list[Step]:
    return [step for word in words.split() for step in (text(word + " "), wait(PAUSE_SECONDS))]


def script(request: RecordedRequest) -> list[Step]:
    if request.last_user_text.endswith("go on"):  # a question without an answer is joined to it
        return [text("went on")]
    match len(request.tool_results):
        case 0:
            calls = [call(COMMAND, {"command": "echo first"}), call("command__get_date", {})]
            return [thinking("first I look"), wait(PAUSE_SECONDS), *slow("I shall look at two things now"), *calls]
        case 2:
            return [*slow("and then one more"), call(COMMAND, {"command": "sleep 0.3; echo second"})]
        case _:
            return slow("that is all there is to say about it")


def moments(long_run: bool) -> list[int]:
    """After how many events the process is killed."""
    return list(range(46)) if long_run else [12, 26]


def run_until_killed(app: ShellApp, endpoint: LoopbackEndpoint, after_events: int) -> list[dict[str, Any]]:
    arguments = ["ask", "看两样东西", "--json", "--approve", "all", "--base-url", endpoint.base_url, "--model", "m"]
    shown: list[dict[str, Any]] = []
    with app.start(*arguments) as process:
        assert process.stdout is not None
        while len(shown) < after_events and (line := process.stdout.readline()):
            shown.append(json.loads(line))
        process.kill()
        rest = process.stdout.read()  # what it wrote before it died was shown, too
    shown.extend(json.loads(line) for line in rest.splitlines() if line.endswith("}"))
    return shown


def check_nothing_shown_is_missing(app: ShellApp, shown: list[dict[str, Any]]) -> None:
    thread_id = shown[0]["thread_id"]
    user, answer = app.show(thread_id)
    assert user["text"] == "看两样东西"
    assert answer["status"] in ("interrupted", "complete")
    stored = {stored_call["call_id"]: stored_call for stored_call in answer.get("tool_calls", [])}
    for event in shown:
        if event["kind"] == "tool_call":
            assert event["call_id"] in stored
        elif event["kind"] == "tool_result":
            assert stored[event["call_id"]]["text"] == event["text"]
            assert stored[event["call_id"]]["status"] == event["status"]
    assert all(stored_call["status"] for stored_call in stored.values()), "a call was left without a result"
    streamed = "".join(event["delta"] for event in shown if event["kind"] == "message")
    assert streamed.startswith(answer["text"]) or answer["text"].startswith(streamed)
    # Text that stood before a call was shown is on disk whole; of later text the last moments may be lost.
    last_call = max((i for i, event in enumerate(shown) if event["kind"] == "tool_call"), default=0)
    before = "".join(event["delta"] for event in shown[:last_call] if event["kind"] == "message")
    assert answer["text"].startswith(before.rstrip())


@pytest.mark.timeout(900)
def test_killed_at_many_moments(tmp_path: Path, long_run: bool) -> None:
    with LoopbackEndpoint(script) as endpoint:
        for after_events in moments(long_run):
            app = ShellApp(tmp_path / f"killed after {after_events}")
            shown = run_until_killed(app, endpoint, after_events)
            if not shown:
                continue  # killed before anything was shown: nothing was promised
            check_nothing_shown_is_missing(app, shown)
            arguments = ["--thread", "last", "--json", "--base-url", endpoint.base_url, "--model", "m"]
            again = ShellApp(app.data_dir, tools=False).run("ask", "go on", *arguments)
            assert again.status == 0, (after_events, again.out, again.err)
            assert again.answer == "went on"
        assert endpoint.problems == []


def test_killed_before_the_first_event_the_folder_is_usable(tmp_path: Path) -> None:
    app = ShellApp(tmp_path / "data")
    with LoopbackEndpoint(script) as endpoint:
        assert isinstance(run_until_killed(app, endpoint, 0), list)
    assert app.run("threads", "list").status == 0


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_a_polite_signal_stops_the_answer(tmp_path: Path, number: str) -> None:
    import signal
    import sys

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
