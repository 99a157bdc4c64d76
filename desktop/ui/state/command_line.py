"""A command line as people type it, to and from the list of arguments that a program gets. Nothing is run by a shell."""

import shlex
import sys
from collections.abc import Sequence

IS_WINDOWS = sys.platform == "win32"


class OpenQuoteError(ValueError):
    "A quotation mark is not closed."


def split_command_line(text: str, *, windows: bool = IS_WINDOWS) -> list[str]:
    """Return program and arguments. Blanks and line breaks divide, quotation marks hold together.

    A backslash stands for itself on Windows, where paths are full of them. Raises ``OpenQuoteError``.
    """
    reader = shlex.shlex(text, posix=True)
    reader.whitespace_split = True
    reader.commenters = ""
    if windows:
        reader.escape = ""
    try:
        return list(reader)
    except ValueError as error:
        raise OpenQuoteError(str(error)) from None


def join_command_line(arguments: Sequence[str], *, windows: bool = IS_WINDOWS) -> str:
    """Return the line that ``split_command_line`` takes apart into just these arguments."""
    return " ".join(_quoted_for_windows(a) if windows else shlex.quote(a) for a in arguments)


def _quoted_for_windows(argument: str) -> str:
    if argument and not any(c.isspace() or c in "\"'" for c in argument):
        return argument
    return "'\"'".join(f'"{part}"' for part in argument.split('"')) if '"' in argument else f'"{argument}"'
