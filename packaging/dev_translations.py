"""Compiles the translations (``.ts``, in the repository) into what Qt loads (``.qm``, beside them and ignored by git)."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from dev_environment import ROOT, site_packages
from dev_system import SetupError, say

FOLDER = ROOT / "resources" / "translations"


def compile_changed() -> None:
    """Compile each translation whose source is newer than its result."""
    changed = [source for source in sorted(FOLDER.glob("*.ts")) if _is_newer(source, source.with_suffix(".qm"))]
    if not changed:
        return
    say(f"compiling translations: {', '.join(source.stem for source in changed)}")
    program = site_packages() / "PySide6" / ("lrelease.exe" if os.name == "nt" else "lrelease")
    for source in changed:
        result = source.with_suffix(".qm")
        unfinished = result.with_name(f".{result.name}.{os.getpid()}")
        run = subprocess.run(
            [str(program), "-silent", str(source), "-qm", str(unfinished)], capture_output=True, text=True, check=False
        )
        if run.returncode != 0 or not unfinished.exists():
            unfinished.unlink(missing_ok=True)
            raise SetupError(f"lrelease refused {source}:\n{run.stdout}{run.stderr}")
        unfinished.replace(result)


def _is_newer(source: Path, result: Path) -> bool:
    return not result.exists() or source.stat().st_mtime > result.stat().st_mtime
