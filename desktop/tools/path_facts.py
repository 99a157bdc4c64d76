"""Which paths in a text are worth a look: places with keys or start-up files, and places outside the folder."""

import re
from collections.abc import Iterator

from desktop.core.expressions import Expression

_SENSITIVE = Expression(
    r"""
    (?:^|[/\\~])\.(?:
        ssh|gnupg|aws|azure|kube|docker|netrc|_netrc|npmrc|pypirc|git-credentials|gitconfig|pgpass|my\.cnf|mozilla|thunderbird
        |password-store|vscode|idea|envrc|env|bashrc|bash_profile|bash_login|bash_logout|bash_aliases|bash_history|profile
        |zshrc|zprofile|zshenv|zlogin|zsh_history|kshrc|inputrc|xinitrc|xprofile|xsession|xsessionrc|pam_environment|vimrc
        |config/(?:autostart|systemd|fish|git|gh|hub|google-chrome|chromium|BraveSoftware|gcloud|rclone|nvim|environment\.d)
        |local/(?:share/(?:keyrings|applications|threadwell|dbus-1)|bin)
        |git/(?:hooks|config|info)
    )(?:$|[/\\.\s:;,'"*])
    | ^/(?:etc|root|proc|sys|boot|cron\w*|private/etc|var/(?:spool|lib|root|run/docker\.sock)|run/docker\.sock)(?:$|/)
    | ^/dev/(?!(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd(?:/\d+)?)$)
    | id_(?:rsa|dsa|ecdsa|ed25519) | authorized_keys | known_hosts | \bsudoers\b | docker\.sock | \.(?:kdbx|keychain|keychain-db)$
    | wallet\.dat | Login\ Data | cookies\.sqlite | logins\.json | key[34]\.db | LaunchAgents | LaunchDaemons
    | Start\ Menu.*Startup | \bCrontab\b | threadwell\.db | THREADWELL_HOST_SECRET
    | (?:share|Application\ Support|Local|Roaming|AppData)[/\\]threadwell\b
    | \.(?:pem|p12|pfx|jks)$
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OUTSIDE = re.compile(r"^(?:~|\$HOME\b|\$\{HOME\b|/(?!/)|\.\.(?:$|[/\\])|[A-Za-z]:[\\/]|\\\\)|[/\\]\.\.(?:$|[/\\])")
_NO_PATH = re.compile(r"[{}()|;<>\n]")
_PIECES = re.compile(r"[=,:@]")
_HARMLESS = re.compile(r"^/dev/(?:null|stdin|stdout|stderr|tty|fd/\d+)$")
_SYSTEM_PROGRAM = re.compile(r"/(?:usr/(?:local/)?)?s?bin/[^/]+|/opt/homebrew/bin/[^/]+")
_URL = re.compile(r"\b(?!file:)[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>|;]+|/dev/(?:tcp|udp)/[^\s'\"<>|;]+")


PLAIN_SYSTEM_FILES = frozenset(
    (
        *("/etc/os-release", "/etc/debian_version", "/etc/timezone", "/etc/lsb-release", "/etc/shells"),
        *("/proc/cpuinfo", "/proc/meminfo", "/proc/version", "/proc/loadavg", "/proc/uptime"),
    )
)
"""Files that say what kind of machine it is, and nothing else."""


def is_within(path: str, folder: str, separator: str = "/") -> bool:
    """True for the folder and all that is written below it. Both are taken as they are: normalize them before."""
    return path == folder or path.startswith(folder.rstrip(separator) + separator)


def is_sensitive(word: str) -> bool:
    """True when the word names, or holds, a place where keys, start-up files or the app's own data lie."""
    return word not in PLAIN_SYSTEM_FILES and any(_SENSITIVE.search(piece) for piece in _pieces(word))


def is_system_program(path: str) -> bool:
    """True for a program where the system keeps its own."""
    return _SYSTEM_PROGRAM.fullmatch(path) is not None


def is_outside(word: str) -> bool:
    """True when the word may be a path outside the present folder."""
    if len(word) > 4096 or _NO_PATH.search(word) or _URL.search(word):
        return False
    return any(_OUTSIDE.search(piece) and not _HARMLESS.match(piece) for piece in _pieces(word))


def urls_in(text: str) -> tuple[str, ...]:
    """The addresses in a text, in order, each once; ``/dev/tcp/…`` of the shell counts as one."""
    return tuple(dict.fromkeys(match.group() for match in _URL.finditer(text)))


def _pieces(word: str) -> Iterator[str]:
    """The word, and what stands behind ``=``, ``:`` and the like within it: ``--output=/etc/x``, ``-o/etc/x``."""
    yield word
    yield from _PIECES.split(word)[1:]
    if word.startswith("-") and len(word) > 3:
        yield word[2:]
    if word.startswith("@"):
        yield word[1:]
