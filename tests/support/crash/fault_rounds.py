"""A system that fails under the store: calls, power, the clock, the disk; and a process that is suspended."""

import asyncio
import errno
import functools
import json
import os
import random
import signal
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from desktop.core.errors import StorageError
from tests.support.crash import faulty_system
from tests.support.crash.power_loss import lose_power
from tests.support.crash.store_rounds import StoreKilled
from tests.support.killing import PATIENCE_SECONDS, note_whole_lines, run_and_kill
from tests.support.small_disks import fill_up, make_room, mounted
from tests.support.source_tree import ROOT
from tests.support.stores import opened

_DISK = "size=24m"


class CallsFail(StoreKilled):
    """Calls of the system fail at a random moment, once or from then on; what was acknowledged before is there."""

    def __init__(self, folder: Path, chance: random.Random, *, call: str, how: str) -> None:
        super().__init__(folder, chance)
        self._call, self._how = call, how

    async def round(self, number: int) -> None:
        how = self.chance.choice((errno.EIO, errno.ENOSPC)) if self._how == "error" else self._how
        faults = {"call": self._call, "how": str(how), "at": str(self.chance.randint(1, 400))}
        if self._how == "error" and self.chance.random() < 0.5:
            faults["lasting"] = "1"
        await self.run(number, faulty_system.environment(self.data, **faults), seconds=1.5)
        await self.look()

    async def run(self, number: int, environment: dict[str, str] | object, seconds: float) -> None:
        """Let it work; it may give up by itself, with an error that names its cause, and is killed after a while."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.storage_writer", str(self.data), str(number),
            cwd=ROOT, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env={**os.environ, **environment},  # pyright: ignore[reportGeneralTypeIssues]
        )  # fmt: skip
        said = asyncio.create_task(process.communicate())
        await asyncio.wait({said}, timeout=seconds * (0.5 + self.chance.random()))
        if process.returncode is None:
            process.kill()
        out, err = await said
        note_whole_lines(out, self.promises.note)
        self.promised = self.promises.count
        if process.returncode != -signal.SIGKILL:
            assert b"StorageError" in err, err.decode(errors="replace")[-600:]


class PowerLost(StoreKilled):
    """Killed, and of what was not synced only some is on the disk."""

    async def round(self, number: int) -> None:
        journal = self.folder / f"journal-{number}"
        environment = faulty_system.environment(self.data, journal=str(journal))
        await run_and_kill(
            "storage_writer", str(self.data), str(number), note=self.promises.note,
            lines=self.chance.randint(1, 25), most_seconds=0.05, chance=self.chance, environment=environment,
        )  # fmt: skip
        self.promised = self.promises.count
        lose_power(self.data, journal, self.chance)
        journal.unlink()
        await self.look()


class ClockJumps(StoreKilled):
    """The time of day jumps, by up to a year in both directions; the order is that of the writes all the same."""

    async def round(self, number: int) -> None:
        environment = faulty_system.environment(self.data, clock=str(self.chance.randrange(1 << 30)))
        await run_and_kill(
            "storage_writer", str(self.data), str(number), note=self.promises.note,
            lines=self.chance.randint(5, 40), most_seconds=0.0, chance=self.chance, environment=environment,
        )  # fmt: skip
        self.promised = self.promises.count
        await self.look()
        async with opened(self.data) as store:
            for thread in await store.threads.list_threads(limit=1_000):
                path = [message.id for message in await store.threads.path(thread.id)]
                sent = [key for key, line in self.promises.sent.items() if line["thread"] == thread.id]
                assert [key for key in path if key in sent] == sent, "the clock put messages out of order"


class Suspended(StoreKilled):
    """Suspended for a while, and again, and then killed; it goes on as if nothing had been."""

    async def round(self, number: int) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.support.storage_writer", str(self.data), str(number),
            cwd=ROOT, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            for _ in range(2):
                for _ in range(self.chance.randint(1, 8)):
                    line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)
                    assert line, "it did not go on"
                    self.promises.note(json.loads(line))
                process.send_signal(signal.SIGSTOP)
                await asyncio.sleep(self.chance.random() * 0.2)
                process.send_signal(signal.SIGCONT)
            line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_SECONDS)
            assert line, "it did not go on"
            self.promises.note(json.loads(line))
        finally:
            process.kill()
            rest, _ = await process.communicate()
        note_whole_lines(rest, self.promises.note)
        self.promised = self.promises.count
        await self.look()


class _OnSmallDisk(CallsFail):
    def __init__(self, folder: Path, chance: random.Random) -> None:
        super().__init__(folder, chance, call="", how="")
        self._mounts = ExitStack()

    @property
    def data(self) -> Path:
        return self.folder / "disk" / "data"

    async def begin(self) -> None:
        self._mounts.enter_context(mounted(self.folder / "disk", _DISK))

    async def end(self) -> None:
        self._mounts.close()


class DiskFull(_OnSmallDisk):
    """The disk fills up while it works; it says so, keeps what it has, and goes on when there is room."""

    async def round(self, number: int) -> None:
        work = asyncio.create_task(self.run(number, {}, seconds=1.5))
        await asyncio.sleep(self.chance.random())
        await asyncio.to_thread(fill_up, self.folder / "disk")
        await work
        if self.promises.count:  # else there is no library yet, and no room for one
            async with opened(self.data) as store:  # also while it is full
                await store.threads.recover()
                await self.promises.require(store)
        make_room(self.folder / "disk")
        await self.look()
        async with opened(self.data) as store:
            for thread in (await store.threads.list_threads(limit=1_000))[2:]:
                self.promises.maybe_purged.add(thread.id)
                await store.threads.delete_thread(thread.id)
                await store.threads.purge_thread(thread.id)


class FolderReadOnly(_OnSmallDisk):
    """The folder cannot be written when it starts again: it says so and changes nothing."""

    async def round(self, number: int) -> None:
        await StoreKilled.round(self, number)
        self._remount("ro")
        try:
            before = self._bytes()
            try:
                async with opened(self.data) as store:
                    await store.threads.recover()
                    raise AssertionError("it did not say that it cannot write")
            except StorageError as error:
                code = error.code
            assert code == "storage.unwritable", code
            assert self._bytes() == before, "it changed what it cannot write"
        finally:
            self._remount("rw")
        await self.look()

    def _remount(self, how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", str(self.folder / "disk")], check=True, timeout=20)

    def _bytes(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.data.glob("threadwell.db*")}


FAILING = {
    "failing-sync": functools.partial(CallsFail, call="sync", how="error"),
    "failing-write": functools.partial(CallsFail, call="write", how="error"),
    "short-write": functools.partial(CallsFail, call="write", how="short"),
    "torn-write": functools.partial(CallsFail, call="write", how="torn"),
}
