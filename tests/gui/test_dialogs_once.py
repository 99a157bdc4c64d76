"""Whoever presses twice what opens a dialog after a while gets one dialog."""

import ast
import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import desktop.ui
from desktop.ui.memory.import_dialog import MemoryImportDialog
from desktop.ui.presenting import Worker
from tests.support.waiting import until
from tests.support.window_world import window_world

pytestmark = pytest.mark.usefixtures("qloop")

_ASKING = {"confirm", "ask_to_purge", "may_start", "asks_about_place"}
"""What opens a question and waits for its answer."""


async def test_work_that_opens_something_is_not_begun_a_second_time_while_it_goes_on(
    qapp: QApplication, tmp_path: Path
) -> None:
    async with window_world(qapp, tmp_path) as world:
        worker = Worker(world.presenter._services)
        done: list[str] = []
        gate = asyncio.Event()

        async def work(name: str) -> None:
            await gate.wait()
            done.append(name)

        worker.start_once(work("first"), "a")
        worker.start_once(work("second"), "a")
        worker.start_once(work("another"), "b")
        gate.set()
        await until(lambda: len(done) == 2)
        assert done == ["first", "another"]
        await until(lambda: not worker._alone)
        worker.start_once(work("later"), "a")
        await until(lambda: done[-1] == "later")


async def test_a_file_looked_at_twice_opens_one_import(qapp: QApplication, tmp_path: Path) -> None:
    async with window_world(qapp, tmp_path / "data") as world:
        world.presenter.memory.open()
        transfer = world.presenter.memory.transfer
        assert transfer is not None
        file = tmp_path / "memories.txt"
        file.write_text("Likes tea\n", "utf-8")
        transfer.look_at(file)
        transfer.look_at(file)
        await until(_imports)
        await asyncio.gather(*(task for task in asyncio.all_tasks() if task.get_name() == f"read memories from {file}"))
        (dialog,) = _imports()
        dialog.reject()


def _imports() -> list[MemoryImportDialog]:
    shown = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, MemoryImportDialog)]
    return [widget for widget in shown if widget.isVisible()]


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    folder = Path(desktop.ui.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        yield path, ast.parse(path.read_text("utf-8"))


def _opens_a_dialog(function: ast.AsyncFunctionDef) -> bool:
    """Whether it opens a dialog, or asks something; before that it may have waited."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name in _ASKING or (name == "open" and not node.args):
            return True
    return False


def test_all_that_opens_a_dialog_after_a_while_is_started_once() -> None:
    guilty: list[str] = []
    found = 0
    for path, module in _modules():
        functions = [node for node in ast.walk(module) if isinstance(node, ast.AsyncFunctionDef)]
        opening = {function.name for function in functions if _opens_a_dialog(function)}
        for node in ast.walk(module):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
                continue
            work = node.args[0]
            name = work.func.attr if isinstance(work, ast.Call) and isinstance(work.func, ast.Attribute) else ""
            if name in opening and node.func.attr in ("start", "start_once"):
                found += 1
                if node.func.attr == "start":
                    guilty.append(f"{path.name}:{node.lineno} {name}")
    assert guilty == []
    assert found > 8, "the test must be able to find them"
