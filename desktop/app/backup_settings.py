"""The settings as a backup holds them, without anything secret; and what a restored backup may change of those that are here."""

import dataclasses
import logging
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlsplit, urlunsplit

from desktop.core.api_settings import USUAL_API
from desktop.core.backup_settings import USUAL_BACKUP
from desktop.core.ids import new_id
from desktop.core.keys_in_text import keys_in, without_keys
from desktop.core.memory_settings import EmbedderKind
from desktop.core.session_settings import USUAL_SESSIONS
from desktop.core.settings import EndpointSettings, KeyPlace, Settings, read_settings, settings_text
from desktop.ui.state.server_secrets import is_secret, sealed, without_secrets

logger = logging.getLogger(__name__)


def settings_for_backup(settings: Settings) -> str:
    """Return the settings file for a backup: no key, no password, and nothing that only holds on this computer."""
    clean = dataclasses.replace(
        settings,
        endpoints=tuple(map(_without_secrets, settings.endpoints)),
        mcp_servers={name: _entry(name, entry) for name, entry in settings.mcp_servers.items()},
        keys_to_forget=(),
        server_secrets=(),
        confirmed_servers=(),
        server_places={},
        backup=USUAL_BACKUP,
        api=USUAL_API,
        sessions=USUAL_SESSIONS,
        memory=dataclasses.replace(settings.memory, chroma_url=_address(settings.memory.chroma_url), chroma_left=()),
        agent=dataclasses.replace(settings.agent, system_prompt=without_keys(settings.agent.system_prompt)),
    )
    return settings_text(clean)


def settings_after_restore(text: str, present: Settings) -> str:
    """Return the settings with which a restored library starts: those of the backup, and of those that are here all by
    which keys, commands or texts could get to somebody whom nobody here chose."""
    try:
        restored = read_settings(text)
    except (ValueError, TypeError, RecursionError) as error:
        logger.warning("the settings of the backup cannot be read: %s", error)
        return settings_text(present)
    endpoints = _endpoints(restored, present)
    ids = {endpoint.id for endpoint in endpoints}
    chosen = present.endpoint_id or restored.endpoint_id
    return settings_text(
        dataclasses.replace(
            restored,
            welcomed=present.welcomed or restored.welcomed,
            endpoints=endpoints,
            endpoint_id=chosen if chosen in ids else "",
            keys_to_forget=present.keys_to_forget,
            mcp_servers={**restored.mcp_servers, **present.mcp_servers},
            bundled_servers_off=tuple({*restored.bundled_servers_off, *present.bundled_servers_off}),
            confirmed_servers=present.confirmed_servers,
            server_places=present.server_places,
            server_secrets=present.server_secrets,
            backup=present.backup,
            api=present.api,
            sessions=present.sessions,
            agent=dataclasses.replace(
                restored.agent,
                permission_mode=present.agent.permission_mode,
                workspace=present.agent.workspace,
            ),
            memory=dataclasses.replace(
                restored.memory,
                embedder=restored.memory.embedder
                if restored.memory.embedder is not EmbedderKind.ENDPOINT
                else present.memory.embedder,
                embedding_endpoint_id=present.memory.embedding_endpoint_id,
                embedding_model=present.memory.embedding_model,
                chroma_url=present.memory.chroma_url,
                chroma_left=present.memory.chroma_left,
            ),
        )
    )


def _endpoints(restored: Settings, present: Settings) -> tuple[EndpointSettings, ...]:
    """Those that are here stay as they are. Of the others none gets a key that was kept for another address."""
    here = {endpoint.id: endpoint for endpoint in present.endpoints}
    found = dict(here)
    for endpoint in restored.endpoints:
        known = here.get(endpoint.id)
        if known is None:
            # Nobody kept a key for it under this name, unless for one that was removed: then it is to be entered again.
            found[endpoint.id] = dataclasses.replace(endpoint, key_place=KeyPlace.NONE, key_env="")
        elif known.base_url != endpoint.base_url:
            other = new_id()
            found[other] = dataclasses.replace(endpoint, id=other, key_place=KeyPlace.NONE, key_env="")
    return tuple(found.values())


def _without_secrets(endpoint: EndpointSettings) -> EndpointSettings:
    return dataclasses.replace(
        endpoint,
        base_url=_address(endpoint.base_url),
        proxy=_address(endpoint.proxy),
        headers={
            name: value
            for name, value in endpoint.headers.items()
            if "{key}" in value or not (is_secret(name, value) or keys_in(value))
        },
        model_options={
            name: dataclasses.replace(options, extra_body=_plain(options.extra_body))
            for name, options in endpoint.model_options.items()
        },
    )


def _plain(value: Any, name: str = "") -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(one, key) for key, one in cast(Mapping[str, Any], value).items()}
    if isinstance(value, list | tuple):
        return [_plain(one, name) for one in cast(list[Any], value)]
    return "" if isinstance(value, str) and (is_secret(name, value) or keys_in(value)) else value


def _entry(name: str, entry: Any) -> Any:
    if not isinstance(entry, Mapping):
        return entry
    return without_secrets(sealed(name, cast(Mapping[str, Any], entry)).entry)


def _address(url: str) -> str:
    """Return an address without a password in it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    if "@" not in parts.netloc:
        return url
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
