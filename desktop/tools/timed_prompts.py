"""Notes how long each thread waited for its user, so that this can be told from the time of work."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Generator
from contextlib import contextmanager

from desktop.tools.entities import ApprovalAnswer, ApprovalRequest, ElicitationAnswer, ElicitationRequest
from desktop.tools.ports import UserPrompts


class TimedPrompts:
    """``UserPrompts`` that pass every question on to ``prompts``. ``now`` gives seconds that never go back."""

    def __init__(self, prompts: UserPrompts, now: Callable[[], float] = time.monotonic) -> None:
        self._prompts = prompts
        self._now = now
        self._open: Counter[str] = Counter()
        self._since: dict[str, float] = {}
        self._waited: defaultdict[str, float] = defaultdict(float)

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """See ``UserPrompts.approve``."""
        with self._waiting(request.intent.thread_id):
            return await self._prompts.approve(request)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """See ``UserPrompts.elicit``."""
        with self._waiting(request.thread_id):
            return await self._prompts.elicit(request)

    def waited_seconds(self, thread_id: str) -> float:
        """Return for how long the thread has had a question open until now; several at once count once."""
        since = self._since.get(thread_id)
        return self._waited[thread_id] + (0.0 if since is None else self._now() - since)

    @contextmanager
    def _waiting(self, thread_id: str) -> Generator[None, None, None]:
        if not self._open[thread_id]:
            self._since[thread_id] = self._now()
        self._open[thread_id] += 1
        try:
            yield
        finally:
            self._open[thread_id] -= 1
            if not self._open[thread_id]:
                self._waited[thread_id] = self.waited_seconds(thread_id)
                del self._since[thread_id]
