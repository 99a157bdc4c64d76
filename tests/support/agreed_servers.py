"""Settings in which the user has agreed to the line of every server."""

import dataclasses
import os
from pathlib import Path

from desktop.core.settings import Settings
from desktop.mcp_client.server_book import ConfiguredServers


def agreed(settings: Settings) -> Settings:
    """Return the settings as if the user had looked at all servers that stand in them."""
    book = ConfiguredServers(source="", environment=os.environ, workspace=lambda _settings: Path())
    marks = [book.read(name, entry).fingerprint for name, entry in settings.mcp_servers.items()]
    known = dict.fromkeys([*settings.confirmed_servers, *filter(None, marks)])
    return dataclasses.replace(settings, confirmed_servers=tuple(known))
