"""How endpoints are told to think: each in its own words, and nothing where nothing is known to be taken."""

from typing import Any

import pytest

from desktop.core.thinking_effort import ThinkingEffort
from desktop.providers.endpoint_traits import traits_of
from desktop.providers.presets import PRESETS

OFF, LOW, MEDIUM, HIGH = ThinkingEffort.OFF, ThinkingEffort.LOW, ThinkingEffort.MEDIUM, ThinkingEffort.HIGH
LOCAL = "http://127.0.0.1"


@pytest.mark.parametrize(
    ("base_url", "model", "effort", "fields"),
    [
        ("https://api.openai.com/v1", "gpt-5.5", OFF, {"reasoning_effort": "none"}),
        ("https://api.openai.com/v1", "gpt-5-mini", OFF, {"reasoning_effort": "minimal"}),
        ("https://api.openai.com/v1", "o3", OFF, {"reasoning_effort": "low"}),
        ("https://api.openai.com/v1", "gpt-4.1-mini", HIGH, {}),
        ("https://me.openai.azure.com/openai/v1", "deployment", LOW, {"reasoning_effort": "low"}),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen3-max", OFF, {"enable_thinking": False}),
        ("https://dashscope-intl.aliyuncs.com/compatible-mode/v1", "qwen-plus", LOW,
         {"enable_thinking": True, "thinking_budget": 1024}),
        ("https://api.siliconflow.cn/v1", "deepseek-ai/DeepSeek-V3.2", HIGH, {"enable_thinking": True}),
        ("https://api.deepseek.com/v1", "deepseek-v4-pro", OFF, {"thinking": {"type": "disabled"}}),
        ("https://open.bigmodel.cn/api/paas/v4", "glm-5.2", HIGH, {"thinking": {"type": "enabled"}}),
        ("https://api.z.ai/api/paas/v4", "glm-5.2", HIGH, {"thinking": {"type": "enabled"}}),
        ("https://api.moonshot.cn/v1", "kimi-k2.6", OFF, {"thinking": {"type": "disabled"}}),
        ("https://api.moonshot.ai/v1", "kimi-k2-thinking", OFF, {}),
        ("https://openrouter.ai/api/v1", "z-ai/glm-5.2", MEDIUM, {"reasoning": {"effort": "medium"}}),
        ("https://openrouter.ai/api/v1", "openai/gpt-5", OFF, {"reasoning": {"effort": "none"}}),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-2.5-flash", OFF, {"reasoning_effort": "none"}),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-3-pro", OFF, {"reasoning_effort": "low"}),
        ("https://api.mistral.ai/v1", "mistral-small-latest", LOW, {"reasoning_effort": "high"}),
        ("https://api.mistral.ai/v1", "open-mistral-nemo", LOW, {}),
        ("https://api.x.ai/v1", "grok-3-mini", MEDIUM, {"reasoning_effort": "high"}),
        ("https://api.x.ai/v1", "grok-4", HIGH, {}),
        ("https://api.groq.com/openai/v1", "qwen/qwen3-32b", HIGH, {"reasoning_effort": "default"}),
        (f"{LOCAL}:11434/v1", "qwen3:8b", OFF, {"reasoning_effort": "none"}),
        (f"{LOCAL}:8080/v1", "gpt-oss-20b", HIGH, {"chat_template_kwargs": {"reasoning_effort": "high"}}),
        ("http://[::1]:8000/v1", "Qwen/Qwen3-8B", OFF, {"chat_template_kwargs": {"enable_thinking": False, "thinking": False}}),
        ("https://gateway.example/v1", "anything", HIGH, {"reasoning_effort": "high"}),
    ],
)  # fmt: skip
def test_each_in_its_own_words(base_url: str, model: str, effort: ThinkingEffort, fields: dict[str, Any]) -> None:
    assert traits_of(base_url, model).thinking.of(effort) == fields
    assert traits_of(base_url, model).thinking.of(None) == {}


@pytest.mark.parametrize(
    ("base_url", "model", "levels"),
    [
        ("https://api.openai.com/v1", "gpt-5.5", (OFF, LOW, MEDIUM, HIGH)),
        ("https://api.openai.com/v1", "gpt-4.1", ()),
        ("https://api.openai.com/v1", "o3", (LOW, MEDIUM, HIGH)),
        ("https://api.deepseek.com/v1", "deepseek-v4-pro", (OFF, HIGH)),
        ("https://dashscope.aliyuncs.com/compatible-mode/v1", "qwen3-max", (OFF, LOW, MEDIUM, HIGH)),
    ],
)
def test_a_switch_offers_what_differs(base_url: str, model: str, levels: tuple[ThinkingEffort, ...]) -> None:
    assert traits_of(base_url, model).thinking.levels == levels


def test_no_preset_is_without_a_row_of_its_own_by_accident() -> None:
    """Whoever adds a provider decides how it is told to think."""
    unknown = {preset.id for preset in PRESETS if traits_of(preset.base_url, preset.models[0]).thinking.of(HIGH) == {
        "reasoning_effort": "high"
    }}  # fmt: skip
    assert unknown <= {"openai"}
