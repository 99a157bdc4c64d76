"""How texts and questions become words for recall: dated texts, and of a question what its answer will share with it.

Words are folded as for the search (``search_text.fold``), which sets characters of scripts without blanks apart; two
neighbours of them are asked for as a phrase. Nothing in a question is syntax.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from desktop.core.expressions import Expression
from desktop.storage.search_text import WRITTEN_WITHOUT_BLANKS, fold

BEFORE_LENGTH = 300
"""How much of what was said before a message is indexed with it: its end, to which the message replies."""
_MOST_TERMS = 48
_MOST_CHARACTERS = 4_000


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# Never those of the system's language: what was indexed must be found again.
_MONTHS = _words("January February March April May June July August September October November December")

_ENGLISH = frozenset(
    _words(
        "a about above after again all also am an and any are as at be because been before being below between both but by"
        " can could did do does doing done down during each either else ever every few for from further get gets give go got"
        " had has have having he her here hers herself him himself his how i if in into is it its itself just know let like"
        " many may maybe me might mine more most much must my myself need neither no nor not now of off ok okay on once one"
        " only or other our ours out over own please really remember said same say says she should so some something such"
        " tell than thank thanks that the their theirs them then there these they thing things this those through to told too"
        " under until up us very want was we well were what when where whether which while who whom whose why will with"
        " would yes yet you your yours aren couldn d didn doesn don hadn hasn haven isn ll m re s shouldn t ve wasn weren"
        " won wouldn"
    )
)
_CHINESE = _words(
    "我们 你们 他们 她们 它们 咱们 自己 大家 什么 怎么 怎样 怎么样 如何 哪里 哪儿 哪些 哪个 哪位 哪天 多少 几个 为什么 为何"
    " 是否 是不是 有没有 能不能 可不可以 会不会 要不要 什么时候 什么样 什么地方 请问 请你 请帮 帮我 告诉 记得 还记得 知道"
    " 一下 一个 一些 一点 这个 那个 这些 那些 这里 那里 这样 那样 可以 可能 应该 觉得 认为 以及 或者 还是 但是 不过 因为 所以"
    " 如果 虽然 然后 而且 并且 已经 曾经 关于 对于 进行 其中 之间 一直 非常 比较 真的 谢谢 你好"
)
_PARTICLES = "的了吗呢吧啊呀嘛哦嗯我你您他她它们是"
_STOPPED = Expression("|".join((*sorted(_CHINESE, key=len, reverse=True), f"[{_PARTICLES}]")))


def dated(moment: datetime, minutes_from_utc: int) -> str:
    """Return the day as English and Chinese texts name it, at the place where the user was."""
    day = moment + timedelta(minutes=minutes_from_utc)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}年{day.month}月{day.day}日"


def ending(text: str) -> str:
    """Return the end of a text, to which what came after it replied."""
    return text[-BEFORE_LENGTH:]


def terms_of(question: str) -> list[str]:
    """Return what a question is asked with: words, and pairs of characters, without those that say nothing."""
    terms: dict[str, None] = {}
    for run in _STOPPED.sub(" ", question[:_MOST_CHARACTERS]).split():
        apart: list[str] = []
        for word in fold(run).split():
            if len(word) == 1 and WRITTEN_WITHOUT_BLANKS.match(word):
                apart.append(word)
                continue
            terms.update(dict.fromkeys(_pairs(apart)))
            apart = []
            if word not in _ENGLISH:
                terms[word] = None
        terms.update(dict.fromkeys(_pairs(apart)))
    return list(terms)[:_MOST_TERMS]


def _pairs(characters: list[str]) -> list[str]:
    if len(characters) == 1:
        return characters
    return [f"{first} {second}" for first, second in pairwise(characters)]


def to_fts(terms: Sequence[str]) -> str:
    """Return the FTS5 expression for what holds any of the terms."""
    return " OR ".join(f'"{term}"' for term in terms)
