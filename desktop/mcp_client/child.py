"""A server's process: lines in and out, its last words on stderr, its death noticed, its whole tree ended."""

import asyncio
import logging
from collections import deque
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import cast

from desktop.core.process_tree import TreeMark, bound_to_parent, end_tree, start_options
from desktop.core.tasks import is_cancelled, uninterrupted
from desktop.tools.server_remarks import Remark

logger = logging.getLogger(__name__)

MAX_LINE_BYTES = 32 * 2**20
STDERR_BYTES = 256 * 2**10
_HIGH_WATER_BYTES = 1 * 2**20
_STDIN_GRACE_SECONDS = 1.0
_TERM_GRACE_SECONDS = 0.7
_EXIT_GRACE_SECONDS = 2.0
_DRAIN_SECONDS = 0.2


class ChildProcess(asyncio.SubprocessProtocol):
    """Use ``start``. Everything happens on the loop that started it."""

    def __init__(self, mark: TreeMark) -> None:
        self._mark = mark
        self._transport: asyncio.SubprocessTransport | None = None
        self._buffer = bytearray()
        self._searched = 0
        self._lines: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._paused = False
        self._news = asyncio.Event()
        self._writable = asyncio.Event()
        self._writable.set()
        self._finishing: asyncio.TimerHandle | None = None
        self._stderr = bytearray()
        self._stopping = asyncio.Lock()
        self._asked_to_stop = False
        self._stopped = False
        self._exited = asyncio.Event()
        self.ended = asyncio.Event()
        """Set when no line will come any more: the process is gone, or its output is closed."""
        self.program = ""
        """The file that was started."""
        self.exit_code: int | None = None
        self.died = False
        """True when it ended without having been asked to."""
        self.fault: Remark | None = None
        """What it did wrong, if it was cut off for that."""

    @classmethod
    async def start(
        cls, argv: Sequence[str], *, env: Mapping[str, str], cwd: str | None, stop_signal: str | None = "KILL"
    ) -> "ChildProcess":
        """Start the program; with ``stop_signal`` the kernel sends that when we die, where it can.

        Raises ``OSError`` or ``ValueError`` when that is not possible.
        """
        mark = TreeMark.new()
        loop = asyncio.get_running_loop()
        pipe = asyncio.subprocess.PIPE
        starting = loop.subprocess_exec(
            lambda: cls(mark),
            *(bound_to_parent(argv, stop_signal=stop_signal) if stop_signal else argv),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            env={**env, **mark.env},
            cwd=cwd,
            **start_options(),
        )
        _, child = await uninterrupted(starting)
        child.program = argv[0]
        if is_cancelled():
            await uninterrupted(child.stop())
            raise asyncio.CancelledError
        return child

    @property
    def pid(self) -> int:
        return self._transport.get_pid() if self._transport is not None else 0

    def stderr_tail(self, characters: int = 2_000) -> str:
        """Return the end of what it wrote on stderr, as text."""
        return self._stderr.decode("utf-8", "replace")[-characters:].strip()

    def describe_end(self) -> Remark:
        """Say in a few words how it ended."""
        if self.fault is not None:
            return self.fault
        if self.exit_code is None:
            return Remark("output_closed")
        if self.exit_code < 0:
            return Remark("signal", str(-self.exit_code))
        return Remark("exit_code", str(self.exit_code))

    async def lines(self) -> AsyncGenerator[bytes, None]:
        """Yield the lines of its stdout until it ends. For one reader."""
        while True:
            while self._lines:
                line = self._lines.popleft()
                self._waiting_bytes -= len(line)
                self._flow()
                yield line
            if self.ended.is_set():
                return
            self._news.clear()
            await self._news.wait()

    async def write(self, data: bytes) -> None:
        """Write to its stdin; waits while the pipe is full. Raises ``ConnectionError`` when nobody reads it."""
        pipe = self._transport.get_pipe_transport(0) if self._transport is not None else None
        if pipe is None or pipe.is_closing() or self.ended.is_set():
            raise BrokenPipeError("the server does not read any more")
        cast(asyncio.WriteTransport, pipe).write(data)
        await self._writable.wait()

    async def stop(self) -> None:
        """End it with everything it started: its input is closed, then it is asked, then killed. May be called again."""
        async with self._stopping:
            if self._stopped or self._transport is None:
                return
            self._asked_to_stop = True
            pid = self.pid
            stdin = self._transport.get_pipe_transport(0)
            if stdin is not None:
                stdin.close()
            try:
                await asyncio.wait_for(self.ended.wait(), _STDIN_GRACE_SECONDS)
            except TimeoutError:
                logger.info("server process %d did not end when its input was closed", pid)
            left = await end_tree(pid, self._mark, grace_seconds=_TERM_GRACE_SECONDS)
            if left:
                logger.error("processes %s of a server could not be ended", sorted(left))
            # Closing the transport looks after the process itself: done before the loop has noticed the end, it takes
            # the exit code away from the loop, which then reports an unknown child.
            try:
                await asyncio.wait_for(self._exited.wait(), _EXIT_GRACE_SECONDS)
            except TimeoutError:
                logger.warning("the end of server process %d was not noticed", pid)
            self._transport.close()
            self._finish()
            self._stopped = True

    # Called by asyncio.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self._stderr += data
            if len(self._stderr) > 2 * STDERR_BYTES:
                del self._stderr[:-STDERR_BYTES]
        elif self.fault is None:
            self._take(data)

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 0:
            self._writable.set()
        if fd == 1:
            self.died = self.died or not self._asked_to_stop
            self._finish_soon()  # the exit code, if there is one, comes a moment later

    def process_exited(self) -> None:
        if self._transport is not None:
            self.exit_code = self._transport.get_returncode()
        self._exited.set()
        self.died = self.died or not self._asked_to_stop
        # A child of its own may hold the pipe open for ever: do not wait for the end of the output.
        self._finish_soon()

    def pause_writing(self) -> None:
        self._writable.clear()

    def resume_writing(self) -> None:
        self._writable.set()

    def _take(self, data: bytes) -> None:
        self._buffer += data
        start = 0
        end = self._buffer.find(b"\n", self._searched)
        while end >= 0:
            self._lines.append(bytes(self._buffer[start:end]))
            self._waiting_bytes += end - start
            start = end + 1
            end = self._buffer.find(b"\n", start)
        del self._buffer[:start]
        self._searched = len(self._buffer)
        if len(self._buffer) > MAX_LINE_BYTES:
            self.fault = Remark("flood", str(MAX_LINE_BYTES // 2**20))
            self._buffer.clear()
            self.died = True
            self._finish()
            return
        self._flow()
        self._news.set()

    def _flow(self) -> None:
        """Let the pipe fill up while too much waits to be read here, so that a flood costs the server, not us."""
        pipe = self._transport.get_pipe_transport(1) if self._transport is not None else None
        too_much = self._waiting_bytes > _HIGH_WATER_BYTES
        if pipe is None or too_much == self._paused or pipe.is_closing():
            return
        self._paused = too_much
        reading = cast(asyncio.ReadTransport, pipe)
        if too_much:
            reading.pause_reading()
        else:
            reading.resume_reading()

    def _finish_soon(self) -> None:
        if self._finishing is None and not self.ended.is_set():
            self._finishing = asyncio.get_running_loop().call_later(_DRAIN_SECONDS, self._finish)

    def _finish(self) -> None:
        if self._finishing is not None:
            self._finishing.cancel()
            self._finishing = None
        self.ended.set()
        self._writable.set()
        self._news.set()
