"""What each kind of model server on this machine answers that no other does, and how much its models read."""

import dataclasses
import logging
import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

from desktop.core.endpoints import FoundServer, ListedModel
from desktop.providers.local_probe import Server, objects
from desktop.providers.model_lists import as_token_count, context_of, described

logger = logging.getLogger(__name__)

COMPATIBLE = "OpenAI-compatible"
"""The kind of a server that answers as it should and does not say what it is."""

_OWNERS = {
    "llamacpp": "llama.cpp",
    "vllm": "vLLM",
    "sglang": "SGLang",
    "lmdeploy": "LMDeploy",
    "koboldcpp": "KoboldCpp",
    "tabbyAPI": "TabbyAPI",
    "lemonade": "Lemonade",
}
_ASKS_FOR_KEY = re.compile(r"api[ _-]?key|token|unauthori[sz]ed", re.IGNORECASE)


async def identify(server: Server) -> FoundServer | None:
    """Return what serves there; None when that is no model server that is known."""
    for recognise in _KINDS:
        if (found := await recognise(server)) is not None:
            logger.info("found %s at %s", found.kind, found.base_url)
            return found
    return None


def _named(items: Iterable[Mapping[str, Any]], *keys: str) -> list[ListedModel]:
    """The models among ``items`` under the first of these keys that holds a name."""
    models: list[ListedModel] = []
    for item in items:
        name = next((item[key] for key in keys if isinstance(item.get(key), str)), None)
        if name is not None:
            models.append(described(name, item))
    return models


async def _lm_studio(server: Server) -> FoundServer | None:
    newer = await server.get("/api/v1/models")
    if newer.is_refusal and "LM Studio" in newer.text:
        return server.found("LM Studio", (), note="needs_key")
    models = objects(newer.ok_fields.get("models"))
    if models and all("loaded_instances" in model for model in models):
        chats = [model for model in models if not _is_for_embeddings(model)]
        chats.sort(key=lambda model: not model["loaded_instances"])  # what is loaded answers at once
        contexts = {model.get("key"): _context_of_instances(model["loaded_instances"]) for model in chats}
        return server.found("LM Studio", _with_contexts(_named(chats, "key"), contexts))
    older = await server.get("/api/v0/models")
    models = objects(older.ok_fields.get("data"))
    if models and all("state" in model and "type" in model for model in models):
        chats = [model for model in models if not _is_for_embeddings(model)]
        chats.sort(key=lambda model: model["state"] != "loaded")
        contexts = {model.get("id"): as_token_count(model.get("loaded_context_length")) for model in chats}
        return server.found("LM Studio", _with_contexts(_named(chats, "id"), contexts))
    is_empty = newer.ok_fields.get("models") == [] or older.ok_fields.get("data") == []
    return server.found("LM Studio", ()) if is_empty and server.place.usual_kind == "LM Studio" else None


def _with_contexts(models: Iterable[ListedModel], contexts: Mapping[Any, int | None]) -> list[ListedModel]:
    """Say how much each model reads as it is loaded: what it could read at most is another matter."""
    return [dataclasses.replace(model, context_tokens=contexts.get(model.name)) for model in models]


def _context_of_instances(instances: Any) -> int | None:
    """What a model reads that is loaded once or more; the least of it, for one never knows which one answers."""
    configs = [config for instance in objects(instances) if isinstance(config := instance.get("config"), dict)]
    lengths = [length for config in configs if (length := as_token_count(config.get("context_length")))]
    return min(lengths, default=None)


def _is_for_embeddings(model: Mapping[str, Any]) -> bool:
    kind = model.get("type")
    return isinstance(kind, str) and kind.startswith("embed")


async def _ollama(server: Server) -> FoundServer | None:
    if (await server.get("/")).text.strip() != "Ollama is running":
        return None
    tags = (await server.get("/api/tags")).ok_fields
    if "models" not in tags:
        return None
    version = (await server.get("/api/version")).ok_fields.get("version")
    # What a model was trained for is no matter: it reads what it was loaded with, and drops the rest in silence.
    running = objects((await server.get("/api/ps")).ok_fields.get("models"))
    contexts = {
        name: as_token_count(item.get("context_length"))
        for item in running
        for key in ("model", "name")
        if isinstance(name := item.get(key), str)
    }
    models = _named(objects(tags["models"]), "name", "model")
    return server.found("Ollama", _with_contexts(models, contexts), version=version)


async def _llama_cpp(server: Server) -> FoundServer | None:
    # In router mode a bare /props is refused and one for a model would load it: the Server header tells, too.
    props = await server.get("/props")
    kind = "llamafile" if "llamafile" in props.server.lower() else "llama.cpp"
    is_ours = "default_generation_settings" in props.ok_fields or props.server.lower().startswith(
        ("llama.cpp", "llamafile")
    )
    if not is_ours:
        return None
    version = props.ok_fields.get("build_info")
    if props.is_refusal:
        return server.found(kind, (), note="needs_key")
    if props.status == 503:
        return server.found(kind, (await server.get("/v1/models")).models or (), note="loading")
    found = await server.listed(kind, version=version, context_tokens=_context_of_slots(props.ok_fields))
    sees = _flag(props.ok_fields, "modalities", "vision")
    takes = (
        _flag(props.ok_fields, "chat_template_caps", "supports_tools") or None
    )  # others get them in a form of its own
    if sees is None and takes is None:
        return found
    listed = tuple(dataclasses.replace(model, sees_images=sees, takes_tools=takes) for model in found.listed)
    return dataclasses.replace(found, listed=listed)


def _context_of_slots(props: Mapping[str, Any]) -> int | None:
    """What one conversation can have: the whole is divided among those that run side by side."""
    settings = props.get("default_generation_settings")
    return as_token_count(settings.get("n_ctx")) if isinstance(settings, dict) else None


def _flag(fields: Mapping[str, Any], group: str, name: str) -> bool | None:
    inner = fields.get(group)
    value = inner.get(name) if isinstance(inner, dict) else None
    return value if isinstance(value, bool) else None


async def _vllm(server: Server) -> FoundServer | None:
    listed = await server.get("/v1/models")
    owners = [model.get("owned_by") for model in objects(listed.ok_fields.get("data"))]
    version = (await server.get("/version")).ok_fields
    if "vllm" in owners:
        return await server.listed("vLLM", version=version.get("version"))
    if listed.is_refusal and listed.json == {"error": "Unauthorized"} and set(version) == {"version"}:
        return server.found("vLLM", (), note="needs_key", version=version["version"])
    return None


async def _kobold_cpp(server: Server) -> FoundServer | None:
    about = (await server.get("/api/extra/version")).ok_fields
    if about.get("result") != "KoboldCpp":
        return None
    if about.get("protected") is True:
        return server.found("KoboldCpp", (), note="needs_key", version=about.get("version"))
    length = as_token_count((await server.get("/api/extra/true_max_context_length")).ok_fields.get("value"))
    models = [
        dataclasses.replace(model, context_tokens=length)
        for model in (await server.get("/v1/models")).models or ()
        if not model.name.endswith("inactive")
    ]
    return server.found("KoboldCpp", models, version=about.get("version"))


async def _sglang(server: Server) -> FoundServer | None:
    about = (await server.get("/get_model_info")).ok_fields
    if "model_path" not in about or "tokenizer_path" not in about:
        return None
    info = (await server.get("/get_server_info")).ok_fields
    return await server.listed("SGLang", version=info.get("version"), context_tokens=context_of(info))


async def _tgi(server: Server) -> FoundServer | None:
    about = (await server.get("/info")).ok_fields
    name = about.get("model_id")
    if not isinstance(name, str) or "max_total_tokens" not in about:
        return None
    keys = ("max_input_tokens", "max_input_length", "max_total_tokens")
    length = next((count for key in keys if (count := as_token_count(about.get(key)))), None)
    return server.found("TGI", [ListedModel(name=name, context_tokens=length)], version=about.get("version"))


async def _text_generation_webui(server: Server) -> FoundServer | None:
    about = (await server.get("/v1/internal/model/info")).ok_fields
    name = about.get("model_name")
    if not isinstance(name, str) or "lora_names" not in about:
        return None
    return server.found("text-generation-webui", [ListedModel(name=name)] if name != "None" else [])


async def _tabby_api(server: Server) -> FoundServer | None:
    health = (await server.get("/health")).ok_fields
    if health.get("status") != "healthy" or "issues" not in health:
        return None
    loaded = (await server.get("/v1/model")).ok_fields
    parameters = loaded.get("parameters")
    length = as_token_count(parameters.get("max_seq_len")) if isinstance(parameters, dict) else None
    found = await server.listed("TabbyAPI")
    contexts = {name: length for name in [loaded.get("id")] if isinstance(name, str)}
    return dataclasses.replace(found, listed=tuple(_with_contexts(found.listed, contexts)))


async def _local_ai(server: Server) -> FoundServer | None:
    # Any program may be ready; only this one has a gallery as well, and says its version with a v.
    if (await server.get("/readyz")).status != 200 or not (await server.get("/v1/models")).models:
        return None
    version = (await server.get("/version")).ok_fields.get("version")
    if not (isinstance(version, str) and version.startswith("v")):
        version = ""
        if not isinstance((await server.get("/models/available")).json, list):
            return None
    return await server.listed("LocalAI", version=version.split(" ")[0])


async def _lite_llm(server: Server) -> FoundServer | None:
    alive = await server.get("/health/liveliness")
    return await server.listed("LiteLLM") if alive.status == 200 and alive.json == "I'm alive!" else None


async def _docker_model_runner(server: Server) -> FoundServer | None:
    if server.place.usual_kind != "Docker Model Runner":
        return None
    models = (await server.get("/engines/v1/models")).models
    return None if models is None else server.found("Docker Model Runner", models, path="/engines/v1")


async def _any_other(server: Server) -> FoundServer | None:
    """A server whose list of models is beyond doubt, or that asks for a key on a port that is hardly anyone else's."""
    answer = await server.get("/v1/models")
    usual = server.place.usual_kind
    models = answer.ok_fields.get("data")
    if answer.ok_fields.get("object") == "list" and (models is None or isinstance(models, list)):
        items = objects(models)
        is_valid = len(items) == len(models or ()) and all(
            isinstance(item.get("id"), str) and item.get("object", "model") == "model" for item in items
        )
        if is_valid and (items or usual):
            owners = (item.get("owned_by") for item in items)
            known = (_OWNERS.get(owner) for owner in owners if isinstance(owner, str))
            kind = next(filter(None, known), usual or COMPATIBLE)
            return server.found(kind, _named(items, "id"))
    if usual and answer.is_refusal and _ASKS_FOR_KEY.search(answer.text[:1000]):
        return server.found(usual, (), note="needs_key")
    return None


_KINDS: Sequence[Callable[[Server], Awaitable[FoundServer | None]]] = (
    _lm_studio,
    _ollama,
    _llama_cpp,
    _vllm,
    _kobold_cpp,
    _sglang,
    _tgi,
    _text_generation_webui,
    _tabby_api,
    _local_ai,
    _lite_llm,
    _docker_model_runner,
    _any_other,
)
"""In this order nothing is taken for another: several answer paths of others as well."""
