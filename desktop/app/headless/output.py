"""What the shell commands print: JSON lines or plain text on standard output, everything said beside it on standard error."""

import json
import sys
from typing import Any

from desktop.core.error_texts import english
from desktop.core.errors import ThreadwellError


def print_json(value: dict[str, Any]) -> None:
    """Write one line on standard output at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def show(as_json: dict[str, Any], as_text: str, *, json_wanted: bool) -> None:
    """Write a result in the form asked for."""
    if json_wanted:
        print_json(as_json)
    else:
        sys.stdout.write(as_text + "\n")


def say(line: str) -> None:
    """Write a line for people on standard error."""
    sys.stderr.write(line + "\n")


def complain(error: ThreadwellError) -> None:
    """Say on standard error what happened, what it means and what to do."""
    title, detail = english(error.code, error.params)
    say(f"{title}. {detail}")
