"""Lines of Markdown for lists: marks go, everything that only looks like one stays."""

import pytest

from desktop.ui.state.plain_line import without_marks


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("# A title 标题 Some **bold**, *italic* and `code`", "A title 标题 Some bold, italic and code"),
        ("这是**重点**内容", "这是重点内容"),
        ("See [the page](https://example.com/x) ![a cat](c.png)", "See the page a cat"),
        ("- [x] done", "done"),
        ("> quoted", "quoted"),
        ("```python def f(): pass ```", "def f(): pass"),
        ("It ends in **the mid…", "It ends in the mid…"),
    ],
)
def test_marks_go(line: str, shown: str) -> None:
    assert without_marks(line) == shown


@pytest.mark.parametrize("line", ["2**3 and a*b*c", "2 * 3 * 4", "__init__", "C# and #1", "a > b - c", "", "[1] 你好"])
def test_what_only_looks_like_a_mark_stays(line: str) -> None:
    assert without_marks(line) == line
