"""The difference between two definitions, field by field."""

from typing import Any

import pytest

from desktop.tools.definition_changes import MOST_CHANGES, changes_of, common_ends
from desktop.tools.pinned import HeldItem, definition_text

BEFORE: dict[str, Any] = {
    "name": "read",
    "title": "Read",
    "description": "Reads a file",
    "inputSchema": {
        "type": "object",
        "properties": {"path": {"type": "string", "enum": ["a", "b"], "default": "a"}, "deep": {"anyOf": [{"x": 1}]}},
        "required": ["path"],
    },
    "annotations": {"readOnlyHint": True},
}


def held(now: dict[str, Any], before: dict[str, Any] | None = BEFORE) -> HeldItem:
    return HeldItem(server_id="s", identity="i", name="read", before=before, now=now)


def schema(**changes: Any) -> dict[str, Any]:
    return {**BEFORE, "inputSchema": {**BEFORE["inputSchema"], **changes}}


CHANGES: dict[str, tuple[dict[str, Any], list[tuple[str, str | None, str | None]]]] = {
    "description": ({**BEFORE, "description": "Sends"}, [("description", "Reads a file", "Sends")]),
    "a mark that cannot be seen": ({**BEFORE, "title": "Read\u200b"}, [("title", "Read", "Read\u200b")]),
    "enum": (
        schema(
            properties={
                **BEFORE["inputSchema"]["properties"],
                "path": {"type": "string", "enum": ["a"], "default": "a"},
            }
        ),
        [("inputSchema/properties/path/enum", '["a", "b"]', '["a"]')],
    ),
    "default": (
        schema(properties={**BEFORE["inputSchema"]["properties"], "path": {"type": "string", "enum": ["a", "b"]}}),
        [("inputSchema/properties/path/default", "a", None)],
    ),
    "inside a list": (
        schema(properties={**BEFORE["inputSchema"]["properties"], "deep": {"anyOf": [{"x": True}]}}),
        [("inputSchema/properties/deep/anyOf/1/x", "1", "true")],
    ),
    "annotation gone": (
        {**BEFORE, "annotations": {}},
        [("annotations", None, "{}"), ("annotations/readOnlyHint", "true", None)],
    ),
    "output schema comes": ({**BEFORE, "outputSchema": {"type": "object"}}, [("outputSchema/type", None, "object")]),
}


@pytest.mark.parametrize("case", CHANGES)
def test_each_changed_field_is_told_once(case: str) -> None:
    now, expected = CHANGES[case]
    found = [("/".join(change.path), change.before, change.now) for change in changes_of(held(now))]
    assert found == expected
    assert definition_text(now) != definition_text(BEFORE)


def test_a_new_tool_is_told_whole() -> None:
    found = {"/".join(change.path): change.now for change in changes_of(held(BEFORE, None))}
    assert found["description"] == "Reads a file"
    assert found["inputSchema/required"] == '["path"]'
    assert None not in found.values()


def test_equal_definitions_differ_in_nothing_whatever_their_order() -> None:
    turned = dict(reversed(BEFORE.items()))
    assert changes_of(held(turned)) == ()
    assert definition_text(turned) == definition_text(BEFORE)


def test_there_are_never_too_many() -> None:
    assert len(changes_of(held({f"part{n}": n for n in range(5_000)}))) == MOST_CHANGES


@pytest.mark.parametrize(
    ("one", "other", "ends"),
    [
        ("abcd", "abxcd", (2, 2)),
        ("aaa", "aa", (2, 0)),
        ("", "x", (0, 0)),
        ("same", "same", (4, 0)),
        ("ab", "cd", (0, 0)),
    ],
)
def test_what_two_texts_have_in_common(one: str, other: str, ends: tuple[int, int]) -> None:
    assert common_ends(one, other) == ends
