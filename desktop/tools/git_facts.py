"""What a git command does: the program with the most ways to write, delete, reach out and start others."""

import re
from collections.abc import Iterator, Sequence

from desktop.tools import findings as names
from desktop.tools import program_tables as tables
from desktop.tools.entities import Finding
from desktop.tools.findings import finding

_GIT_PROGRAM_OPTIONS = (
    *("--ext-diff", "--textconv", "--upload-pack", "--receive-pack", "--exec", "--open-files-in-pager", "--template"),
    *("--config-env", "--exec-path", "--html-path", "--paginate", "--separate-git-dir", "--hooks-path"),
)


def git_facts(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    rest = list(values)
    while rest and rest[0].startswith("-"):
        option = rest.pop(0)
        if option in {"-C", "--git-dir", "--work-tree", "--namespace", "-c", "--config-env", "--exec-path"} and rest:
            rest.pop(0)
        if option.startswith(("-c", "--config-env", "--exec-path=", "--git-dir", "--work-tree")):
            yield finding(names.STARTS_OTHERS, severe=True)
    if not rest:
        return
    command, options = rest[0], rest[1:]
    if command in tables.GIT_NETWORK or (command == "remote" and options[:1] in (["update"], ["prune"])):
        yield finding(names.NETWORK, severe=command == "push")
    if command in tables.GIT_DELETING or _git_discards(command, options):
        yield finding(names.DELETES, severe=True)
    if command in tables.GIT_WRITING and not _git_only_lists(command, options):
        yield finding(names.WRITES)
    if command in tables.GIT_STARTING_OTHERS or any(option.startswith(_GIT_PROGRAM_OPTIONS) for option in options):
        yield finding(names.STARTS_OTHERS)
    elif (command == "grep" and any(o.startswith("-O") for o in options)) or (
        command == "config"
        and any(re.search(r"alias|pager|editor|hook|command|fsmonitor|helper|textconv", o, re.I) for o in options)
    ):
        yield finding(names.STARTS_OTHERS, severe=True)
    if any(re.match(r"--output(?:-directory)?(?:=|$)", option) for option in options):
        yield finding(names.WRITES)
    if command not in tables.GIT_NETWORK | tables.GIT_DELETING | tables.GIT_WRITING | tables.GIT_READING | (
        tables.GIT_STARTING_OTHERS
    ):
        yield finding(names.UNKNOWN_PROGRAM, detail=f"git {command}")


def _git_discards(command: str, options: Sequence[str]) -> bool:
    match command:
        case "reset":
            return "--hard" in options or "--merge" in options
        case "checkout" | "switch":
            return any(option in {"--", ".", "-f", "--force", "--discard-changes"} for option in options)
        case "restore":
            return True
        case "branch" | "tag":
            return any(option in {"-d", "-D", "--delete"} for option in options)
        case "stash":
            return options[:1] in (["drop"], ["clear"], ["pop"])
        case "push":
            return any(
                o in {"-f", "-d", "--mirror", "--prune"} or o.startswith(("--force", "--delete", "+", ":"))
                for o in options
            )
        case "reflog":
            return options[:1] in (["expire"], ["delete"])
        case "worktree" | "remote" | "submodule":
            return options[:1] in (["remove"], ["rm"], ["prune"], ["deinit"])
        case "update-ref":
            return "-d" in options
        case _:
            return False


def _git_only_lists(command: str, options: Sequence[str]) -> bool:
    if command in {"branch", "tag", "remote"}:
        return all(option.startswith("-") and option not in {"-d", "-D", "-m", "-M"} for option in options)
    if command in {"stash", "worktree", "notes", "bundle"}:
        return options[:1] in (["list"], ["show"], ["verify"])
    return command == "config" and any(o in {"--get", "--get-all", "--list", "-l", "get", "list"} for o in options)
