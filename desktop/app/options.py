"""The command line of ``python -m desktop``: what may be given, checked, as one frozen value."""

import argparse
import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NoReturn

from desktop import __version__
from desktop.core.api_settings import LEAST_PORT, MOST_PORT, USUAL_PORT
from desktop.core.paths import default_data_folder, default_workspace
from desktop.core.permission_mode import PermissionMode
from desktop.core.settings import EndpointSettings
from desktop.core.start_request import NOTHING, StartRequest, file_or_link, request_of


class ApproveRule(StrEnum):
    """What stands for the person who would be asked in a window."""

    REFUSE = "refuse"
    ONCE = "once"
    ALL = "all"


class ElicitRule(StrEnum):
    DECLINE = "decline"
    CANCEL = "cancel"
    DEFAULTS = "defaults"


@dataclass(frozen=True, kw_only=True)
class LaunchOptions:
    """What every front end is started with. ``endpoint`` is None where the settings file decides."""

    data_dir: Path
    endpoint: EndpointSettings | None = None
    mcp_config: Path | None = None
    thread: str = ""
    """``new``, ``last``, an id, or empty: the front end's own choice."""
    models_beside: tuple[str, ...] = ()
    """More models of ``endpoint`` that answer, too."""
    stays: bool = False
    """Without a window the program usually ends with its answer; this one goes on."""


@dataclass(frozen=True, kw_only=True)
class AskCommand:
    launch: LaunchOptions
    text: str
    approve: ApproveRule
    elicit: ElicitRule
    as_json: bool
    files: tuple[Path, ...] = ()
    """What goes along: images, text files, PDFs."""


@dataclass(frozen=True, kw_only=True)
class ServeCommand:
    """``port``: 0 for a free one. ``token_env``: the variable with the token; empty makes one."""

    launch: LaunchOptions
    port: int
    token_env: str
    approve: ApproveRule
    elicit: ElicitRule


@dataclass(frozen=True, kw_only=True)
class ThreadsCommand:
    data_dir: Path
    action: str
    argument: str
    in_trash: bool
    as_json: bool
    target: Path | None = None
    """Where an export goes, and where an import comes from."""
    format: str = "json"


@dataclass(frozen=True, kw_only=True)
class GrantsCommand:
    data_dir: Path
    action: str
    argument: str
    as_json: bool


@dataclass(frozen=True, kw_only=True)
class PolicyCommand:
    """``sandbox``: ``yes``, ``no``, or empty for what this machine has."""

    data_dir: Path
    text: str
    folder: Path
    mode: PermissionMode
    sandbox: str
    as_json: bool


@dataclass(frozen=True, kw_only=True)
class WindowCommand:
    launch: LaunchOptions
    theme: str = ""
    language: str = ""
    request: StartRequest = NOTHING


@dataclass(frozen=True, kw_only=True)
class SmokeTestCommand:
    data_dir: Path | None
    pictures: Path | None
    theme: str = ""
    language: str = ""


HeadlessCommand = AskCommand | ServeCommand | ThreadsCommand | GrantsCommand | PolicyCommand
Command = HeadlessCommand | WindowCommand | SmokeTestCommand


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.print_usage()
        self.exit(2, f"{self.prog}: {message}\n")

    def print_usage(self, file: object = None) -> None:
        super().print_usage(sys.stderr)


def parse(arguments: list[str]) -> Command:
    """Return the command that the arguments name. Wrong use ends the program with status 2 and a usage line."""
    first = arguments[0] if arguments else ""
    if first == "ask":
        return _parse_ask(arguments[1:])
    if first == "serve":
        return _parse_serve(arguments[1:])
    if first == "threads":
        return _parse_threads(arguments[1:])
    if first == "grants":
        return _parse_grants(arguments[1:])
    if first == "policy":
        return _parse_policy(arguments[1:])
    return _parse_window(arguments)


def _parse_ask(arguments: list[str]) -> AskCommand:
    parser = _Parser(prog="python -m desktop ask", description="Ask without a window.")
    parser.add_argument("text", help="what to say")
    parser.add_argument(
        "--file",
        action="append",
        default=[],
        type=Path,
        dest="files",
        metavar="PATH",
        help="an image, text file or PDF that goes along; may be given several times",
    )
    _add_launch_options(parser, several_models=True)
    _add_rules(parser)
    parser.add_argument("--json", action="store_true", dest="as_json", help="one event a line on standard output")
    given = parser.parse_args(arguments)
    given.text = _typed(given.text)
    if not given.text.strip():
        parser.error("the text is empty")
    return AskCommand(
        launch=_launch_options(parser, given, default_thread="new"),
        text=given.text,
        approve=given.approve,
        elicit=given.elicit,
        as_json=given.as_json,
        files=tuple(given.files),
    )


def _parse_serve(arguments: list[str]) -> ServeCommand:
    parser = _Parser(
        prog="python -m desktop serve", description="Let programs of this computer chat, without a window."
    )
    _add_launch_options(parser)
    _add_rules(parser)
    parser.add_argument("--port", type=int, default=USUAL_PORT, help=f"0 for a free one (standard: {USUAL_PORT})")
    parser.add_argument(
        "--token-env", default="", metavar="VAR", help="the variable with the token (standard: make one)"
    )
    given = parser.parse_args(arguments)
    if given.port and not LEAST_PORT <= given.port <= MOST_PORT:
        parser.error(f"--port must be {LEAST_PORT} to {MOST_PORT}, or 0")
    launch, rules = _launch_options(parser, given), {"approve": given.approve, "elicit": given.elicit}
    return ServeCommand(launch=launch, port=given.port, token_env=given.token_env, **rules)


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--approve",
        choices=list(ApproveRule),
        default=ApproveRule.REFUSE,
        type=ApproveRule,
        help="what becomes of tool calls that need your permission; once allows the first (standard: refuse)",
    )
    parser.add_argument(
        "--elicit",
        choices=list(ElicitRule),
        default=ElicitRule.DECLINE,
        type=ElicitRule,
        help="how questions of servers are answered; defaults sends the form's own values (standard: decline)",
    )


def _typed(text: str) -> str:
    """Return the text of an argument: UTF-8, also where the locale knows only ASCII; other bytes are replaced."""
    has_raw_bytes = any("\udc80" <= character <= "\udcff" for character in text)
    return os.fsencode(text).decode("utf-8", "replace") if has_raw_bytes else text


def _parse_threads(arguments: list[str]) -> ThreadsCommand:
    parser = _Parser(
        prog="python -m desktop threads",
        description="Look at, search and delete threads, write them to files, read them.",
    )
    actions = parser.add_subparsers(
        dest="action", required=True, metavar="list|show|search|delete|restore|purge|export|import"
    )
    for name, argument, purpose in (
        ("list", "", "the threads, the one changed last first"),
        ("show", "id", "the messages of a thread"),
        ("search", "text", "threads and messages that contain all words"),
        ("delete", "id", "move a thread to the Trash, where it stays for 30 days"),
        ("restore", "id", "bring a thread back from the Trash"),
        ("purge", "id", "remove a thread for good, with every byte of its text"),
        ("export", "id|all", "write a thread, or all of them, into a file"),
        ("import", "", "take in threads from a file or a folder: exports of this and of other programs"),
    ):
        action = actions.add_parser(name, prog=f"python -m desktop threads {name}", help=purpose, description=purpose)
        if argument:
            action.add_argument("argument", metavar=argument.upper())
        if name in ("list", "export"):
            action.add_argument(
                "--trash", action="store_true", help="the deleted threads" + ", too" * (name == "export")
            )
        if name in ("export", "import"):
            action.add_argument(
                "target", type=Path, metavar="PATH", help="the file" + " or folder" * (name == "import")
            )
        if name == "export":
            formats = ("json", "markdown", "html")
            action.add_argument("--format", choices=formats, default="json", help="(standard: json, which is complete)")
        _add_data_dir(action)
        action.add_argument("--json", action="store_true", dest="as_json", help="one JSON object a line")
    given = parser.parse_args(arguments)
    return ThreadsCommand(
        data_dir=given.data_dir,
        action=given.action,
        argument=_typed(getattr(given, "argument", "")),
        in_trash=getattr(given, "trash", False),
        as_json=given.as_json,
        target=getattr(given, "target", None),
        format=getattr(given, "format", "json"),
    )


def _parse_grants(arguments: list[str]) -> GrantsCommand:
    parser = _Parser(prog="python -m desktop grants", description="The permissions that you gave for good.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="list|revoke")
    for name, purpose in (
        ("list", "what you allowed for good or for a thread"),
        ("revoke", "take one permission back"),
    ):
        action = actions.add_parser(name, prog=f"python -m desktop grants {name}", help=purpose, description=purpose)
        if name == "revoke":
            action.add_argument("argument", metavar="ID")
        _add_data_dir(action)
        action.add_argument("--json", action="store_true", dest="as_json", help="one JSON object a line")
    given = parser.parse_args(arguments)
    return GrantsCommand(
        data_dir=given.data_dir,
        action=given.action,
        argument=getattr(given, "argument", ""),
        as_json=given.as_json,
    )


def _parse_policy(arguments: list[str]) -> PolicyCommand:
    parser = _Parser(prog="python -m desktop policy", description="What would be asked before it runs.")
    actions = parser.add_subparsers(dest="action", required=True, metavar="explain")
    purpose = "say what would become of a shell command, and why; nothing is run"
    action = actions.add_parser("explain", prog="python -m desktop policy explain", help=purpose, description=purpose)
    action.add_argument("text", metavar="COMMAND")
    action.add_argument("--folder", type=Path, help="the folder it would run in (standard: Documents/Threadwell)")
    action.add_argument(
        "--mode",
        choices=list(PermissionMode),
        default=PermissionMode.ASK_FOR_RISK,
        type=PermissionMode,
        help="when the chat asks (standard: ask_for_risk)",
    )
    action.add_argument(
        "--sandbox", choices=("yes", "no"), default="", help="as if one held, or none (standard: try it)"
    )
    _add_data_dir(action)
    action.add_argument("--json", action="store_true", dest="as_json", help="one JSON object")
    given = parser.parse_args(arguments)
    return PolicyCommand(
        data_dir=given.data_dir,
        text=_typed(given.text),
        folder=(given.folder or default_workspace()).expanduser().absolute(),
        mode=given.mode,
        sandbox=given.sandbox,
        as_json=given.as_json,
    )


def _parse_window(arguments: list[str]) -> WindowCommand | SmokeTestCommand:
    parser = _Parser(
        prog="python -m desktop",
        description="Threadwell. Without a command the window opens.",
        epilog="Commands: ask TEXT, serve, threads list|show|search|delete|restore|purge|export|import, grants list|revoke, "
        "policy explain COMMAND, mcp-server NAME; each has --help.",
    )
    parser.add_argument("--version", action="version", version=f"Threadwell {__version__}")
    _add_launch_options(parser)
    parser.add_argument("--theme", choices=("system", "light", "dark"), default="", help="the look for this start")
    parser.add_argument("--language", default="", help="the language for this start, for example en or zh_CN")
    parser.add_argument(
        "--smoke-test", action="store_true", help="drive the real window with the demo model, then quit"
    )
    parser.add_argument("--pictures", type=Path, help="with --smoke-test: save pictures of the window in this folder")
    parser.add_argument("things", nargs="*", type=file_or_link, metavar="FILE", help="files to put beside a message")
    given = parser.parse_args(arguments)
    if given.smoke_test:
        if given.base_url or given.mcp_config or given.thread:
            parser.error("--smoke-test drives the demo model; it takes --data-dir, --pictures, --theme and --language")
        return SmokeTestCommand(
            data_dir=given.data_dir_given, pictures=given.pictures, theme=given.theme, language=given.language
        )
    if given.pictures:
        parser.error("--pictures goes with --smoke-test")
    launch = _launch_options(parser, given)
    request = request_of(given.things, given.thread)
    return WindowCommand(launch=launch, theme=given.theme, language=given.language, request=request)


def _add_data_dir(parser: argparse.ArgumentParser) -> None:
    parser.set_defaults(data_dir=default_data_folder(), data_dir_given=None)
    parser.add_argument("--data-dir", action=_DataDir, type=Path, help="another data folder than the usual one")


class _DataDir(argparse.Action):
    def __call__(self, parser: object, namespace: argparse.Namespace, values: object, option: object = None) -> None:
        namespace.data_dir = namespace.data_dir_given = Path(str(values)).expanduser().absolute()


def _add_launch_options(parser: argparse.ArgumentParser, *, several_models: bool = False) -> None:
    _add_data_dir(parser)
    parser.add_argument(
        "--thread",
        default="",
        metavar="ID|new|last",
        help="the thread to go on with (ask: new; the window: the last one)",
    )
    parser.add_argument("--demo", action="store_true", help="the built-in scripted model: no key, no network")
    parser.add_argument("--base-url", default="", help="an OpenAI-compatible endpoint, usually ending in /v1")
    parser.add_argument(
        "--model",
        action="append" if several_models else "store",
        default=[] if several_models else "",
        help="the model's name at that endpoint" + "; given several times, each of them answers" * several_models,
    )
    parser.add_argument("--key-env", default="", metavar="VAR", help="the environment variable that holds the key")
    parser.add_argument("--mcp-config", type=Path, metavar="FILE", help="a file with the usual mcpServers JSON")


def _launch_options(
    parser: argparse.ArgumentParser, given: argparse.Namespace, *, default_thread: str = ""
) -> LaunchOptions:
    if given.demo and (given.base_url or given.model or given.key_env):
        parser.error("--demo does not go with --base-url, --model or --key-env")
    if (given.model or given.key_env) and not given.base_url:
        parser.error("--model and --key-env go with --base-url")
    if given.base_url and not given.model:
        parser.error("--base-url needs --model")
    models: list[str] = given.model if isinstance(given.model, list) else [given.model]
    first, beside = (models or [""])[0], models[1:]
    if beside:
        from desktop.conversation.entities import MOST_ASKED_BESIDE  # not for a start that shows a window

        if len(beside) > MOST_ASKED_BESIDE:
            parser.error(f"at most {1 + MOST_ASKED_BESIDE} models can be asked at once")
    endpoint = None
    if given.demo:
        endpoint = EndpointSettings()
    elif given.base_url:
        endpoint = EndpointSettings(base_url=given.base_url, model=first, key_env=given.key_env)
    return LaunchOptions(
        data_dir=given.data_dir,
        endpoint=endpoint,
        mcp_config=given.mcp_config,
        thread=given.thread or default_thread,
        models_beside=tuple(beside),
    )
