"""What the app notices about the line that starts a server, before anybody agrees to it: names, and their words.

The UI translates the words (context ``servers``) and fills ``{detail}``, which is text from the line. They help to look;
a line without any of them is not harmless.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath, PureWindowsPath

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.tools.entities import Finding
from desktop.tools.visible_text import reveal

START_FINDINGS: Mapping[str, str] = {
    "admin": QT_TRANSLATE_NOOP("servers", "It asks for the rights of the administrator ({detail})."),
    "deletes": QT_TRANSLATE_NOOP("servers", "It deletes files ({detail})."),
    "downloads_and_runs": QT_TRANSLATE_NOOP("servers", "It fetches something and runs it unseen ({detail})."),
    "shell": QT_TRANSLATE_NOOP("servers", "It is a shell that runs whatever its text says ({detail})."),
    "code": QT_TRANSLATE_NOOP("servers", "The program is written in the line itself ({detail})."),
    "secrets_folder": QT_TRANSLATE_NOOP("servers", "It names a place where keys and passwords lie ({detail})."),
    "whole_disk": QT_TRANSLATE_NOOP("servers", "It gets the whole disk or home folder ({detail})."),
    "container_rights": QT_TRANSLATE_NOOP("servers", "The container gets rights over this computer ({detail})."),
    "loads_code": QT_TRANSLATE_NOOP("servers", "The environment makes it load other code ({detail})."),
    "takes_variable": QT_TRANSLATE_NOOP("servers", "It gets what stands in a variable of this computer ({detail})."),
    "sends_variable": QT_TRANSLATE_NOOP(
        "servers", "What stands in a variable of this computer is sent there ({detail})."
    ),
    "unpinned": QT_TRANSLATE_NOOP(
        "servers", "Without a version, tomorrow’s may be another program: write {detail}@VERSION."
    ),
    "relative": QT_TRANSLATE_NOOP(
        "servers", "Which program that is depends on the folder it is started in ({detail})."
    ),
    "invisible": QT_TRANSLATE_NOOP("servers", "It contains characters that cannot be seen; they are marked below."),
    "unencrypted": QT_TRANSLATE_NOOP("servers", "Anyone on the way can read and change what is sent to it."),
    "private_address": QT_TRANSLATE_NOOP("servers", "The address lies in your own network ({detail})."),
}
_SEVERE = frozenset(
    {"admin", "deletes", "downloads_and_runs", "secrets_folder", "whole_disk", "container_rights", "loads_code"}
    | {"invisible", "sends_variable"}
)
_ADMIN = frozenset({"sudo", "doas", "pkexec", "su", "runas", "gsudo"})
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish", "cmd", "powershell", "pwsh", "wsl", "busybox"})
_DELETERS = frozenset({"rm", "rmdir", "del", "erase", "shred", "mkfs", "format", "dd"})
_INTERPRETERS = frozenset({"python", "python3", "py", "node", "deno", "bun", "perl", "ruby", "php", "osascript"})
_FETCHERS = r"(curl|wget|iwr|irm|invoke-webrequest|fetch)\b"
_PIPED_INTO_SHELL = re.compile(
    _FETCHERS
    + r"[^|;&]*\|\s*(sudo\s+)?(sh|bash|zsh|python3?|node|iex)\b|(sh|bash|iex|eval)\b[^|]*[(<`]\s*\(?\s*"
    + _FETCHERS,
    re.IGNORECASE,
)
_KEY_PLACES = re.compile(
    r"(\.ssh|\.gnupg|\.aws|\.kube|\.netrc|\.docker/config|id_rsa|id_ed25519|\.password-store|Keychains|"
    r"\.mozilla|google-chrome|/etc/(shadow|sudoers))(?![\w-])",
    re.IGNORECASE,
)
_LOADERS = re.compile(
    r"(LD_(PRELOAD|LIBRARY_PATH|AUDIT)|DYLD_\w+|GCONV_PATH|NODE_(OPTIONS|PATH)|BUN_OPTIONS|PYTHON(STARTUP|PATH|HOME)|BASH_ENV|ENV"
    r"|PERL5(OPT|LIB|DB)|RUBY(OPT|LIB)|(_JAVA|JAVA_TOOL|JDK_JAVA)_OPTIONS|CLASSPATH|LUA_(INIT|PATH|CPATH)\w*"
    r"|DOTNET_STARTUP_HOOKS|CORECLR_PROFILER\w*|GIT_(SSH|SSH_COMMAND|ASKPASS|EXEC_PATH|CONFIG\w*)|NPM_CONFIG_\w+"
    r"|(UV|PIP)_(\w*INDEX\w*|FIND_LINKS|CONFIG_FILE|CONSTRAINT|OVERRIDE|PYTHON\w*))\Z"
)
_VARIABLE = re.compile(r"\$\{(?!input:)(?:env:)?([^}:]+)")
_SAY_WHERE = frozenset(
    {
        "HOME",
        "USER",
        "USERNAME",
        "USERPROFILE",
        "PWD",
        "TMPDIR",
        "TEMP",
        "TMP",
        "APPDATA",
        "LOCALAPPDATA",
        "LANG",
        "PATH",
    }
)
"""Variables that say where things are or who asks, and hold nothing that is kept from others."""
_RUNNERS = frozenset({"npx", "bunx", "pnpx", "uvx", "pipx"})
_RUNNER_VALUES = frozenset(
    {"-p", "--package", "--python", "--from", "--with", "--index-url", "--registry", "-c", "--call"}
)
_MOST_OF_DETAIL = 80


def start_findings(
    argv: Sequence[str], env: Mapping[str, str], url: str = "", headers: Mapping[str, str] | None = None
) -> tuple[Finding, ...]:
    """Return what is odd about a line, or about an address and what is sent along, the worst first, each once."""
    found: dict[tuple[str, str], Finding] = {}
    given = dict(headers or {})
    of_variables = _of_variables([*argv, *env.values()], [url, *given.values()])
    for code, detail in (*_of_program(argv), *_of_environment(env), *_of_address(url), *of_variables):
        shown = reveal(detail[:_MOST_OF_DETAIL], keep_newlines=False)
        found.setdefault((code, shown), Finding(code=code, detail=shown, severe=code in _SEVERE))
    if any(reveal(text) != text for text in (*argv, *env, *env.values(), url, *given, *given.values())):
        found[("invisible", "")] = Finding(code="invisible", severe=True)
    return tuple(sorted(found.values(), key=lambda finding: not finding.severe))


def takes_variable(text: str) -> bool:
    """Whether a variable of this computer would be put into the text."""
    return _VARIABLE.search(text) is not None


def _of_program(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    if not argv:
        return
    program = _program_name(argv[0])
    if program in _ADMIN:
        yield "admin", program
    if program in _DELETERS:
        yield "deletes", argv[0]
    for word in argv:
        if _KEY_PLACES.search(word):
            yield "secrets_folder", word
    if program in _SHELLS:
        yield from _of_shell(program, " ".join(argv[1:]))
    if _PIPED_INTO_SHELL.search(" ".join(argv)):
        yield "downloads_and_runs", " ".join(argv)
    if program in _INTERPRETERS and any(word in ("-c", "-e", "--eval", "-p", "-r") for word in argv[1:2]):
        yield "code", " ".join(argv[:2])
    if not re.match(r"([/\\~$]|[A-Za-z]:)", argv[0]) and re.search(r"[/\\]", argv[0]):
        yield "relative", argv[0]
    if program in _ADMIN:
        yield from _of_program(argv[1:])
    yield from _of_runner(program, argv)
    if program in ("docker", "podman", "nerdctl"):
        yield from _of_container(argv)


def _of_shell(program: str, text: str) -> Iterator[tuple[str, str]]:
    yield "shell", program
    for word in re.findall(r"[\w./-]+", text):
        if _program_name(word) in _ADMIN:
            yield "admin", word
        if _program_name(word) in _DELETERS:
            yield "deletes", word


def _of_runner(program: str, argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    words = list(argv[1:])
    if program in ("npm", "pnpm", "yarn", "uv") and words[:1] and words[0] in ("exec", "dlx", "x", "tool"):
        words = words[2:] if words[0] == "tool" else words[1:]
    elif program not in _RUNNERS:
        return
    package = ""
    while words:
        word = words.pop(0)
        if word in ("-p", "--package", "--from") and words:
            package = words.pop(0)
            break
        if word in _RUNNER_VALUES and words:
            words.pop(0)
        elif word.startswith(("--package=", "--from=")):
            package = word.partition("=")[2]
            break
        elif not word.startswith("-") and word != "run":
            package = word
            break
    version = re.search(r"(?<=.)@(.+)|==(.+)", package)
    is_place = re.match(r"[./~\\]|\w+[+]?\w*://|[A-Za-z]:\\", package)
    if package and not is_place and (version is None or version.group(0) in ("@latest", "@next", "@*")):
        yield "unpinned", re.sub(r"(?<=.)@(latest|next|\*)\Z", "", package)


def _of_container(argv: Sequence[str]) -> Iterator[tuple[str, str]]:
    for index, word in enumerate(argv):
        following = argv[index + 1] if index + 1 < len(argv) else ""
        option, equals, value = word.partition("=")
        if option in ("-v", "--volume", "--mount"):
            given = value if equals and option != "-v" else following
            source = re.sub(r".*?(?:source|src)=([^,]*).*", r"\1", given) if "=" in given else given.split(":")[0]
            if source.rstrip("/\\") in ("", "~", "$HOME", "${HOME}", "%USERPROFILE%", "C:", "/home", "/Users", "/root"):
                yield "whole_disk", f"{option} {given}"
            if "docker.sock" in given:
                yield "container_rights", given
        elif word == "--privileged" or re.match(r"--(pid|network|net|userns|ipc)=host\Z|--cap-add", word):
            yield "container_rights", word


def _of_environment(env: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in env.items():
        if _LOADERS.match(name.upper()):
            yield "loads_code", name
        if _KEY_PLACES.search(value):
            yield "secrets_folder", f"{name}={value}"


def _of_variables(kept_here: Sequence[str], sent: Sequence[str]) -> Iterator[tuple[str, str]]:
    for code, texts in (("takes_variable", kept_here), ("sends_variable", sent)):
        for text in texts:
            yield from ((code, name) for name in _VARIABLE.findall(text) if name.upper() not in _SAY_WHERE)


def _of_address(url: str) -> Iterator[tuple[str, str]]:
    host = re.match(r"(https?)://(\[[^\]]*\]|[^/:?#]*)", url, re.IGNORECASE)
    if host is None:
        return
    name = host.group(2).lower()
    is_local = name in ("localhost", "127.0.0.1", "[::1]")
    if host.group(1).lower() == "http" and not is_local:
        yield "unencrypted", ""
    if re.match(r"(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[f[cde])|.*\.(local|internal|lan)\Z", name):
        yield "private_address", name


def _program_name(word: str) -> str:
    name = PureWindowsPath(word).name if "\\" in word else PurePosixPath(word).name
    return re.sub(r"\.(exe|cmd|bat|ps1|com)\Z", "", name.lower())
