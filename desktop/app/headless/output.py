"""What the shell commands print: JSON lines or plain text on standard output, everything said beside it on standard error."""

import json
import sys
from typing import Any

from desktop.core.error_texts import english
from desktop.core.errors import ThreadwellError
from desktop.ui.state.readable import readable


def print_json(value: dict[str, Any]) -> None:
    """Write one line on standard output at once."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def show(as_json: dict[str, Any], as_text: str, *, json_wanted: bool) -> None:
    """Write a result in the form asked for. Text is written so that no control sequence in it reaches the terminal."""
    if json_wanted:
        print_json(as_json)
    else:
        sys.stdout.write(readable(as_text) + "\n")


def say(line: str) -> None:
    """Write a line for people on standard error; hidden and control characters in it are made visible."""
    sys.stderr.write(readable(line) + "\n")


def complain(error: ThreadwellError) -> None:
    """Say on standard error what happened, what it means and what to do."""
    title, detail = english(error.code, error.params)
    say(f"{title}. {detail}")
