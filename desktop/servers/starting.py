"""What the bundled servers share at their start: a command line that keeps stdout free, and an SDK that keeps quiet."""

import argparse
import os
import sys
from typing import Any, NoReturn

from desktop.core.process_tree import hide_from_start_environment

WRONG_USE = 2


class Parser(argparse.ArgumentParser):
    """Writes everything, also its help, on stderr: stdout belongs to the protocol."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        self.exit(WRONG_USE, f"{self.prog}: {message}\n")

    def print_help(self, file: Any = None) -> None:
        super().print_help(file or sys.stderr)


def say(text: str) -> None:
    """Write a line for a person."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def taken_from_environment(name: str) -> str:
    """Return the variable's value, which no other program can read from this process any more."""
    hide_from_start_environment(name)
    return os.environ.pop(name, "").strip()


def quiet_sdk() -> None:
    """Set before the import: no ``.env`` file of the working folder may configure the server, nothing is looked up."""
    os.environ["FASTMCP_ENV_FILE"] = os.devnull
    os.environ["FASTMCP_CHECK_FOR_UPDATES"] = "off"
    os.environ["FASTMCP_ENABLE_RICH_LOGGING"] = "false"
    os.environ["FASTMCP_LOG_LEVEL"] = "WARNING"
