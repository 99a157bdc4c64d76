"""Notes how long each answer waited for the user, so that this can be told from the time of work."""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, ElicitationAnswer, ElicitationRequest
from desktop.tools.ports import UserPrompts
from desktop.tools.server_sampling import SamplingDecision, SamplingQuestion


@dataclass
class _Wait:
    turn_id: str
    """Empty for the question of a server, of which only the thread is known."""
    began: float
    ended: float | None = None


class TimedPrompts:
    """``UserPrompts`` that pass every question on to ``prompts``. ``now`` gives seconds that never go back."""

    def __init__(self, prompts: UserPrompts, now: Callable[[], float] = time.monotonic) -> None:
        self._prompts = prompts
        self._now = now
        self._waits: dict[str, list[_Wait]] = {}

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """See ``UserPrompts.approve``."""
        with self.waiting(request.intent.thread_id, request.intent.turn_id):
            return await self._prompts.approve(request)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """See ``UserPrompts.elicit``."""
        with self.waiting(request.thread_id, ""):
            return await self._prompts.elicit(request)

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        """See ``UserPrompts.sample``."""
        with self.waiting(question.request.thread_id, question.request.turn_id):
            return await self._prompts.sample(question)

    def waited_seconds(self, thread_id: str, turn_id: str) -> float:
        """Return for how long the turn has had a question open until now; several at once count once.

        A question about a call of another turn, which runs beside it, is nothing that this one waits for. One that a
        server of the thread asks may be.
        """
        waited, counted_until = 0.0, float("-inf")
        for wait in self._waits.get(thread_id, ()):
            if wait.turn_id in ("", turn_id):
                ended = self._now() if wait.ended is None else wait.ended
                waited += max(0.0, ended - max(wait.began, counted_until))
                counted_until = max(counted_until, ended)
        return waited

    @contextmanager
    def waiting(self, thread_id: str, turn_id: str) -> Generator[None, None, None]:
        """Note that this turn of the thread waits for the user meanwhile."""
        wait = _Wait(turn_id, self._now())
        self._waits.setdefault(thread_id, []).append(wait)
        try:
            yield
        finally:
            wait.ended = self._now()
