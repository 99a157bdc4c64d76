"""The colour tokens of the light and the dark look; every colour in the window comes from here."""

from dataclasses import dataclass


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
    """Colours by role, as ``#rrggbb``. Text roles keep a contrast of 4.5:1 on every background they are used on."""

    name: str
    window: str
    sidebar: str
    panel: str
    line: str
    text: str
    muted: str
    accent: str
    accent_hover: str
    on_accent: str
    user_bubble: str
    code: str
    code_header: str
    selection: str
    hover: str
    pressed: str
    ok: str
    warning: str
    warning_background: str
    error: str
    error_background: str
    syntax: SyntaxColours


LIGHT = Tokens(
    name="light",
    window="#ffffff",
    sidebar="#f6f6f8",
    panel="#ffffff",
    line="#e1e2e8",
    text="#1c1e26",
    muted="#5f6473",
    accent="#4f5bd5",
    accent_hover="#414cc0",
    on_accent="#ffffff",
    user_bubble="#eef0fb",
    code="#f7f8fa",
    code_header="#eef0f4",
    selection="#e6e8fa",
    hover="#ececf1",
    pressed="#e0e1e8",
    ok="#17713f",
    warning="#855800",
    warning_background="#fff8e6",
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

DARK = Tokens(
    name="dark",
    window="#17181c",
    sidebar="#101114",
    panel="#1f2127",
    line="#2f323b",
    text="#e8e9ee",
    muted="#a0a5b3",
    accent="#8b95ff",
    accent_hover="#a0a8ff",
    on_accent="#14151a",
    user_bubble="#262a3d",
    code="#1d1f25",
    code_header="#24272e",
    selection="#2d3152",
    hover="#23252c",
    pressed="#2c2f38",
    ok="#4cc38a",
    warning="#f0b64b",
    warning_background="#2b2517",
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
