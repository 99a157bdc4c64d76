"""The model of one answer: remarks about its endpoint, how much that really reads, how it counts tokens, what it is sent."""

from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from desktop.agent.remarking_model import RemarkingModel
from desktop.agent.sent_pieces import Label
from desktop.agent.summary_making import SummaryWriter
from desktop.conversation.entities import Message
from desktop.conversation.request_records import Purpose, RequestRecords
from desktop.conversation.result_text import result_room
from desktop.conversation.summaries import SummaryRepository
from desktop.conversation.window import Reading
from desktop.core.costs import cost_of
from desktop.core.endpoint_list import Answering
from desktop.core.endpoints import EndpointDirectory
from desktop.core.language_model import DEMO_MODEL_NAME, LanguageModel, Remark
from desktop.core.model_facts import ModelFacts, ModelFactsStore
from desktop.core.settings import EndpointSettings
from desktop.core.tasks import TaskSupervisor
from desktop.core.token_count import learned_ratio
from desktop.providers.refusals import Without
from desktop.ui.state.context_count import reading_of

if TYPE_CHECKING:
    from desktop.agent.request_recorder import RequestRecorder
    from desktop.agent.window_maker import WindowMaker


class AnswerModels:
    """Makes them; what is learned of an endpoint meanwhile is kept in ``facts``."""

    def __init__(
        self,
        models: Callable[[EndpointSettings], LanguageModel],
        endpoints: EndpointDirectory,
        facts: ModelFactsStore,
        requests: RequestRecords,
        tasks: TaskSupervisor,
    ) -> None:
        self._models = models
        self._endpoints = endpoints
        self._facts = facts
        self._requests = requests
        self._tasks = tasks

    @cached_property
    def recorder(self) -> "RequestRecorder":
        """Keeps what is sent to models."""
        from desktop.agent.request_recorder import RequestRecorder

        return RequestRecorder(self._requests, self._tasks)

    def beside(self, model: LanguageModel, answer: Message, purpose: Purpose, *labels: Label) -> LanguageModel:
        """See ``RequestRecorder.beside``."""
        return self.recorder.beside(model, answer, purpose, *labels)

    def make(self, answering: Answering) -> LanguageModel:
        """Return a model for one answer. Raises ``ModelError`` for an unusable endpoint."""
        endpoint = answering.endpoint
        facts = self._facts.get(endpoint.base_url, endpoint.model)
        return RemarkingModel(
            self._models(endpoint),
            remarks=_remarks_on(answering),
            context=None if endpoint.is_demo else partial(self._running_context, endpoint),
            known_context=facts.context_tokens,
            offered=partial(self._endpoints.offered_tools, endpoint),
            token_ratio=facts.token_ratio,
            learn=partial(self._learn_tokens, endpoint) if _is_counted(endpoint, facts) else None,
        )

    def reading(self, endpoint: EndpointSettings, max_output_tokens: int | None) -> Reading:
        """Return how much the model of this endpoint reads, and how it counts."""
        facts = self._facts.get(endpoint.base_url, endpoint.model)
        return reading_of(endpoint, facts, max_output_tokens)

    def windows(
        self, answering: Answering, max_output_tokens: int | None, summaries: SummaryRepository | None
    ) -> "WindowMaker":
        """Return what chooses what of a chat goes with the requests of an answer."""
        from desktop.agent.window_maker import WindowMaker

        reading = self.reading(answering.endpoint, max_output_tokens)
        return WindowMaker(
            reading,
            result_bytes=result_room(reading.context_tokens),
            summaries=summaries,
            is_counted=not answering.endpoint.is_demo,
        )

    def summary_writer(self, answering: Answering, max_output_tokens: int | None) -> SummaryWriter:
        """Return who summarises chats that this model answers."""
        endpoint = answering.endpoint
        reading = self.reading(endpoint, max_output_tokens)
        return SummaryWriter(
            model=partial(self.make, answering),
            recorded_as=answering.recorded_as or endpoint.model,
            reading=reading,
            result_bytes=result_room(reading.context_tokens),
            cost_of=partial(cost_of, options=endpoint.options),
            is_scripted=endpoint.is_demo,
        )

    async def _running_context(self, endpoint: EndpointSettings) -> int | None:
        """How much a server of this machine really reads, which is remembered; else what the user says of it."""
        tokens = await self._endpoints.running_context(endpoint)
        if tokens is None:
            return endpoint.options.context_tokens
        if tokens != self._facts.get(endpoint.base_url, endpoint.model).context_tokens:
            self._facts.update(endpoint.base_url, endpoint.model, context_tokens=tokens)
        return tokens

    def _learn_tokens(self, endpoint: EndpointSettings, counted: int, reported: int) -> None:
        facts = self._facts.get(endpoint.base_url, endpoint.model)
        ratio = learned_ratio(facts, counted=counted, reported=reported)
        self._facts.update(endpoint.base_url, endpoint.model, token_ratio=ratio)


def _remarks_on(answering: Answering) -> list[Remark]:
    endpoint = answering.endpoint
    if not answering.is_substitute:
        return []
    name = endpoint.name or endpoint.base_url or DEMO_MODEL_NAME
    return [Remark(code="endpoint_gone", params={"model": endpoint.model or DEMO_MODEL_NAME, "name": name})]


def _is_counted(endpoint: EndpointSettings, facts: ModelFacts) -> bool:
    """Whether the endpoint is sent what we count: not where tools are left out or described in fewer words."""
    changed = facts.without & {Without.TOOLS, Without.RICH_SCHEMAS, Without.LONG_DESCRIPTIONS}
    return not (endpoint.is_demo or changed or facts.max_tools is not None or facts.takes_tools is False)
