"""Gathers what a report for a bug is made of: this desktop, fonts, input, and the ends of the two logs."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QFontDatabase, QGuiApplication

_MOST_BYTES = 200_000
_TOLD = ("XDG_SESSION_TYPE", "XDG_CURRENT_DESKTOP", "QT_SCALE_FACTOR", "QT_IM_MODULE", "LANG")
"""Variables that say what the desktop is like, and nothing about its user."""
_PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


def desktop_lines() -> list[str]:
    """Return lines about screens, fonts, input and the like. To be called where the window is."""
    lines = [f"platform: {QGuiApplication.platformName()}"]
    for number, screen in enumerate(QGuiApplication.screens(), start=1):
        size = screen.size()
        lines.append(
            f"screen {number}: {size.width()}×{size.height()}, scale {screen.devicePixelRatio():g},"
            f" {screen.logicalDotsPerInch():.0f} dpi"
        )
    lines += [f"{name}: {os.environ[name][:60]}" for name in _TOLD if os.environ.get(name)]
    proxies = [name for name in _PROXIES if os.environ.get(name) or os.environ.get(name.upper())]
    lines.append(f"proxy variables: {', '.join(proxies) or 'none'}")
    chinese = QFontDatabase.families(QFontDatabase.WritingSystem.SimplifiedChinese)
    lines.append(f"fonts for Chinese: {len(chinese)}")
    lines.append(f"console: {'no' if sys.__stderr__ is None else 'yes'}")
    return lines


def log_ends(folder: Path) -> tuple[Sequence[str], Sequence[str]]:
    """Return the last lines of the log and of the log of crashes; none of what cannot be read. To be called in a thread."""
    return _end(folder / "threadwell.log"), _end(folder / "crash.log")


def _end(file: Path) -> Sequence[str]:
    try:
        with file.open("rb") as opened:
            size = opened.seek(0, os.SEEK_END)
            opened.seek(max(0, size - _MOST_BYTES))
            lines = opened.read(_MOST_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return ()
    return lines[1:] if size > _MOST_BYTES else lines
