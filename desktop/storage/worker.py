"""aiosqlite's connection with one more verb: run a whole function in its thread.

A transaction is then one hop, and cancelling the task that awaits it cannot leave it half done. This module imports
aiosqlite; import it lazily.
"""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

import aiosqlite

T = TypeVar("T")


class WorkerConnection(aiosqlite.Connection):
    """Make it with ``open``. Everything happens in its thread, the opening too."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        # aiosqlite's thread would keep a process alive whose connection was not closed, for example after a crash.
        self._thread.daemon = True

    @classmethod
    async def open(cls, connector: Callable[[], sqlite3.Connection]) -> "WorkerConnection":
        connection = cls(connector)
        try:
            await connection
        except BaseException:
            # aiosqlite has told its thread to stop and does not wait for it; the loop may be closed before it has.
            connection._thread.join()
            raise
        return connection

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` to its end, whatever happens to the awaiting task, and return what it returns.

        Raises ``ValueError`` when the connection was closed.
        """
        connection = self._conn
        result: Any = await self._execute(lambda: work(connection))
        return result

    async def close(self) -> None:
        """Finish what was asked for, close, and wait for the thread, which has nothing left to do then."""
        await super().close()
        self._thread.join()
