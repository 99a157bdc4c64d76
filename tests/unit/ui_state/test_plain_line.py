"""Lines of Markdown for lists: marks go, everything that only looks like one stays."""

from collections.abc import Sequence

import pytest

from desktop.ui.state.plain_line import marked_without_marks, without_marks


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("# A title 标题 Some **bold**, *italic* and `code`", "A title 标题 Some bold, italic and code"),
        ("这是**重点**内容", "这是重点内容"),
        ("See [the page](https://example.com/x) ![a cat](c.png)", "See the page a cat"),
        ("- [x] done", "done"),
        ("- House by the canal - Roof: Weidner - [ ] Open", "House by the canal · Roof: Weidner · Open"),
        ("You need: - flour - two eggs", "You need: flour · two eggs"),
        ("…by May. * Roof * Floor", "…by May. Roof · Floor"),
        ("要买： - 面粉 - 鸡蛋", "要买： 面粉 · 鸡蛋"),
        ("> quoted", "quoted"),
        (">quoted > in two lines", "quoted in two lines"),
        ("> > # twice", "twice"),
        ("You said: > hello there", "You said: hello there"),
        ("他说： > 你好", "他说： 你好"),
        ("```python def f(): pass ```", "def f(): pass"),
        ("It ends in **the mid…", "It ends in the mid…"),
        ("回答都是*预先写好的*：不联网", "回答都是预先写好的：不联网"),
        ("…示模型**，不联网", "…示模型，不联网"),
        ("我是**演示模…", "我是演示模…"),
        ("| 海象 walrus | 食物 food | | --- | :-: | | walrus | clams |", "海象 walrus · 食物 food · walrus · clams"),
        ("Here it is: | A | B | |---|---| | 1 | 2 |", "Here it is: A · B · 1 · 2"),
        ("| A | B | | -", "A · B"),
    ],
)
def test_marks_go(line: str, shown: str) -> None:
    assert without_marks(line) == shown


@pytest.mark.parametrize(
    "line",
    [
        "2**3 and a*b*c",
        "2 * 3 * 4",
        "__init__",
        "C# and #1",
        "a > b - c",
        "A walk - and a swim - is planned",
        "The value: -5 - 3",
        "Is a > b? x -> y.",
        "",
        "[1] 你好",
        "半径**2 和 长*宽 2*3",
        "a | b and c || d",
        "|x| is the amount, |x|y| too",
        "A | B --- | --- 1 | 2",
    ],
)
def test_what_only_looks_like_a_mark_stays(line: str) -> None:
    assert without_marks(line) == line


@pytest.mark.parametrize(
    ("line", "words", "shown", "marked"),
    [
        ("the **parser**, with `feed()`", ("parser", "feed"), "the parser, with feed()", ("parser", "feed")),
        ("## Heading parser", ("Heading",), "Heading parser", ("Heading",)),
        ("🎉 **ab** cd", ("ab", "cd"), "🎉 ab cd", ("ab", "cd")),
        ("x **pars", ("pars",), "x pars", ("pars",)),
        ("see [the docs](https://a.b/parser) now", ("parser", "now"), "see the docs now", ("now",)),
        ("plain words", (), "plain words", ()),
    ],
)
def test_what_was_found_stays_marked(line: str, words: Sequence[str], shown: str, marked: Sequence[str]) -> None:
    places = [(line.index(word), line.index(word) + len(word)) for word in words]
    text, highlights = marked_without_marks(line, places)
    assert text == shown
    assert tuple(text[start:end] for start, end in highlights) == tuple(marked)
