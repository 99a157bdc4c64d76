"""Recognises, by plain rules, what the user asks of the demo model."""

import re
import sys
from dataclasses import dataclass, field
from typing import Any

WEATHER, DATE, CALCULATE, COMMAND, ASK = (
    "get_weather",
    "get_date",
    "calculate",
    "execute_command_local",
    "ask_user",
)

_HAN = re.compile(r"[\u3400-\u9fff]")
_TOUR = re.compile(r"\btour\b|\bdemo\b(?! model)|演示|导览", re.I)
_GREETING = re.compile(
    r"^\s*(?:hi|hello|hey|good (?:morning|evening)|help)\b|what (?:can|do) you do|who are you|how do(?:es)? (?:i|this|it) "
    r"|^\s*(?:你好|您好|嗨|在吗|帮助)|你(?:能|可以|会).{0,12}做(?:些|点)?什么|你会什么|你是谁|怎么用|可以做什么",
    re.I,
)
_WEATHER = re.compile(r"\bweather\b|\bforecast\b|天气", re.I)
_CITY_EN = re.compile(
    r"\b(?:in|for|of|at)\s+(?:the\s+)?([^\W\d_][\w .'’-]{0,40}?)"
    r"(?=\s*(?:[?!,;，。？]|\.(?:\s|$)|$|\b(?:and|or|right now|now|today|tomorrow|this|please)\b))",
    re.I,
)
_CITY_ZH = re.compile(r"([\u3400-\u9fff]{2,12})(?=天气)")
_ZH_FILLER = re.compile(
    r"^.*(?:查一下|查查|查询|请问|告诉我|看看|看一下|知道|帮我查|帮我|一下|以及|还有|顺便)"
    r"|今天|明天|后天|现在|今日|当前|此刻|这里|那里|本周|怎么样|的$"
)
_DATE = re.compile(
    r"\bdate\b|what time|current time|the time\b|what day|which day|日期|几号|几点|星期几|周几|什么时间|现在时间", re.I
)
_CALCULATE = re.compile(r"\bcalculate\b|\bcompute\b|\bcalculator\b|计算|算一下|算算|等于多少", re.I)
_EXPRESSION = re.compile(r"(?:sqrt\s*\()?[(\d][\d\s.,()+\-−–*/×÷·^%]*[+\-−*/×÷^%][\d\s.,()+\-−–*/×÷·^%]*[\d)]")
_PLAIN_ARITHMETIC = re.compile(r"\d\s*(?:[+*×÷^]|\s[-−/]\s)\s*[(\d]")
_COMMAND = re.compile(r"\brun\b|\bcommands?\b|\bexecute\b|\bshell\b|\bterminal\b|运行|执行|命令", re.I)
_LIST_FILES = re.compile(
    r"\b(?:list|show)(?: me)? (?:(?:the|my|all) )*files\b|\b(?:what|which) files\b"
    r"|(?:列出|显示|查看|看看).{0,10}文件(?!夹)|有(?:哪些|什么)文件(?!夹)",
    re.I,
)
_DISK_SPACE = re.compile(
    r"\b(?:disk|free) (?:space|usage)\b|\bspace\b.{0,20}\b(?:disk|drive|left)\b"
    r"|(?:磁盘|硬盘).{0,8}(?:空间|容量|剩)|(?:剩余|可用|多少)空间",
    re.I,
)
_QUOTED = re.compile(r"`{1,3}([^`]+)`{1,3}")
_ASK = re.compile(r"\bask me\b|\bask_user\b|\bforms?\b|\bchoose\b|\bchoices?\b|选择|问我|表单|让我选|选一个", re.I)
_CHOICES = re.compile(r"(?:between|from|choices?:|options?:|选项[:：]|从|在|[:：])\s*([^.?!。？！\n]{3,200})", re.I)
_SEPARATOR = re.compile(r"\s*(?:,\s*(?:or|and)\s+|,|，|、|/|\bor\b|\band\b|还是|或者|或|和)\s*", re.I)


@dataclass(frozen=True)
class Wish:
    """One tool call that the user's words ask for. ``tool`` is the name without its server."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, kw_only=True)
class Intent:
    """What the user asks for. ``stages`` are made one after the other, the calls in one stage together."""

    text: str
    chinese: bool
    stages: tuple[tuple[Wish, ...], ...] = ()
    tour: bool = False
    greeting: bool = False
    code: bool = False
    table: bool = False
    long: bool = False


def read_intent(message: str) -> Intent:
    """Return what ``message`` asks for. Only its last paragraph counts: earlier ones may be a question stopped before."""
    text = message.strip().rpartition("\n\n")[2]
    chinese = bool(_HAN.search(text))
    if _TOUR.search(text):
        return Intent(text=text, chinese=chinese, tour=True, stages=_tour(chinese))
    lookups = tuple(filter(None, (_date(text), _weather(text, chinese), _calculation(text))))
    stages = tuple(filter(None, (lookups, _commands(text, chinese), _questions(text, chinese))))
    return Intent(
        text=text,
        chinese=chinese,
        stages=stages,
        greeting=bool(_GREETING.search(text)) and not stages,
        code=bool(re.search(r"\bcode\b|代码", text, re.I)),
        table=bool(re.search(r"\btables?\b|表格", text, re.I)),
        long=bool(re.search(r"\blong\b|长", text, re.I)) and not stages,
    )


def _tour(chinese: bool) -> tuple[tuple[Wish, ...], ...]:
    greeting = "你好，Threadwell" if chinese else "Hello from Threadwell"
    return (
        (Wish(WEATHER, {"city": "上海" if chinese else "Berlin"}), Wish(DATE)),
        (Wish(CALCULATE, {"expression": "(3 + 4) * 5"}),),
        (Wish(COMMAND, {"command": f"echo {greeting}"}),),
        (_question(chinese, []),),
    )


def _date(text: str) -> Wish | None:
    return Wish(DATE) if _DATE.search(text) else None


def _weather(text: str, chinese: bool) -> Wish | None:
    if not _WEATHER.search(text):
        return None
    return Wish(WEATHER, {"city": _city(text) or ("上海" if chinese else "Berlin")})


def _city(text: str) -> str:
    plain = _QUOTED.sub(" ", text)
    found = _CITY_ZH.search(plain.replace("的天气", "天气"))
    if found and (city := _ZH_FILLER.sub("", found.group(1)).strip()):
        return city
    for match in _CITY_EN.finditer(plain):
        city = match.group(1).strip()
        if city.lower() not in ("my city", "my area", "here", "me", "a", "an"):
            return city
    return ""


def _calculation(text: str) -> Wish | None:
    plain = _QUOTED.sub(" ", text)
    is_asked = bool(_CALCULATE.search(plain))
    found = _EXPRESSION.search(plain)
    if found and (is_asked or _PLAIN_ARITHMETIC.search(found.group())):
        return Wish(CALCULATE, {"expression": _balanced(found.group().strip())})
    return Wish(CALCULATE, {"expression": "(3 + 4) * 5"}) if is_asked else None


def _balanced(expression: str) -> str:
    # A bracket of the sentence around it is no part of the expression.
    while expression.endswith(")") and expression.count(")") > expression.count("("):
        expression = expression[:-1].rstrip()
    while expression.startswith("(") and expression.count("(") > expression.count(")"):
        expression = expression[1:].lstrip()
    return expression


def _commands(text: str, chinese: bool) -> tuple[Wish, ...]:
    plain = _QUOTED.sub(" ", text)
    if not any(pattern.search(plain) for pattern in (_COMMAND, _LIST_FILES, _DISK_SPACE)):
        return ()
    if quoted := [command.strip("\n") for command in _QUOTED.findall(text) if command.strip()]:
        return tuple(_asked_for(command) for command in quoted)
    # Each prints something in an empty folder, too; on Windows one does both.
    if _LIST_FILES.search(plain):
        return (_asked_for("dir" if sys.platform == "win32" else "ls -la"),)
    if _DISK_SPACE.search(plain):
        return (_asked_for("dir" if sys.platform == "win32" else "df -h ."),)
    return (_asked_for("echo 你好" if chinese else "echo Hello from Threadwell"),)


def _asked_for(command: str) -> Wish:
    """A command that demands the question, also where it would run unasked: the question is what there is to be seen."""
    return Wish(COMMAND, {"command": command, "is_need_user_check": True})


def _questions(text: str, chinese: bool) -> tuple[Wish, ...]:
    if not _ASK.search(_QUOTED.sub(" ", text)):
        return ()
    choices: list[str] = []
    if found := _CHOICES.search(text):
        choices = [part.strip(" .\"'“”") for part in _SEPARATOR.split(found.group(1))]
        choices = [re.sub(r"(?:中|里)?(?:选择|选一个|选)?$", "", part) for part in choices]
        choices = list(dict.fromkeys(part for part in choices if part and len(part) <= 40))
    return (_question(chinese, choices if 2 <= len(choices) <= 8 else []),)


def _question(chinese: bool, choices: list[str]) -> Wish:
    if chinese:
        return Wish(ASK, {"question": "你想选哪一个？", "choices": choices or ["茶", "咖啡", "水"]})
    return Wish(ASK, {"question": "Which one would you like?", "choices": choices or ["Tea", "Coffee", "Water"]})
