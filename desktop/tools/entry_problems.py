"""What can be wrong with a server that somebody wrote down: names, their words in English, and the field to look at.

The UI translates the words (context ``servers``) and fills ``{detail}``, which is text from the entry.
"""

from collections.abc import Mapping
from typing import NamedTuple

from desktop.core.error_text import QT_TRANSLATE_NOOP

VARIABLE_UNSET = "variable_unset"
REPLACED = "replaced"
TOO_MANY = "too_many"


class ProblemText(NamedTuple):
    """``field`` is the key of the entry that is to blame, empty when it is the entry as a whole."""

    field: str
    words: str


PROBLEMS: Mapping[str, ProblemText] = {
    "not_an_object": ProblemText("", QT_TRANSLATE_NOOP("servers", "it is not an object.")),
    "unknown_type": ProblemText(
        "type", QT_TRANSLATE_NOOP("servers", "its type “{detail}” is not known; use “stdio”, “http” or “sse”.")
    ),
    "unknown_protocol": ProblemText(
        "protocol",
        QT_TRANSLATE_NOOP("servers", "its protocol “{detail}” is not known; use “auto”, “legacy” or “modern”."),
    ),
    "timeout_unusable": ProblemText(
        "timeout", QT_TRANSLATE_NOOP("servers", "its “timeout” is not a number of seconds, at most a day.")
    ),
    "no_command": ProblemText("command", QT_TRANSLATE_NOOP("servers", "it has neither a “command” nor a “url”.")),
    "command_nul": ProblemText("command", QT_TRANSLATE_NOOP("servers", "its “command” contains a NUL character.")),
    "args_no_list": ProblemText("args", QT_TRANSLATE_NOOP("servers", "its “args” is not a list.")),
    "arg_no_text": ProblemText("args", QT_TRANSLATE_NOOP("servers", "the argument {detail} is not text.")),
    "arg_nul": ProblemText("args", QT_TRANSLATE_NOOP("servers", "one of its “args” contains a NUL character.")),
    "url_malformed": ProblemText("url", QT_TRANSLATE_NOOP("servers", "its “url” is malformed.")),
    "url_scheme": ProblemText(
        "url", QT_TRANSLATE_NOOP("servers", "its “url” does not start with https:// or http://.")
    ),
    "url_user": ProblemText(
        "url",
        QT_TRANSLATE_NOOP("servers", "its “url” contains a user name; put credentials into “headers”."),
    ),
    "url_unencrypted": ProblemText(
        "url",
        QT_TRANSLATE_NOOP(
            "servers",
            'its “url” is not encrypted; use https, or add "allowInsecure": true if you trust the network.',
        ),
    ),
    "oauth_unusable": ProblemText(
        "oauth", QT_TRANSLATE_NOOP("servers", "its “{detail}” cannot be used; see the instructions of the server.")
    ),
    "map_no_object": ProblemText("env", QT_TRANSLATE_NOOP("servers", "its “{detail}” is not an object.")),
    "value_no_text": ProblemText("env", QT_TRANSLATE_NOOP("servers", "“{detail}” is not text.")),
    "value_characters": ProblemText(
        "env",
        QT_TRANSLATE_NOOP("servers", "“{detail}” contains a character that is not allowed there."),
    ),
    "field_no_text": ProblemText("", QT_TRANSLATE_NOOP("servers", "its “{detail}” is not text.")),
    "field_no_flag": ProblemText("", QT_TRANSLATE_NOOP("servers", "its “{detail}” is neither true nor false.")),
    VARIABLE_UNSET: ProblemText("", QT_TRANSLATE_NOOP("servers", "the environment variable {detail} is not set.")),
    "input_missing": ProblemText(
        "", QT_TRANSLATE_NOOP("servers", "the value “{detail}” is asked for, which only the settings can hold.")
    ),
    "variable_unfillable": ProblemText("", QT_TRANSLATE_NOOP("servers", "“{detail}” cannot be filled in here.")),
    REPLACED: ProblemText(
        "", QT_TRANSLATE_NOOP("servers", "a server of the same name was given when Threadwell was started.")
    ),
    TOO_MANY: ProblemText(
        "", QT_TRANSLATE_NOOP("servers", "there are more than {detail} servers; this one is left out.")
    ),
}


def problem_in_english(code: str, detail: str) -> str:
    return PROBLEMS[code].words.replace("{detail}", detail)
