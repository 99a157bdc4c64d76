"""From a model's call to the real sandbox and back: decided by the host, carried out by the bundled server."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from desktop.core.bubblewrap import Bubblewrap
from desktop.core.paths import DataPaths
from desktop.core.sandbox_problems import SandboxError
from desktop.core.sandbox_profile import SandboxProfile
from desktop.core.workspaces import resolved
from desktop.mcp_client.bundled import bundled_command_server
from desktop.mcp_client.shell_sandbox import ShellSandbox
from desktop.storage.store import open_store
from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, Choice, ElicitationAnswer, ElicitationRequest
from desktop.tools.server_sampling import SamplingDecision, SamplingQuestion
from desktop.tools.service import ReportStatus, ToolCallReport, ToolCallRequest, ToolService
from tests.support.mcp_world import mcp_world
from tests.support.sandboxed import require_sandbox


@pytest.fixture(autouse=True)
def _needed() -> None:
    require_sandbox()


class Person:
    """Allows once whatever is asked, and remembers it."""

    def __init__(self) -> None:
        self.asked: list[ApprovalRequest] = []

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        self.asked.append(request)
        return ApprovalAnswer(choice=Choice.ALLOW_ONCE)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        raise AssertionError(f"the server asked by itself: {request.message}")

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        raise AssertionError(f"the server asked for a model: {question.request}")


class Chat:
    """Calls as a model makes them in one thread with a folder of its own."""

    def __init__(self, service: ToolService, person: Person, thread_id: str, turn_id: str, folder: str) -> None:
        self.person = person
        self.folder = folder
        self._service = service
        self._ids = thread_id, turn_id
        self._calls = 0

    async def run(self, command: str, **more: object) -> ToolCallReport:
        self._calls += 1
        request = ToolCallRequest(
            call_id=f"call-{self._calls}",
            name="command__execute_command_local",
            arguments=json.dumps({"command": command, **more}),
            thread_id=self._ids[0],
            turn_id=self._ids[1],
            tools=await self._service.available(),
            workspace=self.folder,
        )
        return await self._service.execute(request, lambda _state, _tool: None)


@asynccontextmanager
async def _chat(base: Path) -> AsyncGenerator[Chat, None]:
    data, folder = base / "data", base / "project"
    folder.mkdir()
    (folder / "notes.txt").write_text("hello\n")
    store = await open_store(DataPaths(data))
    person = Person()
    try:
        thread = await store.threads.create_thread()
        turn = await store.threads.begin_turn(thread.id, "Hello", model="m")
        async with mcp_world([bundled_command_server(base / "usual", data)], person) as world:
            service = ToolService(
                gateway=world.gateway,
                prompts=person,
                journal=store.journal,
                grants=store.grants,
                taints=store.taints,
                workspace=lambda: str(base / "usual"),
                sandbox=ShellSandbox([data]),
            )
            yield Chat(service, person, thread.id, turn.turn_id, str(folder))
    finally:
        await store.close()


async def test_a_harmless_command_runs_unasked_in_the_sandbox_and_its_folder(tmp_path: Path) -> None:
    async with _chat(tmp_path) as chat:
        report = await chat.run("pwd; cat notes.txt")
        assert report.text == f"Exit code: 0\nstdout:\n{resolved(chat.folder)}\nhello"
        assert chat.person.asked == []


async def test_what_asks_runs_in_what_the_question_named(tmp_path: Path) -> None:
    async with _chat(tmp_path) as chat:
        secret = tmp_path / "outside"
        secret.write_text("sentinel")
        report = await chat.run(
            # Where it is not held, a name that becomes itself is no change.
            "python3 -c 'print(1)' > made; rm notes.txt; python3 -c 'import os; os.rename(*2 * [chr(47) + \"etc/passwd\"])'"
        )
        (asked,) = chat.person.asked
        assert (asked.intent.sandbox, asked.intent.folder) == (SandboxProfile.WORKSPACE, resolved(chat.folder))
        assert "Read-only file system" in report.text
        assert not (Path(chat.folder) / "notes.txt").exists()
        await chat.run("curl -s http://127.0.0.1:1/; true")
        assert chat.person.asked[1].intent.sandbox == SandboxProfile.WORKSPACE_WITH_NETWORK
        everything = await chat.run(f"cat {secret}", access="everything")
        assert chat.person.asked[2].intent.sandbox == SandboxProfile.NONE
        assert "sentinel" in everything.text


async def test_a_sandbox_that_is_lost_meanwhile_runs_nothing_and_asks_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _chat(tmp_path) as chat:
        assert (await chat.run("ls")).status is ReportStatus.OK
        (Path(chat.folder) / ".vscode").symlink_to("elsewhere")  # the server looks by itself, the host's check is faked
        monkeypatch.setattr(Bubblewrap, "check", lambda _self, _folder: None)
        report = await chat.run("ls")
        assert report.status is ReportStatus.ERROR
        assert report.text.startswith("Not run: it was to run in a sandbox")
        assert chat.person.asked == []

        def gone() -> str:
            raise SandboxError("not_installed")

        monkeypatch.setattr(Bubblewrap, "program", staticmethod(gone))
        assert (await chat.run("ls")).status is ReportStatus.OK
        (asked,) = chat.person.asked
        assert asked.intent.sandbox == SandboxProfile.NONE
        assert asked.no_sandbox is not None
        assert asked.no_sandbox.code == "not_installed"


async def test_a_folder_that_is_gone_is_told_without_a_question(tmp_path: Path) -> None:
    async with _chat(tmp_path) as chat:
        for folder, words in (("relative", "which folder"), (str(tmp_path / "gone"), "does not exist")):
            chat.folder = folder
            report = await chat.run("ls")
            assert report.status is ReportStatus.ERROR
            assert words in report.text
        assert chat.person.asked == []
