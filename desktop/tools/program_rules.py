"""Rules for programs whose options decide what they do."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from desktop.tools import findings as names
from desktop.tools import program_tables as tables
from desktop.tools.entities import Finding
from desktop.tools.findings import finding
from desktop.tools.git_facts import git_facts

_UPLOAD = re.compile(r"^(?:-[dFT].*|--(?:data|form|upload-file|json|post-(?:data|file)|body-(?:data|file)|method).*)$")
_SSH_PROGRAM = re.compile(r"proxycommand|localcommand|knownhostscommand|proxyusefdpass", re.IGNORECASE)
_SED_COMMAND = re.compile(r"(?:^|[;{}\n])[ \t]*[\d$,^!~+ ]*(?:/[^/\n]*/)?[!, ]*([ewW])(?=[\s;]|$)")
_SED_SUBSTITUTION = re.compile(r"(?<![A-Za-z])s([^\w\s\\])")
_SED_FLAGS = re.compile(r"[a-zA-Z0-9]*")
_MAX_SCRIPT_CHARS = 2_000
_AWK_RUNS = re.compile(r"\bsystem\s*\(|\|\s*getline|\bprintf?\b[^;}]*\||\|&|@load", re.DOTALL)
_AWK_WRITES = re.compile(r"\bprintf?\b[^;}]*>", re.DOTALL)
_TAR_PROGRAM_OPTIONS = (
    *(
        "--checkpoint-action",
        "--to-command",
        "--use-compress-program",
        "--rsh-command",
        "--info-script",
        "--new-volume-script",
    ),
    *("-I", "-F"),
)
_SCRIPT_OPTIONS = frozenset(
    {"-c", "-e", "-E", "-r", "-p", "-pe", "-ne", "--eval", "--print", "--exec", "--command", "-Command"}
)


Rule = Callable[[str, Sequence[str], bool], Iterator[Finding]]


def interpreter_facts(name: str, values: Sequence[str], reads_pipe: bool) -> Iterator[Finding]:
    inline = any(value in _SCRIPT_OPTIONS or re.match(r"-[a-zA-Z]*[ceE]$", value) for value in values)
    only_asks = bool(values) and all(value in {"--version", "-V", "-v", "--help", "-h"} for value in values)
    has_file = any(not value.startswith("-") for value in values)
    if not only_asks:
        yield finding(names.INTERPRETER, severe=inline or not has_file or (reads_pipe and "-" in values))
    if name in {"python", "pypy"} and "-m" in values[:-1]:
        module = values[list(values).index("-m") + 1]
        if module in {"pip", "http.server", "smtpd", "venv", "ensurepip", "urllib", "ftplib", "telnetlib", "smtplib"}:
            yield finding(names.NETWORK)
        if module in {"pip", "venv"}:
            yield finding(names.WRITES)


def _shell(name: str, values: Sequence[str], reads_pipe: bool) -> Iterator[Finding]:
    if any(re.fullmatch(r"-[a-zA-Z]*s[a-zA-Z]*", value) for value in values):
        yield finding(names.INTERPRETER, severe=True)  # reads its commands from the input
    yield from interpreter_facts(name, values, reads_pipe)


def _find(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    for i, value in enumerate(values):
        if value == "-delete":
            yield finding(names.DELETES, severe=True)
        elif value in {"-fprint", "-fprint0", "-fprintf", "-fls"}:
            yield finding(names.WRITES, detail=values[i + 1] if i + 1 < len(values) else "")
        elif value in {"-exec", "-execdir", "-ok", "-okdir"}:
            yield finding(names.STARTS_OTHERS)


def _tar(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    letters = values[0].lstrip("-") if values and not values[0].startswith("--") else ""
    if (
        not set("xcruA").isdisjoint(letters)
        or any(re.match(r"--(?:extract|get|create|append|update)", v) for v in values)
        or any(re.fullmatch(r"-[a-zA-Z]*[xcruA][a-zA-Z]*", v) for v in values)
    ):
        yield finding(names.WRITES)
    if any(v.startswith(_TAR_PROGRAM_OPTIONS) for v in values) or set("IF") & set(letters):
        yield finding(names.STARTS_OTHERS, severe=True)
    if "--remove-files" in values or "--delete" in values:
        yield finding(names.DELETES, severe=True)


def _sort(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    for i, value in enumerate(values):
        if re.match(r"-[a-zA-Z]*o|--o", value):
            target = re.sub(r"^(?:-[a-zA-Z]*?o|--o\w*=?)", "", value)
            yield finding(names.WRITES, detail=target or (values[i + 1] if i + 1 < len(values) else ""))
        if value.startswith("--comp"):
            yield finding(names.STARTS_OTHERS, severe=True)


def _sed(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(re.match(r"-[a-zA-Z]*i|--in-place", value) for value in values):
        yield finding(names.WRITES)
    if any(re.match(r"-[a-zA-Z]*f|--file", value) for value in values):
        yield finding(names.INTERPRETER)
    for script in (value for value in values if not value.startswith("-")):
        if len(script) > _MAX_SCRIPT_CHARS:
            yield finding(names.NOT_UNDERSTOOD, severe=True)
            continue
        letters = {match[1].lower() for match in _SED_COMMAND.finditer(script)} | set(_sed_flags(script))
        if "w" in letters:
            yield finding(names.WRITES)
        if "e" in letters:
            yield finding(names.STARTS_OTHERS, severe=True)


def _sed_flags(script: str) -> Iterator[str]:
    """The flags behind each ``s/…/…/``, whatever its separator; ``w`` writes and ``e`` runs the result."""
    for start in _SED_SUBSTITUTION.finditer(script):
        position = start.end()
        for _ in range(2):
            while position < len(script) and script[position] != start[1]:
                position += 2 if script[position] == "\\" else 1
            position += 1
        if flags := _SED_FLAGS.match(script, position):
            yield from flags.group()


def _awk(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(len(value) > _MAX_SCRIPT_CHARS for value in values):
        yield finding(names.NOT_UNDERSTOOD, severe=True)
        return
    if any(_AWK_RUNS.search(value) for value in values):
        yield finding(names.STARTS_OTHERS, severe=True)
    if any(_AWK_WRITES.search(value) for value in values):
        yield finding(names.WRITES)
    if any("ENVIRON" in value for value in values):
        yield finding(names.READS_ENVIRONMENT)
    if any(re.match(r"-[fileE]|--(?:file|include|exec|load)", value) for value in values):
        yield finding(names.INTERPRETER)
    if any("/inet" in value for value in values):
        yield finding(names.NETWORK)


def _dd(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    for value in values:
        if value.startswith("of="):
            yield finding(names.WRITES, detail=value[3:], severe=value.startswith("of=/dev/"))
        elif value.startswith("if=/dev/") and not any(v.startswith("count=") for v in values):
            yield finding(names.ENDLESS)


def _rsync(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    yield finding(names.WRITES)
    if any(v.startswith("--del") or v == "--remove-source-files" for v in values):
        yield finding(names.DELETES, severe=True)
    if any(re.match(r"-[a-zA-Z]*e|--rsh|--rsync-path", v) for v in values):
        yield finding(names.STARTS_OTHERS, severe=True)
    if any(re.match(r"rsync://|[^/=-][^/=]*:", v) for v in values):
        yield finding(names.NETWORK, severe=True)


def _transfer(name: str, values: Sequence[str], _: bool) -> Iterator[Finding]:
    """curl and wget: what they send, and where they write."""
    method = next((values[i + 1] for i, v in enumerate(values[:-1]) if v in {"-X", "--request"}), "GET")
    if any(_UPLOAD.match(value) for value in values) or method.upper() not in {"GET", "HEAD", "OPTIONS"}:
        yield finding(names.NETWORK, severe=True)
    to_stdout = any(re.match(r"-[a-zA-Z]*O-$|--output-document=-$", v) for v in values) or "--spider" in values
    if (name == "wget" and not to_stdout) or any(
        re.match(r"-[a-zA-Z]*[oOKcD]|--(?:output|remote|config|dump|cookie)", v) for v in values
    ):
        yield finding(names.WRITES)
    if any(v.startswith(("--use-askpass", "-K", "--config", "--execute", "-e")) for v in values):
        yield finding(names.STARTS_OTHERS)


def _ssh(name: str, values: Sequence[str], _: bool) -> Iterator[Finding]:
    if any(_SSH_PROGRAM.search(v) for v in values) or (
        name != "ssh" and any(v.startswith(("-S", "-D")) for v in values)
    ):
        yield finding(names.STARTS_OTHERS, severe=True)
    if name in {"scp", "sftp"}:
        yield finding(names.WRITES)


def _pager(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(re.match(r"-[PHo]|--(?:pager|html)", v) for v in values):
        yield finding(names.STARTS_OTHERS, severe=True)


def _package_manager(name: str, values: Sequence[str], _: bool) -> Iterator[Finding]:
    actions = [value for value in values if not value.startswith("-")] or [""]
    action = actions[0]
    if name in tables.LANGUAGE_PACKAGES and action in {
        "list",
        "ls",
        "show",
        "freeze",
        "check",
        "tree",
        "why",
        "version",
        "help",
        "",
    }:
        return
    yield finding(names.NETWORK)
    yield finding(names.WRITES)
    if name in tables.PACKAGE_MANAGERS:
        yield finding(names.PRIVILEGE, severe=True)
    else:
        yield finding(names.STARTS_OTHERS)
    if action in {"remove", "purge", "autoremove", "uninstall", "rm", "erase", "prune", "del"} or "-R" in values:
        yield finding(names.DELETES, severe=True)


def _container(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(v in {"run", "exec", "pull", "push", "build", "login", "up"} for v in values):
        yield finding(names.NETWORK)
    if any(v in {"rm", "rmi", "prune", "down", "kill"} for v in values):
        yield finding(names.DELETES, severe=True)
    if any(
        v.startswith(("-v", "--volume", "--mount", "--privileged", "--pid", "--net=host", "--cap-add")) for v in values
    ):
        yield finding(names.PRIVILEGE, severe=True)


def _cluster(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(v in {"delete", "destroy", "terminate-instances", "rm", "rb", "uninstall", "purge"} for v in values):
        yield finding(names.DELETES, severe=True)


def _environment(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    has_program = any(not value.startswith("-") and "=" not in value for value in values)
    if not has_program and not any(value.startswith(("-S", "--split")) for value in values):
        yield finding(names.READS_ENVIRONMENT)


def _declaration(name: str, values: Sequence[str], _: bool) -> Iterator[Finding]:
    if (name == "set" and not values) or (name != "set" and (not values or "-p" in values or "-x" in values)):
        yield finding(names.READS_ENVIRONMENT)


def _jq(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(re.search(r"\benv\b|\$ENV\b", value) for value in values):
        yield finding(names.READS_ENVIRONMENT)
    if any(re.match(r"-[a-zA-Z]*[fL]|--from-file", value) for value in values):
        yield finding(names.INTERPRETER)


def _reader(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
    if any(value in {"/dev/zero", "/dev/random", "/dev/urandom", "/dev/full"} for value in values):
        yield finding(names.ENDLESS)


def _always(*facts: Finding) -> Rule:
    def rule(_: str, __: Sequence[str], ___: bool) -> Iterator[Finding]:
        yield from facts

    return rule


def _when_option(pattern: str, *facts: Finding) -> Rule:
    compiled = re.compile(pattern)

    def rule(_: str, values: Sequence[str], __: bool) -> Iterator[Finding]:
        if any(compiled.match(value) for value in values):
            yield from facts

    return rule


_STARTS = finding(names.STARTS_OTHERS, severe=True)
RULES: Mapping[str, Rule] = {
    **dict.fromkeys(tables.SHELLS, _shell),
    **dict.fromkeys(tables.PACKAGE_MANAGERS | tables.LANGUAGE_PACKAGES, _package_manager),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    **dict.fromkeys(("curl", "wget", "http", "https", "xh"), _transfer),
    **dict.fromkeys(("ssh", "scp", "sftp"), _ssh),
    **dict.fromkeys(("docker", "podman", "nerdctl", "docker-compose"), _container),
    **dict.fromkeys(("kubectl", "helm", "terraform", "tofu", "aws", "gcloud", "az", "gh", "s3cmd", "rclone"), _cluster),
    **dict.fromkeys(("export", "declare", "typeset", "readonly", "set"), _declaration),
    **dict.fromkeys(("cat", "head", "tail", "od", "xxd", "base64", "hexdump", "strings"), _reader),
    **dict.fromkeys(("eval", "source", "."), _always(finding(names.INTERPRETER, severe=True))),
    **dict.fromkeys(("cargo", "go"), _when_option("install|get|fetch|publish|add|update|mod", finding(names.NETWORK))),
    **dict.fromkeys(("npx", "uvx", "pnpx", "bunx"), _always(finding(names.NETWORK))),
    "alias": _when_option(".*=", finding(names.REDEFINES)),
    "date": _when_option(r"-s|--set", finding(names.PRIVILEGE, severe=True)),
    "dd": _dd,
    "enable": _when_option("-[a-z]*f", _STARTS),
    "env": _environment,
    "find": _find,
    "fd": _when_option(r"-[xX]|--exec", _STARTS),
    "git": git_facts,
    "hostname": _when_option("[^-]", finding(names.PRIVILEGE, severe=True)),
    "history": _when_option("-[acdw]", finding(names.WRITES)),
    "jq": _jq,
    "less": _pager,
    "man": _pager,
    "mv": _when_option("/dev/null", finding(names.DELETES, severe=True)),
    "printenv": _always(finding(names.READS_ENVIRONMENT)),
    "rg": _when_option("--pre", _STARTS),
    "rsync": _rsync,
    "sed": _sed,
    "sort": _sort,
    "split": _when_option("--filter", _STARTS),
    "tar": _tar,
    "tree": _when_option("-o", finding(names.WRITES)),
    "trap": _always(finding(names.REDEFINES)),
    "truncate": _always(finding(names.DELETES, severe=True)),
    "uniq": _when_option(r"[^-].*", finding(names.WRITES)),
    "xxd": _when_option("-r", finding(names.WRITES)),
    "yq": _when_option("-i|--inplace", finding(names.WRITES)),
    "zip": _when_option("-T|-TT|--unzip-command", _STARTS),
}
