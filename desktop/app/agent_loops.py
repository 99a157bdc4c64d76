"""Makes what answers: the loop of a chat by its options, and those of the assistants that it asks."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import TYPE_CHECKING

from desktop.agent.plan_desk import PlanAsker
from desktop.agent.recaller import Recaller
from desktop.agent.server_sampling import Lender, ServerSampling
from desktop.app.answer_models import AnswerModels
from desktop.conversation.assistants.library import AssistantLibrary
from desktop.conversation.attachments import Attachments
from desktop.conversation.entities import ThreadOptions
from desktop.core.costs import cost_of
from desktop.core.endpoint_list import Answering
from desktop.core.endpoints import EndpointDirectory
from desktop.core.errors import ModelError
from desktop.core.language_model import Sampling, Usage
from desktop.core.model_facts import ModelFactsStore
from desktop.core.settings import SettingsStore
from desktop.core.tasks import TaskSupervisor
from desktop.storage.store import Store
from desktop.tools.timed_prompts import TimedPrompts
from desktop.ui.state.endpoint_names import endpoint_name

if TYPE_CHECKING:
    from desktop.agent.assistant_calls import InnerWork
    from desktop.agent.loop import AgentLoop
    from desktop.tools.service import ToolService


class AgentLoops:
    """All of it is asked for when an answer begins: settings and library count as they are then."""

    def __init__(
        self,
        *,
        settings: SettingsStore,
        store: Store,
        tasks: TaskSupervisor,
        facts: ModelFactsStore,
        endpoints: EndpointDirectory,
        models: AnswerModels,
        prompts: TimedPrompts,
        sampling: ServerSampling,
        attachments: Attachments,
        recaller: Recaller,
        library: AssistantLibrary,
        tools: "Callable[[], ToolService]",
        answering: Callable[[ThreadOptions], Answering],
        require_key: Callable[[ThreadOptions], Awaitable[None]],
        plans: PlanAsker,
    ) -> None:
        self._settings = settings
        self._store = store
        self._tasks = tasks
        self._facts = facts
        self._endpoints = endpoints
        self._models = models
        self._prompts = prompts
        self._sampling = sampling
        self._attachments = attachments
        self._recaller = recaller
        self._library = library
        self._tools = tools
        self._answering = answering
        self._require_key = require_key
        self._plans = plans

    def make(self, options: ThreadOptions) -> "AgentLoop":
        """Return what makes one answer in a chat with these options. Raises ``ModelError`` for an unusable model."""
        return self._make(options, None)

    def _make(self, options: ThreadOptions, inner: "InnerWork | None") -> "AgentLoop":
        from desktop.agent.assistant_calls import AssistantCalls, AssistantParts
        from desktop.agent.budget import BudgetedModel
        from desktop.agent.loop import AgentLoop
        from desktop.agent.tool_choice import room_for

        agent = self._settings.settings.agent
        answering = self._answering(options)
        if inner is not None and answering.is_substitute:  # a task goes to nobody but who was chosen for it
            raise ModelError("model.endpoint_gone", model=options.model or "")
        endpoint = answering.endpoint
        own = endpoint.options
        facts = self._facts.get(endpoint.base_url, endpoint.model)
        model, recorded_as = self._models.make(answering), answering.recorded_as
        if inner is None:
            parts = AssistantParts(
                library=self._library,
                repository=self._store.threads,
                make_loop=self._make,
                tasks=self._tasks,
                waited_seconds=self._prompts.waited_seconds,
            )
            calls = AssistantCalls(parts, options)
        else:
            model, calls = BudgetedModel(model, inner.budget), inner.calls
            recorded_as = f"{inner.assistant.name} · {recorded_as or model.name}"  # the user is told who asks
        return AgentLoop(
            model=model,
            recorded_as=recorded_as,
            require_key=partial(self._require_key, options),
            repository=self._store.threads if inner is None else inner.store,
            tools=self._tools(),
            system_prompt=lambda: self._settings.settings.agent.system_prompt,
            step_limit=agent.step_limit if inner is None else inner.assistant.most_steps,
            sampling=Sampling(
                temperature=agent.temperature if own.temperature is None else own.temperature,
                top_p=agent.top_p,
                max_output_tokens=agent.max_output_tokens,
            ),
            thinking=options.thinking or own.thinking,
            mode=agent.permission_mode,
            waited_seconds=self._prompts.waited_seconds,
            images=self._attachments.images_for,
            cost_of=partial(cost_of, options=own),
            windows=self._models.windows(
                answering, agent.max_output_tokens, self._store.summaries if inner is None else None
            ),
            tool_room=room_for(
                own.context_tokens or facts.context_tokens, partial(self._endpoints.offered_tools, endpoint)
            ),
            lend=partial(self.lend, options) if inner is None else None,  # within it that of the chat goes on
            recorder=self._models.recorder,
            recaller=self._recaller,
            assistants=calls,
            plans=self._plans,
        )

    def lend(
        self, options: ThreadOptions, turn_id: str, used: Callable[[Usage], None]
    ) -> AbstractContextManager[Lender]:
        """Let the servers that a turn calls use the model that answers in it."""
        agent, answering = self._settings.settings.agent, self._answering(options)
        own = answering.endpoint.options
        lender = Lender(
            model=partial(self._models.make, answering),
            endpoint=endpoint_name(answering.endpoint),
            most_tokens=agent.max_output_tokens,
            temperature=agent.temperature if own.temperature is None else own.temperature,
            cost_of=partial(cost_of, options=own),
        )
        return self._sampling.lending(lender, turn_id, used)
