"""Takes from the user's words what they say in so many words: remember this, my name, where I live, a standing wish."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from desktop.core.expressions import Expression
from desktop.memory.candidates import Candidate, Said
from desktop.memory.entities import MemoryKind
from desktop.memory.refusals import is_conditional, is_standing, is_supposed
from desktop.memory.sentences import Sentence, with_dates
from desktop.memory.slots import each_alone

_CLAUSE = r"[^,;:!?，；：。！？\n]{1,120}?(?=$|[,;!?，；。！？]|\.?$|\.\s|\s(?:and|but|so|because)\s)"
_WHEN = "(?:上个?月|上个?(?:星期|周)|这个?月|去年|今年|前年|年初|前天|昨天|最近|前不久)"
_DOES = (
    r"(?:answer|reply|respond|write|speak|talk|use|call|address|keep|explain|give"
    r"|show|format|avoid|stop|include|add|be|say|put|list"
    r"|start|end|cite|mention|translate|prefer|don'?t use|do not use)"
)


@dataclass(frozen=True)
class _Rule:
    kind: MemoryKind
    importance: float
    expression: Expression
    """Matched where a clause begins; ``fact`` is what is remembered where that is not all of it."""


def _rule(kind: MemoryKind, importance: float, pattern: str) -> _Rule:
    return _Rule(kind, importance, Expression(pattern, re.IGNORECASE))


_REMEMBER = (
    _rule(
        MemoryKind.FACT,
        0.8,
        r"(?:please |pls |(?:can|could|will|would) you (?:please )?|i want you to |i'd like you to |you should )*"
        r"(?:remember|keep in mind|bear in mind|don'?t forget|do not forget|(?:make a "
        r"|take )?note)\b(?: for (?:me|later|the future|next time))?"
        r"(?!\s+(?:when|how|what|who|where|why|if|whether|me|us|them|him|her|it|this|that)?\s*(?:[?.!]|$))"
        r"(?!\s+(?:when|how|what|who|whom|where|why|if|whether|the time|the day|those"
        r"|these days|to (?!always|never))\b)"
        r"(?:\s*[:,]\s*|\s+(?:that|this:|the following:|to)\s+|\s+)(?P<fact>[^\n]{3,300})",
    ),
    _rule(
        MemoryKind.FACT,
        0.8,
        r"(?:请|麻烦|拜托)?(?:你)?(?:一定要?|要|务必|帮我|替我|给我)?(?:记住|记下来?"
        r"|记一下|牢记|(?:记得|别忘了|不要忘了|别忘记|不要忘记)(?=\s*[：:，,]?\s*我))"
        r"(?!了[吗么]|吗|没)(?:一下|了)?(?:这[一]?点|这件事|下面|以下)?\s*[：:，, ]?\s*(?P<fact>[^\n]{2,200})",
    ),
)

_RULES = (
    _rule(
        MemoryKind.WISH,
        0.9,
        rf"(?:please |pls )?(?:from now on|going forward|in (?:the )?future|henceforth"
        rf"|by default|in all (?:our |my )?(?:chats|conversations))"
        rf"\s*[,:]?\s*(?:please |i want you to |you should |i'd like you to )?(?:always "
        rf"|never |only |don'?t |do not )*{_DOES}\b[^\n]{{2,200}}",
    ),
    _rule(
        MemoryKind.WISH,
        0.9,
        rf"(?:please |pls |i want you to |you should )?(?:always|never)\s+{_DOES}\b"
        rf"(?! (?:the|your) (?:phone|door))[^\n]{{2,200}}",
    ),
    _rule(
        MemoryKind.WISH,
        0.9,
        rf"(?:please |pls )?(?:{_DOES}|don'?t|do not)\b[^\n,;]{{2,120}}\b(?:from now on"
        rf"|by default|every ?time|each time|in (?:the )?future"
        r"|in all (?:my |our |your )?(?:chats|conversations|answers|replies)|going forward)\b[^\n]{0,60}",
    ),
    _rule(
        MemoryKind.WISH,
        0.9,
        r"(?:请|麻烦)?(?:你)?(?:以后|今后|往后|从现在(?:起|开始)|从今(?:天起|往后"
        r"|以后)|默认|每次|每回|总是|始终|一直|永远|一律)\s*[，,]?\s*"
        r"(?:请|麻烦|你|都|就|要|也|只|务必|一律|尽量|一直|始终|总是|回答时|回复时|回答我?的?时候?|对我)*"
        r"(?:(?:使)?用(?!不[到着上了]|得|户|处|心)|以(?!后|前|为)|不要|不用|别(?![人的处])"
        r"|叫我|称呼我|回答|回复|答复|说|讲|写|给我|保持|避免|附上|列出|先|简短|简洁)[^\n]{1,100}",
    ),
    _rule(
        MemoryKind.WISH,
        0.9,
        r"(?:请|麻烦)?(?:你)?(?:都|只)?(?:使)?用[^\n，。]{1,12}(?:回答|回复|答复|交流)[^\n，。]{0,10}"
        r"(?:以后|今后|从现在起)[^\n]{0,30}",
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.9,
        r"my (?:full |first |last |real |nick)?name(?:'s| is) (?!not\b|on\b|in\b|at\b"
        r"|the\b|an?\b|too\b|very\b|so\b|often|also|being|pronounced"
        r"|spelled|spelt|important|what\b|hard|difficult|mentioned|listed|mis|now\b|really\b|probably)" + _CLAUSE,
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.9,
        r"(?:please |you can |just )?call me (?!back|later|when|if|on\b|at\b|an?\b"
        r"|crazy|tomorrow|tonight|today|now|the\b|up\b|by\b|again|soon|any)"
        r"[^\W\d_][^,;.!?\n]{0,30}?(?=$|[,;.!?]|\s(?:and|but|from)\s)",
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.9,
        r"(?:我(?:的名字)?叫(?:做|作)?|我的名字(?:是|叫)|(?:请|你可以|可以)?叫我)"
        r"(?!什么|啥|他|她|它|你|我|们|人|外卖|车|了|不|过|个|来|去|醒|起)"
        r"(?:[\u4e00-\u9fff·]{1,8}|[A-Za-z][A-Za-z .'-]{0,30})(?=$|[，。！、；,.!;\s])",
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.8,
        r"i(?: am|'m)?(?: now| currently| still| just| recently)?(?: live| living"
        r"| reside| moved| relocated|'ve moved| have moved|'ve just moved)"
        r"(?: now| recently| back)? (?:in|to|near) (?!fear|hope|an?\b|the (?:past"
        r"|moment|now|future|same|middle)|peace|denial|my\b|this|that|your|which|what)" + _CLAUSE,
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.8,
        rf"(?:我(?:现在|目前|已经|最近|刚刚?|一直|们?家)?(?:是)?(?:住在|居住在|家在|定居在?)"
        rf"|(?:{_WHEN}[，, ]?)?我(?:们?家)?(?:{_WHEN}|现在|已经)?(?:刚刚?|才|又)?(?:搬到了?|搬去了?|搬回了?))"
        r"(?!哪|什么|何|这里|那里|这儿)"
        r"[^，。！？；,.!?;\n]{1,30}?(?=$|[，。！？；,.!?;])",
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.7,
        r"(?:my birthday is|i was born (?:on|in)) (?!an?\b|the\b|not\b|coming|soon"
        r"|near)" + _CLAUSE,
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.7,
        r"我的?生日(?:是|在)(?!什么|哪|不)[^，。！？；\n]{2,20}?(?=$|[，。！；,.])"
        r"|我(?:出)?生于[^，。！？；\n]{2,20}?(?=$|[，。！；,.])",
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.7,
        r"i work (?:as|at|for) (?!the moment|home|night|it\b|this|that|least|most"
        r"|all\b)" + _CLAUSE,
    ),
    _rule(
        MemoryKind.IDENTITY,
        0.7,
        r"我在(?!哪|什么|这|那)[^，。！？；\n]{2,20}?(?:工作|上班|上学|读书|任职)"
        r"(?=$|[，。！；,.])|我(?:的职业)?是一?[名位个](?!什么|不)[^，。！？；\n]{2,16}?"
        r"(?=$|[，。！；,.])",
    ),
    _rule(
        MemoryKind.PREFERENCE,
        0.8,
        r"i(?:'m| am) (?:severely |very )?(?:allergic to (?!this|that|it\b)"
        + _CLAUSE
        + r"|a? ?(?:strict )?(?:vegetarian|vegan)\b)",
    ),
    _rule(
        MemoryKind.PREFERENCE,
        0.8,
        r"我对(?!这|那|此)[^，。！？；\n]{1,20}?过敏(?=$|[，。！；,.])|我(?:是(?:个"
        r"|一个|一名)?素食(?:主义)?者|吃素|不吃[肉辣][^，。！？；\n]{0,6}?)(?=$|[，。！；,.])",
    ),
    _rule(
        MemoryKind.PREFERENCE,
        0.6,
        r"my favou?rite [\w ]{2,30} (?:is|are) (?!not\b|this|that|the (?:first|second"
        r"|one)|when|to\b)" + _CLAUSE,
    ),
    _rule(
        MemoryKind.PREFERENCE,
        0.6,
        r"我最(?:喜欢|爱)的[^，。！？；\n是]{1,12}是(?!什么|哪|不|这|那)[^，。！？；\n]{1,20}?"
        r"(?=$|[，。！；,.])",
    ),
)

_LEAD_IN = Expression(
    r"(?i)(?:hi|hello|hey|hey there|thanks|thank you|btw|by the way|well|so|also"
    r"|and|but|ok(?:ay)?|fyi|for your information|for context"
    r"|just so you know|actually|oh|please|yes|no|one more thing|as a reminder"
    r"|besides|你好[啊呀]?|您好|嗨|大家好|另外|还有|对了|顺便(?:说一下|说一句"
    r"|提一下)?"
    r"|其实|补充一下|谢谢|好的|嗯|哦|而且|并且|那么?)(?:[\s,，:：!！、]+(?:there"
    r"|all|everyone|threadwell|claude)?[\s,，]*|$)"
)
_PASSED = Expression(
    r"(?i)(?:i(?:'m| am| have|'ve)\b|my\b|我(?!说|想|觉得|认为|问|怀疑|梦|朋友|们?老师))[^,;，；.。!！?？]{1,60}"
)
_JOINT = Expression(r"(?i)\s*(?:[,;，；、]|\band\b|\bbut\b|而且|并且|还有)\s*")
_ENDS = " \t.。!！,，;；:：、"
_VAGUE = Expression(
    r"(?i)(?:that|this|it|these|those|the (?:above|following)|everything|all "
    r"(?:of )?(?:that|this)|这个|那个|这些|那些|这一?点|这件事|我说的话?|上面的?"
    r"|了)\W*"
)


def rule_candidates(messages: Sequence[Said]) -> list[Candidate]:
    """Return what the user's own words say in so many words, in their order."""
    return [candidate for said in messages for candidate in _of_message(said)]


def _of_message(said: Said) -> Iterator[Candidate]:
    supposed_until = -1
    for sentence in said.sentences:
        if is_supposed(sentence.text):
            # What follows in the same paragraph is part of the supposition.
            paragraph = said.text.find("\n\n", sentence.end)
            supposed_until = len(said.text) if paragraph < 0 else paragraph
        if sentence.start >= supposed_until:
            yield from _of_sentence(said, sentence)


def _of_sentence(said: Said, sentence: Sentence) -> Iterator[Candidate]:
    place = 0
    while place < len(sentence.text):
        while (lead := _LEAD_IN.match(sentence.text, place)) is not None and lead.end() > place:
            place = lead.end()
        if found := _asked_to_remember(said, sentence, place):
            yield from found
            return  # all that follows in the sentence belongs to it
        end = None
        for rule in _RULES:
            if (match := rule.expression.match(sentence.text, place)) is not None:
                end = match.end()
                if not _is_asked(sentence, end) and not is_conditional(sentence.text[:end]):
                    yield _candidate(said, sentence, rule, match.start(), end)
                break
        if end is None:
            if (passed := _PASSED.match(sentence.text, place)) is None:
                return
            end = passed.end()
        joint = _JOINT.match(sentence.text, end)
        if joint is None:
            return
        place = joint.end()


def _asked_to_remember(said: Said, sentence: Sentence, place: int) -> list[Candidate]:
    for rule in _REMEMBER:
        match = rule.expression.match(sentence.text, place)
        if match is None:
            continue
        fact = match["fact"].strip(_ENDS + "?？")
        is_polite = sentence.text[place:].lower().startswith(("can", "could", "will", "would", "please"))
        if _VAGUE.fullmatch(fact) or is_conditional(fact) or (sentence.is_question and not is_polite):
            return []
        start = match.start("fact")
        parts = [(start + begin, start + end) for begin, end in each_alone(match["fact"])]
        return [_remembered(said, sentence, rule, begin, end) for begin, end in parts]
    return []


def _remembered(said: Said, sentence: Sentence, rule: _Rule, start: int, end: int) -> Candidate:
    fact = sentence.text[start:end].strip(_ENDS + "?？")
    inner = next((r for r in _RULES if r.expression.match(sentence.text, start) is not None), None)
    kind = MemoryKind.WISH if inner is None and _is_wish(fact) else inner.kind if inner else MemoryKind.FACT
    found = _candidate(said, sentence, _Rule(kind, rule.importance, rule.expression), start, end)
    return replace(found, is_asked_for=True)


def _is_wish(text: str) -> bool:
    return is_standing(text) and Expression(rf"(?i)(?:to )?(?:always |never |only )?{_DOES}\b").match(text) is not None


def _is_asked(sentence: Sentence, end: int) -> bool:
    """Whether the clause that ends here is the question itself."""
    return sentence.is_question and not sentence.text[end:].strip(_ENDS + "?？吗呢")


def _candidate(said: Said, sentence: Sentence, rule: _Rule, start: int, end: int) -> Candidate:
    words = sentence.text[start:end]
    kept = words.rstrip(_ENDS + "?？")
    begin = sentence.start + start + (len(kept) - len(kept.lstrip()))
    text = " ".join(kept.split())
    return Candidate(
        text=with_dates(text[:1].upper() + text[1:], said.at),
        kind=rule.kind,
        importance=rule.importance,
        said=said,
        start=begin,
        end=sentence.start + start + len(kept),
    )
