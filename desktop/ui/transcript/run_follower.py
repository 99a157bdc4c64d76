"""Follows one running answer into its row: what it says while it goes, what it waits for, and then what is stored."""

import contextlib
import dataclasses
from collections.abc import Callable, Set

from desktop.agent.run import Run
from desktop.core.errors import ThreadwellError
from desktop.ui.services import UiServices
from desktop.ui.state.running_row import awaited, with_questions
from desktop.ui.state.transcript_state import RowState, apply_events, row_from_message
from desktop.ui.transcript.coalescer import Coalescer
from desktop.ui.transcript.preparing import prepare_texts


class RunFollower:
    """Puts the row into ``coalescer`` whenever it changes, until the answer is stored or ``close`` is called."""

    def __init__(
        self,
        run: Run,
        services: UiServices,
        coalescer: Coalescer,
        *,
        servers_asking: Callable[[], Set[str]],
        ended: Callable[[Run, RowState], None],
    ) -> None:
        """``servers_asking`` tells which servers wait for the user; ``ended`` hears of the end, once."""
        self.run = run
        self.row = row_from_message(run.turn.assistant_message)
        """As far as the events were read."""
        self._before = self.row.items
        """What stood there when the run began; an answer that goes on has something."""
        self._services = services
        self._coalescer = coalescer
        self._servers_asking = servers_asking
        self._ended = ended
        self._task = services.tasks.spawn(self._follow(), name=f"transcript follows {run.message_id}")

    @property
    def shown_row(self) -> RowState:
        """The row with what it waits for: the user's answer to a server, or servers that start."""
        row = with_questions(self.row, self._servers_asking())
        if not row.is_streaming or row.items != self._before:
            return row
        starts = any(status.state.is_on_its_way for status in self._services.gateway.statuses())
        return awaited(row, for_tools=starts)

    @property
    def is_running(self) -> bool:
        return self.row.is_streaming

    @property
    def is_done(self) -> bool:
        """The answer is shown as it is stored, or nothing of it will be shown any more."""
        return self._task.done()

    def close(self) -> None:
        """Show nothing of this run any more."""
        self._task.cancel()
        self._coalescer.clear()

    def refresh(self) -> None:
        """Something changed that a running answer may wait for."""
        if self.is_running:
            self._coalescer.put(self.shown_row)

    async def _follow(self) -> None:
        self.refresh()
        # A batch is taken when it can be shown: taken earlier it would be old by then.
        async with contextlib.aclosing(self.run.batches(lambda: self._coalescer.wait_seconds)) as batches:
            async for batch in batches:
                row = apply_events(self.row, batch)
                await prepare_texts([row])
                self.row = row
                self._coalescer.put(self.shown_row)
        self._coalescer.flush()
        self._ended(self.run, self.row)
        await self._show_stored()

    async def _show_stored(self) -> None:
        """Take the answer as it is stored: with its model, tokens and time."""
        try:
            messages = await self._services.repository.messages((self.run.message_id,))
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        for message in messages:
            await prepare_texts([row_from_message(message)])
            self.row = self._with_what_was_seen(row_from_message(message))
            self._coalescer.put(self.row)
        self._coalescer.flush()

    def _with_what_was_seen(self, stored: RowState) -> RowState:
        """The stored row, with what only the events told: how long thinking took, why the answer ended."""
        if self.row.items != stored.items:
            return stored
        return dataclasses.replace(stored, items=self.row.items, reason=self.row.reason)
