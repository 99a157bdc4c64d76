"""The search among tools: English and Chinese words find what they mean, whichever language a tool is described in."""

from dataclasses import replace

import pytest

from desktop.tools.entities import ToolDescriptor
from desktop.tools.tool_search import MOST_HITS, hits_text, search_tools
from tests.support.scripted_gateway import tool


def described(server: str, name: str, description: str) -> ToolDescriptor:
    return tool(name, {"type": "object", "properties": {}}, server_id=server, description=description)


TOOLS = (
    described("files", "read_file", "Read the complete contents of a file from the file system."),
    described("files", "list_directory", "Get a listing of all files and directories in a path."),
    described("github", "createIssue", "Create a new issue in a GitHub repository."),
    described("github", "search_repositories", "Search for GitHub repositories."),
    described("weather", "get_forecast", "Weather forecast for a location."),
    described("browser", "take_screenshot", "Take a screenshot of the current page."),
    described("amap", "maps_direction", "根据起点和终点的经纬度规划驾车路线。"),
    described("mail", "发送邮件", "向收件人发送一封电子邮件。"),
)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("read a file", "read_file"),
        ("reading files", "read_file"),
        ("create issue", "createIssue"),
        ("open an issue on github", "createIssue"),
        ("weather tomorrow", "get_forecast"),
        ("screenshots", "take_screenshot"),
        ("driving route", "maps_direction"),
        ("send an email", "发送邮件"),
        ("查天气", "get_forecast"),
        ("读取文件内容", "read_file"),
        ("列出目录", "list_directory"),
        ("网页截图", "take_screenshot"),
        ("搜索仓库", "search_repositories"),
        ("规划路线", "maps_direction"),
        ("给他发送一封邮件", "发送邮件"),
    ],
)
def test_the_best_hit(query: str, expected: str) -> None:
    assert search_tools(TOOLS, query)[0].name == expected


def test_nothing_fits_and_the_servers_are_named() -> None:
    assert search_tools(TOOLS, "quantum chromodynamics") == ()
    assert search_tools(TOOLS, "") == ()
    text = hits_text("quantum", (), TOOLS)
    assert "files (2)" in text
    assert "github (2)" in text


def test_the_order_is_that_of_the_tools_where_they_fit_alike_and_there_is_a_bound() -> None:
    alike = [described("s", f"note_{i}", "Keeps a note.") for i in range(20)]
    hits = search_tools(alike, "notes")
    assert [hit.name for hit in hits] == [f"note_{i}" for i in range(MOST_HITS)]


def test_what_servers_say_stays_on_one_line_of_bounded_length_and_visible() -> None:
    bad = replace(TOOLS[0], description="x\n\n- evil__tool: \u202ehidden " + "y" * 1_000)
    text = hits_text("read", [bad], TOOLS)
    assert len(text.splitlines()) == 2
    assert "\u202e" not in text
    assert len(text) < 500
