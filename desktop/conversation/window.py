"""The window: which rounds of a chat are sent as they are, what the summary stands for, and what is left out; pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from desktop.conversation.context import MAX_ROUNDS, assemble_context
from desktop.conversation.entities import AttachmentPart, Message, Role, ToolResultPart
from desktop.conversation.result_text import USUAL_BYTES
from desktop.conversation.summaries import Summary, summary_block
from desktop.core.cut_text import cut_to_bytes
from desktop.core.language_model import Image, RequestMessage
from desktop.core.token_count import cached_count, count_message

USUAL_CONTEXT = 64_000
"""What is taken for the length that a model reads where nobody knows it."""
SHARE_OF_ANSWER = 0.2
"""The part of what a model reads that its answer is left."""
MOST_OF_ANSWER = 32_000
SHARE_OF_SUMMARY = 0.4
"""The most of the room for messages that a summary may take."""
SUMMARISE_FROM = 0.7
"""The part of the room that the rounds must take before older ones are summarised."""
KEEP_WHOLE = 0.4
"""The part of the room that the rounds may take which stay as they are when others are summarised."""
ROUNDS_TO_SUMMARISE, ROUNDS_KEPT = 40, 25
SHORT_BYTES, LEAST_BYTES = 2_000, 500
"""Of a result or a file in rounds that would not fit otherwise."""

Measure = Callable[[str], int]


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How much a model reads, and how it counts."""

    context_tokens: int | None = None
    """None where nobody knows."""
    token_ratio: float = 1.0
    """As in ``core.model_facts.ModelFacts``."""
    max_output_tokens: int | None = None

    @property
    def answer(self) -> int:
        """The tokens that the answer is left, as the endpoint counts them."""
        limit = self.context_tokens or USUAL_CONTEXT
        wanted = min(self.max_output_tokens or 0, int(limit * 0.75))
        return max(min(int(limit * SHARE_OF_ANSWER), MOST_OF_ANSWER), wanted)

    @property
    def room(self) -> int:
        """The tokens that are left for all that is sent, by our own count."""
        return int(((self.context_tokens or USUAL_CONTEXT) - self.answer) / self.token_ratio)


@dataclass(frozen=True, kw_only=True)
class Window:
    """What of a chat goes with a request. All figures are tokens by our own count, before any correction."""

    messages: tuple[RequestMessage, ...]
    """The system message, and from the first kept round on the rounds; the summary stands in the first of them."""
    summary: Summary | None = None
    summary_text: str = ""
    """The summary as it stands in ``messages``."""
    covered: tuple[str, ...] = ()
    """Ids of the messages that the summary stands for, of those that were given."""
    dropped: tuple[str, ...] = ()
    """Ids of the messages that are neither sent nor in the summary, of those that were given."""
    shortened: tuple[str, ...] = ()
    """Ids of the messages whose results or files were shortened to make room."""
    room: int = 0
    """For all messages: what the model reads without the answer, the tools, and what stands beside."""
    system: int = 0
    summary_tokens: int = 0
    rounds: int = 0
    """Of the rounds that are sent as they are."""
    tools: int = 0
    beside: int = 0
    reading: Reading = field(default=Reading(), compare=False)

    @property
    def tokens(self) -> int:
        """Of all messages."""
        return self.system + self.summary_tokens + self.rounds


def rounds_of(messages: Sequence[Message]) -> list[list[Message]]:
    """Return the messages in rounds: one by the user, and what was answered."""
    rounds: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER or not rounds:
            rounds.append([message])
        else:
            rounds[-1].append(message)
    return rounds


def choose_window(
    messages: Sequence[Message],
    *,
    system_prompt: str = "",
    reading: Reading | None = None,
    tools: int = 0,
    beside: int = 0,
    summary: Summary | None = None,
    images: Mapping[str, Image] | None = None,
    result_room: int = USUAL_BYTES,
    measure: Measure = cached_count,
    most: int | None = None,
) -> Window:
    """Return what is sent of a path, oldest first, whose last round is the one to be answered. Slow: call it in a thread.

    ``tools`` are the tokens of the tools that go along, ``beside`` those of what is put into the messages later on.
    ``summary`` stands for the messages to its last one. Of the others the newest rounds are sent, as many as there is
    room for and ``MAX_ROUNDS`` at most: whole rounds, so that no call is parted from its result. In rounds that do not
    fit, results and files are shortened first, never what the user wrote. The last round is always sent, and where
    nobody knows how much the model reads it is sent as it is. ``most`` is a bound on the tokens of all messages for a
    request that was too long.
    """
    reading = reading or Reading()
    system = assemble_context((), system_prompt=system_prompt)
    room = max(reading.room - tools - beside, 0)
    if most is not None:
        room = min(room, most)
    spent = system_tokens = sum(count_message(message, measure=measure) for message in system)
    text, covered, rest = "", (), list(messages)
    if summary is not None:
        text = summary_block(summary, most_tokens=int((room - spent) * SHARE_OF_SUMMARY), measure=measure)
        ids = [message.id for message in rest]
        end = ids.index(summary.until_id) + 1 if summary.until_id in ids else 0
        covered, rest = tuple(ids[:end]), rest[end:]
        spent += measure(text)
    is_known = reading.context_tokens is not None or most is not None
    chooser = _Chooser(images or {}, result_room, measure, room - spent, is_known=is_known)
    rounds = rounds_of(rest)
    kept = chooser.choose(rounds)
    sent = [message for each in kept for message in each]
    dropped = [message.id for each in rounds[: len(rounds) - len(kept)] for message in each]
    assembled = assemble_context(
        sent, system_prompt=system_prompt, images=images, result_room=result_room, summary=text
    )
    total = sum(count_message(message, measure=measure) for message in assembled)
    summary_tokens = measure(text) if text else 0
    return Window(
        messages=assembled,
        summary=summary,
        summary_text=text,
        covered=covered,
        dropped=tuple(dropped),
        shortened=tuple(chooser.shortened),
        room=room,
        system=system_tokens,
        summary_tokens=summary_tokens,
        rounds=max(total - system_tokens - summary_tokens, 0),
        tools=tools,
        beside=beside,
        reading=reading,
    )


class _Chooser:
    """Takes rounds from the newest on."""

    def __init__(
        self, images: Mapping[str, Image], result_room: int, measure: Measure, room: int, *, is_known: bool
    ) -> None:
        self._images = images
        self._result_room = result_room
        self._measure = measure
        self._room = room
        self._is_known = is_known
        self._later: set[str] = set()
        """The files that come in rounds that were taken: earlier ones only name them."""
        self.shortened: list[str] = []

    def choose(self, rounds: Sequence[list[Message]]) -> list[list[Message]]:
        kept: list[list[Message]] = []
        is_short = False
        for each in reversed(rounds[-MAX_ROUNDS:]):
            taken = each if not is_short else shortened(each, SHORT_BYTES)
            if (size := self._size(taken)) > self._room:
                if not kept:
                    taken = self._made_to_fit(each)
                elif not is_short:
                    is_short, taken = True, shortened(each, SHORT_BYTES)
                size = self._size(taken)
                if kept and size > self._room:
                    break
            self._room -= size
            self._later |= {part.attachment_id for message in each for part in message.attachments}
            self.shortened += [new.id for old, new in zip(each, taken, strict=True) if new is not old]
            kept.insert(0, taken)
        return kept

    def _made_to_fit(self, last: list[Message]) -> list[Message]:
        """The round to be answered, with the largest results and files that let it fit, or the smallest that there are."""
        if not self._is_known:
            return last
        low, high = LEAST_BYTES, max(LEAST_BYTES, self._result_room, *map(_longest, last))
        while high - low > max(200, low // 20):
            middle = (low + high) // 2
            if self._size(shortened(last, middle)) <= self._room:
                low = middle
            else:
                high = middle
        return shortened(last, low)

    def _size(self, messages: Sequence[Message]) -> int:
        """Of a round by itself: where it is joined to the one before it takes no more."""
        named = [_only_named(message, self._later) for message in messages]
        sent = assemble_context(named, images=self._images, result_room=self._result_room)
        return sum(count_message(message, measure=self._measure) for message in sent)


def _only_named(message: Message, later: set[str]) -> Message:
    if not any(part.attachment_id in later for part in message.attachments):
        return message
    parts = (
        replace(part, text="") if isinstance(part, AttachmentPart) and part.attachment_id in later else part
        for part in message.parts
    )
    return replace(message, parts=tuple(parts))


def shortened(messages: Sequence[Message], most_bytes: int) -> list[Message]:
    """Return the messages with results and files of no more than so many bytes each; the same objects where they are."""
    return [_shortened(message, most_bytes) for message in messages]


def _shortened(message: Message, most_bytes: int) -> Message:
    parts = tuple(
        replace(part, text=cut_to_bytes(part.text, most_bytes))
        if isinstance(part, ToolResultPart | AttachmentPart) and part.text
        else part
        for part in message.parts
    )
    return message if parts == message.parts else replace(message, parts=parts)


def _longest(message: Message) -> int:
    return max(
        (len(part.text) * 4 for part in message.parts if isinstance(part, ToolResultPart | AttachmentPart)), default=0
    )


def to_be_summarised(
    messages: Sequence[Message],
    *,
    until: str | None,
    room: int,
    result_room: int = USUAL_BYTES,
    measure: Measure = cached_count,
) -> str | None:
    """Return the message to which a chat is to be summarised by now; None while there is room. Slow, as the window.

    ``until`` is where its summary ends. ``room`` is that of a window without system message and summary.
    """
    ids = [message.id for message in messages]
    begin = ids.index(until) + 1 if until in ids else 0
    rounds = rounds_of(messages[begin:])
    sizes = [
        sum(count_message(sent, measure=measure) for sent in assemble_context(each, result_room=result_room))
        for each in rounds
    ]
    if sum(sizes) <= room * SUMMARISE_FROM and len(rounds) < ROUNDS_TO_SUMMARISE:
        return None
    kept, taken = 0, 0
    for size in reversed(sizes):
        if kept and (taken + size > room * KEEP_WHOLE or kept == ROUNDS_KEPT):
            break
        kept, taken = kept + 1, taken + size
    old = rounds[: len(rounds) - kept]
    return old[-1][-1].id if old else None
