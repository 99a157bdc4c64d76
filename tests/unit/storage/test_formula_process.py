"""Formulas are drawn in a process of their own: what is right is drawn, what hangs is ended, what is hostile does nothing."""

import re
import sys
from pathlib import Path

import pytest

from desktop.conversation.formulas import Formula
from desktop.core.formula_limits import FONT, INK
from desktop.storage.formula_process import FormulaProcess

_SLOW = """
import json, sys, time
for line in sys.stdin:
    if "slow" in line:
        time.sleep(60)
    if "dead" in line:
        sys.exit(1)
    if "odd" in line:
        print("no json")
    else:
        print(json.dumps({"svg": "<svg/>", "width": 1.0, "ascent": 1.0, "descent": 0.0}))
    sys.stdout.flush()
"""


async def test_formulas_are_drawn_with_their_base_line_and_nothing_but_shapes() -> None:
    process = FormulaProcess()
    try:
        for tex in (
            r"x^2",
            r"\frac{a}{b}",
            r"\begin{pmatrix}1&2\\3&4\end{pmatrix}^{-1}",
            r"\begin{aligned}a&=b\\c&=d\end{aligned}",
            r"\sqrt{" * 10 + "x" + "}" * 10,
            r"a<b",
            r"\href{file:///etc/passwd}{y}",
        ):
            drawn = await process.draw(Formula(tex))
            assert drawn is not None, tex
            assert drawn.width > 0 < drawn.ascent + drawn.descent
            assert INK in drawn.svg
            for word in ("href", "file:", "script", "image", "<text", "style", "http://x"):
                assert word not in drawn.svg.replace("http://www.w3.org", ""), tex
        fraction, letter = await process.draw(Formula(r"\frac{a}{b}")), await process.draw(Formula("x"))
        assert fraction is not None
        assert letter is not None
        assert fraction.descent > letter.descent, "a fraction reaches below the line"
        assert fraction.ascent > letter.ascent
    finally:
        await process.close()


@pytest.mark.parametrize(
    ("tex", "characters"),
    [
        (r"\text{速度 in km/h} = \frac{s}{t}", "速度"),
        ("速度=v_{平均}^{最大}", "速度平均最大"),
        (r"\frac{路程}{\sqrt{时间}}", "路程时间"),
        (r"\begin{cases}1,&\text{若}x>0\\0,&\text{否则}\end{cases}", "若否则"),
        ("\u2b1b + 한글", "한글"),
    ],
)
async def test_east_asian_characters_stand_in_it_as_text(tex: str, characters: str) -> None:
    process = FormulaProcess()
    try:
        drawn = await process.draw(Formula(tex))
        assert drawn is not None
        texts = re.findall(r"<text ([^>]*)>(.)</text>", drawn.svg)
        assert sorted(character for _, character in texts) == sorted(characters)
        assert all(f'font-family="{FONT}"' in attributes and f'fill="{INK}"' in attributes for attributes, _ in texts)
        assert set(re.findall(r'fill="([^"]*)"', drawn.svg)) == {INK}, "no colour of the places is left"
    finally:
        await process.close()


@pytest.mark.parametrize(
    "tex",
    [
        r"\unknown{x}",
        r"\text{😀}",
        "{",
        "a & b",
        "\\" * 3,
        "x" * 2_000,
        r"\sqrt" * 30 + " x",
        "{" * 40 + "x" + "}" * 40,
        r"\rule{99999999em}{1em}",
        "\ud800",
        "",
    ],
)
async def test_what_cannot_be_drawn_is_none(tex: str) -> None:
    process = FormulaProcess()
    try:
        assert await process.draw(Formula(tex)) is None
        assert await process.draw(Formula("x")) is not None, "and the next one is drawn"
    finally:
        await process.close()


@pytest.fixture
def program(tmp_path: Path) -> tuple[str, ...]:
    path = tmp_path / "slow.py"
    path.write_text(_SLOW)
    return (sys.executable, str(path))


@pytest.mark.allowed_log("a formula (took too long|was not drawn)")
async def test_a_formula_that_hangs_is_ended_and_not_tried_again(program: tuple[str, ...]) -> None:
    process = FormulaProcess(patience_seconds=0.3, command=program)
    try:
        assert await process.draw(Formula("a")) is not None
        first = process.process_id
        assert await process.draw(Formula("slow")) is None
        assert await process.draw(Formula("b")) is not None
        assert process.process_id not in (None, first), "the one that hung is gone"
        second = process.process_id
        assert await process.draw(Formula("slow")) is None
        assert process.process_id == second, "that was remembered"
    finally:
        await process.close()


@pytest.mark.allowed_log("a formula (took too long|was not drawn)")
@pytest.mark.parametrize("word", ["dead", "odd"])
async def test_one_that_dies_or_talks_nonsense_costs_only_its_formula(program: tuple[str, ...], word: str) -> None:
    process = FormulaProcess(command=program)
    try:
        assert await process.draw(Formula("a")) is not None
        assert await process.draw(Formula(word)) is None
        assert await process.draw(Formula("b")) is not None
    finally:
        await process.close()
