"""The settings' endpoints: adding, changing, choosing, removing and bringing back, as pure functions."""

import dataclasses
from dataclasses import dataclass
from urllib.parse import urlsplit

from desktop.core.settings import EndpointSettings, Settings

MOST_MODELS = 2_000
"""Of an endpoint's models; some gateways list every one in the world."""


@dataclass(frozen=True, kw_only=True)
class Removed:
    """An endpoint that was taken out, with all that is needed to bring it back."""

    endpoint: EndpointSettings
    index: int
    was_active: bool


@dataclass(frozen=True, kw_only=True)
class Answering:
    """Which endpoint answers in a thread, with the model in use there."""

    endpoint: EndpointSettings
    is_substitute: bool = False
    """The thread's own endpoint is not there any more, so the one of the settings answers: the user must hear of it."""
    recorded_as: str = ""
    """Whose answers these are, where another endpoint has a model of the same name: ``deepseek-chat · Work``."""


def answering(settings: Settings, usual: EndpointSettings, *, endpoint_id: str | None, model: str | None) -> Answering:
    """Return who answers in a thread that chose ``endpoint_id`` and ``model``; None leaves it to the ``usual`` one."""
    own, is_substitute = usual, False
    if endpoint_id:
        found = find_endpoint(settings, endpoint_id)
        own = usual if found is None else dataclasses.replace(found, model=model or found.model)
        is_substitute = found is None
    elif endpoint_id is not None:
        own = EndpointSettings()
    return Answering(endpoint=own, is_substitute=is_substitute, recorded_as=_distinct_name(settings, own))


def _distinct_name(settings: Settings, endpoint: EndpointSettings) -> str:
    """Return the model's name with that of its endpoint, where others have one of that name; else nothing."""
    others = (each for each in settings.endpoints if each.id != endpoint.id)
    if endpoint.is_demo or not any(endpoint.model in (each.model, *each.models) for each in others):
        return ""
    return f"{endpoint.model} · {endpoint.name.strip() or urlsplit(endpoint.base_url).netloc}"


def find_endpoint(settings: Settings, endpoint_id: str) -> EndpointSettings | None:
    return next((e for e in settings.endpoints if e.id == endpoint_id and e.id), None)


def with_endpoint(settings: Settings, endpoint: EndpointSettings, *, active: bool = False) -> Settings:
    """Return the settings with ``endpoint``, in the place of the one with its id or at the end."""
    models = endpoint.models
    if endpoint.model and endpoint.model not in models:
        models = (endpoint.model, *models)
    endpoint = dataclasses.replace(endpoint, models=models[:MOST_MODELS])
    if find_endpoint(settings, endpoint.id) is None:
        endpoints = (*settings.endpoints, endpoint)
    else:
        endpoints = tuple(endpoint if e.id == endpoint.id else e for e in settings.endpoints)
    settings = dataclasses.replace(settings, endpoints=endpoints)
    return _choose(settings, endpoint.id) if active else settings


def with_choice(settings: Settings, endpoint_id: str, model: str) -> Settings:
    """Return the settings with this endpoint and model in use; the demo model for an id that is empty or unknown."""
    endpoint = find_endpoint(settings, endpoint_id)
    if endpoint is None:
        return _choose(settings, "")
    return with_endpoint(settings, dataclasses.replace(endpoint, model=model or endpoint.model), active=True)


def without_endpoint(settings: Settings, endpoint_id: str) -> tuple[Settings, Removed | None]:
    """Take an endpoint out. When it was in use, the demo model answers until another one is chosen."""
    endpoint = find_endpoint(settings, endpoint_id)
    if endpoint is None:
        return settings, None
    was_active = settings.endpoint_id == endpoint_id
    removed = Removed(endpoint=endpoint, index=settings.endpoints.index(endpoint), was_active=was_active)
    rest = tuple(e for e in settings.endpoints if e.id != endpoint_id)
    chosen = "" if was_active else settings.endpoint_id
    return dataclasses.replace(settings, endpoints=rest, endpoint_id=chosen), removed


def with_removed(settings: Settings, removed: Removed) -> Settings:
    """Bring an endpoint back to its place. It answers again if it did and no other was chosen meanwhile."""
    if find_endpoint(settings, removed.endpoint.id) is not None:
        return settings
    endpoints = list(settings.endpoints)
    endpoints.insert(removed.index, removed.endpoint)
    settings = dataclasses.replace(settings, endpoints=tuple(endpoints))
    if removed.was_active and not settings.endpoint_id:
        return _choose(settings, removed.endpoint.id)
    return settings


def free_name(settings: Settings, wanted: str) -> str:
    """Return ``wanted``, with a number where an endpoint of that name is there already."""
    names = {endpoint.name.strip() for endpoint in settings.endpoints}
    if wanted not in names:
        return wanted
    return next(name for number in range(2, len(names) + 3) if (name := f"{wanted} {number}") not in names)


def goes_elsewhere(old: str, new: str) -> bool:
    """True when ``new`` leads to another server than ``old``: a key that was given to one is not for the other."""
    return _origin(old) != _origin(new)


def _origin(address: str) -> tuple[str, str]:
    try:
        parts = urlsplit(address)
    except ValueError:
        return "", address
    port = {"http": ":80", "https": ":443"}.get(parts.scheme, "")
    return parts.scheme, parts.netloc.lower().removesuffix(port)


def _choose(settings: Settings, endpoint_id: str) -> Settings:
    return dataclasses.replace(settings, endpoint_id=endpoint_id, welcomed=True)
