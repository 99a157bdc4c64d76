"""Draws formulas in a process of the app's own program: one after the other, each within a time, what was drawn is kept."""

import asyncio
import json
import logging
from collections import OrderedDict

from desktop.conversation.formulas import DrawnFormula, Formula
from desktop.core.formula_limits import MOST_CHARACTERS
from desktop.core.own_program import own_command
from desktop.core.process_tree import kill, kill_and_drain
from desktop.storage.reader_start import start_reader

logger = logging.getLogger(__name__)

PATIENCE_SECONDS = 2.5
"""With one formula. Most take a hundredth of a second."""
START_SECONDS = 20.0
IDLE_SECONDS = 60.0
"""Then the process ends, and another one is started with the next formula."""
KEPT, KEPT_CHARACTERS = 4_000, 32_000_000
_MOST_FAILED_STARTS = 3
_LONGEST_LINE = 1 << 22


class FormulaProcess:
    """See ``conversation.formulas.FormulaDrawer``."""

    def __init__(self, *, patience_seconds: float = PATIENCE_SECONDS, command: tuple[str, ...] | None = None) -> None:
        """``command`` begins the reader's command line; None is the app's own."""
        self._patience_seconds = patience_seconds
        self._command = command or own_command("read-file")
        self._process: asyncio.subprocess.Process | None = None
        self._is_new = True
        self._is_closed = False
        self._failed_starts = 0
        self._one = asyncio.Lock()
        self._kept: OrderedDict[Formula, DrawnFormula | None] = OrderedDict()
        self._characters = 0
        self._idle: asyncio.TimerHandle | None = None

    async def draw(self, formula: Formula) -> DrawnFormula | None:
        """As in the port."""
        if len(formula.tex) > MOST_CHARACTERS:
            return None
        async with self._one:
            if formula in self._kept:
                self._kept.move_to_end(formula)
                return self._kept[formula]
            if self._is_closed or self._failed_starts >= _MOST_FAILED_STARTS:
                return None
            drawn = await self._ask(formula)
            self._keep(formula, drawn)
            return drawn

    @property
    def process_id(self) -> int | None:
        """The process that draws by now, if there is one."""
        return self._process.pid if self._process is not None else None

    async def close(self) -> None:
        """As in the port. A formula that is being drawn is not any more."""
        self._is_closed = True
        process = self._process
        if self._one.locked() and process is not None:
            kill(process)  # whoever waits for its answer reads its end, and winds it up
        async with self._one:
            await self._end()

    async def _ask(self, formula: Formula) -> DrawnFormula | None:
        is_done = False
        try:
            process = await self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            limit = START_SECONDS if self._is_new else self._patience_seconds
            async with asyncio.timeout(limit):
                request = json.dumps({"tex": formula.tex, "is_display": formula.is_display})
                process.stdin.write(request.encode() + b"\n")
                await process.stdin.drain()
                line = await process.stdout.readline()
            drawn = _drawn(line)
            is_done = True
        except TimeoutError:
            logger.warning("a formula took too long to be drawn")
        except (OSError, ValueError, KeyError, TypeError) as error:  # it died, or wrote what no reader writes
            if not self._is_closed:
                logger.warning("a formula was not drawn: %s", type(error).__name__)
            self._failed_starts += self._is_new
        else:
            self._is_new, self._failed_starts = False, 0
            return drawn
        finally:
            if not is_done:
                await self._end()
            self._rest_later()
        return None

    async def _started(self) -> asyncio.subprocess.Process:
        if self._process is not None and self._process.returncode is not None:
            await self._end()
        if self._process is None:
            self._is_new = True
            self._process = await start_reader(self._command, "formulas", longest_line=_LONGEST_LINE)
        return self._process

    async def _end(self) -> None:
        process, self._process = self._process, None
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        if process is not None:
            await kill_and_drain(process)

    def _rest_later(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
        process = self._process
        if process is not None and process.stdin is not None:
            self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._rest, process)

    def _rest(self, process: asyncio.subprocess.Process) -> None:
        """Without input it ends by itself."""
        self._idle = None
        if process is self._process and not self._one.locked() and process.stdin is not None:
            self._process = None
            process.stdin.close()

    def _keep(self, formula: Formula, drawn: DrawnFormula | None) -> None:
        self._kept[formula] = drawn
        self._characters += len(drawn.svg) if drawn else 0
        while len(self._kept) > KEPT or self._characters > KEPT_CHARACTERS:
            _, old = self._kept.popitem(last=False)
            self._characters -= len(old.svg) if old else 0


def _drawn(line: bytes) -> DrawnFormula | None:
    answer = json.loads(line)
    if "error" in answer:
        return None
    measures = (float(answer[name]) for name in ("width", "ascent", "descent"))
    return DrawnFormula(str(answer["svg"]), *measures)
