"""Which servers a start has: those of the settings and of the file that was named, and the folder that they work in."""

import os
from pathlib import Path

from desktop.app.options import LaunchOptions
from desktop.core.errors import SettingsError
from desktop.core.paths import default_workspace
from desktop.core.settings import Settings
from desktop.mcp_client.config import parse_mcp_config
from desktop.mcp_client.server_book import ConfiguredServers
from desktop.tools.entities import ServerConfig


def workspace_of(settings: Settings) -> Path:
    """Return the folder in which commands run."""
    if not settings.agent.workspace:
        return default_workspace()
    # Unlike ``Path.expanduser`` this one keeps what it cannot expand. A relative folder lies in the home folder,
    # wherever the program was started.
    return Path.home() / os.path.expanduser(settings.agent.workspace)


def configured_servers(options: LaunchOptions, settings_path: Path, *, given_is_agreed: bool) -> ConfiguredServers:
    """Return the book of servers of this start. Raises ``SettingsError`` for an unusable ``--mcp-config``.

    ``given_is_agreed``: nobody can be asked about the servers of that file, and naming it was the agreement.
    """
    return ConfiguredServers(
        source=str(settings_path),
        environment=os.environ,
        workspace=workspace_of,
        given=_servers_of_file(options.mcp_config) if options.mcp_config is not None else (),
        given_is_agreed=given_is_agreed,
        data_folder=settings_path.parent,
    )


def _servers_of_file(path: Path) -> tuple[ServerConfig, ...]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise SettingsError("settings.mcp_config", path=str(path), detail=f"{error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise SettingsError("settings.mcp_config", path=str(path), detail="It is not UTF-8 text.") from error
    return parse_mcp_config(text, source=str(path), environment=os.environ)
