"""The colour tokens of the light and the dark look with each accent; every colour in the window comes from here."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from desktop.core.settings import Accent


@dataclass(frozen=True, kw_only=True)
class SyntaxColours:
    """Colours of highlighted code on the ``code`` background."""

    keyword: str
    string: str
    comment: str
    number: str
    function: str
    operator: str


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """Colours by role, as ``#rrggbb``.

    Text roles keep a contrast of 4.5:1 on every background they are used on; ``disabled`` text, ``field_line`` and
    ``focus`` keep 3:1. ``line`` only divides and says nothing.
    """

    name: str
    window: str
    sidebar: str
    panel: str
    line: str
    field_line: str
    """The border of what can be filled in, ticked or moved."""
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    on_accent: str
    focus: str
    selection: str
    user_bubble: str
    code: str
    code_header: str
    hover: str
    pressed: str
    ok: str
    warning: str
    warning_background: str
    found: str
    """Behind words that were looked for, and below them stronger behind the one that was gone to."""
    found_now: str
    on_found_now: str
    error: str
    error_background: str
    syntax: SyntaxColours


_LIGHT_ACCENTS: Mapping[Accent, str] = {
    Accent.INDIGO: "#4f5bd5",
    Accent.BLUE: "#1c63c2",
    Accent.TEAL: "#0b6a70",
    Accent.GREEN: "#1d6e42",
    Accent.ORANGE: "#a34a06",
    Accent.ROSE: "#b8245e",
    Accent.GRAPHITE: "#4a4f5c",
}

_DARK_ACCENTS: Mapping[Accent, str] = {
    Accent.INDIGO: "#8b95ff",
    Accent.BLUE: "#7db1ff",
    Accent.TEAL: "#55c7c9",
    Accent.GREEN: "#65cb8e",
    Accent.ORANGE: "#f5a561",
    Accent.ROSE: "#ff8fb4",
    Accent.GRAPHITE: "#b9bfcc",
}


@cache
def tokens_for(accent: Accent, *, dark: bool) -> Tokens:
    """Return the tokens of one look; the same object for the same look."""
    return _dark(_DARK_ACCENTS[accent]) if dark else _light(_LIGHT_ACCENTS[accent])


def mixed(first: str, second: str, share: float) -> str:
    """Return ``first`` with a ``share`` of ``second``, both ``#rrggbb``."""
    channels = [(int(first[i : i + 2], 16), int(second[i : i + 2], 16)) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in channels)


def _light(accent: str) -> Tokens:
    window = "#ffffff"
    return Tokens(
        name="light",
        window=window,
        sidebar="#f6f6f8",
        panel="#ffffff",
        line="#e1e2e8",
        field_line="#868b99",
        text="#1c1e26",
        muted="#5f6473",
        disabled="#797e8b",
        accent=accent,
        accent_hover=mixed(accent, "#000000", 0.13),
        accent_pressed=mixed(accent, "#000000", 0.25),
        on_accent="#ffffff",
        focus=accent,
        selection=mixed(window, accent, 0.14),
        user_bubble=mixed(window, accent, 0.09),
        code="#f7f8fa",
        code_header="#eef0f4",
        hover="#ececf1",
        pressed="#e0e1e8",
        ok="#17713f",
        warning="#855800",
        warning_background="#fff8e6",
        found="#ffeeb0",
        found_now="#e58a00",
        on_found_now="#1c1e26",
        error="#b3261e",
        error_background="#fdf0ef",
        syntax=SyntaxColours(
            keyword="#7c3aed",
            string="#13693f",
            comment="#626a79",
            number="#a34a06",
            function="#1d4ed8",
            operator="#475569",
        ),
    )


def _dark(accent: str) -> Tokens:
    window = "#17181c"
    return Tokens(
        name="dark",
        window=window,
        sidebar="#101114",
        panel="#1f2127",
        line="#2f323b",
        field_line="#6d7281",
        text="#e8e9ee",
        muted="#a0a5b3",
        disabled="#7d8290",
        accent=accent,
        accent_hover=mixed(accent, "#ffffff", 0.18),
        accent_pressed=mixed(accent, "#000000", 0.12),
        on_accent="#14151a",
        focus=accent,
        selection=mixed(window, accent, 0.2),
        user_bubble=mixed(window, accent, 0.14),
        code="#1d1f25",
        code_header="#24272e",
        hover="#23252c",
        pressed="#2c2f38",
        ok="#4cc38a",
        warning="#f0b64b",
        warning_background="#2b2517",
        found="#4b4017",
        found_now="#f0b64b",
        on_found_now="#14151a",
        error="#ff8a82",
        error_background="#2d1c1d",
        syntax=SyntaxColours(
            keyword="#c4a1ff",
            string="#7fd6a4",
            comment="#949cab",
            number="#f3b27a",
            function="#8ab4ff",
            operator="#b6bcc9",
        ),
    )


LIGHT = tokens_for(Accent.INDIGO, dark=False)
DARK = tokens_for(Accent.INDIGO, dark=True)
