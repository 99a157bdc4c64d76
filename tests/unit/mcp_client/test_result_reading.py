"""Reading a result: base64 as servers write it, names that lead nowhere, structured content against its schema."""

import base64
from typing import Any

import mcp_types
import pytest

from desktop.core.tool_content import ItemKind, ItemProblem
from desktop.mcp_client import results
from desktop.mcp_client.results import decoded, read_result

BYTES = bytes(range(256))
PLAIN = base64.b64encode(BYTES).decode()


def result_of(*blocks: dict[str, Any], **more: Any) -> mcp_types.CallToolResult:
    return mcp_types.CallToolResult.model_validate({"content": list(blocks), **more})


@pytest.mark.parametrize(
    "encoded",
    [
        PLAIN,
        PLAIN.rstrip("="),
        "\r\n".join(PLAIN[i : i + 76] for i in range(0, len(PLAIN), 76)),
        base64.urlsafe_b64encode(BYTES).decode(),
        f"data:image/png;base64,{PLAIN}",
    ],
    ids=["plain", "unpadded", "lines", "urlsafe", "data_url"],
)
def test_base64_is_read_as_servers_write_it(encoded: str) -> None:
    assert decoded(encoded) == BYTES


@pytest.mark.parametrize("encoded", ["", "====", "A", "not base64!", "data:image/png,raw", "é" * 8])
def test_what_is_no_base64_is_none(encoded: str) -> None:
    assert decoded(encoded) is None


def test_what_is_too_large_is_named_and_not_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_FILE_BYTES", 3_000)
    image = {"type": "image", "mimeType": "image/png"}
    outcome = read_result(
        result_of({**image, "data": "A" * 12_000}, {**image, "data": "A" * 4_800}, {**image, "data": "AAAA"})
    )
    problems = [one.item.problem for one in outcome.received]
    assert problems == [ItemProblem.TOO_LARGE, ItemProblem.TOO_LARGE, None]
    assert [one.data is None for one in outcome.received] == [True, True, False]
    assert outcome.text.splitlines()[0] == "[image 1: image/png, 9 kB, too large to be kept]"


def test_all_files_of_a_result_together_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(results, "MOST_BYTES", 5)
    image = {"type": "image", "mimeType": "image/png", "data": "AAAA"}
    outcome = read_result(result_of(image, image))
    assert [one.item.problem for one in outcome.received] == [None, ItemProblem.TOO_LARGE]


@pytest.mark.parametrize(
    ("claimed", "shown"),
    [("image/png; charset=x", "image/png"), ("<b>bold</b>", ""), ("image/\u202egnp", ""), ("a" * 500, "")],
    ids=["parameters", "html", "bidi", "long"],
)
def test_a_claimed_type_is_one_or_nothing(claimed: str, shown: str) -> None:
    (one,) = read_result(result_of({"type": "image", "mimeType": claimed, "data": "AAAA"})).received
    assert one.item.media_type == shown


SCHEMA = {
    "type": "object",
    "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}, "n": {"type": "integer"}},
    "required": ["n"],
}


def problem_of(value: Any, schema: Any = SCHEMA) -> tuple[ItemProblem | None, str]:
    outcome = read_result(result_of({"type": "text", "text": "said"}, structuredContent=value), schema)
    item = next(one.item for one in outcome.received if one.item.kind is ItemKind.DATA)
    return item.problem, item.detail


def test_structured_content_is_held_against_its_schema() -> None:
    assert problem_of({"n": 1, "a": "a" * 40 + "!"}) == (None, "")  # the pattern would take years
    problem, detail = problem_of({"a": "x"})
    assert problem is ItemProblem.SCHEMA
    assert "'n' is a required property" in detail
    assert problem_of({"n": 1}, {"$ref": "http://127.0.0.1:9/schema"})[0] is ItemProblem.NOT_CHECKED
    assert problem_of({"n": list(range(50_000))}, {"properties": {"n": {"items": {"type": "number"}}}})[0] is (
        ItemProblem.NOT_CHECKED
    )
    assert problem_of([1, "x"], {"type": "array", "items": {"type": "integer"}})[0] is ItemProblem.SCHEMA


def test_large_structured_content_becomes_a_file() -> None:
    value = {"rows": ["x" * 100] * 1_000}
    outcome = read_result(result_of({"type": "text", "text": "said"}, structuredContent=value))
    (one,) = outcome.received
    assert (one.item.text, one.item.file_name) == ("", "data.json")
    assert one.data is not None
    assert outcome.text == "said"
