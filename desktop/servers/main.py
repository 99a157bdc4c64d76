"""``mcp-server NAME``: starts a bundled MCP server on stdio or, when asked to, on HTTP."""

import argparse
import asyncio
import contextlib
import os
import secrets
import signal
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.address_reach import PROXY_VARIABLES
from desktop.core.digests import HOST_SECRET_ENV
from desktop.core.process_tree import conceal_from_children, die_with_parent, hide_from_start_environment
from desktop.core.tasks import TaskSupervisor
from desktop.servers.starting import WRONG_USE, Parser, quiet_sdk, say, taken_from_environment

if TYPE_CHECKING:
    from fastmcp import FastMCP

    from desktop.servers.shell import Shell


def main(argv: list[str]) -> int:
    """Run the server that ``argv`` names until its input ends or it is stopped. Returns the exit status."""
    if argv[:1] == ["memory"]:
        from desktop.servers.memory.program import main as serve_memory

        return serve_memory(argv[1:])
    try:
        options = _parse(argv)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else WRONG_USE
    # Taken out of the environment at once: no command may inherit or read it. HTTP is open to others than the host.
    hide_from_start_environment(HOST_SECRET_ENV)
    secret = os.environ.pop(HOST_SECRET_ENV, "")
    proxies = _proxies()
    token = ""
    if options.http:
        secret = ""
        token = _token(options.token_env)
        if not token:
            say(f"mcp-server: the environment variable {options.token_env} is not set or is empty.")
            return WRONG_USE
    if secret:
        die_with_parent()
    conceal_from_children()
    quiet_sdk()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(options, secret=secret, token=token, proxies=proxies))
    return 0


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="python -m desktop mcp-server",
        description="Start a bundled MCP server.",
        epilog="The other bundled server is the short-term memory: see `mcp-server memory --help`.",
    )
    parser.add_argument("name", choices=["command"], help="which server")
    parser.add_argument(
        "--folder", type=Path, default=Path.cwd(), help="where commands run; made when the first one does"
    )
    parser.add_argument(
        "--keep-out", type=Path, action="append", default=[], help="a folder that no command in a sandbox may reach"
    )
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp instead of stdio")
    parser.add_argument("--host", help="the address to listen on (with --http; default 127.0.0.1)")
    parser.add_argument("--port", type=int, help="the port to listen on (with --http; default 8001)")
    parser.add_argument("--token-env", metavar="NAME", help="the variable that holds the bearer token (with --http)")
    options = parser.parse_args(argv)
    if not options.http and (options.host is not None or options.port is not None or options.token_env is not None):
        parser.error("--host, --port and --token-env need --http")
    if options.port is not None and not 0 < options.port < 65_536:
        parser.error("--port must be 1 to 65535")
    options.folder = options.folder.expanduser().absolute()
    if options.folder.exists() and not options.folder.is_dir():
        parser.error(f"--folder {options.folder} is not a folder")
    return options


def _token(variable: str | None) -> str:
    if variable is not None:
        return taken_from_environment(variable)
    token = secrets.token_urlsafe(32)
    say(f"Bearer token: {token}")
    return token


def _proxies() -> Mapping[str, str]:
    """Return this computer's proxies, and hide those of the environment: a password may stand in them."""
    proxies = urllib.request.getproxies()
    for name in PROXY_VARIABLES:
        hide_from_start_environment(name)
        os.environ.pop(name, None)
    return proxies


async def _serve(options: argparse.Namespace, *, secret: str, token: str, proxies: Mapping[str, str]) -> None:
    from desktop.servers.command import create_server
    from desktop.servers.page_reader import PageReader

    server, shell = create_server(
        options.folder, host_secret=secret, data=options.keep_out, reader=PageReader(proxies=proxies)
    )
    if aside := await asyncio.to_thread(shell.catch_up):
        say(f"Set aside after commands whose end nobody saw: {', '.join(aside)}")
    try:
        if options.http:
            await _serve_http(server, host=options.host or "127.0.0.1", port=options.port or 8001, token=token)
        else:
            _stop_on_sigterm(shell, TaskSupervisor())
            await server.run_stdio_async(show_banner=False)
    finally:
        await shell.end_all()


async def _serve_http(server: "FastMCP", *, host: str, port: int, token: str) -> None:
    import uvicorn
    from starlette.middleware import Middleware

    from desktop.servers.http_guard import HttpGuard

    guard = Middleware(HttpGuard, token=token, host=host, port=port)
    app = server.http_app(path="/mcp", middleware=[guard], host_origin_protection=False)  # the guard is stricter
    config = uvicorn.Config(
        app, host=host, port=port, log_level="warning", access_log=False, timeout_graceful_shutdown=1
    )
    say(f"Listening on http://{host}:{port}/mcp")
    await uvicorn.Server(config).serve()


def _stop_on_sigterm(shell: "Shell", tasks: TaskSupervisor) -> None:
    """End running commands and then the process: the thread that reads stdin cannot be interrupted."""

    async def end() -> None:
        await shell.end_all()
        os._exit(128 + signal.SIGTERM)

    if sys.platform != "win32":
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGTERM, lambda: tasks.spawn(end(), name="stop"))
