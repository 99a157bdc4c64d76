"""What other programs exported is read as it was: who said what, in which order, beside what, with which files."""

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    Role,
    SourcesPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.conversation.interchange.ports import ChatFile, Found, SkippedEntry
from desktop.conversation.interchange.reading import files
from desktop.conversation.interchange.reading.archive import BROKEN, BombError
from desktop.conversation.interchange.records import ImportedChat, MessageRecord, Source, Why
from tests.support.foreign_chats import (
    PICTURE,
    archive,
    chatgpt_chat,
    chatgpt_export,
    cherry_backup,
    cherry_export,
    claude_chat,
    claude_export,
    lm_studio_chat,
    open_webui_export,
)


def found_in(data: bytes | Any, name: str = "export.zip") -> list[Found]:
    raw = data if isinstance(data, bytes) else json.dumps(data).encode()
    return list(files.read(io.BytesIO(raw), len(raw), name))


def only_chat(data: bytes | Any) -> ImportedChat:
    chats = [one for one in found_in(data) if isinstance(one, ImportedChat)]
    assert len(chats) == 1
    return chats[0]


def by_id(chat: ImportedChat) -> dict[str, MessageRecord]:
    return {message.id: message for message in chat.messages}


def tree(chat: ImportedChat) -> list[tuple[str, str | None, str]]:
    return [(message.id, message.parent_id, message.role.value) for message in chat.messages]


def texts(message: MessageRecord) -> list[str]:
    return [part.text for part in message.parts if isinstance(part, TextPart)]


def test_chatgpt_is_a_tree_whose_answers_are_chains() -> None:
    chat = only_chat(chatgpt_export(chatgpt_chat()))
    assert chat.source is Source.CHATGPT
    assert (chat.chat.id, chat.chat.title, chat.chat.tip) == ("68a1-chat", "A pixel 像素", "a2")
    assert tree(chat) == [
        ("q1", None, "user"),
        ("a1", "q1", "assistant"),
        ("q2", "a1", "user"),
        ("a2", "q2", "assistant"),
        ("b1", "q1", "assistant"),
    ]
    messages = by_id(chat)
    file, said = messages["q1"].parts
    assert isinstance(file, AttachmentPart)
    assert (file.name, file.kind, said) == (
        "photo 照片.png",
        AttachmentKind.IMAGE,
        TextPart(text="What is this? 这是什么"),
    )
    thinking, call, result, answer, sources = messages["a1"].parts
    assert isinstance(thinking, ThinkingPart)
    assert thinking.text == "Looking\nIt is small."
    assert isinstance(call, ToolCallPart)
    assert isinstance(result, ToolResultPart)
    assert (call.name, json.loads(call.arguments), result.text) == ("python", {"input": "print(1)"}, "1")
    assert call.call_id == result.call_id
    assert answer == TextPart(text="A pixel.", step=1)
    assert isinstance(sources, SourcesPart)
    turn = messages["a1"].turn
    assert turn is not None
    assert turn.model == "gpt-5"
    assert "secret" not in repr(chat)


def test_files_come_after_the_chat_that_names_them() -> None:
    kinds = [one for one in found_in(chatgpt_export(chatgpt_chat())) if isinstance(one, ImportedChat | ChatFile)]
    assert isinstance(kinds[0], ImportedChat)
    assert kinds[0].files == {"file-ABC123"}
    assert kinds[1] == ChatFile(key="file-ABC123", name="photo 照片.png", data=PICTURE)


def test_a_file_that_is_not_in_the_export_is_a_line_of_text() -> None:
    chat = only_chat([chatgpt_chat()])
    assert texts(by_id(chat)["q1"]) == ["📎 photo 照片.png", "What is this? 这是什么"]


def test_claude() -> None:
    chat = only_chat(claude_export())
    assert chat.source is Source.CLAUDE
    assert tree(chat) == [("m1", None, "user"), ("m2", "m1", "assistant")]
    question, answer = chat.messages
    notes, scan, said = question.parts
    assert isinstance(notes, AttachmentPart)
    assert (notes.name, notes.text, notes.attachment_id) == ("notes.txt", "Alpha, beta.", "")
    assert (scan, said) == (TextPart(text="📎 scan.png"), TextPart(text="Sum it up"))
    thinking, before, call, result, after, sources = answer.parts
    assert isinstance(thinking, ThinkingPart)
    assert thinking.duration_seconds == 2.0
    assert before == TextPart(text="Let me look.")
    assert isinstance(call, ToolCallPart)
    assert isinstance(result, ToolResultPart)
    assert (call.name, result.text) == ("web_search", "Letters\nhttps://example.org/greek")
    assert after == TextPart(text="Alpha and beta.", step=1)
    assert isinstance(sources, SourcesPart)


def test_open_webui() -> None:
    found = found_in(open_webui_export(), "chats.json")
    chat = next(one for one in found if isinstance(one, ImportedChat))
    assert tree(chat) == [("u1", None, "user"), ("a1", "u1", "assistant"), ("a2", "u1", "assistant")]
    assert (chat.chat.tip, chat.chat.options.system_prompt) == ("a2", "Be kind.")
    thinking, call, result, said = by_id(chat)["a2"].parts
    assert thinking == ThinkingPart(text="It rains.", duration_seconds=4.0)
    assert isinstance(call, ToolCallPart)
    assert isinstance(result, ToolResultPart)
    assert (call.name, json.loads(call.arguments), result.text) == ("get_weather", {"city": "杭州"}, '"rain"')
    assert said == TextPart(text="Take an umbrella.", step=1)
    assert [one.data for one in found if isinstance(one, ChatFile)] == [PICTURE]


def test_lm_studio() -> None:
    chat = only_chat(lm_studio_chat())
    assert tree(chat) == [
        ("0-0", None, "user"),
        ("1-0", "0-0", "assistant"),
        ("1-1", "0-0", "assistant"),
        ("2-0", "1-1", "user"),
    ]
    assert chat.chat.options.system_prompt == "Answer in numbers."
    messages = by_id(chat)
    assert messages["1-0"].parts == (ThinkingPart(text="Hm."), TextPart(text="Seven."))
    assert messages["1-1"].parts == (ThinkingPart(text="A riddle."), TextPart(text="Forty-two."))
    assert [turn.model for turn in (messages["1-0"].turn, messages["1-1"].turn) if turn] == ["qwen3", "qwen/qwen3-8b"]


def test_cherry_studio() -> None:
    chat = only_chat(cherry_export())
    assert (chat.chat.title, chat.chat.title_by_user) == ("周末去杭州", True)
    assert tree(chat) == [
        ("m1", None, "user"),
        ("m2", "m1", "assistant"),
        ("m3", "m1", "assistant"),
        ("m4", "m2", "user"),
    ]
    messages = by_id(chat)
    assert texts(messages["m1"]) == ["去哪里玩？"]
    assert chat.files == {"f-1"}
    _, call, result, said = messages["m2"].parts
    assert isinstance(call, ToolCallPart)
    assert isinstance(result, ToolResultPart)
    assert (call.name, result.text, said) == ("maps__search", "西湖很美", TextPart(text="去西湖。", step=1))
    turn = messages["m2"].turn
    assert turn is not None
    assert (turn.model, turn.usage.output_tokens) == ("DeepSeek V3", 5)
    assert "sk-secret" not in repr(chat)


# -- what is wrong


def skipped(data: bytes | Any, name: str = "export.zip") -> list[tuple[str, Why]]:
    return [(one.name, one.why) for one in found_in(data, name) if isinstance(one, SkippedEntry)]


def test_a_broken_chat_costs_no_more_than_itself() -> None:
    data = [claude_chat(), {"title": "Broken", "mapping": {}}, {"something": "else"}, chatgpt_chat()]
    chats = [one.source for one in found_in(data, "conversations.json") if isinstance(one, ImportedChat)]
    assert chats == [Source.CLAUDE, Source.CHATGPT]
    assert skipped(data, "conversations.json") == [("Broken", Why.UNREADABLE), ("conversations.json", Why.UNREADABLE)]


def test_a_file_that_is_cut_off_gives_what_is_whole() -> None:
    data = json.dumps([claude_chat(), chatgpt_chat()]).encode()[:-50]
    found = found_in(data, "conversations.json")
    assert [one.source for one in found if isinstance(one, ImportedChat)] == [Source.CLAUDE]
    assert skipped(data, "conversations.json") == [("conversations.json", Why.UNREADABLE)]


@pytest.mark.parametrize(
    "name", ["../conversations.json", "/conversations.json", "C:\\conversations.json", "a/../../x.json"]
)
def test_names_that_lead_out_are_not_read(name: str) -> None:
    assert [why for _, why in skipped(archive({name: [claude_chat()]}))] == [Why.BAD_NAME]


def test_archives_in_archives_are_not_opened() -> None:
    assert skipped(archive({"inner.zip": claude_export()})) == [("inner.zip", Why.NESTED_ARCHIVE)]


def test_a_bomb_is_not_unpacked() -> None:
    bomb = archive({"conversations.json": b"[" + b" " * 60_000_000 + b"]"})
    assert skipped(bomb) == [("conversations.json", Why.TOO_LARGE)]


def test_what_unpacks_to_too_much_altogether_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.conversation.interchange.reading.archive.MOST_BYTES", 100)
    with pytest.raises(BombError):
        found_in(claude_export())


def test_an_archive_that_is_cut_off_is_none() -> None:
    with pytest.raises(BROKEN):
        found_in(claude_export()[:-30])


def test_messages_in_a_circle_and_orphans_make_a_tree() -> None:
    chat = chatgpt_chat()
    chat["mapping"]["root"]["parent"] = "a2"
    chat["mapping"]["b1"]["parent"] = "nowhere"
    assert [one for one in found_in([chat], "c.json") if isinstance(one, ImportedChat | SkippedEntry)]
    messages = open_webui_export()
    messages[0]["chat"]["history"]["messages"]["u1"]["parentId"] = "a2"
    found = only_chat(messages)
    seen: set[str | None] = {None}
    for message in found.messages:
        assert message.parent_id in seen
        seen.add(message.id)


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(data=st.data())
def test_whatever_stands_in_a_field_nothing_but_the_chat_is_lost(data: st.DataObject) -> None:
    value: Any = data.draw(
        st.sampled_from((chatgpt_chat(), claude_chat(), open_webui_export()[0], lm_studio_chat(), cherry_backup()))
    )
    for _ in range(data.draw(st.integers(1, 4))):
        holder: Any = value
        while True:
            if not holder:
                break
            key = data.draw(st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder))))
            inner = holder[key]
            if isinstance(inner, dict | list) and inner and data.draw(st.booleans()):
                holder = inner
                continue
            holder[key] = data.draw(JUNK)
            break
    raw = json.dumps([value, claude_chat()]).encode("utf-8", "surrogatepass")
    chats = [one for one in found_in(raw, "conversations.json") if isinstance(one, ImportedChat)]
    assert chats[-1].source is Source.CLAUDE
    for chat in chats:
        seen: set[str | None] = {None}
        for message in chat.messages:
            assert message.parent_id in seen
            assert message.id not in seen
            seen.add(message.id)
            assert message.role in Role
            calls = [part.call_id for part in message.parts if isinstance(part, ToolCallPart)]
            assert len(set(calls)) == len(calls)
