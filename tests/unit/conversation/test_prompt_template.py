"""Gaps in prompts: found in whatever way they are written, filled in once, and everything else left as it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.prompts.template import MOST_GAPS, Gap, KnownGap, filled, gaps_in


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello {{name}}!", [Gap("name")]),
        ("{{ name }} and {{name}}", [Gap("name")]),
        ("{{city=Berlin}}", [Gap("city", "Berlin")]),
        ("{{tone:formal|friendly}}", [Gap("tone", "formal", ("formal", "friendly"))]),
        ("{{tone: formal | friendly | formal | }}", [Gap("tone", "formal", ("formal", "friendly"))]),
        ("{{语气：正式｜友好}} {{城市＝上海}}", [Gap("语气", "正式", ("正式", "友好")), Gap("城市", "上海")]),
        ("{{first name}} {{b}}", [Gap("first name"), Gap("b")]),
        ("{{one:only}}", [Gap("one", "only")]),
        ("{{name}} {{name=Ada}} {{name=Bob}}", [Gap("name", "Ada")]),
        ("{{text=two\nlines}}", [Gap("text", "two\nlines")]),
        ("{{x=a:b|c}}", [Gap("x", "a:b|c")]),
        ("no {gap} {{}} {{ }} {{=x}} {{a\nb}} {{{{", []),
        (r"\{{name}}", []),
        ("{{" + "n" * 61 + "}}", []),
    ],
)
def test_gaps_are_found(text: str, expected: list[Gap]) -> None:
    assert list(gaps_in(text)) == expected


def test_known_gaps_are_known_by_name_alone() -> None:
    known = [gap.known for gap in gaps_in("{{date}} {{Clipboard}} {{日期}} {{CURRENT_TIME}} {{selection}} {{name}}")]
    assert known == [KnownGap.DATE, KnownGap.CLIPBOARD, KnownGap.DATE, KnownGap.TIME, KnownGap.SELECTION, None]
    assert [gap.known for gap in gaps_in("{{date=tomorrow}} {{time:now|later}}")] == [None, None]


def test_gaps_are_filled_once() -> None:
    assert filled("{{a}} {{b=2}} {{c}}", {"a": "{{b}}", "c": r"\1"}) == r"{{b}} 2 \1"
    assert filled("{{a}}-{{a=1}}", {}) == "1-1"
    assert filled(r"\{{a}} {{a}}", {"a": "x"}) == "{{a}} x"
    assert filled("{ {{a}} }}", {"a": ""}) == "{  }}"


def test_what_comes_after_many_gaps_stays() -> None:
    text = " ".join(f"{{{{g{number}}}}}" for number in range(MOST_GAPS + 5))
    assert len(gaps_in(text)) == MOST_GAPS
    assert filled(text, {}).endswith("{{g43}} {{g44}}")


@given(st.text(alphabet="{}=:|\\ab \n＝", max_size=60))
def test_any_text_is_filled_without_a_gap_left_of_those_found(text: str) -> None:
    gaps = gaps_in(text)
    result = filled(text, {gap.name: "" for gap in gaps})
    assert len(result) <= len(text)
    if not gaps and "\\" not in text:
        assert result == text


@pytest.mark.parametrize("piece", ["{{", "{{a", "{{a=", "{{ ", "\\{{", "{{a:b|"])
@pytest.mark.timeout(10)
def test_odd_texts_end(piece: str) -> None:
    """Where each beginning of a gap were looked after to the end, this would take hours."""
    text = piece * (100_000 // len(piece))
    assert len(filled(text, {})) <= len(text)
