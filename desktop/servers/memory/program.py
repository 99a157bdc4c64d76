"""``mcp-server memory``: its command line, its environment, and its life on stdio or HTTP."""

import argparse
import asyncio
import contextlib
import ipaddress
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.core.paths import default_data_folder
from desktop.core.tasks import alongside
from desktop.servers.memory.limits import Limits, WrongSettingError, is_id
from desktop.servers.memory.spans import sent_spans, wants_spans
from desktop.servers.memory.summaries import SummaryModel
from desktop.servers.memory.tenants import Tokens, read_tenants
from desktop.servers.starting import WRONG_USE, Parser, quiet_sdk, say, taken_from_environment

if TYPE_CHECKING:
    from desktop.servers.memory.store import MemoryStore

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8010
FILE_NAME = "short-term-memory.db"
_NOT_STARTED = 1
_HELP = """
A session is a name that clients choose; it holds values by key and a timeline, and is forgotten when it was not used
for some time. Tools: mem_put, mem_get, mem_append, mem_recent, mem_clear.

environment:
  REDIS_URL             keep everything on this Redis server instead of in a file, for example redis://localhost:6379/0
  MEM_TTL_S             after how many seconds without use a session is forgotten, unless a call says (3600)
  MEM_MAX_TTL_S         the most that a call may say (2592000)
  MEM_MAX_ITEMS         the most entries of a timeline (2000)
  MEM_MAX_N             the most entries that one call reads (200)
  MEM_MAX_TEXT          characters of an entry; longer ones are cut, with a mark (8000)
  MEM_MAX_VALUE         characters of a value; longer ones are refused (64000)
  MEM_MAX_KEYS          keys of a session (500)
  MEM_CALLS_PER_MINUTE  calls of one tenant; 0 for any number (6000)
  MEM_SUMMARY_URL       an OpenAI-compatible endpoint that summarises longer entries instead, http://localhost:11434/v1
  MEM_SUMMARY_MODEL     its model
  MEM_SUMMARY_KEY       its key, if it wants one
  OTEL_EXPORTER_OTLP_ENDPOINT
                        a collector (gRPC) that is sent a span for each request; and the other variables of OpenTelemetry
  MEM_SWEEP_S           seconds between two looks for sessions that are over, in the file (60)
"""


@dataclass(frozen=True)
class _Start:
    options: argparse.Namespace
    limits: Limits
    tokens: Tokens
    redis_url: str
    summaries: SummaryModel | None
    sends_spans: bool


def main(argv: list[str]) -> int:
    """Run the server until its input ends or it is stopped. Returns the exit status."""
    try:
        options = _parse(argv)
    except SystemExit as ending:
        return ending.code if isinstance(ending.code, int) else WRONG_USE
    try:
        start = _Start(
            options,
            Limits.from_environment(os.environ),
            _tokens(options),
            _redis_url(),
            SummaryModel.from_environment(os.environ, taken_from_environment("MEM_SUMMARY_KEY")),
            wants_spans(os.environ),
        )
    except WrongSettingError as error:
        say(f"mcp-server memory: {error}.")
        return WRONG_USE
    quiet_sdk()
    with contextlib.suppress(KeyboardInterrupt):
        return asyncio.run(_run(start))
    return 0


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = Parser(
        prog="python -m desktop mcp-server memory",
        description="Start the short-term memory server.",
        epilog=_HELP,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--file", type=Path, help=f"where sessions are kept (default {FILE_NAME} in the data folder)")
    parser.add_argument("--cluster", action="store_true", help="on Redis: names with a hash tag, for a cluster")
    parser.add_argument(
        "--chat-lists",
        action="store_true",
        help="on Redis: each timeline is the list chat:session:ID of role and content",
    )
    parser.add_argument("--tenant", default="", help="the tenant of everything that comes by stdio or --token-env")
    parser.add_argument("--log-level", choices=["debug", "info", "warning", "error"], default="warning")
    parser.add_argument("--http", action="store_true", help="serve streamable HTTP at /mcp instead of stdio")
    parser.add_argument("--host", help=f"the address to listen on (with --http; default {DEFAULT_HOST})")
    parser.add_argument(
        "--name", action="append", default=[], help="a further name that others reach it by (with --http; repeatable)"
    )
    parser.add_argument("--port", type=int, help=f"the port to listen on (with --http; default {DEFAULT_PORT})")
    parser.add_argument("--token-env", metavar="NAME", help="the variable that holds the bearer token (with --http)")
    parser.add_argument(
        "--tenants", type=Path, metavar="FILE", help='a file of tenants and their tokens: {"alice": "…"} (with --http)'
    )
    options = parser.parse_args(argv)
    of_http = (options.host, options.port, options.token_env, options.tenants)
    if not options.http and (options.name or of_http != (None, None, None, None)):
        parser.error("--host, --name, --port, --token-env and --tenants need --http")
    if options.port is not None and not 0 < options.port < 65_536:
        parser.error("--port must be 1 to 65535")
    if options.token_env is not None and options.tenants is not None:
        parser.error("--token-env and --tenants exclude each other")
    if options.tenant and not is_id(options.tenant):
        parser.error("--tenant must be letters, digits and - _ . :, at most 128")
    options.host = options.host or DEFAULT_HOST
    has_token = options.token_env is not None or options.tenants is not None
    for host in (options.host, *options.name):
        if options.http and not has_token and not _is_loopback(host):
            parser.error(f"{host} can be reached by other computers: --token-env or --tenants is needed")
    if options.http and options.tenant and options.token_env is None:
        parser.error("--tenant needs --token-env with --http")
    options.file = (options.file or default_data_folder() / FILE_NAME).expanduser().absolute()
    return options


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _tokens(options: argparse.Namespace) -> Tokens:
    if options.tenants is not None:
        return Tokens(read_tenants(options.tenants))
    if options.token_env is None:
        return Tokens({})
    token = taken_from_environment(options.token_env)
    if not token:
        raise WrongSettingError(f"the environment variable {options.token_env} is not set or is empty")
    return Tokens({options.tenant: token})


def _redis_url() -> str:
    return taken_from_environment("REDIS_URL")  # a password may stand in it


async def _run(start: _Start) -> int:
    from desktop.servers.memory.store import StoreError
    from desktop.servers.memory.tracing import log_to_stderr

    log_to_stderr(start.options.log_level)
    store = _store(start)
    try:
        await store.open()
    except StoreError as error:
        say(f"mcp-server memory: {error}")
        await store.close()
        return _NOT_STARTED
    try:
        async with contextlib.AsyncExitStack() as stack:
            if start.sends_spans:
                await stack.enter_async_context(sent_spans())
            await stack.enter_async_context(alongside(_sweep(store, start.limits.sweep_s)))
            await _serve(start, store)
    except WrongSettingError as error:
        say(f"mcp-server memory: {error}.")
        return _NOT_STARTED
    finally:
        await store.close()
    return 0


def _store(start: _Start) -> "MemoryStore":
    if start.redis_url:
        from desktop.servers.memory.redis_store import RedisStore

        return RedisStore(start.redis_url, cluster=start.options.cluster, chat_lists=start.options.chat_lists)
    from desktop.servers.memory.sqlite_store import SqliteStore

    return SqliteStore(start.options.file)


async def _sweep(store: "MemoryStore", seconds: float) -> None:
    from desktop.servers.memory.store import StoreError

    while True:
        try:
            await store.sweep()
        except StoreError as error:  # the next look may do better
            logging.getLogger("threadwell.memory").warning("sweeping failed: %s", error)
        await asyncio.sleep(seconds)


async def _serve(start: _Start, store: "MemoryStore") -> None:
    from desktop.servers.memory.metrics import Metrics
    from desktop.servers.memory.tools import create_server
    from desktop.servers.memory.tracing import log_to_stderr

    metrics = Metrics()
    server = create_server(store, start.limits, metrics=metrics, tenant=start.options.tenant, summaries=start.summaries)
    log_to_stderr(start.options.log_level)  # once more: the SDK has set up its own meanwhile
    if not start.options.http:
        await server.run_stdio_async(show_banner=False)
        return
    from desktop.core.own_address import OwnAddress
    from desktop.servers.memory.web import MCP_PATH, Patience, http_server, web_app

    host, port = start.options.host, start.options.port or DEFAULT_PORT
    addresses = [OwnAddress(name, port) for name in (host, *start.options.name)]
    app = web_app(server, store, metrics, tokens=start.tokens, addresses=addresses, patience=Patience())
    shown = f"[{host}]" if ":" in host else host
    say(f"Keeps sessions in {store.name}")
    say(f"Listening on http://{shown}:{port}{MCP_PATH}")
    await http_server(app, host=host, port=port, patience=Patience()).serve()
