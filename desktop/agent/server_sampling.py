"""Lets a server use the model of the answer that calls it: asked about each time, recorded, counted, without the chat."""

import asyncio
import logging
import time
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, aclosing, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

from desktop.conversation.entities import ResultStatus
from desktop.conversation.ports import ThreadRepository
from desktop.core.costs import Cost
from desktop.core.digests import canonical_json, sha256_of_json
from desktop.core.error_texts import english
from desktop.core.errors import ModelError
from desktop.core.ids import new_id
from desktop.core.language_model import (
    AssistantMessage,
    FinishReason,
    LanguageModel,
    ModelRequest,
    RequestMessage,
    Sampling,
    StreamEnd,
    SystemMessage,
    TextDelta,
    TextWasThinking,
    ThinkingDelta,
    Usage,
    UserMessage,
)
from desktop.core.tasks import uninterrupted
from desktop.core.token_count import count_request
from desktop.tools.entities import CallState, Choice, Ending
from desktop.tools.ports import ToolJournal, UserPrompts
from desktop.tools.server_sampling import (
    SAMPLING_NAME,
    SAMPLING_REASON,
    ModelAnswer,
    Sampled,
    SamplingChoice,
    SamplingDecision,
    SamplingQuestion,
    SamplingRequest,
    SamplingRole,
    Unsampled,
)

ANSWER_SECONDS = 600.0
"""The server's own deadline rests meanwhile, so this one has to end a model that never does."""
CHARS_PER_TOKEN = 20
"""No tokenizer's average comes near: an endpoint that ignores the longest length is not listened to beyond that."""
INTERRUPTED = "Interrupted before it finished."
REFUSED = "The user refused."
KEPT_BACK = "The model answered, but the user did not let the server have it:"

logger = logging.getLogger(__name__)

_STOP_REASONS = {FinishReason.STOP: "endTurn", FinishReason.TOOL_CALLS: "endTurn", FinishReason.LENGTH: "maxTokens"}


@dataclass(frozen=True, kw_only=True)
class Lender:
    """The model of one answer, as servers may use it. ``model`` makes one for each request: it keeps things in mind."""

    model: Callable[[], LanguageModel]
    endpoint: str
    """What people call the provider; empty for the demo."""
    most_tokens: int | None = None
    """How long an answer may be at most, where the user set that."""
    temperature: float | None = None
    cost_of: Callable[[Usage], Cost | None] = lambda _usage: None


Lend = Callable[[str, Callable[[Usage], None]], AbstractContextManager[Lender]]
"""Lets the servers that a turn calls use its model while the block runs, and tells what that took."""


@dataclass
class _Loan:
    lender: Lender
    used: Callable[[Usage], None]


class ServerSampling:
    """Implements ``tools.ports.ModelForServers``. ``decider`` is the journal's word for who answers ``prompts``."""

    def __init__(
        self, *, prompts: UserPrompts, journal: ToolJournal, repository: ThreadRepository, decider: str = "user"
    ) -> None:
        self._prompts = prompts
        self._journal = journal
        self._repository = repository
        self._decider = decider
        self._loans: dict[str, _Loan] = {}

    @contextmanager
    def lending(self, lender: Lender, turn_id: str, used: Callable[[Usage], None]) -> Generator[Lender, None, None]:
        """Let the servers that this turn calls ask its model meanwhile; ``used`` is told what each request took."""
        self._loans[turn_id] = _Loan(lender, used)
        try:
            yield lender
        finally:
            del self._loans[turn_id]

    async def sample(self, request: SamplingRequest) -> Sampled | Unsampled:
        """See ``ModelForServers.sample``. Raises ``StorageError`` where it cannot be recorded; then nothing is sent."""
        loan = self._loans.get(request.turn_id)
        if loan is None:
            return Unsampled.NO_MODEL
        case, began = _Case(request, loan), time.monotonic()
        await self._journal.propose(
            case.call_id,
            turn_id=request.turn_id,
            thread_id=request.thread_id,
            name=SAMPLING_NAME,
            arguments=case.arguments,
        )
        outcome, status = Unsampled.WITHDRAWN, ResultStatus.INTERRUPTED
        try:
            outcome, status = await self._decided(case)
        finally:
            took = time.monotonic() - began - case.waited_seconds
            await uninterrupted(
                self._journal.finish(case.call_id, status=status, result=case.result, duration_seconds=took)
            )
        return outcome

    async def _decided(self, case: "_Case") -> "tuple[Sampled | Unsampled, ResultStatus]":
        """What comes of it; what is to be recorded of that beside the status is left in the case."""
        try:
            question = await self._question(case)
            decision = await self._ask_user(case, question)
            if not decision.allows:
                return _not_allowed(decision, case, REFUSED)
            answer = await self._ask_model(case)
            case.result = answer.text
            if decision.choice is not SamplingChoice.ALLOW_AND_SEND:
                case.result = f"{INTERRUPTED}\n{answer.text}"
                decision = await self._ask_user(case, replace(question, answer=answer))
                if not decision.allows:
                    return _not_allowed(decision, case, f"{KEPT_BACK}\n{answer.text}")
                case.result = answer.text
        except ModelError as error:
            logger.info("a server could not use the model: %s", error)
            case.result = " ".join(english(error.code, error.params))
            return Unsampled.FAILED, ResultStatus.ERROR
        return Sampled(answer=answer, model=case.model.name), ResultStatus.OK

    async def _question(self, case: "_Case") -> SamplingQuestion:
        lender, request = case.loan.lender, case.request
        thread = await self._repository.get_thread(request.thread_id)
        tokens = await asyncio.to_thread(count_request, case.model_request)
        return SamplingQuestion(
            request=request,
            model=case.model.name,
            endpoint=lender.endpoint,
            thread_title=thread.title if thread is not None else "",
            input_tokens=tokens,
            most_cost=lender.cost_of(Usage(input_tokens=tokens, output_tokens=request.max_tokens)),
        )

    async def _ask_user(self, case: "_Case", question: SamplingQuestion) -> SamplingDecision:
        """Ask, and put the decision on disk before anything follows from it."""
        if question.answer is None:
            await self._record(case, CallState.WAITING_APPROVAL, None)
        asked = time.monotonic()
        decision = await self._prompts.sample(question)
        case.waited_seconds += time.monotonic() - asked
        await self._record(case, CallState.RUNNING if decision.allows else CallState.DENIED, decision)
        return decision

    async def _record(self, case: "_Case", state: CallState, decision: SamplingDecision | None) -> None:
        choice = None
        if decision is not None:
            choice = Choice.ALLOW_ONCE if decision.allows else Choice.REFUSE
        server_id = case.request.server_id
        await self._journal.decide(
            case.call_id,
            state=state,
            server_id=server_id,
            digest=sha256_of_json([server_id, SAMPLING_NAME, case.arguments]),
            choice=choice,
            ending=decision.ending if decision is not None else None,
            decided_by=self._decider if decision is not None else "policy",
            shown_seconds=decision.shown_seconds if decision is not None else 0.0,
            reason=SAMPLING_REASON,
        )

    async def _ask_model(self, case: "_Case") -> ModelAnswer:
        """Return what the model says. Raises ``ModelError`` when that is nothing."""
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await _listen(case)
        except TimeoutError:
            raise ModelError("model.timeout", seconds=f"{ANSWER_SECONDS:g}") from None
        if not answer.text.strip():
            raise ModelError("model.empty")
        return answer


class _Case:
    """One request on its way."""

    def __init__(self, request: SamplingRequest, loan: _Loan) -> None:
        lender = loan.lender
        most = min(request.max_tokens, lender.most_tokens or request.max_tokens)
        self.call_id = new_id()
        self.request = replace(request, max_tokens=most)
        self.arguments = canonical_json(self.request.to_json())
        self.loan = loan
        self.result = INTERRUPTED
        """What the record will say of the outcome."""
        self.waited_seconds = 0.0
        """For the user: no time of work."""
        own = request.temperature
        sampling = Sampling(temperature=lender.temperature if own is None else own, max_output_tokens=most)
        self.model_request = ModelRequest(messages=_messages(request), sampling=sampling)

    @cached_property
    def model(self) -> LanguageModel:
        """Who is asked. Raises ``ModelError`` where that cannot be any more."""
        return self.loan.lender.model()


def _messages(request: SamplingRequest) -> tuple[RequestMessage, ...]:
    first: list[RequestMessage] = [SystemMessage(text=request.system_prompt)] if request.system_prompt else []
    said = (
        UserMessage(text=message.text) if message.role is SamplingRole.USER else AssistantMessage(text=message.text)
        for message in request.messages
    )
    return (*first, *said)


def _not_allowed(decision: SamplingDecision, case: _Case, result: str) -> tuple[Unsampled, ResultStatus]:
    if decision.ending is Ending.ABORTED:
        return Unsampled.WITHDRAWN, ResultStatus.INTERRUPTED
    case.result = result
    return Unsampled.REFUSED, ResultStatus.DENIED


async def _listen(case: _Case) -> ModelAnswer:
    """Gather the answer's text. What it took is told as soon as the endpoint says so, whatever becomes of the text."""
    room = CHARS_PER_TOKEN * case.request.max_tokens
    said: list[str] = []
    heard = 0
    async with aclosing(case.model.stream(case.model_request)) as chunks:
        async for chunk in chunks:
            match chunk:
                case TextDelta():
                    said.append(chunk.text)
                    heard += len(chunk.text)
                case ThinkingDelta():
                    heard += len(chunk.text)
                case TextWasThinking():
                    said.clear()
                case StreamEnd():
                    case.loan.used(chunk.usage)
                    reason = _STOP_REASONS.get(chunk.reason, chunk.reason.value)
                    return _ended(case.request, "".join(said), reason, chunk.usage.output_tokens)
                case _:
                    pass  # what was done to ask at all, and calls of tools that it was not offered
            if heard > room:
                return _ended(case.request, "".join(said)[:room], "maxTokens", None)
    raise ModelError("model.ended_early")


def _ended(request: SamplingRequest, text: str, reason: str, tokens: int | None) -> ModelAnswer:
    """Cut the text where the server wanted it to stop: not every endpoint can be told of that."""
    found = [place for sequence in request.stop_sequences if (place := text.find(sequence)) >= 0]
    if found:
        text, reason = text[: min(found)], "stopSequence"
    return ModelAnswer(text=text, stop_reason=reason, output_tokens=tokens)
