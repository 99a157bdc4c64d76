"""The entry: parses the command line and starts the front end that it names, importing only that one."""

from collections.abc import Callable

from desktop.app.options import HeadlessCommand, SmokeTestCommand, WindowCommand, parse
from desktop.app.qt_import import load_qt
from desktop.core.imports import garbage_left_alone


def main(arguments: list[str]) -> int:
    """Run the command and return the process's exit status."""
    command = parse(arguments)
    if isinstance(command, HeadlessCommand):
        from desktop.app.headless.main import run_headless

        return run_headless(command)
    match command:
        case SmokeTestCommand():
            load_qt()
            from desktop.app.smoke_test import run_smoke_test

            return run_smoke_test(command)
        case WindowCommand():
            return load_window()(command)


def load_window() -> Callable[[WindowCommand], int]:
    """Import what the first paint needs, and return what runs the window."""
    with garbage_left_alone():
        load_qt()
        from desktop.app.start import run_window
    return run_window
