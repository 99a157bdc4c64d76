"""What a server gets when it is started: its secrets, if they can be read, and the programs of a login shell."""

import os
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.core.secrets import KeychainState
from desktop.core.tasks import TaskSupervisor, begun
from desktop.mcp_client.gateway import McpGateway
from desktop.mcp_client.launch import CannotStartError, Launcher, NeedsSecretError, child_environment
from desktop.mcp_client.programs import ProgramPaths, ask_login_shell, login_shell
from desktop.tools.entities import ServerConfig, ServerState, Transport
from desktop.tools.programs import ProgramOrigin
from tests.support.in_memory_secrets import InMemorySecrets
from tests.support.mcp_world import hostile
from tests.support.scripted_prompts import ScriptedPrompts
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="shell scripts stand for programs here")
SECRET = "s3cret-v4lue"


def script(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def with_secret(config: ServerConfig) -> ServerConfig:
    return replace(config, env={"KEY": "Bearer ${input:key}"}, secrets={"key": "mcp:it:key:1"})


async def first_line(launcher: Launcher, config: ServerConfig) -> str:
    child = await launcher.start_child(await launcher.prepare(config), {})
    try:
        async for line in child.lines():
            return line.decode()
        return ""
    finally:
        await child.stop()


async def test_a_secret_reaches_its_server_and_no_text_about_it(tmp_path: Path) -> None:
    program = script(tmp_path / "show", 'echo "$KEY $0"; cat >/dev/null')
    config = with_secret(ServerConfig(id="it", transport=Transport.STDIO, command=str(program)))
    launcher = Launcher(secrets=InMemorySecrets(**{"mcp:it:key:1": SECRET}))
    assert await first_line(launcher, config) == f"Bearer {SECRET} {program}"
    assert SECRET not in repr(await launcher.prepare(config))
    assert SECRET not in repr(config)


@pytest.mark.parametrize(
    ("state", "code"),
    [
        (KeychainState.MISSING, "secret_no_keychain"),
        (KeychainState.LOCKED, "secret_locked"),
        (KeychainState.REFUSED, "secret_refused"),
        (KeychainState.FAILED, "secret_unreadable"),
        (KeychainState.AVAILABLE, "secret_missing"),
    ],
)
async def test_a_secret_that_cannot_be_read_is_said(state: KeychainState, code: str) -> None:
    secrets = InMemorySecrets()
    secrets.set_status(state)
    with pytest.raises(NeedsSecretError) as caught:
        await Launcher(secrets=secrets).prepare(with_secret(hostile()))
    assert (caught.value.remark.code, caught.value.remark.detail) == (code, "key")


@pytest.mark.expected_log("MCP server bad")
async def test_a_server_waits_for_its_secret_and_starts_when_it_is_there() -> None:
    secrets = InMemorySecrets()
    failures: list[str] = []
    tasks = TaskSupervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
    gateway = McpGateway(
        [with_secret(hostile())], prompts=ScriptedPrompts(), tasks=tasks, launcher=Launcher(secrets=secrets)
    )
    gateway.start()
    try:
        await until(lambda: gateway.statuses()[0].state is ServerState.NEEDS_SECRET)
        assert await gateway.tools() == ()
        assert "key" in gateway.statuses()[0].text
        await secrets.set("mcp:it:key:1", SECRET)
        gateway.restart("bad")
        await until(lambda: gateway.statuses()[0].state is ServerState.READY)
        assert SECRET not in repr(gateway.statuses())
    finally:
        await gateway.close()
        await tasks.close()
    assert failures == []


async def test_a_poor_path_is_made_up_for_by_the_login_shell(tmp_path: Path) -> None:
    program = script(tmp_path / "from login" / "npx", 'echo "$PATH"; cat >/dev/null')
    shell = script(
        tmp_path / "shell",
        f'echo "Welcome! PATH=/not/this"\nPATH="{program.parent}:relative:$PATH"; export PATH\nexec /bin/sh -c "$2"',
    )
    paths = ProgramPaths(environment={"SHELL": str(shell), "PATH": "/usr/bin:/bin"}, home=tmp_path)
    found = {program.name: program for program in await paths.find()}
    assert found["npx"].path == str(program)
    assert found["npx"].origin is ProgramOrigin.PATH
    config = ServerConfig(id="it", transport=Transport.STDIO, command="npx")
    line = await first_line(Launcher(paths=paths), config)
    assert line.split(os.pathsep)[0] == str(program.parent)
    assert "relative" not in line.split(os.pathsep)


async def test_usual_folders_and_the_newest_version_are_looked_into(tmp_path: Path) -> None:
    for version in ("v9.1.0", "v20.3.0", "v20.11.1"):
        script(tmp_path / ".nvm" / "versions" / "node" / version / "bin" / "node", "true")
    script(tmp_path / ".local" / "bin" / "uvx", "true")
    own = script(tmp_path / "own" / "npx", "true")
    paths = ProgramPaths(environment={"SHELL": "/bin/false", "PATH": ""}, own=[own.parent], home=tmp_path)
    found = {program.name: program for program in await paths.find()}
    assert "v20.11.1" in found["node"].path
    assert found["node"].origin is ProgramOrigin.USUAL_FOLDER
    assert found["uvx"].path == str(tmp_path / ".local" / "bin" / "uvx")
    if found["npx"].path == str(own):  # where this computer has no Node itself
        assert found["npx"].origin is ProgramOrigin.OWN


async def test_when_the_one_who_asks_the_shell_is_stopped_the_next_one_asks(tmp_path: Path) -> None:
    asked, may_answer = tmp_path / "asked", tmp_path / "may answer"
    shell = script(
        tmp_path / "shell",
        f'touch "{asked}"\nuntil [ -e "{may_answer}" ]; do sleep 0.05; done\nPATH="/from/login:$PATH" exec /bin/sh -c "$2"',
    )
    paths = ProgramPaths(environment={"SHELL": str(shell), "PATH": "/usr/bin:/bin"}, home=tmp_path)
    async with begun(paths.search_path()) as first, begun(paths.search_path()) as second:
        await until(asked.exists)
        first.cancel()
        may_answer.touch()
        assert (await second).startswith("/from/login")
    assert first.cancelled()


@pytest.mark.expected_log("did not answer within")
async def test_a_shell_that_waits_for_ever_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.mcp_client.programs.SHELL_SECONDS", 0.3)
    marker = tmp_path / "pid"
    shell = script(tmp_path / "shell", f'echo $$ >"{marker}"\ntrap "" TERM\nsleep 600 & sleep 600')
    assert await ask_login_shell(str(shell), {"PATH": "/usr/bin:/bin"}) == ""
    pid = int(marker.read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_a_shell_that_floods_or_says_nothing_is_no_help(tmp_path: Path) -> None:
    flood = script(tmp_path / "flood", "yes | head -c 3000000")
    assert await ask_login_shell(str(flood), {"PATH": "/usr/bin:/bin"}) == ""
    assert await ask_login_shell("", {}) == ""
    assert login_shell({"SHELL": "bash"}) in ("", login_shell({"SHELL": ""}))


async def test_from_a_terminal_no_shell_is_asked(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    shell = script(tmp_path / "shell", f'touch "{asked}"')
    paths = ProgramPaths(
        environment={"SHELL": str(shell), "PATH": "/opt/x:/usr/bin:/bin", "TERM": "xterm-256color"}, home=tmp_path
    )
    assert (await paths.search_path()).startswith("/opt/x")
    assert not asked.exists()
    await paths.search_path(again=True)  # unless somebody wants that
    assert asked.exists()


async def test_a_runner_that_is_missing_leads_to_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.mcp_client.programs._FOLDERS", ())
    paths = ProgramPaths(environment={"SHELL": "/bin/false", "PATH": str(tmp_path)}, home=tmp_path)
    launcher = Launcher(paths=paths)
    for command, code in (
        ("no-such-program", "program_missing"),
        ("/no/npx", "program_missing"),
        ("npx", "runner_missing"),
    ):
        with pytest.raises(CannotStartError) as caught:
            await launcher.start_child(ServerConfig(id="it", transport=Transport.STDIO, command=command), {})
        assert caught.value.remark.code == code


def test_a_server_gets_certificates_and_proxies_but_no_password_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_EXTRA_CA_CERTS", "/etc/own.pem")
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.example:3128")
    monkeypatch.setenv("https_proxy", f"http://me:{SECRET}@proxy.example:3128")
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    env = child_environment({})
    assert (env["NODE_EXTRA_CA_CERTS"], env["HTTPS_PROXY"]) == ("/etc/own.pem", "http://proxy.example:3128")
    assert SECRET not in "".join(env.values())
