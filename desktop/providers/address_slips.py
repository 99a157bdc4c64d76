"""Recognises addresses that are nearly those of an endpoint, and says which one was probably meant."""

import re
from urllib.parse import urlsplit, urlunsplit

from desktop.providers.addresses import EndpointAddress
from desktop.providers.presets import PRESETS

_BASES = {
    **{urlsplit(preset.base_url).netloc: preset.base_url for preset in PRESETS},
    "api.anthropic.com": "https://api.anthropic.com/v1",
    "api.cerebras.ai": "https://api.cerebras.ai/v1",
    "api.fireworks.ai": "https://api.fireworks.ai/inference/v1",
    "api.groq.com": "https://api.groq.com/openai/v1",
    "api.mistral.ai": "https://api.mistral.ai/v1",
    "api.perplexity.ai": "https://api.perplexity.ai",
    "api.together.xyz": "https://api.together.xyz/v1",
    "api.x.ai": "https://api.x.ai/v1",
    "ark.cn-beijing.volces.com": "https://ark.cn-beijing.volces.com/api/v3",
    "generativelanguage.googleapis.com": "https://generativelanguage.googleapis.com/v1beta/openai",
    "integrate.api.nvidia.com": "https://integrate.api.nvidia.com/v1",
    "models.github.ai": "https://models.github.ai/inference",
    "router.huggingface.co": "https://router.huggingface.co/v1",
}
"""By host, where the provider is known to answer at exactly one path."""

_FRONT_DOORS = {
    "aistudio.google.com": "generativelanguage.googleapis.com",
    "bailian.console.aliyun.com": "dashscope.aliyuncs.com",
    "bigmodel.cn": "open.bigmodel.cn",
    "chat.deepseek.com": "api.deepseek.com",
    "chat.mistral.ai": "api.mistral.ai",
    "chat.openai.com": "api.openai.com",
    "chatgpt.com": "api.openai.com",
    "cloud.siliconflow.cn": "api.siliconflow.cn",
    "cloud.siliconflow.com": "api.siliconflow.com",
    "console.anthropic.com": "api.anthropic.com",
    "console.groq.com": "api.groq.com",
    "deepseek.com": "api.deepseek.com",
    "groq.com": "api.groq.com",
    "huggingface.co": "router.huggingface.co",
    "kimi.com": "api.moonshot.cn",
    "kimi.moonshot.cn": "api.moonshot.cn",
    "mistral.ai": "api.mistral.ai",
    "modelstudio.console.alibabacloud.com": "dashscope-intl.aliyuncs.com",
    "openai.com": "api.openai.com",
    "perplexity.ai": "api.perplexity.ai",
    "platform.deepseek.com": "api.deepseek.com",
    "platform.moonshot.ai": "api.moonshot.ai",
    "platform.moonshot.cn": "api.moonshot.cn",
    "platform.openai.com": "api.openai.com",
    "z.ai": "api.z.ai",
}
"""The sites that people see in the browser, and where the same provider's endpoint is."""

_NATIVE_PATH = re.compile(
    r"/(?:api(?:/(?:v0|tags|chat|generate|v1/models))?|v1/v1|v1beta|v1beta/models|ui|chat)$", re.I
)
"""Paths of what Ollama, LM Studio and their kin have beside the endpoint, and doubled ones."""


def suggested_address(address: EndpointAddress) -> str:
    """Return the base URL that was probably meant, when this one does not answer like an endpoint; empty for none."""
    parts = urlsplit(address.base_url)
    host = parts.netloc.lower().removeprefix("www.")
    meant = _BASES.get(_FRONT_DOORS.get(host, host), "")
    if not meant and host.endswith((".openai.azure.com", ".services.ai.azure.com", ".cognitiveservices.azure.com")):
        meant = f"https://{host}/openai/v1"
    if not meant:
        path = _NATIVE_PATH.sub("", parts.path)
        if path != parts.path:
            meant = urlunsplit((parts.scheme, parts.netloc, f"{path}/v1", "", ""))
        elif (versioned := address.with_version()) is not None:
            meant = versioned.base_url
    return "" if meant.rstrip("/") == address.base_url.rstrip("/") else meant


def without_tls(address: EndpointAddress) -> str:
    """Return the same address for a server that does not speak https; empty where it was not asked for that."""
    return address.base_url.replace("https://", "http://", 1) if address.base_url.startswith("https://") else ""
