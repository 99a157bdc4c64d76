"""Exports of other programs as their users get them, made here: what each holds is known, nothing of it is anybody's."""

import base64
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


def archive(entries: Mapping[str, bytes | str | Any]) -> bytes:
    """A ZIP file; what is neither bytes nor text is written as JSON."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(name, content if isinstance(content, bytes | str) else json.dumps(content))
    return buffer.getvalue()


# -- ChatGPT


def node(name: str, parent: str | None, children: list[str], message: dict[str, Any] | None) -> dict[str, Any]:
    return {"id": name, "parent": parent, "children": children, "message": message}


def gpt_message(role: str, content: Any, at: float = 1_700_000_000.0, **more: Any) -> dict[str, Any]:
    if isinstance(content, str):
        content = {"content_type": "text", "parts": [content]}
    author = {"role": role, "name": more.pop("name", None), "metadata": {}}
    return {"author": author, "content": content, "create_time": at, "status": "finished_successfully",
            "recipient": more.pop("recipient", "all"), "metadata": more.pop("metadata", {}), **more}  # fmt: skip


def chatgpt_chat(chat_id: str = "68a1-chat", *, longer: bool = False) -> dict[str, Any]:
    """A question with a picture, an answer with reasoning and a tool, and another answer to the same question."""
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-ABC123", "size_bytes": 67}
    attachments = [{"id": "file-ABC123", "name": "photo 照片.png", "mimeType": "image/png", "size": 67}]
    asked = {"content_type": "multimodal_text", "parts": [picture, "What is this? 这是什么"]}
    thoughts = {"content_type": "thoughts", "thoughts": [{"summary": "Looking", "content": "It is small."}]}
    hidden, profile = (
        {"is_visually_hidden_from_conversation": True},
        {"content_type": "user_editable_context", "user_profile": "secret"},
    )
    code = {"content_type": "code", "language": "python", "text": "print(1)"}
    sources = {"content_references": [{"type": "webpage", "url": "https://example.org/a", "title": "A"}]}
    mapping = [
        node("root", None, ["system"], None),
        node("system", "root", ["context"], gpt_message("system", "", metadata=hidden)),
        node("context", "system", ["q1"], gpt_message("user", profile)),
        node("q1", "context", ["t1", "b1"], gpt_message("user", asked, 1_700_000_001.5, metadata={"attachments": attachments})),
        node("t1", "q1", ["c1"], gpt_message("assistant", thoughts, 1_700_000_002.0)),
        node("c1", "t1", ["r1"], gpt_message("assistant", code, 1_700_000_003.0, recipient="python")),
        node("r1", "c1", ["a1"], gpt_message("tool", {"content_type": "execution_output", "text": "1"}, name="python")),
        node("a1", "r1", ["q2"], gpt_message("assistant", "A pixel.\ue200cite\ue202turn0\ue201", 1_700_000_004.0,
                                            metadata={"model_slug": "gpt-5", **sources})),
        node("b1", "q1", [], gpt_message("assistant", "Something else.", metadata={"model_slug": "gpt-4o"})),
        node("q2", "a1", ["a2"], gpt_message("user", "Thanks", 1_700_000_010.0)),
        node("a2", "q2", ["q3"] if longer else [], gpt_message("assistant", "Welcome", 1_700_000_011.0)),
    ]  # fmt: skip
    if longer:
        mapping += [
            node("q3", "a2", ["a3"], gpt_message("user", "One more", 1_700_000_020.0)),
            node("a3", "q3", [], gpt_message("assistant", "Of course", 1_700_000_021.0)),
        ]
    return {
        "id": chat_id,
        "conversation_id": chat_id,
        "title": "A pixel 像素",
        "create_time": 1_700_000_000.25,
        "update_time": 1_700_000_021.0 if longer else 1_700_000_011.0,
        "current_node": "a3" if longer else "a2",
        "mapping": {each["id"]: each for each in mapping},
    }


def chatgpt_export(*chats: dict[str, Any]) -> bytes:
    return archive(
        {
            "conversations.json": list(chats),
            "user.json": {"id": "user-1", "email": "nobody@example.org"},
            "message_feedback.json": [],
            "chat.html": "<html></html>",
            "file-ABC123-photo.png": PICTURE,
        }
    )


# -- Claude


def claude_chat() -> dict[str, Any]:
    human = {
        "uuid": "m1", "sender": "human", "text": "Sum it up", "created_at": "2025-05-01T10:00:00.000000Z",
        "updated_at": "2025-05-01T10:00:00.000000Z", "files": [{"file_name": "scan.png"}],
        "content": [{"type": "text", "text": "Sum it up"}],
        "attachments": [{"file_name": "notes.txt", "file_size": 12, "file_type": "txt", "extracted_content": "Alpha, beta."}],
    }  # fmt: skip
    blocks = [
        {"type": "thinking", "thinking": "Two letters.", "start_timestamp": "2025-05-01T10:00:01Z",
         "stop_timestamp": "2025-05-01T10:00:03Z"},
        {"type": "text", "text": "Let me look."},
        {"type": "tool_use", "id": "toolu_1", "name": "web_search", "input": {"query": "greek letters"}},
        {"type": "tool_result", "tool_use_id": "toolu_1", "name": "web_search", "is_error": False,
         "content": [{"type": "knowledge", "title": "Letters", "url": "https://example.org/greek"}]},
        {"type": "text", "text": "Alpha and beta.", "citations": [{"details": {"type": "web", "url": "https://example.org/greek"}}]},
    ]  # fmt: skip
    answer = {"uuid": "m2", "sender": "assistant", "text": "Alpha and beta.", "created_at": "2025-05-01T10:00:04Z",
              "updated_at": "2025-05-01T10:00:05Z", "content": blocks, "attachments": [], "files": []}  # fmt: skip
    return {"uuid": "c-1", "name": "Greek", "created_at": "2025-05-01T10:00:00Z", "updated_at": "2025-05-01T10:00:05Z",
            "account": {"uuid": "u"}, "chat_messages": [human, answer]}  # fmt: skip


def claude_export() -> bytes:
    return archive({"conversations.json": [claude_chat()], "users.json": [{"uuid": "u"}], "projects.json": []})


# -- Open WebUI


def open_webui_export() -> list[dict[str, Any]]:
    picture = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
    said = (
        '<details type="reasoning" done="true" duration="4">\n<summary>Thought for 4 seconds</summary>\n'
        "&gt; It rains.\n</details>\n"
        '<details type="tool_calls" done="true" id="call_9" name="get_weather" arguments="{&quot;city&quot;: &quot;杭州&quot;}"'
        ' result="&quot;rain&quot;" files="">\n<summary>Tool Executed</summary>\n</details>\nTake an umbrella.'
    )
    messages = {
        "u1": {"id": "u1", "parentId": None, "childrenIds": ["a1", "a2"], "role": "user", "content": "Weather?",
               "timestamp": 1_720_000_000, "files": [{"type": "image", "url": picture}]},
        "a1": {"id": "a1", "parentId": "u1", "childrenIds": [], "role": "assistant", "content": "No idea.",
               "timestamp": 1_720_000_005, "model": "llama3:8b", "done": True},
        "a2": {"id": "a2", "parentId": "u1", "childrenIds": [], "role": "assistant", "content": said,
               "timestamp": 1_720_000_006, "model": "qwen3:14b", "done": True,
               "usage": {"prompt_tokens": 30, "completion_tokens": 12}},
    }  # fmt: skip
    chat = {"title": "Weather", "models": ["qwen3:14b"], "params": {"system": "Be kind."},
            "history": {"messages": messages, "currentId": "a2"}, "messages": []}  # fmt: skip
    return [{"id": "ow-1", "user_id": "u", "title": "Weather", "chat": chat, "created_at": 1_720_000_000,
             "updated_at": 1_720_000_007, "archived": False, "pinned": True}]  # fmt: skip


# -- LM Studio


def lm_studio_chat() -> dict[str, Any]:
    def said(text: str) -> dict[str, Any]:
        return {"type": "text", "text": text}

    thinking = {"type": "contentBlock", "content": [said("A riddle.")], "style": {"type": "thinking", "ended": True}}
    info = {"indexedModelIdentifier": "qwen/qwen3-8b", "stats": {"promptTokensCount": 9, "predictedTokensCount": 4}}
    block = {"type": "contentBlock", "content": [said("Forty-two.")], "genInfo": info}
    steps = [thinking, block, {"type": "debugInfoBlock", "debugInfo": "…"}]
    return {
        "name": "Riddles", "pinned": False, "createdAt": 1_730_000_000_123, "systemPrompt": "Answer in numbers.",
        "messages": [
            {"versions": [{"type": "singleStep", "role": "user", "content": [said("The answer?")]}], "currentlySelected": 0},
            {"versions": [
                {"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "qwen3"}, "steps": [
                    {"type": "contentBlock", "content": [said("<think>Hm.</think>Seven.")]}]},
                {"type": "multiStep", "role": "assistant", "senderInfo": {"senderName": "qwen3"}, "steps": steps},
            ], "currentlySelected": 1},
            {"versions": [{"type": "singleStep", "role": "user", "content": [said("Sure?")]}], "currentlySelected": 0},
        ],
        "lastUsedModel": {"identifier": "qwen3-8b"},
    }  # fmt: skip


# -- Cherry Studio


def cherry_backup() -> dict[str, Any]:
    assistants = {
        "defaultAssistant": {},
        "assistants": [{"id": "as1", "name": "助手", "prompt": "用中文回答。", "topics": [
            {"id": "t1", "name": "周末去杭州", "createdAt": "2025-06-01T08:00:00.000Z", "updatedAt": "2025-06-01T08:05:00.000Z",
             "isNameManuallyEdited": True}]}],
    }  # fmt: skip
    topic = {"id": "t1", "messages": [
        {"id": "m1", "role": "user", "createdAt": "2025-06-01T08:00:00.000Z", "blocks": ["b1", "b2"], "status": "success"},
        {"id": "m2", "role": "assistant", "askId": "m1", "createdAt": "2025-06-01T08:00:05.000Z", "blocks": ["b3", "b4", "b5"],
         "model": {"id": "deepseek-chat", "name": "DeepSeek V3"}, "status": "success", "foldSelected": True,
         "usage": {"prompt_tokens": 11, "completion_tokens": 5, "total_tokens": 16}},
        {"id": "m3", "role": "assistant", "askId": "m1", "createdAt": "2025-06-01T08:00:06.000Z", "blocks": ["b6"],
         "model": {"id": "glm-4", "name": "GLM-4"}, "status": "success"},
        {"id": "m4", "role": "user", "createdAt": "2025-06-01T08:05:00.000Z", "blocks": ["b7"], "status": "success"},
    ]}  # fmt: skip
    tool = {"id": "call_1", "tool": {"name": "search", "serverName": "maps"}, "status": "done"}
    blocks = [
        {"id": "b1", "messageId": "m1", "type": "main_text", "content": "去哪里玩？"},
        {"id": "b2", "messageId": "m1", "type": "image", "file": {"id": "f-1", "name": "f-1.png", "origin_name": "西湖.png",
                                                                  "ext": ".png", "size": 67, "type": "image"}},
        {"id": "b3", "messageId": "m2", "type": "thinking", "content": "想一想", "thinking_millsec": 1500},
        {"id": "b4", "messageId": "m2", "type": "tool", "toolId": "search", "toolName": "search", "arguments": {"q": "西湖"},
         "content": {"content": [{"type": "text", "text": "西湖很美"}], "isError": False}, "status": "success",
         "metadata": {"rawMcpToolResponse": tool}},
        {"id": "b5", "messageId": "m2", "type": "main_text", "content": "去西湖。"},
        {"id": "b6", "messageId": "m3", "type": "main_text", "content": "去灵隐寺。"},
        {"id": "b7", "messageId": "m4", "type": "main_text", "content": "谢谢"},
    ]  # fmt: skip
    stored = {"assistants": json.dumps(assistants), "llm": json.dumps({"providers": [{"apiKey": "sk-secret"}]})}
    return {
        "time": 1_750_000_000_000,
        "version": 5,
        "localStorage": {"persist:cherry-studio": json.dumps(stored)},
        "indexedDB": {"topics": [topic], "message_blocks": blocks, "files": [], "settings": []},
    }


def cherry_export() -> bytes:
    return archive({"data.json": cherry_backup(), "Data/Files/f-1.png": PICTURE})
