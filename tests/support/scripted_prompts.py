"""A person made of a list of answers: fails on a question that was not expected and on an answer that was not used."""

import asyncio
from collections.abc import Callable
from types import TracebackType
from typing import Any

from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationRequest,
    Ending,
)
from desktop.tools.ports import UserPrompts
from desktop.tools.server_sampling import SamplingChoice, SamplingDecision, SamplingQuestion

Scripted = ApprovalAnswer | ElicitationAnswer | SamplingDecision | Exception | Callable[[Any], Any] | None
"""An answer, an exception to raise, a function of the request, or None for a question that stays open until aborted."""


def accept(**content: Any) -> ElicitationAnswer:
    return ElicitationAnswer(action=ElicitationAction.ACCEPT, content=content)


def decline() -> ElicitationAnswer:
    return ElicitationAnswer(action=ElicitationAction.DECLINE)


def cancel() -> ElicitationAnswer:
    return ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.CANCELLED)


def allow_once() -> ApprovalAnswer:
    return ApprovalAnswer(choice=Choice.ALLOW_ONCE)


def refuse() -> ApprovalAnswer:
    return ApprovalAnswer(choice=Choice.REFUSE)


def lend(choice: SamplingChoice = SamplingChoice.ALLOW) -> SamplingDecision:
    return SamplingDecision(choice=choice)


class ScriptedPrompts(UserPrompts):
    """Use as a context manager. ``asked`` holds every request; ``open`` counts questions that wait for an answer."""

    def __init__(self, *answers: Scripted) -> None:
        self._answers = list(answers)
        self.asked: list[ApprovalRequest | ElicitationRequest | SamplingQuestion] = []
        self.unexpected: list[ApprovalRequest | ElicitationRequest | SamplingQuestion] = []
        self.open = 0
        self.aborted = 0

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        return await self._answer(request, ApprovalAnswer)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        return await self._answer(request, ElicitationAnswer)

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        return await self._answer(question, SamplingDecision)

    async def _answer(self, request: Any, kind: type[Any]) -> Any:
        self.asked.append(request)
        if not self._answers:
            self.unexpected.append(request)
            raise AssertionError(f"unexpected question: {request}")
        answer = self._answers.pop(0)
        if answer is None:
            await self._wait_until_aborted()
        if callable(answer):
            answer = answer(request)
            if asyncio.iscoroutine(answer):
                answer = await answer
        if isinstance(answer, Exception):
            raise answer
        assert isinstance(answer, kind), f"{answer} is no answer to {request}"
        return answer

    async def _wait_until_aborted(self) -> None:
        self.open += 1
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.aborted += 1
            raise
        finally:
            self.open -= 1

    def check(self) -> None:
        """Fail when a question was not expected, or an answer was not used."""
        assert not self.unexpected, f"unexpected questions: {self.unexpected}"
        assert not self._answers, f"answers that nobody asked for: {self._answers}"

    def __enter__(self) -> "ScriptedPrompts":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.check()
