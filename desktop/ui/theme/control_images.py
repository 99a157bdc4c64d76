"""The small pictures that a style sheet can only name by address: ticks and arrows, kept in memory as a Qt resource."""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from PySide6.QtCore import QResource

from desktop.ui.theme.tokens import Tokens

ROOT = "/threadwell"

_STROKE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" '
    'stroke="{colour}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"><path d="{path}"/></svg>'
)
_DOT = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">'
    '<circle cx="8" cy="8" r="3.4" fill="{colour}"/></svg>'
)
_TICK, _DASH, _DOWN, _UP, _RIGHT, _CROSS = (
    "M3.6 8.4 6.7 11.4 12.5 4.9",
    "M4 8h8",
    "M3.5 6 8 10.5 12.5 6",
    "M3.5 10.5 8 6 12.5 10.5",
    "M6 3.5 10.5 8 6 12.5",
    "M4.5 4.5l7 7M11.5 4.5l-7 7",
)


@dataclass(frozen=True)
class ControlImages:
    """The pictures in the colours of one look: ``urls`` holds their addresses as a style sheet writes them."""

    urls: Mapping[str, str]
    data: bytes
    """Qt reads from these bytes whenever it draws one of them."""


@cache
def control_images(tokens: Tokens) -> ControlImages:
    """Return the pictures for these colours; they stay as long as the process, since Qt keeps what it has seen."""
    pictures = _pictures(tokens)
    folder = f"{ROOT}/{tokens.name}{tokens.accent.removeprefix('#')}"
    data = resource_data({f"{name}.svg": svg.encode() for name, svg in pictures.items()})
    if not QResource.registerResourceData(data, folder):
        raise RuntimeError("Qt does not take the pictures of the controls")
    return ControlImages({name: f"url(:{folder}/{name}.svg)" for name in pictures}, data)


def _pictures(t: Tokens) -> dict[str, str]:
    def stroke(path: str, colour: str, width: float = 1.6) -> str:
        return _STROKE.format(path=path, colour=colour, width=width)

    return {
        "tick": stroke(_TICK, t.on_accent, 2.0),
        "tick-disabled": stroke(_TICK, t.disabled, 2.0),
        "tick-menu": stroke(_TICK, t.accent, 1.8),
        "dash": stroke(_DASH, t.on_accent, 2.0),
        "dot": _DOT.format(colour=t.on_accent),
        "dot-disabled": _DOT.format(colour=t.disabled),
        "down": stroke(_DOWN, t.muted),
        "down-disabled": stroke(_DOWN, t.disabled),
        "up": stroke(_UP, t.muted),
        "up-disabled": stroke(_UP, t.disabled),
        "right": stroke(_RIGHT, t.muted),
        "cross": stroke(_CROSS, t.muted),
    }


def resource_data(files: Mapping[str, bytes]) -> bytes:
    """Return the files as one folder in the format that Qt's resource compiler writes (version 1, nothing packed)."""
    names, contents, nodes = b"", b"", [struct.pack(">IHII", 0, 2, len(files), 1)]
    for name in sorted(files, key=_hash):  # Qt looks a name up by bisection
        nodes.append(struct.pack(">IHHHI", len(names), 0, 0, 1, len(contents)))
        names += struct.pack(">HI", len(name), _hash(name)) + name.encode("utf-16-be")
        contents += struct.pack(">I", len(files[name])) + files[name]
    tree = b"".join(nodes)
    start = 20
    header = b"qres" + struct.pack(">IIII", 1, start + len(contents) + len(names), start, start + len(contents))
    return header + contents + names + tree


def _hash(name: str) -> int:
    """Qt's hash of a file name in a resource."""
    value = 0
    for character in name:
        value = (value << 4) + ord(character)
        value ^= (value & 0xF0000000) >> 23
        value &= 0x0FFFFFFF
    return value
