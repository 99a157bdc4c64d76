"""Tries an endpoint as a chat would, says what of it works, and what to do about what does not."""

import asyncio
import dataclasses
import logging
import os
import re
from collections.abc import Mapping, Sequence

from desktop.core.endpoint_keys import can_be_sent, key_of_environment
from desktop.core.endpoints import Ability, EndpointCheck, Finding, FoundServer, ListedModel, ProviderPreset
from desktop.core.errors import ModelError
from desktop.core.language_model import LanguageModel, ModelRequest, ToolSpec
from desktop.core.model_facts import FactsInMemory, ModelFactsStore
from desktop.core.settings import EndpointSettings
from desktop.core.thinking_effort import ThinkingEffort
from desktop.providers.addresses import EndpointAddress, parse_address
from desktop.providers.endpoint_listing import is_wrong_place, list_of
from desktop.providers.endpoint_traits import traits_of
from desktop.providers.local_servers import USUAL_PORTS, RunningContexts, find_servers
from desktop.providers.openai_language_model import OpenAILanguageModel
from desktop.providers.patience import NO_PATIENCE
from desktop.providers.presets import PRESETS
from desktop.providers.refusals import Without
from desktop.providers.thinking_levels import thinking_levels
from desktop.providers.tool_offer import chosen_tools
from desktop.providers.trial_questions import HELLO, Question, tools_work

logger = logging.getLogger(__name__)

REMOTE_SECONDS = 20.0
LOCAL_SECONDS = 60.0
"""A local server may have to load the model first."""
THINKING_SECONDS = 4.0
"""How long a model that has begun to think may take to its first word; that it thinks shows that it works."""
LOADING_PAUSE_SECONDS = 1.0
TOOL_SECONDS = 20.0
MOST_NOTED = 300
NAMED_MODELS = 8

_NOBODY_THERE = frozenset({"model.unreachable", "model.proxy_failed", "model.unknown_host", "model.redirected"})
_SILENT = frozenset({"model.no_answer", "model.bad_address"})
_KEY_REFUSED = frozenset({"model.unauthorized", "model.key_malformed", "model.key_missing", "model.key_unusable"})
_NO_SUCH_MODEL = frozenset({"model.unknown_model", "model.no_such_model", "model.not_found", "model.no_model"})
_BROKE_OFF = frozenset({"model.connection_lost", "model.ended_early", "model.bad_stream"})
"""What a chat says of an answer that is kept in part; of a test nothing is kept."""
_SPEAKS_OF_MODELS = re.compile(r"model|模型", re.IGNORECASE)
_SPENT_ON_THINKING = re.compile(r"max_tokens or model output limit was reached", re.IGNORECASE)


class Endpoints:
    """Implements ``core.endpoints.EndpointDirectory``. Safe to use for several checks at once."""

    def __init__(
        self,
        *,
        environ: Mapping[str, str] = os.environ,
        ports: Mapping[int, str] = USUAL_PORTS,
        remote_seconds: float = REMOTE_SECONDS,
        local_seconds: float = LOCAL_SECONDS,
        thinking_seconds: float = THINKING_SECONDS,
        facts: ModelFactsStore | None = None,
    ) -> None:
        """``facts`` is where it is kept what lists and tests tell of models."""
        self._environ = environ
        self._ports = ports
        self._remote_seconds = remote_seconds
        self._local_seconds = local_seconds
        self._thinking_seconds = thinking_seconds
        self._facts = facts or FactsInMemory()
        self._contexts = RunningContexts(learn=lambda base_url, model: self._facts.note_listed(base_url, [model]))

    def sees_images(self, endpoint: EndpointSettings) -> bool | None:
        if endpoint.is_demo or endpoint.options.sees_images is not None:
            return not endpoint.is_demo and endpoint.options.sees_images
        facts = self._facts.get(endpoint.base_url, endpoint.model)
        return False if Without.IMAGES.value in facts.without else facts.sees_images

    def presets(self) -> Sequence[ProviderPreset]:
        return PRESETS

    async def find_local(self) -> Sequence[FoundServer]:
        servers = await find_servers(self._ports, ollama_host=self._environ.get("OLLAMA_HOST", ""))
        for server in servers:
            self._note(server.base_url, server.listed)
        return servers

    async def list_models(self, endpoint: EndpointSettings, key: str) -> tuple[ListedModel, ...]:
        """See ``EndpointDirectory``. The address is tried with ``/v1``, too, where it names no version."""
        address = parse_address(endpoint.base_url)
        key = self._usable_key(endpoint, key)
        try:
            models = await list_of(address, endpoint, key)
        except ModelError as error:
            versioned = address.with_version()
            if error.code != "model.no_list" or versioned is None:
                raise
            try:
                models = await list_of(versioned, endpoint, key)
            except ModelError:
                raise error from None
        self._note(endpoint.base_url, models, endpoint.model)
        return models

    async def check(self, endpoint: EndpointSettings, key: str) -> EndpointCheck:
        """See ``EndpointDirectory``."""
        try:
            if endpoint.is_demo:
                return await self._check_demo()
            address = parse_address(endpoint.base_url)
            key = self._usable_key(endpoint, key)
        except ModelError as error:
            return EndpointCheck(error=error)
        # Whoever tests may have changed the server: what it refused before is tried again, here and in chats.
        model = endpoint.model.strip()
        self._facts.update(endpoint.base_url, model, without=frozenset(), max_tools=None, takes_tools=None)
        seconds = self._local_seconds if address.is_loopback else self._remote_seconds
        trial = _Trial(endpoint, key, address, seconds, self._thinking_seconds)
        check = await trial.run()
        base_url = check.base_url or endpoint.base_url
        self._note(base_url, trial.models, model)
        if (takes_tools := trial.takes_tools) is not None:  # tried, which says more than a list
            self._facts.update(base_url, model, takes_tools=takes_tools)
        return check

    async def running_context(self, endpoint: EndpointSettings) -> int | None:
        """See ``EndpointDirectory``."""
        return None if endpoint.is_demo else await self._contexts.get(endpoint.base_url, endpoint.model)

    def thinking_levels(self, endpoint: EndpointSettings) -> tuple[ThinkingEffort, ...]:
        """See ``EndpointDirectory``."""
        if endpoint.is_demo or Without.THINKING in self._facts.get(endpoint.base_url, endpoint.model).without:
            return ()
        return thinking_levels(endpoint.base_url, endpoint.model)

    def offered_tools(self, endpoint: EndpointSettings, request: ModelRequest) -> Sequence[ToolSpec]:
        """See ``EndpointDirectory``."""
        if endpoint.is_demo:
            return request.tools
        facts = self._facts.get(endpoint.base_url, endpoint.model)
        takes_tools = endpoint.options.takes_tools
        if takes_tools is None:
            takes_tools = facts.takes_tools is not False and Without.TOOLS.value not in facts.without
        traits = traits_of(endpoint.base_url, endpoint.model, max_tools=facts.max_tools)
        return chosen_tools(request.tools, request.messages, traits.max_tools) if takes_tools else ()

    def _note(self, base_url: str, models: Sequence[ListedModel], chosen: str = "") -> None:
        """Keep what a list says of the models: of the ``chosen`` one, and the first of a list that nobody uses whole."""
        self._facts.note_listed(base_url, [*models[:MOST_NOTED], *(m for m in models[MOST_NOTED:] if m.name == chosen)])

    def _usable_key(self, endpoint: EndpointSettings, key: str) -> str:
        key = key.strip()
        if not key and endpoint.key_env:
            return key_of_environment(endpoint, self._environ)
        if not can_be_sent(key):
            raise ModelError("model.key_malformed", name=endpoint.name or endpoint.base_url)
        return key

    async def _check_demo(self) -> EndpointCheck:
        from desktop.providers.demo_language_model import DemoLanguageModel

        question = Question(DemoLanguageModel(), self._remote_seconds, self._thinking_seconds)
        await question.ask(HELLO)
        return EndpointCheck(answer=question.words, seconds=question.seconds)


class _Trial:
    """One check of one endpoint. ``models`` and the addresses are the best that is known so far."""

    def __init__(
        self, endpoint: EndpointSettings, key: str, address: EndpointAddress, seconds: float, thinking_seconds: float
    ) -> None:
        self._endpoint = endpoint
        self._key = key
        self._seconds = seconds
        self._thinking_seconds = thinking_seconds
        versioned = address.with_version()
        self._addresses = [address] if versioned is None else [address, versioned]
        self._tried = {entry.base_url for entry in self._addresses}
        self.models: tuple[ListedModel, ...] = ()
        self._deadline = 0.0
        self._question: Question | None = None
        self._takes_tools: Finding = Finding(ability=Ability.TOOLS, works=None)
        self._context: int | None = None

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(model.name for model in self.models)

    @property
    def takes_tools(self) -> bool | None:
        """What came of offering a tool; None where that was not tried or told nothing."""
        found = self._takes_tools
        return found.works if not found.note else None

    async def run(self) -> EndpointCheck:
        check = await self._run()
        return dataclasses.replace(check, findings=self._findings(check))

    async def _run(self) -> EndpointCheck:
        self._deadline = asyncio.get_running_loop().time() + self._seconds
        list_error = await self._list()
        if list_error is not None and list_error.code in _NOBODY_THERE:
            return EndpointCheck(error=list_error)
        works_at = "" if list_error else self._addresses[0].text
        if not self._endpoint.model.strip():
            no_model = ModelError("model.no_model", url=self._addresses[0].base_url)
            return EndpointCheck(models=self._names, base_url=works_at, error=list_error or no_model)
        first_error: ModelError | None = None
        for address in self._addresses:
            try:
                return await self._ask(address)
            except ModelError as error:
                if first_error is None or not is_wrong_place(error):
                    first_error = error
                if not is_wrong_place(error):
                    break
        assert first_error is not None
        return EndpointCheck(models=self._names, base_url=works_at, error=self._explained(first_error))

    async def _list(self) -> ModelError | None:
        """Ask for the models; what has a list is the address from then on. Returns why there is none."""
        first_error: ModelError | None = None
        for address in self._addresses:
            try:
                self.models = await list_of(address, self._endpoint, self._key)
            except ModelError as error:
                logger.info("%s lists no models: %s", address.base_url, error.code)
                first_error = first_error or error
                if error.code != "model.no_list":
                    if address is not self._addresses[0]:  # it answered like an endpoint, the one before did not
                        self._addresses, first_error = [address], error
                    break
            else:
                self._addresses = [address]
                return None
        return first_error

    async def _ask(self, address: EndpointAddress) -> EndpointCheck:
        model = OpenAILanguageModel(
            base_url=address.text,
            model=self._endpoint.model.strip(),
            key=self._key,
            first_seconds=self._seconds,
            gap_seconds=self._seconds,
            patience=NO_PATIENCE,
            headers=self._endpoint.headers,
            proxy=self._endpoint.proxy,
            options=self._endpoint.options,
        )
        try:
            self._question = question = await self._answered(model)
            await self._look_closer(model, address)
        except TimeoutError:
            raise ModelError("model.no_answer", url=address.base_url, seconds=round(self._seconds)) from None
        finally:
            await model.close()
        return EndpointCheck(models=self._names, answer=question.words, seconds=question.seconds, base_url=address.text)

    async def _look_closer(self, model: LanguageModel, address: EndpointAddress) -> None:
        """See what else works, now that the model answers; nothing of that fails the test."""
        if self._endpoint.options.takes_tools is False:
            self._takes_tools = Finding(ability=Ability.TOOLS, works=False, note="switched_off")
        else:
            remaining = self._deadline - asyncio.get_running_loop().time()
            self._takes_tools = await tools_work(model, min(remaining, TOOL_SECONDS))
        if address.is_loopback:
            self._context = await RunningContexts().get(address.text, model.name)

    def _findings(self, check: EndpointCheck) -> tuple[Finding, ...]:
        code = check.error.code if check.error is not None else ""
        model = self._endpoint.model.strip()
        listed = next((entry for entry in self.models if entry.name == model), None)
        answered = self._question is not None
        is_reachable = code not in _NOBODY_THERE and code not in _SILENT
        key_note = "" if self._key else "not_needed"
        own = self._endpoint.options.context_tokens
        context = own or self._context or (listed.context_tokens if listed is not None else None)
        return (
            Finding(ability=Ability.REACHABLE, works=is_reachable),
            Finding(
                ability=Ability.KEY,
                works=False if code in _KEY_REFUSED else True if answered or self.models else None,
                note=key_note if answered else "",
            ),
            Finding(
                ability=Ability.MODEL,
                works=True if answered else False if code in _NO_SUCH_MODEL else None,
                note="not_listed" if answered and self.models and listed is None else "",
            ),
            self._question.streaming if self._question is not None else Finding(ability=Ability.STREAMING, works=None),
            self._takes_tools,
            Finding(
                ability=Ability.CONTEXT,
                works=True if context else None,
                tokens=context,
                note="as_set" if own else "",
            ),
        )

    async def _answered(self, model: LanguageModel) -> Question:
        """Ask until the model is loaded. Raises ``ModelError``, and ``TimeoutError`` after the time for all of it."""
        while True:
            remaining = self._deadline - asyncio.get_running_loop().time()
            question = Question(model, remaining, self._thinking_seconds)
            try:
                await question.ask(HELLO)
                return question
            except ModelError as error:
                if _SPENT_ON_THINKING.search(str(error.params.get("detail", ""))):
                    return question
                if error.code != "model.loading" or remaining < 2 * LOADING_PAUSE_SECONDS:
                    raise
            await asyncio.sleep(LOADING_PAUSE_SECONDS)

    def _explained(self, error: ModelError) -> ModelError:
        """Return the error in the words of a test.

        A refusal of a model that is not in the list is about its name, whatever words the endpoint chose.
        """
        if error.code in _BROKE_OFF:
            return ModelError("model.broke_off", **error.params)
        if error.code == "model.timeout":
            return ModelError("model.no_answer", **error.params)
        if error.params.get("suggestion") in self._tried:
            return _without_suggestion(error)
        model = self._endpoint.model.strip()
        is_about_model = error.code in ("model.not_found", "model.no_such_model") or (
            error.code == "model.rejected" and _SPEAKS_OF_MODELS.search(str(error.params.get("detail", "")))
        )
        names = self._names
        if not is_about_model or not names or model in names:
            return error
        shown = ", ".join(names[:NAMED_MODELS]) + (", …" if len(names) > NAMED_MODELS else "")
        return ModelError("model.unknown_model", url=error.params["url"], model=model, models=shown)


def _without_suggestion(error: ModelError) -> ModelError:
    """Return what is wrong with an address without the other one that was meant perhaps: that was tried, too."""
    params = {name: value for name, value in error.params.items() if name != "suggestion"}
    if "content_type" in params:
        return ModelError("model.not_a_stream", **params)
    return ModelError("model.not_found" if params.get("status") == 404 else "model.rejected", **params)
