"""The huge texts of ``bench rendering``, by what they are made of."""

from collections.abc import Callable, Mapping

from desktop.conversation.entities import Part, ResultStatus, TextPart, ToolCallPart, ToolResultPart

MEGABYTE = 1_000_000
CODE_BLOCK = "code of 100,000 lines"


def _prose(count: int) -> str:
    one = "Each **closed** block is frozen, so the cost of an update depends on `the open block` only; 中文段落也会正确换行。 "
    return "".join(one for _ in range(count))


def _table(rows: int) -> str:
    head = "| Stage | Before | After | 说明 |\n|:--|--:|--:|---|\n"
    return head + "".join(f"| Part {n} of `it` | {n * 7}.4 ms | **{n}.5** ms | 第{n}步 |\n" for n in range(rows))


def _wide_table(rows: int, columns: int) -> str:
    head = "|" + "".join(f" Column {n} |" for n in range(columns)) + "\n|" + "---|" * columns + "\n"
    return head + "".join("|" + "".join(f" value {r}/{c} |" for c in range(columns)) + "\n" for r in range(rows))


def _formulas(count: int) -> str:
    return "\n\n".join(f"Line {n} has $x_{{{n}}}^2 + \\frac{{{n}}}{{{n + 1}}}$ in it." for n in range(count))


def _dense_formulas(count: int) -> str:
    return " ".join(f"$a_{{{n}}}$" for n in range(count))


def _lines(count: int) -> str:
    return "\n".join(f"def step_{n}(value): return value * {n}  # a step" for n in range(count))


def _code(lines: int) -> str:
    return f"```python\n{_lines(lines)}\n```\n"


def _unbroken(length: int = MEGABYTE) -> str:
    return "0123456789abcdef" * (length // 16)


def _list(items: int) -> str:
    return "\n".join(f"{n}. Step number {n} of the plan, with *some* words" for n in range(1, items))


def LINES() -> str:  # noqa: N802
    return _lines(22_000)[:MEGABYTE]


def UNBROKEN() -> str:  # noqa: N802
    return _unbroken()


ANSWERS: Mapping[str, Callable[[], str]] = {
    "a short answer": lambda: f"Yes. {_prose(1)}",
    "table of 5,000 rows": lambda: _table(5_000),
    "table of 30 columns": lambda: _wide_table(300, 30),
    "2,000 formulas": lambda: _formulas(2_000),
    "2,000 formulas in a paragraph": lambda: _dense_formulas(2_000),
    CODE_BLOCK: lambda: _code(100_000),
    "code of 10,000 lines": lambda: _code(4_000),
    "unbroken line of 1 MB": _unbroken,
    "unbroken line of 1 MB as code": lambda: f"```\n{_unbroken()}\n```",
    "unbroken Chinese of 200 kB": lambda: "中文段落也会正确换行" * 20_000,
    "prose of 200 kB": lambda: _prose(1_600),
    "list of 4,000 items": lambda: _list(4_000),
}
STREAMED: Mapping[str, Callable[[], str]] = {
    "paragraphs": lambda: "\n\n".join(_prose(3) for _ in range(300)),
    "one paragraph of 100 kB": lambda: _prose(800),
    "rows of a table": lambda: _table(1_500),
    "code of many lines": lambda: _code(10_000),
    "items of a list": lambda: _list(2_500),
    "an unbroken line of 200 kB": lambda: _unbroken(200_000),
    "an unbroken line of code": lambda: f"```\n{_unbroken(200_000)}\n```",
    "many formulas": lambda: _formulas(600),
    "deep quotes": lambda: "".join(f"{'> ' * (n % 12)}Line {n} of them\n" for n in range(2_000)),
}
TOOL_RESULTS: Mapping[str, Callable[[], str]] = {
    "result of 100,000 lines": lambda: _lines(100_000),
    "unbroken result of 1 MB": _unbroken,
    "result of 1 MB JSON": lambda: '{"values": [' + ", ".join(f'{{"n": {n}}}' for n in range(80_000)) + "]}",
}


def parts_of(result: str) -> list[Part]:
    """An answer that called a tool with this result."""
    return [
        ToolCallPart(call_id="call1", name="files__read", arguments='{"path": "log.txt"}'),
        ToolResultPart(call_id="call1", status=ResultStatus.OK, text=result, duration_seconds=0.4),
        TextPart(text="It was read.", step=1),
    ]
