"""Which tool is meant by what a model wrote."""

import pytest

from desktop.core.meant_names import meant_name

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
