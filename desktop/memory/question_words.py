"""What a question says: without the words that it shares with every other, and the days that it names. Pure functions."""

from dataclasses import dataclass
from datetime import date

from desktop.core.expressions import Expression

_MOST_CHARACTERS = 4_000


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


MONTHS = _words("January February March April May June July August September October November December")
"""Never those of the system's language: what was indexed must be found again."""
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
_MARKS = "?？.,，。!！;；:：、\"'()（）“”‘’《》「」"

# "May" is a month only with a capital letter; the others are written either way.
_MONTH = "|".join(f"[{m[0]}{m[0].lower()}]{m[1:3]}(?:{m[3:]}|t?)" if m != "May" else m for m in MONTHS)
_YEAR = r"(?:,? (?P<year>\d{4})\b)?"
_DAYS = (
    Expression(rf"\b(?P<month>{_MONTH})\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b{_YEAR}"),
    Expression(rf"\b(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH})\b{_YEAR}"),
    Expression(r"(?:(?P<year>\d{4})\s?年\s?)?(?P<month>\d{1,2})\s?月\s?(?P<day>\d{1,2})\s?[日号號]"),
    Expression(r"\b(?P<year>\d{4})-(?P<month>\d\d)-(?P<day>\d\d)\b"),
)


@dataclass(frozen=True)
class Day:
    """A day that a question names, mostly without its year."""

    month: int
    day: int
    year: int | None = None

    def is_on(self, moment: date) -> bool:
        return (moment.month, moment.day) == (self.month, self.day) and self.year in (None, moment.year)


def days_of(question: str) -> list[Day]:
    """Return the days that a question names, in English or Chinese."""
    found: dict[Day, None] = {}
    for pattern in _DAYS:
        for match in pattern.finditer(question[:_MOST_CHARACTERS]):
            month, day, year = match["month"], int(match["day"]), match["year"]
            number = int(month) if month.isdigit() else _number(month)
            if 1 <= number <= 12 and 1 <= day <= 31:
                found[Day(number, day, int(year) if year else None)] = None
    return list(found)


def _number(month: str) -> int:
    return next(number for number, name in enumerate(MONTHS, 1) if name[:3].lower() == month[:3].lower())


def runs_of(question: str) -> list[str]:
    """Return what stands between blanks and Chinese words that say nothing; English ones are still there."""
    return _STOPPED.sub(" ", question[:_MOST_CHARACTERS]).split()


def says_nothing(word: str) -> bool:
    """Whether a word, in small letters, is one that questions share."""
    return word in _ENGLISH


def content_of(question: str) -> str:
    """Return the question without the words that questions share; nothing where it has no others."""
    runs = (run.strip(_MARKS) for run in runs_of(question))
    return " ".join(run for run in runs if run and not says_nothing(run.lower()))
