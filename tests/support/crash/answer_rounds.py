"""The program that answers in a shell, killed at any event; the net cut in a stream, a server gone in a call, two at once."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from tests.support.crash.rounds import Crash
from tests.support.crash.soundness import require_sound, require_whole
from tests.support.endpoint import LoopbackEndpoint, RecordedRequest, Step, call, drop, text, thinking, wait
from tests.support.killing import PATIENCE_SECONDS, children_of
from tests.support.shell_app import ShellApp
from tests.support.stores import opened
from tests.support.waiting import until

COMMAND = "command__execute_command_local"
QUESTION = "看两样东西"
_PAUSE_SECONDS = 0.02
_MOST_EVENTS = 46


def slow(words: str) -> list[Step]:
    """The words one after the other, as a model says them."""
    return [step for word in words.split() for step in (text(word + " "), wait(_PAUSE_SECONDS))]


def two_things(request: RecordedRequest) -> list[Step]:
    """Thinks, calls two tools at once, then one that takes a moment, and sums up."""
    if request.last_user_text.endswith("go on"):  # a question without an answer is joined to it
        return [text("went on")]
    match len(request.tool_results):
        case 0:
            calls = [call(COMMAND, {"command": "echo first"}), call("command__get_date", {})]
            return [thinking("first I look"), wait(_PAUSE_SECONDS), *slow("I shall look at two things now"), *calls]
        case 2:
            return [*slow("and then one more"), call(COMMAND, {"command": "sleep 0.3; echo second"})]
        case _:
            return slow("that is all there is to say about it")


def check_nothing_shown_is_missing(app: ShellApp, shown: list[dict[str, Any]]) -> None:
    """Every call, result and text that was shown stands in the chat."""
    user, answer = app.show(shown[0]["thread_id"])
    assert user["text"] == QUESTION, "the question is lost"
    assert answer["status"] in ("interrupted", "complete")
    stored = {stored_call["call_id"]: stored_call for stored_call in answer.get("tool_calls", [])}
    for event in shown:
        if event["kind"] == "tool_call":
            assert event["call_id"] in stored, "a call is lost"
        elif event["kind"] == "tool_result":
            assert stored[event["call_id"]]["text"] == event["text"], "a result is lost"
            assert stored[event["call_id"]]["status"] == event["status"]
    assert all(stored_call["status"] for stored_call in stored.values()), "a call was left without a result"
    streamed = "".join(event["delta"] for event in shown if event["kind"] == "message")
    assert streamed.startswith(answer["text"]) or answer["text"].startswith(streamed)
    # Text that stood before a call was shown is on disk whole; of later text the last moments may be lost.
    last_call = max((i for i, event in enumerate(shown) if event["kind"] == "tool_call"), default=0)
    before = "".join(event["delta"] for event in shown[:last_call] if event["kind"] == "message")
    assert answer["text"].startswith(before.rstrip()), "text before a call is lost"


class _Answered(Crash):
    """Each round has a data folder and an endpoint of its own."""

    def folder_of(self, number: int) -> Path:
        return self.folder / f"data-{number}"

    def arguments(self, endpoint: LoopbackEndpoint) -> list[str]:
        return ["ask", QUESTION, "--json", "--approve", "all", "--base-url", endpoint.base_url, "--model", "m"]

    async def go_on(self, folder: Path, endpoint: LoopbackEndpoint) -> None:
        """The chat takes a further question, the endpoint saw nothing that breaks its rules, the library is whole."""
        arguments = ["--thread", "last", "--json", "--base-url", endpoint.base_url, "--model", "m"]
        again = await asyncio.to_thread(ShellApp(folder, tools=False).run, "ask", "go on", *arguments)
        assert again.status == 0, (again.out, again.err)
        assert again.answer == "went on", "the chat does not go on"
        assert endpoint.problems == []
        async with opened(folder) as store:
            await require_sound(store)
        require_whole(folder)


class AnswerKilled(_Answered):
    """``kill -9`` after a random event of an answer with thinking, streamed text and three calls."""

    async def round(self, number: int) -> None:
        app = ShellApp(self.folder_of(number))
        with LoopbackEndpoint(two_things) as endpoint:
            shown = await asyncio.to_thread(self._run, app, endpoint, self.chance.randint(1, _MOST_EVENTS))
            self.promised += len(shown)
            if shown:
                await asyncio.to_thread(check_nothing_shown_is_missing, app, shown)
                await self.go_on(app.data_dir, endpoint)

    def _run(self, app: ShellApp, endpoint: LoopbackEndpoint, after_events: int) -> list[dict[str, Any]]:
        shown: list[dict[str, Any]] = []
        with app.start(*self.arguments(endpoint)) as process:
            assert process.stdout is not None
            while len(shown) < after_events and (line := process.stdout.readline()):
                shown.append(json.loads(line))
            process.kill()
            rest = process.stdout.read()  # what it wrote before it died was shown, too
        shown.extend(json.loads(line) for line in rest.splitlines() if line.endswith("}"))
        return shown


class NetworkCut(_Answered):
    """The connection breaks in the middle of a stream: what was said stays, the end is told, the chat goes on."""

    async def round(self, number: int) -> None:
        words = [f"word{i}" for i in range(30)]
        said = self.chance.randint(1, len(words) - 1)

        def script(request: RecordedRequest) -> list[Step]:
            if request.last_user_text.endswith("go on"):
                return [text("went on")]
            return [*slow(" ".join(words[:said])), drop()]

        app = ShellApp(self.folder_of(number), tools=False)
        with LoopbackEndpoint(script) as endpoint:
            done = await asyncio.to_thread(app.run, *self.arguments(endpoint))
            assert done.lines[-1]["kind"] == "error", "a cut passes for an end"
            assert done.lines[-1]["code"] == "model.connection_lost"
            _, answer = await asyncio.to_thread(app.show, done.lines[0]["thread_id"])
            assert answer["text"].split() == words[:said], "text before the cut is lost"
            assert answer["status"] == "failed"
            self.promised += said
            await self.go_on(app.data_dir, endpoint)


class ServerGone(_Answered):
    """The tool server is killed in the middle of a call: the call ends with a result, and so does the answer."""

    async def round(self, number: int) -> None:
        def script(request: RecordedRequest) -> list[Step]:
            if request.last_user_text.endswith("go on"):
                return [text("went on")]
            return [text("it ended")] if request.tool_results else [call(COMMAND, {"command": "sleep 60"})]

        app = ShellApp(self.folder_of(number))
        with LoopbackEndpoint(script) as endpoint, app.start(*self.arguments(endpoint)) as process:
            await until(lambda: any("sleep" in _line_of(child) for child in _below(process.pid)), within=60)
            await asyncio.sleep(self.chance.random() * 0.3)
            for child in children_of(process.pid):
                os.kill(child, signal.SIGKILL)
            out, err = await asyncio.to_thread(process.communicate, timeout=PATIENCE_SECONDS)
            events = [json.loads(line) for line in out.splitlines()]
            assert events[-1]["kind"] == "done", err
            results = [event for event in events if event["kind"] == "tool_result"]
            assert len(results) == 1, "the call has no result"
            assert results[0]["status"] != "ok"
            self.promised += len(events)
            await self.go_on(app.data_dir, endpoint)


class TwoAtOnce(_Answered):
    """Started at the same instant on one folder: at least one works, the others say who has it, nothing is mixed up."""

    async def round(self, number: int) -> None:
        folder = self.folder_of(number)
        ShellApp(folder, tools=False)
        with LoopbackEndpoint(lambda _request: [text("went on")]) as endpoint:
            command = [sys.executable, "-m", "desktop", *self.arguments(endpoint), "--data-dir", str(folder)]
            starts = [
                await asyncio.create_subprocess_exec(
                    *command, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE
                )
                for _ in range(self.chance.randint(2, 3))
            ]
            ends = [await start.communicate() for start in starts]
            worked = [out for start, (out, _) in zip(starts, ends, strict=True) if start.returncode == 0]
            assert worked, ends[0][1].decode(errors="replace")
            for start, (_, err) in zip(starts, ends, strict=True):
                assert start.returncode in (0, 1), err.decode(errors="replace")
                assert start.returncode == 0 or b"Traceback" not in err, err.decode(errors="replace")
            async with opened(folder) as store:
                threads = await store.threads.list_threads(limit=10)
                assert len(threads) == len(worked), "a chat was written by one that had no right to, or is lost"
            self.promised += len(worked)
            await self.go_on(folder, endpoint)


def _below(pid: int) -> list[int]:
    """All processes below this one."""
    try:
        children = children_of(pid)
    except OSError:
        return []
    return [*children, *(one for child in children for one in _below(child))]


def _line_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""


KINDS = {"answer": AnswerKilled, "network-cut": NetworkCut, "server-gone": ServerGone, "two-at-once": TwoAtOnce}
