"""Which tool is meant by what a model wrote."""

import pytest

from desktop.core.meant_names import meant_name
from desktop.core.wire_names import wire_name

KNOWN = ["files__read_file", "files__list", "command__get_date", "get-date"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("files__list", "files__list"),
        ("functions.files__list", "files__list"),
        ("function.files__list", "files__list"),
        ("default_api.files__list", "files__list"),
        ("tool:files__list", "files__list"),
        ("functions.files__list:0", "files__list"),
        ("files__list<|channel|>commentary", "files__list"),
        ("files__list()", "files__list"),
        ('"files__list"', "files__list"),
        ("Files__Read-File", "files__read_file"),
        ("files.read_file", "files__read_file"),
        ("functions.FILES__LIST<|channel|>json", "files__list"),
        ("read_file", "read_file"),
        ("files", "files"),
        ("", ""),
        ("functions.", "functions."),
        ("get_date", "get-date"),
    ],
)
def test_names(written: str, meant: str) -> None:
    assert meant_name(written, KNOWN) == meant


def test_what_could_be_two_tools_is_none() -> None:
    assert meant_name("a_b", ["a-b", "a.b"]) == "a_b"
    assert meant_name("a-b", ["a-b", "a.b"]) == "a-b"


ODD = "读取 文件"


@pytest.mark.parametrize(
    "form", ["{}", "functions.{}", "{}<|channel|>commentary", "default_api.{}:0", "tool:{}()", '"{}"']
)
@pytest.mark.parametrize("name", [ODD, "1st tool", "a.b", "x" * 70])
def test_what_is_sent_in_place_of_a_name_means_it(name: str, form: str) -> None:
    known = ["files__list", "a-b", name]
    assert meant_name(form.format(wire_name(name)), known) == name
    assert meant_name(form.format(wire_name(name).upper()), known) == name
    assert meant_name(form.format("files__list"), known) == "files__list"


def test_a_tool_with_the_name_that_another_one_is_sent_under_comes_first() -> None:
    assert meant_name(wire_name(ODD), [ODD, wire_name(ODD)]) == wire_name(ODD)


@pytest.mark.parametrize("name", ["读取", "读取 ", "", "1st", "_x", "a.b", "x" * 65, "\ud800", "-", "weather 天气"])
def test_names_that_are_altered_differ_from_each_other(name: str) -> None:
    assert wire_name(name) != wire_name(name + " ")
    assert wire_name(wire_name(name)) == wire_name(name)
    assert len(wire_name(name)) <= 64
