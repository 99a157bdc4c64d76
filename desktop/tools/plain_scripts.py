"""Programs whose first argument is a small language: which scripts of sed, awk, jq and the like only compute."""

import re
from collections.abc import Callable, Mapping, Sequence

from desktop.tools.doubt import DoubtError

_MAX_SCRIPT_CHARS = 600

_SED_ADDRESS = r"(?:\d+|\$|/(?:[^/\\\n]|\\.)*/I?)(?:~\d+)?"
_SED_SUBSTITUTION = "|".join(
    rf"s{d}(?:[^{e}\\\n]|\\.)*{d}(?:[^{e}\\\n]|\\.)*{d}[gpiI0-9]*"
    for d, e in (("/", "/"), (r"\|", "|"), ("#", "#"), (",", ","), ("@", "@"), ("!", "!"))
)
_SED_COMMAND = rf"(?:{_SED_ADDRESS}(?:,(?:\+\d+|{_SED_ADDRESS}))?[ ]*!?[ ]*)?(?:[pdqQlnNgGhHxDP=]|{_SED_SUBSTITUTION})"
_SED_SCRIPT = re.compile(rf"[ ]*{_SED_COMMAND}[ ]*(?:[;\n][ ]*{_SED_COMMAND}[ ]*)*;?[ ]*")
_AWK_DOUBTFUL = re.compile(
    r"[|<@`]|>>|system|getline|ENVIRON|PROCINFO|SYMTAB|FUNCTAB|ARGV|ARGC|ARGIND|close|fflush|include|load"
)
_AWK_STRING = re.compile(r'"[^"]*"')
_JQ_DOUBTFUL = re.compile(
    r"\benv\b|\$ENV|\binclude\b|\bimport\b|input_filename|input_line|modulemeta|get_search_list|\$__|\bdebug\b|\bstderr\b|\binput"
)
_JQ_SWITCHES = re.compile(r"-[rcCMnesSaj]+|--(?:raw-output|compact-output|null-input|exit-status|slurp|sort-keys|tab)")
_JQ_VALUED = {"--arg": 2, "--argjson": 2, "--indent": 1}
_DATE_SWITCHES = re.compile(r"-u|-R|-I|--utc|--universal|--iso-8601(?:=\w+)?|--rfc-3339=\w+")
_PRINTF_FORMAT = re.compile(r"(?:[^%]|%%|%[-+ #0']*(?:\d+|\*)?(?:\.(?:\d+|\*)?)?[sbqdiouxXfFeEgGc])*", re.DOTALL)
_TEST = re.compile(r"-[defrswxLhkbcpS]")


Paths = frozenset[int]
"""Which of the arguments are paths, by their numbers; all others are text."""


def _sed(arguments: Sequence[str]) -> Paths:
    has_script = False
    paths: set[int] = set()
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if re.fullmatch(r"-[nErsuz]+|--quiet|--silent|--regexp-extended|--posix|--debug", word):
            pass
        elif re.fullmatch(r"-[nErz]*e|--expression", word) and index + 1 < len(arguments):
            index += 1
            _require_sed_script(arguments[index])
            has_script = True
        elif word.startswith("-") and word != "-":
            raise DoubtError(f"the option {word} of sed is not known to be harmless")
        elif not has_script:
            _require_sed_script(word)
            has_script = True
        else:
            paths.add(index)
        index += 1
    return frozenset(paths)


def _require_sed_script(script: str) -> None:
    # A separator between square brackets is read in one way here and in another there.
    in_brackets = any(re.search(rf"\[\^?\]?[^\]]*{re.escape(d)}", script) for d in _separators_of(script))
    if len(script) > _MAX_SCRIPT_CHARS or in_brackets or not _SED_SCRIPT.fullmatch(script):
        raise DoubtError("what the script for sed does is not known to be harmless")


def _separators_of(script: str) -> set[str]:
    return {"/", *re.findall(r"s([|#,@!])", script)}


def _awk(arguments: Sequence[str]) -> Paths:
    index = 0
    while index < len(arguments) and arguments[index].startswith("-"):
        word = arguments[index]
        if word in {"-F", "-v"}:
            index += 1
        elif not re.fullmatch(r"-F.+", word, re.DOTALL):
            raise DoubtError(f"the option {word} of awk is not known to be harmless")
        index += 1
    if index >= len(arguments):
        raise DoubtError("the script for awk is missing")
    script = arguments[index]
    if len(script) > _MAX_SCRIPT_CHARS or _AWK_DOUBTFUL.search(script) or _may_print_into_files(script):
        raise DoubtError("what the script for awk does is not known to be harmless")
    if any("=" in word for word in arguments[index + 1 :]):
        raise DoubtError("awk may take an argument for an assignment")
    return frozenset(range(index + 1, len(arguments)))


def _may_print_into_files(script: str) -> bool:
    """True unless each ``>`` compares: with a ``print`` before it in its statement it would name a file."""
    if ">" not in script or "print" not in script:
        return False
    if any(char in script for char in "/\\\n'#"):  # where strings begin and end cannot be told by looking for quotes
        return True
    statements = re.split(r"[{};]", _AWK_STRING.sub("s", script))
    return any('"' in each or ("print" in each and ">" in each) for each in statements)


def _jq(arguments: Sequence[str]) -> Paths:
    has_script = False
    paths: set[int] = set()
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word in _JQ_VALUED:
            index += _JQ_VALUED[word]
        elif word.startswith("-") and word != "-":
            if not _JQ_SWITCHES.fullmatch(word):
                raise DoubtError(f"the option {word} of jq is not known to be harmless")
        elif not has_script:
            if len(word) > _MAX_SCRIPT_CHARS or _JQ_DOUBTFUL.search(word):
                raise DoubtError("what the script for jq does is not known to be harmless")
            has_script = True
        else:
            paths.add(index)
        index += 1
    return frozenset(paths)


def _date(arguments: Sequence[str]) -> Paths:
    index = 0
    while index < len(arguments):
        word = arguments[index]
        if word in {"-d", "--date"}:
            index += 1
        elif not word.startswith("+") and not _DATE_SWITCHES.fullmatch(word) and not word.startswith("--date="):
            raise DoubtError("it may set the clock")
        index += 1
    return frozenset()


def _printf(arguments: Sequence[str]) -> Paths:
    # With lengths and widths before it, too, ``%n`` sets the variable that an argument names: also ``PATH``.
    if not arguments or arguments[0].startswith("-") or not _PRINTF_FORMAT.fullmatch(arguments[0]):
        raise DoubtError("printf may set a variable")
    return frozenset()


def _test(arguments: Sequence[str]) -> Paths:
    if len(arguments) != 2 or not _TEST.fullmatch(arguments[0]):
        raise DoubtError("what is tested is not known to be harmless")
    return frozenset({1})


def _command(arguments: Sequence[str]) -> Paths:
    if len(arguments) < 2 or arguments[0] not in {"-v", "-V"} or any(word.startswith("-") for word in arguments[1:]):
        raise DoubtError("it starts another program")
    return frozenset()


def _tar(arguments: Sequence[str]) -> Paths:
    """Listing what is in an archive; a name with a colon would be one on another machine."""
    lists = len(arguments) >= 2 and re.fullmatch(r"-?t[vzjJ]*f", arguments[0]) and ":" not in arguments[1]
    if not lists or any(word.startswith("-") for word in arguments[1:]):
        raise DoubtError("what tar does with these arguments is not known to be harmless")
    return frozenset({1})


def _unzip(arguments: Sequence[str]) -> Paths:
    if len(arguments) != 2 or arguments[0] not in {"-l", "-v", "-Z", "-Z1"}:
        raise DoubtError("what unzip does with these arguments is not known to be harmless")
    return frozenset({1})


SCRIPTED: Mapping[str, Callable[[Sequence[str]], Paths]] = {
    "sed": _sed,
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), _awk),
    "jq": _jq,
    "date": _date,
    "printf": _printf,
    "test": _test,
    "command": _command,
    "tar": _tar,
    "unzip": _unzip,
    "zipinfo": lambda arguments: _unzip(["-l", *arguments]),
}
