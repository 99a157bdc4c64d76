"""Finds tools by what they are for, in English and Chinese words: for a model that cannot be offered all of them at once."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from desktop.core.digests import sha256_of_json
from desktop.tools.entities import ToolDescriptor
from desktop.tools.visible_text import reveal

MOST_HITS = 8
MOST_QUERY_CHARS = 300
_MOST_NAMED_SERVERS = 30
_MOST_PURPOSE_CHARS = 200
_MOST_SEARCHED_CHARS = 2_000
_WEIGHTS = (5.0, 3.0, 2.0, 1.0)
"""Of the tool's name, its title, its server, and of all else that is said of it."""

_CJK = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+")
_IS_CJK = re.compile(rf"[{_CJK}]")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = ("ings", "ing", "ies", "es", "ed", "s", "e", "y")
_EMPTY = frozenset(("a", "an", "and", "at", "by", "for", "from", "in", "into", "is", "it", "of", "on", "or", "that", "the",
                    "this", "to", "tool", "tools", "with"))  # fmt: skip

_MEANINGS: Mapping[str, str] = {
    "搜索": "search find", "查找": "find search", "查询": "query search lookup", "检索": "search retrieve",
    "文件": "file", "目录": "directory folder", "文件夹": "folder directory", "读取": "read get", "写入": "write",
    "编辑": "edit", "修改": "edit update modify", "删除": "delete remove", "创建": "create new", "新建": "create new",
    "添加": "add create", "更新": "update", "移动": "move", "复制": "copy", "重命名": "rename", "列出": "list",
    "下载": "download fetch", "上传": "upload", "打开": "open", "关闭": "close", "发送": "send", "保存": "save",
    "邮件": "mail email message", "消息": "message", "聊天": "chat message", "日历": "calendar event",
    "日程": "calendar event schedule", "会议": "meeting event", "提醒": "reminder", "任务": "task todo issue",
    "天气": "weather forecast", "预报": "forecast", "时间": "time", "日期": "date", "时区": "timezone time",
    "地图": "map location", "位置": "location place", "路线": "route directions", "翻译": "translate",
    "网页": "page web fetch url", "网站": "site web url", "浏览器": "browser navigate page", "链接": "link url",
    "截图": "screenshot", "图片": "image picture", "图像": "image", "视频": "video", "音频": "audio", "音乐": "music",
    "数据库": "database sql query", "表格": "table sheet spreadsheet", "电子表格": "spreadsheet sheet excel",
    "文档": "document doc", "笔记": "note page", "页面": "page", "代码": "code", "仓库": "repository repo",
    "提交": "commit submit", "分支": "branch", "合并": "merge", "问题": "issue question", "议题": "issue",
    "评论": "comment", "用户": "user", "账户": "account", "股票": "stock price", "价格": "price", "汇率": "currency rate",
    "支付": "payment pay", "订单": "order", "新闻": "news", "计算": "calculate math", "命令": "command run execute",
    "运行": "run execute", "执行": "execute run", "记忆": "memory", "记住": "memory remember", "知识": "knowledge",
    "航班": "flight", "酒店": "hotel", "联系人": "contact", "密码": "password", "日志": "log", "统计": "statistics count",
    "图表": "chart graph", "点击": "click", "输入": "type input fill", "填写": "fill form", "表单": "form",
}  # fmt: skip
"""What people look for, so that a query finds tools that are described in the other language, both ways round."""


def find_tools_tool(server_id: str) -> ToolDescriptor:
    """Return the tool by which the model searches. The app answers it; no server has it."""
    name = "find_tools"
    schema = {
        "type": "object",
        "properties": {
            "query": {
                "type": "string",
                "description": "What the tool should do, in a few words; the words of the user's language and English.",
            }
        },
        "required": ["query"],
        "additionalProperties": False,
    }
    description = (
        "Search the further tools that are connected but not listed here because there are too many. "
        "The tools that are found can be called from your next step on. Search before you say that you cannot do "
        "something."
    )
    return ToolDescriptor(
        server_id=server_id,
        name=name,
        alias=f"{server_id}__{name}",
        title="Find tools",
        description=description,
        input_schema=schema,
        definition_hash=sha256_of_json([server_id, name, description, schema]),
        bundled=True,
        annotations={"readOnlyHint": True, "openWorldHint": False},
    )


def search_tools(tools: Sequence[ToolDescriptor], query: str) -> tuple[ToolDescriptor, ...]:
    """Return the tools that fit the query, the best first; of equal ones the first comes first."""
    wanted = _wanted(query[:MOST_QUERY_CHARS])
    fields = [_fields(tool) for tool in tools]
    known = Counter(word for each in fields for word in each)
    scored: list[tuple[float, int]] = []
    for place, each in enumerate(fields):
        found = {word: each[word] for word in wanted if word in each}
        score = sum(weight * wanted[word] * math.log(1 + len(tools) / known[word]) for word, weight in found.items())
        if score > 0:
            scored.append((score, -place))
    best = sorted(scored, reverse=True)[:MOST_HITS]
    return tuple(tools[-place] for score, place in best if score >= best[0][0] / 6)


def hits_text(query: str, hits: Sequence[ToolDescriptor], others: Sequence[ToolDescriptor]) -> str:
    """Return what the model reads of a search; ``others`` are all tools that it searched."""
    shown = reveal(query[:100], keep_newlines=False)
    if hits:
        lines = [f'{len(hits)} found for "{shown}". You can call from now on:']
        return "\n".join([*lines, *(f"- {hit.alias}: {_purpose(hit)}" for hit in hits)])
    servers = Counter(tool.server_id for tool in others)
    names = ", ".join(f"{server} ({count})" for server, count in list(servers.items())[:_MOST_NAMED_SERVERS])
    return (
        f'No tool fits "{shown}". There are further tools of these servers: {names}. Try other words, also in English.'
    )


def _purpose(tool: ToolDescriptor) -> str:
    words = " ".join((tool.description.strip() or tool.title).split())
    return reveal(
        words if len(words) <= _MOST_PURPOSE_CHARS else f"{words[:_MOST_PURPOSE_CHARS]}…", keep_newlines=False
    )


def _wanted(query: str) -> dict[str, float]:
    """The words to look for, and how much each counts: what was meant in the other language a little less."""
    own = _words(" ".join(run for run in _RUN.findall(query) if run.lower() not in _EMPTY))
    meant: list[str] = []
    for chinese, english in _MEANINGS.items():
        if chinese in query:
            meant += _words(english)
        elif not {*own}.isdisjoint(_words(english)):
            meant += _words(chinese)
    return {**dict.fromkeys(meant, 0.6), **dict.fromkeys(own, 1.0)}


def _fields(tool: ToolDescriptor) -> dict[str, float]:
    """Every word that is said of a tool, with the weight of the best place in which it stands."""
    properties: object = tool.input_schema.get("properties")
    names = " ".join(cast("Mapping[str, Any]", properties)) if isinstance(properties, Mapping) else ""
    rest = f"{tool.description[:_MOST_SEARCHED_CHARS]} {names[:_MOST_SEARCHED_CHARS]}"
    found: dict[str, float] = {}
    for text, weight in zip((tool.name, tool.title, tool.server_id, rest), _WEIGHTS, strict=True):
        for word in _words(text):
            found.setdefault(word, weight)
    return found


@lru_cache(maxsize=4096)
def _words(text: str) -> tuple[str, ...]:
    """The words of a text in the form in which they are compared: stems, and of Chinese each two signs side by side."""
    found: list[str] = []
    for run in _RUN.findall(text):
        found += _pairs(run) if _IS_CJK.match(run) else (_stem(part) for part in _HUMP.split(run))
    return tuple(found)


def _pairs(run: str) -> Iterable[str]:
    return [run[i : i + 2] for i in range(len(run) - 1)] if len(run) > 1 else [run]


def _stem(word: str) -> str:
    word = word.lower()
    for ending in _ENDINGS:
        if len(word) - len(ending) >= 3 and word.endswith(ending):
            return word.removesuffix(ending)
    return word
