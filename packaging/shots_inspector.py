"""Scenes of the screenshots: what was sent to the model, with everything in it, without a record, and forgotten."""

import dataclasses
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from shots_scenes import Scene, scene

from desktop.agent.sent_pieces import Body, Label, http_pieces, sent_messages, sent_tools
from desktop.conversation.entities import RecalledRef, RecallPart
from desktop.conversation.request_records import LeftOut, LeftOutKind, Outcome, PieceKind, RequestRecord, SentMessage
from desktop.core.clock import utc_now
from desktop.core.ids import new_id
from desktop.core.language_model import (
    AssistantMessage,
    Image,
    RequestMessage,
    RequestToolCall,
    Sampling,
    SystemMessage,
    ToolMessage,
    ToolSpec,
    Usage,
    UserMessage,
)
from desktop.core.token_count import guess_tokens
from desktop.memory.entities import Silence
from desktop.providers.chat_requests import build_request
from desktop.providers.endpoint_traits import EndpointTraits

if TYPE_CHECKING:
    from shots_stage import Stage

INSPECTOR_SCENES: list[Scene] = []
WISHES = (
    'What the user wants every answer to keep to, in the user\'s own earlier words:\n- "Answer in short sentences."'
)
SUMMARY = "Summary of the chat so far: the house by the sea is rented from 12 to 26 July; the deposit of 480 € is paid."
FACTS = (
    ("f1", "Mara is allergic to hazelnuts.", 0.91, 7.2, 3.1),
    ("f2", "娜娜喜欢靠窗的座位。", 0.64, 0.0, 2.2),
    ("f3", "The family has two children, six and nine years old, who get sick on winding roads.", 0.48, 3.4, None),
)


def _messages(question: str) -> tuple[Sequence[RequestMessage], list[Label]]:
    lines = [json.dumps({"id": key, "said_by": "user", "text": text}, ensure_ascii=False) for key, text, *_ in FACTS]
    block = "\n".join(('<memory note="Background from earlier chats.">', *lines, "</memory>"))
    prompt = "You are a careful assistant. Say when you are not sure."
    messages: list[RequestMessage] = [
        SystemMessage(text="\n\n".join((prompt, WISHES, SUMMARY))),
        UserMessage(text="What does the timetable of the ferry look like on Sundays? " * 3),
        AssistantMessage(
            text="Let me look.",
            tool_calls=(RequestToolCall(call_id="c1", name="files__read", arguments='{"path": "ferry.csv"}'),),
        ),
        ToolMessage(call_id="c1", name="files__read", text="08:10;11:40;16:05\n" * 60),
        AssistantMessage(text="On Sundays it leaves at 08:10, 11:40 and 16:05."),
        UserMessage(
            text=f"{block}\n\n{question}",
            images=(Image(name="map.png", media_type="image/png", data=b"pixels" * 900),),
        ),
    ]
    labels = [
        Label(PieceKind.WISHES, WISHES),
        Label(PieceKind.SUMMARY, SUMMARY),
        Label(PieceKind.MEMORIES, block),
    ]
    return messages, labels


def _tools() -> tuple[ToolSpec, ...]:
    schema = {"type": "object", "properties": {"path": {"type": "string", "description": "Where the file lies."}}}
    names = ("files__read", "files__search", "calendar__events", "command__get_weather")
    return tuple(
        ToolSpec(name=name, description=f"The tool {name} of a server. " * 4, parameters=schema) for name in names
    )


def _record(thread_id: str, message_id: str, question: str) -> RequestRecord:
    from desktop.core.language_model import ModelRequest

    messages, labels = _messages(question)
    request = ModelRequest(messages=tuple(messages), tools=_tools(), sampling=Sampling(temperature=0.7))
    body = Body.of(build_request(request, "qwen3-8b", EndpointTraits()).body)
    sent = sent_messages(messages, labels, guess_tokens, body)
    return RequestRecord(
        id=new_id(),
        thread_id=thread_id,
        message_id=message_id,
        step=0,
        sent_at=utc_now(),
        model="qwen3-8b",
        messages=sent,
        tools=sent_tools(request.tools, guess_tokens, body),
        sampling=request.sampling,
        recall=RecallPart(
            found=tuple(
                RecalledRef(kind="fact", id=key, score=score, words=words, meaning=meaning)
                for key, _, score, words, meaning in FACTS
            )
        ),
        left_out=(
            LeftOut(kind=LeftOutKind.TOOL, count=2, names=("maps__route", "mail__send")),
            LeftOut(kind=LeftOutKind.IMAGE, count=1, names=("beach.jpg",)),
        ),
        http=http_pieces(body, sent),
    )


async def _fill(stage: "Stage", title: str) -> str:
    """Give the last answer of a chat two requests, of which the first only asked for tools."""
    store = stage.session.container.store
    thread_id = await stage.thread(title)
    question, answer = (await store.threads.path(thread_id))[-2:]
    if not any(record.tools for record in await store.requests.of_answer(answer.id)):
        first = _record(thread_id, answer.id, question.text)
        for record, outcome in (
            (first, Outcome(finish="tool_calls", usage=Usage(input_tokens=1_204, output_tokens=41), seconds=0.8)),
            (
                dataclasses.replace(first, id=new_id(), step=1),
                Outcome(
                    finish="stop",
                    usage=Usage(input_tokens=1_312, output_tokens=208, cached_input_tokens=1_024),
                    seconds=2.4,
                ),
            ),
        ):
            await store.requests.add(record)
            await store.requests.finish(record.id, outcome)
    return answer.id


@scene(INSPECTOR_SCENES, "59-sent")
async def what_was_sent(stage: "Stage") -> None:
    from PySide6.QtWidgets import QLineEdit, QListView
    from shots_world import LONG

    message_id = await _fill(stage, LONG)
    await stage.open(LONG)
    stage.presenter.inspector.open(message_id)
    await stage.settle()
    await stage.picture("59-sent-1-overview")
    dialog = stage.presenter.inspector.dialog
    assert dialog is not None
    rows = stage.find(QListView, "inspectorList", dialog)
    for name, wanted in (("2-memory", "Mara"), ("3-tool", "files__read"), ("4-json", "")):
        model = rows.model()
        places = range(model.rowCount())
        found = [p for p in places if wanted and wanted in str(model.index(p, 0).data())] or [places[-2]]
        rows.setCurrentIndex(model.index(found[-1], 0))
        await stage.settle()
        await stage.picture(f"59-sent-{name}")
    stage.find(QLineEdit, "inspectorSearch", dialog).setText("ferry")
    await stage.settle()
    await stage.settle()
    await stage.settle()
    await stage.picture("59-sent-5-search")
    dialog.reject()
    await stage.settle()


@scene(INSPECTOR_SCENES, "59-sent-nothing")
async def nothing_recorded(stage: "Stage") -> None:
    from shots_world import CARDS

    await stage.open(CARDS)
    stage.presenter.inspector.open(await stage.first_message())  # which was not asked of a model
    await stage.settle()
    await stage.picture("59-sent-nothing")
    stage.close_dialogs()


@scene(INSPECTOR_SCENES, "59-sent-what-is-missing")
async def what_is_missing(stage: "Stage") -> None:
    """Everything that can be left out of a request, each with why; and a record of which only figures are left."""
    from PySide6.QtWidgets import QListView
    from shots_world import FAILED

    store = stage.session.container.store
    thread_id = await stage.thread(FAILED)
    question, answer = (await store.threads.path(thread_id))[-2:]
    left_out = (
        LeftOut(kind=LeftOutKind.WINDOW, count=38),
        LeftOut(kind=LeftOutKind.TOO_LONG),
        LeftOut(kind=LeftOutKind.RESULT, count=2, names=("files__read", "command__fetch_page")),
        LeftOut(kind=LeftOutKind.IMAGE, count=1, names=("beach.jpg",)),
        LeftOut(kind=LeftOutKind.TOOL, count=30, names=tuple(f"maps__route_{number}" for number in range(30))),
        LeftOut(kind=LeftOutKind.RECALL, names=(Silence.TOO_LATE,)),
    )
    failed = Outcome(error_code="model.context_too_long", seconds=1.2)
    record = dataclasses.replace(
        _record(thread_id, answer.id, question.text), left_out=left_out, recall=None, messages=_plain(question.text)
    )
    await store.requests.add(record)
    await store.requests.finish(record.id, failed)
    await stage.open(FAILED)
    stage.presenter.inspector.open(answer.id)
    await stage.settle()
    dialog = stage.presenter.inspector.dialog
    assert dialog is not None
    rows = stage.find(QListView, "inspectorList", dialog)
    model = rows.model()
    first = next(p for p in range(model.rowCount()) if "38" in str(model.index(p, 0).data()))
    rows.setCurrentIndex(model.index(first, 0))
    rows.scrollTo(model.index(first, 0), QListView.ScrollHint.PositionAtTop)
    await stage.settle()
    await stage.picture("59-sent-what-is-missing")
    dialog.reject()
    await stage.settle()


def _plain(question: str) -> tuple[SentMessage, ...]:
    return sent_messages([UserMessage(text=question)], [], guess_tokens, None)
