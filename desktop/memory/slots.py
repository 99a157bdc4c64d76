"""What there is only one of at a time, such as where the user lives: which texts say it, and what else they say."""

from collections.abc import Iterator
from dataclasses import dataclass

from desktop.core.expressions import Expression
from desktop.memory.entities import MemoryKind

_LANGUAGE = (
    r"(?:english|chinese|mandarin|cantonese|japanese|korean|french|german|spanish"
    r"|italian|portuguese|russian|dutch|polish|turkish"
    r"|arabic|hindi|vietnamese|thai|swedish|中文|英文|英语|汉语|普通话|粤语|日语"
    r"|日文|韩语|韩文|法语|德语|西班牙语|俄语|繁体|简体)"
)
_SLOTS = {
    "name": Expression(
        r"(?i)\b(?:my|user'?s?) (?:full |real |first )?name(?:'s| is)\b|(?:我|用户)"
        r"(?:的名字)?(?:叫|名叫)|(?:我|用户)的名字(?:是|叫)"
    ),
    "address": Expression(r"(?i)\bcall (?:me|the user)\b|\b(?:叫|称呼)(?:我|用户)"),
    "home": Expression(
        # What is only wanted, or is over, is no home.
        r"(?i)\b(?:I|user)\b(?!.{0,16}\b(?:wants?|like|love|would|hope|wish|used|plan|dream|going|could|may|might|prefer|once)\b)"
        r".{0,16}(?:\([\d-]+\) )?\b(?:lives?|living|resides?|moved|relocated)\b.{0,14}"
        r"(?:\([\d-]+\) )?\b(?:in|to|near)\b"
        r"|(?:我|用户)(?!.{0,4}(?:想|希望|打算|要|会|曾|以前|从前|喜欢|梦)).{0,4}(?:（[\d-]+）.{0,2})?(?:住在|居住|家在|搬到|搬去|搬回|定居)"
    ),
    "birthday": Expression(
        r"(?i)\b(?:my|user'?s?) birthday\b|\b(?:I|user) was born\b|(?:我|用户)的?生日"
        r"|(?:我|用户)(?:出)?生于"
    ),
}
_LANGUAGE_OF_ANSWERS = Expression(
    rf"(?i)\b(?:answer|reply|replies|respond|write|speak|talk|answers|use)\b.{{0,30}}\b{_LANGUAGE}\b"
    rf"|用?{_LANGUAGE}.{{0,4}}(?:回答|回复|答复|交流|跟我|和我|说|写)|(?:回答|回复"
    rf"|使用|用){_LANGUAGE}|\b{_LANGUAGE}\b.{{0,12}}\banswers?\b"
)
_JOINTS = Expression(r"(?i)(?:\s*(?:[,;，；、。]|[.](?=\s)|\band\b(?: that\b)?|\bbut\b|而且|并且|还有|同时))+\s*")
_STATES = Expression(
    # A clause that says something by itself, unlike "our dog Rex", "a large town" or "which is a large town".
    r"(?i)(?!(?:which|that|where|who|whom|whose|because|since|when|as|so|if|while|although|though|near|with)\b)"
    r"(?:(?:I|we|he|she|they|it)(?:'\w{1,2})?\s+\S|[a-z][\w' -]{0,60}? (?:is|are|was|were|has|have|had|does|do|did|will"
    r"|can|lives?|works?|likes?|loves?|hates?|plays?|stud(?:y|ies)|keeps?|goes|comes?|needs?|wants?|speaks?|eats?)\b)"
    r"|(?:please )?(?:always|never|from now on,?) (?:answer|reply|respond|write|speak|talk|use|call|keep|add|include|avoid)\b"
    r"|(?!一[个座名位家]|离|靠近|那里|这里|因为|所以|如果)(?=.{0,12}[\u4e00-\u9fff]).{3,}"
)
_GOES_ON = Expression(
    # The clause before it says of whom.
    r"(?i)(?:(?:also|now|currently) )?(?:live|moved|was born|work|study|teach|have|am|was|love|like|hate|enjoy|prefer"
    r"|play|speak|own|keep|run|collect|need|want|use|drive|eat|drink|can|can't|cannot|don't"
    r"|do not|will|write|read|learn|grew|bought|got|started|became)\b"
    r"|住|搬|家在|定居|对|养|有|在|是|喜欢|爱|讨厌|会|不|做|当|从事|学|已经|正在|刚|还|也|开始"
)
_GOES_ON_SOMEWHERE = Expression(
    r"(?i)(?:\band|,) (?:now )?(?:live|moved|was born)\b|[，；、](?:现在)?(?:住|搬|家在|定居)"
)


def slot_of(text: str, kind: MemoryKind) -> str | None:
    """Return of what there is only one at a time, such as the place where the user lives; None where that is not known."""
    return next(_slots(text, kind), None)


def says(text: str, kind: MemoryKind, slot: str) -> bool:
    """Tell whether a text says this, maybe among other things."""
    return slot in _slots(text, kind)


def without(text: str, kind: MemoryKind, slot: str) -> str:
    """Return what a text says besides this: its other clauses, in their own words; empty where that is nothing."""
    clauses = list(_clauses(text))
    kept = [place for place, clause in enumerate(clauses) if not says(clause.whole, kind, slot)]
    if len(kept) == len(clauses):  # it is said across them
        return ""
    rest = ""
    for place in kept:
        follows = place - 1 in kept
        clause = clauses[place]
        joint = text[clauses[place - 1].end : clause.start] if rest else ""
        rest += joint + (clause.words if follows else clause.whole)
    return rest[:1].upper() + rest[1:]


def each_alone(text: str) -> list[tuple[int, int]]:
    """Return the stretches of a text that can be remembered apart: what there is only one of by itself, so that what takes
    its place leaves the others as they are."""
    clauses = list(_clauses(text))
    found: list[tuple[int, int]] = []
    was_single = False
    for clause in clauses:
        is_single = clause.whole == clause.words and slot_of(clause.words, MemoryKind.FACT) is not None
        if found and (clause.whole != clause.words or not (is_single or was_single)):
            found[-1] = (found[-1][0], clause.end)
        else:
            found.append((clause.start, clause.end))
        was_single = is_single
    return found


def _slots(text: str, kind: MemoryKind) -> Iterator[str]:
    if kind is MemoryKind.WISH:
        yield from ("language",) if _LANGUAGE_OF_ANSWERS.search(text) else ()
        return
    texts = [text]
    if _GOES_ON_SOMEWHERE.search(text) is not None:
        texts += [clause.whole for clause in _clauses(text)]
    yield from (name for name, expression in _SLOTS.items() if any(map(expression.search, texts)))


@dataclass(frozen=True)
class _Clause:
    words: str
    start: int
    whole: str
    """With the "I" that stands in the clause before."""

    @property
    def end(self) -> int:
        return self.start + len(self.words)


def _clauses(text: str) -> Iterator[_Clause]:
    speaker = ""
    for start, end in _stretches(text):
        words = text[start:end]
        speaker = next((who for who in ("I ", "我") if words.startswith(who)), speaker)
        yield _Clause(words, start, speaker + words if _GOES_ON.match(words) is not None else words)


def _stretches(text: str) -> list[tuple[int, int]]:
    """Return where the clauses of a text begin and end; what says nothing by itself belongs to the one before it."""
    found: list[tuple[int, int]] = []
    joints = [(joint.start(), joint.end()) for joint in _JOINTS.finditer(text)]
    begin = 0
    for end, after in (*joints, (len(text), len(text))):
        clause = text[begin:end]
        if found and _STATES.match(clause) is None and _GOES_ON.match(clause) is None:
            found[-1] = (found[-1][0], end)
        elif clause.strip():
            found.append((begin, end))
        begin = after
    if len(found) > 1 and _STATES.match(text[slice(*found[0])]) is None:  # "Since May, I live in Bonn"
        found[:2] = [(found[0][0], found[1][1])]
    return found
