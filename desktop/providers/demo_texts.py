"""What the demo model says, in English and Chinese. Every text admits that it is scripted."""

from collections.abc import Sequence

from desktop.providers.demo_intents import ASK, CALCULATE, COMMAND, DATE, WEATHER, Intent

_SHOWN_RESULT_CHARS = 1_500

_ABOUT_EN = """Hello! I am the **demo model**. I am *scripted*: no key, no network, and no real intelligence. I stand in \
for a model so that you can try everything else, which is real.

Things to type:

- `What is the weather in Paris, and what date is it?` calls two tools at once
- `Calculate (3 + 4) * 5`
- ``Run `echo hello` `` asks for your permission before it runs
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

_ABOUT_ZH = """你好！我是**演示模型**，回答都是*预先写好的*：不需要密钥，不联网，也没有真正的智能。\
我代替模型，让你试用其余的一切，而那些都是真的。

可以这样问我：

- `巴黎的天气怎么样？今天几号？` 会同时调用两个工具
- `计算 (3 + 4) * 5`
- ``运行 `echo 你好` `` 会先征得你的同意
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

_TABLE_EN = """| Planet | Diameter (km) | Moons known |
| :--- | ---: | ---: |
| Mercury | 4,879 | 0 |
| Venus | 12,104 | 0 |
| Earth | 12,742 | 1 |
| Mars | 6,779 | 2 |
"""

_TABLE_ZH = """| 行星 | 直径（千米） | 已知卫星 |
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


def thinking(intent: Intent, tools: Sequence[str]) -> str:
    """The reasoning shown before a step that calls ``tools``, or before an answer."""
    if tools:
        names = ", ".join(tools)
        if intent.chinese:
            return f"（脚本）我在消息里认出了关键词，所以调用 {names}。"
        return f"(Scripted) I recognised key words in the message, so I call {names}."
    if intent.chinese:
        return "（脚本）没有更多工具要调用，现在给出回答。"
    return "(Scripted) There is no further tool to call, so I answer now."


def before_calls(intent: Intent, *, first: bool) -> str:
    """The words before the calls of a step."""
    if intent.chinese:
        if intent.tour and first:
            return "好的，下面是完整演示。先同时查天气和日期。"
        return "好的，我来处理。" if first else "接下来是下一步。"
    if intent.tour and first:
        return "Here is the full tour. First the weather and the date, both at once."
    return "Let me do that." if first else "Now the next step."


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
            f"你写道：\n\n{quoted}\n\n我是脚本演示模型，并不理解这句话。"
            "输入 `你能做什么` 看看可以试什么，或者配置一个真正的模型。\n"
        )
    return (
        f"You wrote:\n\n{quoted}\n\nI am the scripted demo model and do not understand it. "
        "Type `what can you do` to see what you can try, or set up a real model.\n"
    )


def unavailable(intent: Intent, tools: Sequence[str]) -> str:
    names = "、".join(f"`{name}`" for name in tools) if intent.chinese else ", ".join(f"`{name}`" for name in tools)
    if intent.chinese:
        return f"没有提供这些工具：{names}。命令服务器可能没有运行，所以什么也没有执行。"
    return f"Not offered to me: {names}. The command server may not be running, so nothing was done."


def reaction(intent: Intent, tool: str, result: str) -> str:
    """What the demo model says about the result of one call: nothing but what the result says."""
    english, chinese = _LABELS.get(tool, (f"`{tool}`", f"`{tool}`"))
    text = result.strip()
    known = _known_ending(intent, text)
    if known:
        return known
    if len(text) > _SHOWN_RESULT_CHARS:
        text = text[:_SHOWN_RESULT_CHARS].rstrip() + "\n…"
    if tool == COMMAND or "\n" in text:
        fence = "`" * max(3, _longest_run(text) + 1)
        return (
            f"{chinese if intent.chinese else english}：\n\n{fence}text\n{text}\n{fence}"
            if intent.chinese
            else (f"{english} gave:\n\n{fence}text\n{text}\n{fence}")
        )
    return f"{chinese}：{text}" if intent.chinese else f"{english}: {text}"


def _known_ending(intent: Intent, text: str) -> str:
    if text.startswith("User denied"):
        if intent.chinese:
            return "你拒绝了，所以它没有运行。"
        return "You refused, so it did not run."
    if text.startswith("The user declined"):
        return "你选择了不回答，我就不再追问。" if intent.chinese else "You declined to answer; I will not press you."
    if text.startswith("The user cancelled"):
        return (
            "你取消了这个问题，所以没有答案。"
            if intent.chinese
            else "You cancelled the question, so there is no answer."
        )
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
