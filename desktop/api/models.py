"""The models by the names that clients give: the usual one, and each that the settings' endpoints have."""

from collections import Counter
from collections.abc import Mapping
from urllib.parse import urlsplit

from desktop.api.problems import ApiProblem
from desktop.conversation.entities import AskedModel
from desktop.core.settings import Settings

USUAL = "threadwell"
"""Whichever answers new chats in the window."""


def models_of(settings: Settings) -> Mapping[str, AskedModel | None]:
    """Return the models by name; None is the usual one. A name that several endpoints have is given with the endpoint's."""
    each = [(e, model) for e in settings.endpoints for model in dict.fromkeys((e.model, *e.models)) if model]
    counts = Counter(model for _, model in each)
    named: dict[str, AskedModel | None] = {USUAL: None}
    for endpoint, model in each:
        place = endpoint.name.strip() or urlsplit(endpoint.base_url).netloc
        name = model if counts[model] == 1 and model != USUAL else f"{place}/{model}"
        named.setdefault(name, AskedModel(endpoint_id=endpoint.id, model=model))
    return named


def model_called(settings: Settings, name: str) -> AskedModel | None:
    """Return the model; None for the usual one. Raises ``ApiProblem`` where there is none of that name."""
    named = models_of(settings)
    if name not in named:
        raise ApiProblem(
            404,
            "model_not_found",
            f"There is no model “{name[:100]}”.",
            f"GET /v1/models lists those that there are; “{USUAL}” is the usual one.",
        )
    return named[name]
