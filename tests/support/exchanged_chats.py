"""Random chats as they are exported, and short ways through the store for them."""

import io
import json
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import strategies as st

from desktop.conversation.entities import (
    ErrorPart,
    MessageStatus,
    Part,
    RemarkPart,
    ReplayPart,
    ResultStatus,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ThreadOptions,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.inner_run import InnerRunPart
from desktop.conversation.interchange.chat_json import FORMAT, VERSION, chat_to_json, message_to_json, to_text
from desktop.conversation.interchange.exporting import ChatExport, JsonFormat, Source
from desktop.conversation.interchange.ports import Found
from desktop.conversation.interchange.reading import files
from desktop.conversation.interchange.records import (
    ChatRecord,
    ImportedChat,
    MessageRecord,
    Outcome,
    TurnRecord,
)
from desktop.conversation.interchange.records import Source as From
from desktop.conversation.plans import IMPORTED, Failure, InstructionPart, PlanPart, PlanState, PlanStep, StepState
from desktop.core.costs import Cost
from desktop.core.ids import new_id
from desktop.core.language_model import Source as Cited
from desktop.core.language_model import Usage
from desktop.core.permission_mode import PermissionMode
from desktop.core.thinking_effort import ThinkingEffort
from desktop.storage.store import Store

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
TIMES = st.integers(0, 10**15).map(lambda n: NOW - timedelta(microseconds=n))
COUNTS = st.none() | st.integers(0, 2**40)
PARTS: st.SearchStrategy[Part] = st.one_of(
    st.builds(TextPart, text=TEXTS, step=st.integers(0, 5)),
    st.builds(ThinkingPart, text=TEXTS, step=st.integers(0, 5), duration_seconds=st.none() | st.floats(0, 1e5)),
    st.builds(
        ErrorPart, code=st.just("model.timeout"), params=st.dictionaries(TEXTS, TEXTS | st.integers(0, 9), max_size=2)
    ),
    st.builds(RemarkPart, code=TEXTS, params=st.dictionaries(TEXTS, st.floats(0, 1), max_size=2)),
    st.builds(SourcesPart, sources=st.lists(st.builds(Cited, url=TEXTS, title=TEXTS), max_size=2).map(tuple)),
    st.builds(ReplayPart, fields=st.dictionaries(TEXTS, TEXTS | st.lists(TEXTS, max_size=2), max_size=2)),
    st.builds(InstructionPart, text=st.just(IMPORTED), place=st.none() | st.integers(0, 11), step=st.integers(0, 5)),
    st.builds(
        PlanPart,
        steps=st.lists(
            st.builds(
                PlanStep,
                text=TEXTS,
                state=st.sampled_from(StepState),
                failure=st.none() | st.sampled_from(Failure),
                why=TEXTS,
            ),
            max_size=2,
        ).map(tuple),
        state=st.sampled_from([state for state in PlanState if state is not PlanState.APPROVED]),
        replans=st.integers(0, 3),
        step=st.integers(0, 5),
    ),
    st.builds(
        InnerRunPart,
        call_id=TEXTS,
        assistant=TEXTS,
        model=TEXTS,
        usage=st.builds(Usage, input_tokens=COUNTS, output_tokens=COUNTS),
        parts=st.lists(st.builds(TextPart, text=TEXTS, step=st.integers(0, 5)), max_size=2).map(tuple),
    ),
)


@st.composite
def answers(draw: st.DrawFn) -> tuple[Part, ...]:
    """Parts of an answer, in which each call has its result."""
    parts = draw(st.lists(PARTS, max_size=4))
    for number in range(draw(st.integers(0, 2))):
        extra = draw(st.dictionaries(TEXTS, TEXTS, max_size=1))
        arguments, said = draw(TEXTS), draw(TEXTS)
        parts.append(ToolCallPart(call_id=f"c{number}", name=draw(TEXTS), arguments=arguments, extra=extra))
        parts.append(ToolResultPart(call_id=f"c{number}", status=draw(st.sampled_from(ResultStatus)), text=said))
    return tuple(parts)


@st.composite
def messages(draw: st.DrawFn) -> tuple[MessageRecord, ...]:
    """A tree: questions and answers, several beside each other."""
    made: list[MessageRecord] = []
    for _ in range(draw(st.integers(1, 8))):
        role = draw(st.sampled_from(Role))
        above = [None, *(message.id for message in made if message.role is not role)]
        created = draw(TIMES)
        turn = None
        if role is Role.ASSISTANT:
            usage = Usage(input_tokens=draw(COUNTS), output_tokens=draw(COUNTS), thinking_tokens=draw(COUNTS))
            cost = draw(st.none() | st.builds(Cost, amount=st.floats(0, 10), currency=TEXTS))
            turn = TurnRecord(
                model=draw(TEXTS),
                started_at=created,
                ended_at=draw(TIMES),
                usage=usage,
                cost=cost,
                is_copy=draw(st.booleans()),
            )
        is_deleted = draw(st.integers(0, 9)) == 0
        made.append(
            MessageRecord(
                id=new_id(),
                parent_id=draw(st.sampled_from(above)),
                role=role,
                status=draw(st.sampled_from([one for one in MessageStatus if one is not MessageStatus.STREAMING])),
                parts=() if is_deleted else draw(answers()) if turn else (TextPart(text=draw(TEXTS)),),
                created_at=created,
                updated_at=draw(TIMES),
                deleted_at=draw(TIMES) if is_deleted else None,
                turn=turn,
            )
        )
    if draw(st.booleans()):
        ranks = draw(st.permutations(range(1, len(made) + 1)))
        made = [_shown(message, rank, draw(st.integers(0, 5)) == 0) for message, rank in zip(made, ranks, strict=True)]
    return tuple(made)


def _shown(message: MessageRecord, rank: int, is_never: bool) -> MessageRecord:
    from dataclasses import replace

    return replace(message, shown=0 if is_never else rank)


OPTIONS = st.builds(
    ThreadOptions,
    system_prompt=st.none() | TEXTS,
    temperature=st.none() | st.floats(0, 2),
    endpoint_id=st.none() | TEXTS,
    model=st.none() | TEXTS,
    thinking=st.none() | st.sampled_from(ThinkingEffort),
    mode=st.sampled_from([None, PermissionMode.ASK_ALWAYS, PermissionMode.CHAT_ONLY]),
)


@st.composite
def chats(draw: st.DrawFn) -> ImportedChat:
    tree = draw(messages())
    created = draw(TIMES)
    chat = ChatRecord(
        id=new_id(),
        title=" ".join(draw(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=20)).split()),
        title_by_user=draw(st.booleans()),
        created_at=created,
        updated_at=draw(TIMES),
        deleted_at=draw(st.none() | st.just(NOW - timedelta(days=3))),
        tip=draw(st.sampled_from(tree)).id,
        options=draw(OPTIONS),
        pinned_at=draw(st.none() | TIMES),
        archived_at=draw(st.none() | TIMES),
        folder=draw(st.sampled_from(["", "Work", "家里 🏠"])),
    )
    return ImportedChat(source=From.THREADWELL, chat=chat, messages=tree)


def as_file(chat: ImportedChat) -> bytes:
    """The file that an export of this chat would be."""
    value = {"format": FORMAT, "version": VERSION, "chat": chat_to_json(chat.chat), "files": {},
             "messages": [message_to_json(message) for message in chat.messages]}  # fmt: skip
    return to_text(value).encode()


async def exported(store: Store, thread_id: str) -> dict[str, Any]:
    """What the export of a thread as JSON holds."""
    export = ChatExport(store.exchange, store.threads, store.attachments)
    source = await export._source(thread_id, with_files=False)
    assert isinstance(source, Source)
    return json.loads(b"".join([piece async for piece in JsonFormat().pieces(source)]))


def found_in(data: bytes, name: str = "chats.json") -> list[Found]:
    return list(files.read(io.BytesIO(data), len(data), name))


async def take_in(store: Store, data: bytes) -> list[Outcome]:
    """Import a file without the process that reads it, and without attached files."""
    chats = [one for one in found_in(data) if isinstance(one, ImportedChat)]
    return [await store.exchange.take_in(chat, {}) for chat in chats]
