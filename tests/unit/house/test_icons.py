"""Every icon that the code names is there: a missing one would be noticed only where and when it is painted."""

import ast
import dataclasses
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from desktop.ui.theme.package_files import package_folder
from desktop.ui.theme.tokens import Tokens

UI = Path(__file__).parents[3] / "desktop" / "ui"
COLOURS = {field.name for field in dataclasses.fields(Tokens)} | {"window"}


def named_in(tree: ast.AST) -> Iterator[str]:
    """Texts in what is called an icon: the values of constants and mappings, and the arguments of calls."""
    for node in ast.walk(tree):
        values: list[ast.AST] = []
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            if "ICON" in getattr(target, "id", getattr(target, "attr", "")).upper():
                values = [*node.value.values] if isinstance(node.value, ast.Dict) else [node.value]
        elif isinstance(node, ast.Call) and "icon" in getattr(node.func, "id", getattr(node.func, "attr", "")).lower():
            values = [argument for argument in node.args if isinstance(argument, ast.Constant)]
        for value in values:
            for each in ast.walk(value):
                if isinstance(each, ast.Constant) and isinstance(each.value, str):
                    yield each.value


def test_every_icon_that_is_named_is_there() -> None:
    file = package_folder("lucide") / "data" / "lucide-icons.db"
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro&immutable=1", uri=True)) as connection:
        there = {name for (name,) in connection.execute("SELECT name FROM icons")}
    named = {
        (path.name, name)
        for path in UI.rglob("*.py")
        for name in named_in(ast.parse(path.read_text("utf-8")))
        if re.fullmatch("[a-z0-9-]+", name) and name not in COLOURS
    }
    assert len(named) > 100
    assert {(path, name) for path, name in named if name not in there} == set()
