"""How an endpoint is told how much its model should reason: by its host, else by the model's name."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from desktop.core.thinking_effort import ThinkingEffort

_OFF, _LOW, _MEDIUM, _HIGH = ThinkingEffort.OFF, ThinkingEffort.LOW, ThinkingEffort.MEDIUM, ThinkingEffort.HIGH


@dataclass(frozen=True, kw_only=True)
class ThinkingSwitch:
    """What is sent for each effort. Efforts that look the same on the wire are one to the endpoint."""

    fields: Mapping[ThinkingEffort, Mapping[str, Any]]

    @property
    def levels(self) -> tuple[ThinkingEffort, ...]:
        """The efforts that differ, for a switch that offers no more than there is; empty where there is none."""
        different: dict[str, ThinkingEffort] = {}
        for effort in (_HIGH, _LOW, _OFF, _MEDIUM):  # what is sent for "off" is not always off
            if self.fields.get(effort):
                different.setdefault(repr(self.fields[effort]), effort)
        return tuple(effort for effort in ThinkingEffort if effort in different.values())

    def of(self, effort: ThinkingEffort | None) -> dict[str, Any]:
        """The fields of the request's body; none without an effort."""
        return dict(self.fields.get(effort, {})) if effort is not None else {}


def _each(make: Callable[[str], Mapping[str, Any]], **words: str) -> ThinkingSwitch:
    """A switch of one field; ``words`` are the endpoint's for our efforts."""
    return ThinkingSwitch(
        fields={effort: make(word) for effort in ThinkingEffort if (word := words.get(effort.value, effort.value))}
    )


def _effort(**words: str) -> ThinkingSwitch:
    return _each(lambda word: {"reasoning_effort": word}, **words)


def _on_off(on: Mapping[str, Any], off: Mapping[str, Any]) -> ThinkingSwitch:
    return ThinkingSwitch(fields={_OFF: off, _LOW: on, _MEDIUM: on, _HIGH: on})


NO_SWITCH = ThinkingSwitch(fields={})
EFFORT = _effort(off="none")
EFFORT_FROM_MINIMAL = _effort(off="minimal")
EFFORT_FROM_LOW = _effort(off="low")
LOW_OR_HIGH = _effort(off="low", medium="high")
NONE_OR_HIGH = _effort(off="none", low="high", medium="high")
NONE_OR_DEFAULT = _effort(off="none", low="default", medium="default", high="default")
THINKING_TYPE = _on_off({"thinking": {"type": "enabled"}}, {"thinking": {"type": "disabled"}})
ENABLE_THINKING = _on_off({"enable_thinking": True}, {"enable_thinking": False})
ENABLE_WITH_BUDGET = ThinkingSwitch(
    fields={
        _OFF: {"enable_thinking": False},
        _LOW: {"enable_thinking": True, "thinking_budget": 1024},
        _MEDIUM: {"enable_thinking": True, "thinking_budget": 8192},
        _HIGH: {"enable_thinking": True},
    }
)
REASONING_OBJECT = _each(lambda word: {"reasoning": {"effort": word}}, off="none")
REASONING_ENABLED = _on_off({"reasoning": {"enabled": True}}, {"reasoning": {"enabled": False}})
# Templates differ in the name that they look for; the one that they do not know does nothing.
CHAT_TEMPLATE = _on_off(
    {"chat_template_kwargs": {"enable_thinking": True, "thinking": True}},
    {"chat_template_kwargs": {"enable_thinking": False, "thinking": False}},
)
CHAT_TEMPLATE_EFFORT = _each(lambda word: {"chat_template_kwargs": {"reasoning_effort": word}}, off="low")
TOKEN_BUDGET = ThinkingSwitch(
    fields={
        _OFF: {"thinking": {"type": "disabled"}},
        _LOW: {"thinking": {"type": "enabled", "budget_tokens": 2048}},
        _MEDIUM: {"thinking": {"type": "enabled", "budget_tokens": 8192}},
        _HIGH: {"thinking": {"type": "enabled", "budget_tokens": 16384}},
    }
)

_LOCAL = r"^(?:localhost|127\.|\[?::1)"

_TABLE: tuple[tuple[str, str, ThinkingSwitch], ...] = (
    # host and port, model, switch: the first row whose two patterns are found counts
    (r"(?:^|\.)openai\.com$", r"^gpt-5(?:-|$)", EFFORT_FROM_MINIMAL),
    (r"(?:^|\.)openai\.com$", r"^gpt-5\.|^gpt-[6-9]", EFFORT),
    (r"(?:^|\.)openai\.com$", r"^o\d|gpt-oss", EFFORT_FROM_LOW),
    (r"(?:^|\.)openai\.com$", r"", NO_SWITCH),
    (r"openrouter\.ai|ai-gateway\.vercel", r"", REASONING_OBJECT),
    (r"(?:dashscope|maas).*aliyuncs\.com|siliconflow", r"qwen|qwq", ENABLE_WITH_BUDGET),
    (r"(?:dashscope|maas).*aliyuncs\.com|siliconflow|modelscope|baidubce|hunyuan", r"", ENABLE_THINKING),
    (r"moonshot", r"thinking|moonshot-v1|k2-(?:0|turbo)", NO_SWITCH),  # those of one mind
    (r"deepseek\.com|bigmodel\.cn|(?:^|\.)z\.ai|moonshot|volces\.com|xiaomimimo|longcat", r"", THINKING_TYPE),
    (r"anthropic\.com", r"", TOKEN_BUDGET),
    (r"googleapis\.com", r"gemini-(?:[3-9]|2\.5-pro)", EFFORT_FROM_LOW),
    (r"mistral\.ai", r"small|medium|large|latest", NONE_OR_HIGH),
    (r"mistral\.ai", r"", NO_SWITCH),
    (r"(?:^|\.)x\.ai$", r"mini|grok-4\.[2-9]|grok-[5-9]", LOW_OR_HIGH),
    (r"(?:^|\.)x\.ai$", r"", NO_SWITCH),
    (r"groq\.com", r"qwen", NONE_OR_DEFAULT),
    (r"groq\.com|cerebras\.ai", r"gpt-oss", EFFORT_FROM_LOW),
    (r"together\.(?:ai|xyz)", r"^(?!.*gpt-oss)", REASONING_ENABLED),
    (r"nvidia\.com", r"^(?!.*gpt-oss)", CHAT_TEMPLATE),
    (_LOCAL + r".*:(?:11434|1234)$", r"", EFFORT),  # Ollama, LM Studio
    (_LOCAL, r"gpt-oss", CHAT_TEMPLATE_EFFORT),
    (_LOCAL, r"", CHAT_TEMPLATE),  # llama.cpp, vLLM, SGLang and what is built on them
)


def thinking_switch(host: str, model: str) -> ThinkingSwitch:
    """Return the switch of ``model`` at ``host``, given with its port; ``reasoning_effort`` where nothing is known."""
    for hosts, models, switch in _TABLE:
        if re.search(hosts, host, re.IGNORECASE) and re.search(models, model, re.IGNORECASE):
            return switch
    return EFFORT
