"""How the servers that come with the app are started, from a source tree, an installation or a frozen app."""

import sys
from pathlib import Path

import desktop
from desktop.tools.entities import ServerConfig, Transport

COMMAND_SERVER_ID = "command"


def bundled_command_server(workspace: Path, data_folder: Path | None = None) -> ServerConfig:
    """Return the configuration of the bundled command server.

    ``workspace`` is where its commands run unless the host says otherwise; none in a sandbox reaches ``data_folder``.
    """
    kept_out = ("--keep-out", str(data_folder.absolute())) if data_folder is not None else ()
    arguments = ("mcp-server", "command", "--folder", str(workspace), *kept_out)
    frozen = bool(getattr(sys, "frozen", False))
    return ServerConfig(
        id=COMMAND_SERVER_ID,
        transport=Transport.STDIO,
        command=sys.executable,
        args=arguments if frozen else ("-m", "desktop", *arguments),
        # ``-m`` looks in the working folder first: never the workspace, whose files a model may have written.
        cwd="" if frozen else str(Path(desktop.__file__).resolve().parents[1]),
        bundled=True,
    )
