"""Which models answer a message: the thread's own and those asked beside it, each once; and one that cannot be asked."""

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from desktop.conversation.entities import MOST_ASKED_BESIDE, AskedModel, Message, ThreadOptions
from desktop.conversation.ports import ThreadRepository
from desktop.core.endpoint_list import Answering
from desktop.core.errors import ModelError, ThreadwellError
from desktop.core.language_model import DEMO_MODEL_NAME, NO_USAGE
from desktop.core.settings import EndpointSettings
from desktop.core.tasks import uninterrupted

if TYPE_CHECKING:
    from desktop.agent.loop import AgentLoop
    from desktop.agent.run import Run


class Unusable:
    """Takes the place of the ``AgentLoop`` of a model that cannot be asked: its answer fails, for all to see, with why."""

    def __init__(self, error: ThreadwellError, *, model_name: str, repository: ThreadRepository) -> None:
        self.error = error
        self.model_name = model_name
        self._repository = repository

    async def execute(self, run: "Run") -> None:
        """See ``AgentLoop.execute``."""
        from desktop.agent.answer_writer import AnswerWriter

        writer = AnswerWriter(run, self._repository)
        run.begin()
        try:
            await uninterrupted(writer.failed(self.error, NO_USAGE, step=0))
        except ThreadwellError as unwritten:
            if run.terminal is None:
                writer.report(unwritten)


def as_chosen(options: ThreadOptions) -> Answering:
    """Take the options at their word; for callers without settings."""
    return Answering(endpoint=EndpointSettings(id=options.endpoint_id or "", model=options.model or ""))


def with_model(options: ThreadOptions, asked: AskedModel | None) -> ThreadOptions:
    """Return the options with which that model answers in the thread; None is the thread's own."""
    alone = dataclasses.replace(options, asked_beside=())
    if asked is None:
        return alone
    return dataclasses.replace(alone, endpoint_id=asked.endpoint_id, model=asked.model or None)


class Answerers:
    """Makes what answers in a thread, by its options."""

    def __init__(
        self,
        loop: "Callable[[ThreadOptions], AgentLoop]",
        answering: Callable[[ThreadOptions], Answering],
        repository: ThreadRepository,
    ) -> None:
        self._loop = loop
        self._answering = answering
        self._repository = repository

    def one(self, options: ThreadOptions, asked: AskedModel | None = None) -> "AgentLoop":
        """Return the loop of one model. Raises ``ModelError`` when it cannot be asked.

        The thread's own (None) has a substitute when its endpoint was removed, one that was ``asked`` for has none.
        """
        own = with_model(options, asked)
        if asked is not None and self._answering(own).is_substitute:
            raise ModelError("model.endpoint_gone", model=asked.model)
        return self._loop(own)

    def who_wrote(self, answer: Message, options: ThreadOptions) -> AskedModel | None:
        """Return which of those beside the thread's own model wrote the answer; None for its own, or when none did."""
        answering = {asked: self._answering(with_model(options, asked)) for asked in (None, *options.asked_beside)}
        for name_of in (_recorded_as, _model_of):  # an answer may be older than the second model of that name
            for asked, each in answering.items():
                if name_of(each) == answer.model:
                    return asked
        return None

    def all(
        self, options: ThreadOptions, beside: Sequence[AskedModel] | None = None
    ) -> "Sequence[AgentLoop | Unusable]":
        """Return the thread's own and those ``beside`` it, or else of its options, without doubles.

        Raises ``ModelError`` when all are unusable.
        """
        found: dict[tuple[str, str, str], AgentLoop | Unusable] = {}
        for asked in (None, *(options.asked_beside if beside is None else beside)):
            answering = self._answering(with_model(options, asked))
            endpoint = answering.endpoint
            key, name = (endpoint.id, endpoint.base_url, endpoint.model), answering.recorded_as or endpoint.model
            if asked is not None and answering.is_substitute:
                key, name = (asked.endpoint_id, "", asked.model), asked.model
            if key in found:
                continue
            try:
                found[key] = self.one(options, asked)
            except ThreadwellError as error:
                found[key] = Unusable(error, model_name=name, repository=self._repository)
            if len(found) > MOST_ASKED_BESIDE:
                break
        answerers = list(found.values())
        if all(isinstance(answerer, Unusable) for answerer in answerers):
            assert isinstance(answerers[0], Unusable)
            raise answerers[0].error
        return answerers


def _model_of(answering: Answering) -> str:
    return answering.endpoint.model or DEMO_MODEL_NAME


def _recorded_as(answering: Answering) -> str:
    return answering.recorded_as or _model_of(answering)
