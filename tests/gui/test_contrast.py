"""Every text can be read and every control be seen: contrast of all colours in all looks, and where colours may stand."""

import dataclasses
import re
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from desktop.core.settings import Accent, AppearanceSettings
from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.style_sheet import style_sheet
from desktop.ui.theme.tokens import Tokens, tokens_for
from tests.support.source_tree import ROOT

TEXT, SHAPE = 4.5, 3.0
"""The least contrast of text, and of what is disabled or no text: WCAG 2.2, 1.4.3 and 1.4.11."""

SURFACES = ("window", "sidebar", "panel", "user_bubble", "code", "code_header", "selection", "hover", "pressed")
PAIRS = {
    TEXT: {
        "text": (*SURFACES, "warning_background", "error_background", "found"),
        "on_found_now": ("found_now",),
        "muted": (*SURFACES, "warning_background", "error_background"),
        "accent": ("window", "sidebar", "panel", "user_bubble", "code", "hover", "selection"),
        "on_accent": ("accent", "accent_hover", "accent_pressed"),
        "ok": ("window", "sidebar", "panel", "hover", "code_header"),
        "warning": ("window", "sidebar", "panel", "selection", "warning_background"),
        "error": ("window", "sidebar", "panel", "hover", "code", "error_background"),
        # The toast is the other way round.
        "window": ("text", "muted"),
        "selection": ("text",),
    },
    SHAPE: {
        "disabled": ("window", "sidebar", "panel", "hover", "pressed"),
        # Frames of fields, and the handles of scroll bars, which are often all that says that there is more.
        "field_line": ("window", "sidebar", "panel", "code"),
        "accent": ("pressed",),  # bars and marks: no text in it stands there
        "focus": ("window", "sidebar", "panel", "code", "hover", "selection", "error_background", "warning_background"),
        "error": ("panel", "error_background"),
        "warning": ("warning_background",),
    },
}
LOOKS = [tokens_for(accent, dark=dark) for accent in Accent for dark in (False, True)]
COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")


def luminance(colour: str) -> float:
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    dark, light = sorted((luminance(first), luminance(second)))
    return (light + 0.05) / (dark + 0.05)


def name(tokens: Tokens) -> str:
    return f"{tokens.name} {tokens.accent}"


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("tokens", LOOKS, ids=name)
def test_every_colour_can_be_seen_on_its_backgrounds(tokens: Tokens) -> None:
    weak = [
        f"{colour} on {ground}: {ratio:.2f}"
        for least, pairs in PAIRS.items()
        for colour, grounds in pairs.items()
        for ground in grounds
        if (ratio := contrast(getattr(tokens, colour), getattr(tokens, ground))) < least
    ]
    weak += [
        f"syntax {kind} on code: {ratio:.2f}"
        for kind, colour in dataclasses.asdict(tokens.syntax).items()
        if (ratio := contrast(colour, tokens.code)) < TEXT
    ]
    assert not weak


def rules(sheet: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The rules of a style sheet: selectors, and properties with their values."""
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        pairs = [line.partition(":") for line in body.split(";") if ":" in line]
        yield " ".join(selectors.split()), {key.strip(): value.strip() for key, _, value in pairs}


@pytest.mark.parametrize("tokens", LOOKS, ids=name)
def test_what_a_rule_of_the_style_sheet_puts_together_can_be_read(qapp: QApplication, tokens: Tokens) -> None:
    checked, weak = 0, list[str]()
    for selectors, properties in rules(style_sheet(tokens, Sizes.of(AppearanceSettings()))):
        for ground, text in (("background", "color"), ("selection-background-color", "selection-color")):
            colours = [COLOUR.fullmatch(properties.get(key, "")) for key in (text, ground)]
            if colours[0] is None or colours[1] is None:
                continue
            checked += 1
            ratio = contrast(colours[0].group(), colours[1].group())
            if ratio < (SHAPE if ":disabled" in selectors else TEXT):
                weak.append(f"{selectors}: {ratio:.2f}")
    assert checked > 20
    assert not weak


def test_accents_differ_and_each_look_is_made_once() -> None:
    assert len({tokens.accent for tokens in LOOKS}) == len(LOOKS)
    assert tokens_for(Accent.TEAL, dark=True) is tokens_for(Accent.TEAL, dark=True)


def test_no_other_module_holds_a_colour() -> None:
    literal = re.compile(
        r"""["'\s:]#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\b|\brgba?\(|\bhsl\(|GlobalColor\.(?!transparent)"""
    )
    own = {"desktop/ui/theme/tokens.py"}
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / "desktop" / "ui").rglob("*.py"))
        if str(path.relative_to(ROOT)).replace("\\", "/") not in own
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if literal.search(line)
    ]
    assert not found
