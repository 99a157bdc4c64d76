"""Which lines of a repository's settings only say where things are: git starts nothing because of them."""

import re
from collections.abc import Callable, Iterator

MOST_BYTES = 256 * 1024
"""Of one file of settings. Nothing of a longer one is taken for plain."""

_PLAIN = {
    "core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol"
    " safecrlf abbrev compression quotepath worktree",
    "remote": "url pushurl fetch push tagopt prune mirror promisor partialclonefilter",
    "branch": "remote pushremote merge rebase description vscode-merge-base",
    "submodule": "url active branch",
    "user": "name email",
    "init": "defaultbranch",
    "extensions": "objectformat refstorage partialclone worktreeconfig preciousobjects",
    "pull": "rebase ff",
    "push": "default autosetupremote",
    "merge": "ff conflictstyle",
    "fetch": "prune",
    "gc": "auto",
    "lfs": "repositoryformatversion",
}
_KEYS = {(section, key) for section, keys in _PLAIN.items() for key in keys.split()}
_ADDRESSES = {"url", "pushurl", "remote", "pushremote", "fetch", "push"}
_SECTION = re.compile(rb'[ \t]*\[([A-Za-z0-9-]+)(?:[ \t]+"([^"\\\x00-\x1f\x7f]*)")?\][ \t]*')
_SETTING = re.compile(rb'[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(?:=[ \t]*([^"\\;#\x00-\x1f\x7f]*))?')
_NOTHING = re.compile(rb"[ \t]*(?:[#;][^\x00-\x08\x0a-\x1f]*)?")

_LEADING = re.compile(
    r"hookspath|fsmonitor|textconv|clean|smudge|process|driver|cmd|command|program|editor|pager|askpass|external|helper"
)
_HEAD = re.compile(r"[ \t]*\[[ \t]*([A-Za-z0-9-]+)[^\]\n]*\]")
_ANY_SETTING = re.compile(r"[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*=(.*)", re.DOTALL)
_PIECES = re.compile(r"[^\s\"'=!;|&]+")


def plain_part(data: bytes, is_inside: Callable[[str], bool]) -> tuple[bytes, list[str]]:
    """Return the settings with only their plain lines, written anew, and the names of what was left out.

    Nothing left out: the file may stay as it is. ``is_inside`` tells whether a folder that is given as seen from the
    repository's own lies where the command might write.
    """
    if len(data) > MOST_BYTES:
        return b"", ["all of it"]
    kept: list[bytes] = []
    left_out: list[str] = []
    section = ""
    for line in data.split(b"\n"):
        if _NOTHING.fullmatch(line):
            continue
        if (head := _SECTION.fullmatch(line)) is not None:
            section = head[1].decode().lower()
            kept.append(line.strip(b" \t"))
        elif (setting := _SETTING.fullmatch(line)) is not None and _is_plain(section, setting, is_inside):
            kept.append(b"\t" + line.strip(b" \t"))
        else:
            name = re.match(rb"[ \t]*([A-Za-z0-9-]{1,40})", line)
            left_out.append(f"{section}.{name[1].decode().lower()}" if name else "a line that is odd")
    return b"\n".join([*kept, b""]), list(dict.fromkeys(left_out))


def _is_plain(section: str, setting: re.Match[bytes], is_inside: Callable[[str], bool]) -> bool:
    key, value = setting[1].decode().lower(), (setting[2] or b"").decode("utf-8", "replace").strip()
    if (section, key) not in _KEYS:
        return False
    if key == "worktree":
        return is_inside(value)
    return key not in _ADDRESSES or not (value.startswith("-") or "::" in value)


def places_led_to(data: bytes) -> Iterator[tuple[str, bool]]:
    """The words in settings that may be files which git reads as settings, or starts: addresses as they are written.

    With each whether git would also take one for its own that comes to be there only later.
    """
    section = ""
    for line in data[:MOST_BYTES].decode("utf-8", "surrogateescape").replace("\\\n", " ").split("\n"):
        head = _HEAD.match(line)
        section = head[1].lower() if head else section
        setting = _ANY_SETTING.fullmatch(line[head.end() if head else 0 :])
        if setting is None:
            continue
        key = setting[1].lower()
        is_place = key == "hookspath" or (key == "path" and section.startswith("include"))
        if is_place or _LEADING.search(key):
            for word in _PIECES.findall(setting[2]):
                yield word, is_place
