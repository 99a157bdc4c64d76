"""What the demo model says, in English and Chinese: first what there is to say, then that it is scripted.

The list of chats shows how an answer begins, and by that they must be told apart.
"""

import re
from collections.abc import Sequence

from desktop.providers.demo_intents import ASK, CALCULATE, COMMAND, DATE, WEATHER, Intent
from desktop.tools.command_report import CommandReport, read_command_report

_SHOWN_RESULT_CHARS = 1_500

_ABOUT_EN = """You can try tools, forms and commands here, and all of them are real. Only the answers are *scripted*: I am \
the **demo model**, without key, network or real intelligence.

Things to type:

- `What is the weather in Paris, and what date is it?` calls two tools at once
- `Calculate (3 + 4) * 5`
- `How much space is left on my disk?` runs a command and asks for your permission before
- ``Run `echo hello` `` does so with a command of yours
- `Ask me to choose between red, green and blue` opens a form
- `Write code`, `Show a table`, `Write a long answer`
- `Give me the tour` does it all

| Tool | What it does | Asks first |
| --- | --- | --- |
| `get_weather` | an example report | no |
| `get_date` | date and time | no |
| `calculate` | exact arithmetic | no |
| `ask_user` | shows you a form | it *is* a question |
| `execute_command_local` | runs a command | **always** |

To talk to a real model, open **Settings → Models** and choose *Add a model…*: one on this computer, a provider with
a key, or another address.
"""

_ABOUT_ZH = """在这里可以试用工具、表单和命令，它们都是真的。只有回答是*预先写好的*：我是**演示模型**，\
不需要密钥，不联网，也没有真正的智能。

可以这样问我：

- `巴黎的天气怎么样？今天几号？` 会同时调用两个工具
- `计算 (3 + 4) * 5`
- `我的磁盘还剩多少空间？` 会运行一条命令，并先征得你的同意
- ``运行 `echo 你好` `` 会运行你写的命令
- `让我选择：红色、绿色、蓝色` 会打开一个表单
- `写一段代码`、`给我一个表格`、`写一个长回答`
- `演示` 会把这些全部做一遍

| 工具 | 作用 | 先询问 |
| --- | --- | --- |
| `get_weather` | 示例天气 | 否 |
| `get_date` | 日期和时间 | 否 |
| `calculate` | 精确计算 | 否 |
| `ask_user` | 显示一个表单 | 它本身就是提问 |
| `execute_command_local` | 运行命令 | **总是** |

要和真正的模型对话，请打开**设置 → 模型**，选择*添加模型…*：可以是本机上的模型、需要密钥的服务商，或其他地址。
"""

_CODE_EN = '''Here is some code. I did not write it for you; it is part of my script.

```python
def fibonacci(count: int) -> list[int]:
    """Return the first ``count`` Fibonacci numbers."""
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[:count]


print(fibonacci(10))  # [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
```
'''

_CODE_ZH = '''这是一段代码，也是脚本里预先写好的。

```python
def fibonacci(count: int) -> list[int]:
    """返回前 count 个斐波那契数。"""
    numbers = [0, 1]
    while len(numbers) < count:
        numbers.append(numbers[-1] + numbers[-2])
    return numbers[:count]


print(fibonacci(10))  # [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]
```
'''

_TABLE_EN = """Four planets, as my script has them:

| Planet | Diameter (km) | Moons known |
| :--- | ---: | ---: |
| Mercury | 4,879 | 0 |
| Venus | 12,104 | 0 |
| Earth | 12,742 | 1 |
| Mars | 6,779 | 2 |
"""

_TABLE_ZH = """脚本里写好的四颗行星：

| 行星 | 直径（千米） | 已知卫星 |
| :--- | ---: | ---: |
| 水星 | 4,879 | 0 |
| 金星 | 12,104 | 0 |
| 地球 | 12,742 | 1 |
| 火星 | 6,779 | 2 |
"""

_LABELS = {
    WEATHER: ("The weather", "天气"),
    DATE: ("The date", "日期"),
    CALCULATE: ("The calculation", "计算"),
    COMMAND: ("The command", "命令"),
    ASK: ("Your answer", "你的回答"),
}


_ENDINGS = {
    "User denied": ("You refused, so it did not run.", "你拒绝了，所以它没有运行。"),
    "The user declined": ("You declined to answer; I will not press you.", "你选择了不回答，我就不再追问。"),
    "The user cancelled": ("You cancelled the question, so there is no answer.", "你取消了这个问题，所以没有答案。"),
    "The user sent an empty answer": ("You sent an empty answer.", "你的回答是空的。"),
}
"""How results begin that mean that nothing was done or said."""

_WEEKDAYS = {
    "Monday": "星期一",
    "Tuesday": "星期二",
    "Wednesday": "星期三",
    "Thursday": "星期四",
    "Friday": "星期五",
    "Saturday": "星期六",
    "Sunday": "星期日",
}
_DATE_LINE = re.compile(rf"([\d-]+) \(({'|'.join(_WEEKDAYS)})\), (.+)")


def thinking(intent: Intent, tools: Sequence[str]) -> str:
    """The reasoning shown before a step that calls ``tools``, or before an answer."""
    if tools:
        if intent.chinese:
            return f"（脚本）我在消息里认出了关键词，所以调用 {'、'.join(tools)}。"
        return f"(Scripted) I recognised key words in the message, so I call {', '.join(tools)}."
    if intent.chinese:
        return "（脚本）没有更多工具要调用，现在给出回答。"
    return "(Scripted) There is no further tool to call, so I answer now."


def opening(intent: Intent) -> str:
    """The words before the first calls of the tour. Other answers begin with what the calls brought."""
    if intent.chinese:
        return "好的，下面是完整演示。先同时查天气和日期。"
    return "Here is the full tour. First the weather and the date, both at once."


def about(intent: Intent) -> str:
    return _ABOUT_ZH if intent.chinese else _ABOUT_EN


def code(intent: Intent) -> str:
    return _CODE_ZH if intent.chinese else _CODE_EN


def table(intent: Intent) -> str:
    return _TABLE_ZH if intent.chinese else _TABLE_EN


def long_answer(intent: Intent) -> str:
    """Many headings and paragraphs, to see how a long answer streams."""
    if intent.chinese:
        paragraph = "这是一个很长的脚本回答，用来观察流式输出、滚动和排版。每一节都有**粗体**、`代码` 和[链接](https://example.com)。"
        return "\n\n".join(f"## 第 {n} 节\n\n{paragraph}\n\n1. 第一点\n2. 第二点" for n in range(1, 41)) + "\n"
    paragraph = (
        "This is a long scripted answer, to see how streaming, scrolling and layout behave. "
        "Each section has **bold** words, `code` and a [link](https://example.com)."
    )
    return "\n\n".join(f"## Section {n}\n\n{paragraph}\n\n1. One point\n2. Another" for n in range(1, 41)) + "\n"


def echo(intent: Intent) -> str:
    """The answer to everything that the script does not know."""
    quoted = "\n".join(f"> {line}" for line in intent.text[:2_000].splitlines())
    if intent.chinese:
        return (
            f"{quoted}\n\n这是你写的话。我是脚本演示模型，并不理解它。"
            "输入 `你能做什么` 看看可以试什么，或者配置一个真正的模型。\n"
        )
    return (
        f"{quoted}\n\nThat is what you wrote. I am the scripted demo model and do not understand it. "
        "Type `what can you do` to see what you can try, or set up a real model.\n"
    )


def unavailable(intent: Intent, tools: Sequence[str]) -> str:
    names = "、".join(f"`{name}`" for name in tools) if intent.chinese else ", ".join(f"`{name}`" for name in tools)
    if intent.chinese:
        return f"没有提供这些工具：{names}。命令服务器可能没有运行，所以什么也没有执行。"
    return f"Not offered to me: {names}. The command server may not be running, so nothing was done."


def reaction(intent: Intent, tool: str, result: str) -> str:
    """What the demo model says about the result of one call: nothing but what the result says."""
    text = result.strip()
    if known := _known_ending(intent, text):
        return known
    if tool == COMMAND and (report := read_command_report(text)) is not None:
        return _about_command(intent, report)
    if intent.chinese and tool == DATE and (found := _DATE_LINE.fullmatch(text)):
        return f"日期：{found[1]}（{_WEEKDAYS[found[2]]}）{found[3].replace(', ', '，')}"
    if intent.chinese and tool == CALCULATE and not re.search(r"\d", text[-1:]):
        return "算不出结果，原因见上面的工具卡片。"
    english, chinese = _LABELS.get(tool, (f"`{tool}`", f"`{tool}`"))
    if tool == COMMAND or "\n" in text:
        return f"{chinese}：\n\n{_fenced(text)}" if intent.chinese else f"{english} gave:\n\n{_fenced(text)}"
    text = _shortened(text)
    return f"{chinese}：{text}" if intent.chinese else f"{english}: {text}"


def _about_command(intent: Intent, report: CommandReport) -> str:
    said: list[str] = []
    printed = report.stdout is not None or report.stderr is not None
    if report.exit_code != 0 or not printed:
        said.append(_ending_of_command(intent, report, printed=printed))
    if report.stdout is not None:
        said += ["命令的输出：" if intent.chinese else "The command printed:", _fenced(report.stdout)]
    if report.stderr is not None:
        said += ["命令的错误输出：" if intent.chinese else "It wrote as errors:", _fenced(report.stderr)]
    if report.leftovers:
        said.append("它遗留的进程已被结束。" if intent.chinese else "Processes that it had left running were ended.")
    return "\n\n".join(said)


def _ending_of_command(intent: Intent, report: CommandReport, *, printed: bool) -> str:
    code = report.exit_code
    if intent.chinese:
        ending = "命令没有运行完就被终止了" if code is None else f"命令结束，退出码为 {code}"
        return f"{ending}。" if printed else f"{ending}，没有输出。"
    ending = "The command was ended before it was done" if code is None else f"The command ended with exit code {code}"
    return f"{ending}." if printed else f"{ending} and printed nothing."


def _fenced(text: str) -> str:
    text = _shortened(text)
    fence = "`" * max(3, _longest_run(text) + 1)
    return f"{fence}text\n{text}\n{fence}"


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN_RESULT_CHARS else text[:_SHOWN_RESULT_CHARS].rstrip() + "\n…"


def _known_ending(intent: Intent, text: str) -> str:
    for beginning, (english, chinese) in _ENDINGS.items():
        if text.startswith(beginning):
            return chinese if intent.chinese else english
    return ""


def closing(intent: Intent) -> str:
    if intent.chinese:
        return "以上是演示的全部内容：思考、并行调用、计算、命令和表单。我是脚本模型，其余都是真的。"
    return (
        "That was the tour: reasoning, two calls at once, a calculation, a command, and a form. "
        "I am scripted; all the rest was real."
    )


def _longest_run(text: str) -> int:
    longest = run = 0
    for character in text:
        run = run + 1 if character == "`" else 0
        longest = max(longest, run)
    return longest
