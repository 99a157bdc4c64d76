"""Runs the app's shell commands as real child processes, as a user's script would."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 60
BUNDLED_SERVER = "command"


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, Any]]:
        """Standard output as JSON lines; fails when there is anything else on it."""
        return [json.loads(line) for line in self.out.splitlines()]

    def of_kind(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line["kind"] == kind]

    @property
    def answer(self) -> str:
        return "".join(event["delta"] for event in self.of_kind("message"))


class ShellApp:
    """``python -m desktop`` on one data folder.

    ``tools=False`` switches the bundled server off in the settings: a start without it takes a quarter of the time.
    """

    def __init__(self, data_dir: Path, *, tools: bool = True, **environment: str) -> None:
        self.data_dir = data_dir
        self._environment = environment
        if not tools:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            settings = {"schema_version": 2, "bundled_servers_off": [BUNDLED_SERVER]}
            (self.data_dir / "settings.json").write_text(json.dumps(settings), "utf-8")

    def run(self, *arguments: str, folder: Path = ROOT) -> Finished:
        """Run to the end."""
        done = subprocess.run(
            self._command(arguments),
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=PATIENCE_SECONDS,
            env=self._env(),
            cwd=folder,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        return Finished(done.returncode, done.stdout, done.stderr)

    @contextmanager
    def start(self, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
        """Start and leave running; killed at the end of the block."""
        process = subprocess.Popen(
            self._command(arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self._env(),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
        )
        try:
            yield process
        finally:
            process.kill()
            process.communicate(timeout=PATIENCE_SECONDS)

    def threads(self) -> list[dict[str, Any]]:
        return self.run("threads", "list", "--json").lines

    def show(self, thread_id: str) -> list[dict[str, Any]]:
        return self.run("threads", "show", thread_id, "--json").lines

    def bytes_with(self, text: str) -> list[str]:
        """The names of the files in the data folder that contain ``text`` in any usual encoding."""
        needles = [text.encode("utf-8"), text.encode("utf-16-le"), json.dumps(text)[1:-1].encode()]
        return [
            str(path.relative_to(self.data_dir))
            for path in self.data_dir.rglob("*")
            if path.is_file() and any(needle in path.read_bytes() for needle in needles)
        ]

    def _command(self, arguments: Sequence[str]) -> list[str]:
        return [sys.executable, "-m", "desktop", *arguments, "--data-dir", str(self.data_dir)]

    def _env(self) -> dict[str, str]:
        return {**os.environ, "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), **self._environment}
