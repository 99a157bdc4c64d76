"""What a tool's card shows of a result: words that the app itself wrote, which models get in English, are translated."""

from collections.abc import Iterable, Mapping

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.core.error_texts import ERROR_TEXTS
from desktop.tools.assistant_tool import ASSISTANT_SERVER
from desktop.tools.command_report import CommandReport, read_command_report
from desktop.ui.assistants.words import outcome_words
from desktop.ui.bundled_words import BUNDLED_SERVER, SHELL
from desktop.ui.error_words import error_words
from desktop.ui.punctuation import sentences
from desktop.ui.sandbox_words import problem_in_language
from desktop.ui.state.templates import find_template

_LONGEST = 4_000
"""Sentences of the app are shorter, whatever stands in them."""
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_STDOUT, _STDERR = QT_TRANSLATE_NOOP("results", "stdout:"), QT_TRANSLATE_NOOP("results", "stderr:")
_NO_OUTPUT = QT_TRANSLATE_NOOP("results", "(no output)")
_OF_THE_HOST = (
    _NO_OUTPUT,
    QT_TRANSLATE_NOOP("results", "User denied command execution."),
    QT_TRANSLATE_NOOP("results", "User denied command execution. The user says: {reason}"),
    QT_TRANSLATE_NOOP("results", "The user refused this tool call."),
    QT_TRANSLATE_NOOP("results", "The user refused this tool call. The user says: {reason}"),
    QT_TRANSLATE_NOOP("results", "The user removed this result."),
    QT_TRANSLATE_NOOP("results", "Interrupted before it finished."),
    QT_TRANSLATE_NOOP("results", "Interrupted: the answer ended before this tool finished."),
    QT_TRANSLATE_NOOP("results", "Interrupted: the program ended before this tool was started."),
    QT_TRANSLATE_NOOP("results", "The program ended while this tool ran; whether it took effect is not known."),
    QT_TRANSLATE_NOOP(
        "results",
        "Not run: the folder in which commands run was changed after this was allowed. Call it again.",
    ),
    QT_TRANSLATE_NOOP(
        "results",
        "Not run: the server does not describe this tool any more as the user has accepted it. It can be called again when"
        " the user has looked at the change.",
    ),
    QT_TRANSLATE_NOOP("results", "Not run: what was about to run is not what was allowed."),
    QT_TRANSLATE_NOOP("results", "Not run: this chat has no tools."),
    QT_TRANSLATE_NOOP("results", "Not run: the user has blocked this tool."),
    QT_TRANSLATE_NOOP("results", "Not run: in this chat nothing may be changed, only looked at."),
    QT_TRANSLATE_NOOP(
        "results",
        "The server first needs the user to finish something on a web page, which was opened. Try again then.",
    ),
    QT_TRANSLATE_NOOP(
        "results", "The server first needs the user to visit a web page, but the user did not agree to open it."
    ),
    QT_TRANSLATE_NOOP("results", "Not run: the step limit of this answer was reached."),
    QT_TRANSLATE_NOOP("results", "Not run: more than {limit} calls in one step are not accepted."),
    QT_TRANSLATE_NOOP("results", 'There is no tool called "{name}". No tools can be called now.'),
    QT_TRANSLATE_NOOP("results", 'There is no tool called "{name}". The tools are: {names}.'),
    QT_TRANSLATE_NOOP("results", "The tool call failed ({kind})."),
    QT_TRANSLATE_NOOP(
        "results",
        "Not run: this was called {count} times with the same arguments and brought the same result every time."
        " Calling it again changes nothing. Answer with what you have, or say what is missing.",
    ),
)
_NOT_RUN = (
    QT_TRANSLATE_NOOP("results", "Not run: it was to run in a sandbox, and that could not be made. {problem}"),
    QT_TRANSLATE_NOOP("results", "Not run: {problem}"),
)
_OF_THE_SERVER = (
    _STDOUT,
    _STDERR,
    QT_TRANSLATE_NOOP("results", "Exit code: {code}"),
    QT_TRANSLATE_NOOP("results", "Ended by signal {number} ({name})"),
    QT_TRANSLATE_NOOP("results", "The command timed out after {seconds} seconds and was stopped."),
    QT_TRANSLATE_NOOP("results", "[Set aside, so that git starts nothing of it: {paths}.]"),
    QT_TRANSLATE_NOOP("results", "[Do not trust git there, it may start something: {paths}.]"),
    QT_TRANSLATE_NOOP("results", "[{count} process(es) that it had left running were ended.]"),
    QT_TRANSLATE_NOOP("results", "The command could not be started: {why}"),
    QT_TRANSLATE_NOOP("results", "The command is empty."),
    QT_TRANSLATE_NOOP("results", "The command is longer than {limit} characters."),
    QT_TRANSLATE_NOOP("results", "The command contains a NUL character."),
    QT_TRANSLATE_NOOP("results", "timeout must be {least} to {most} seconds, not {value}."),
    QT_TRANSLATE_NOOP("results", "Offer at most {limit} choices."),
    QT_TRANSLATE_NOOP("results", "{date} ({weekday}), {time}, UTC{offset}"),
    QT_TRANSLATE_NOOP("results", "{city}: sunny, 22 °C, a light breeze. (This is an example, not the real weather.)"),
    QT_TRANSLATE_NOOP("results", "The user declined to answer."),
    QT_TRANSLATE_NOOP("results", "The user cancelled the question."),
    QT_TRANSLATE_NOOP("results", "The user sent an empty answer."),
    QT_TRANSLATE_NOOP("results", "The expression is empty."),
    QT_TRANSLATE_NOOP("results", "The expression is longer than {limit} characters."),
    QT_TRANSLATE_NOOP("results", "The expression is nested too deeply."),
    QT_TRANSLATE_NOOP("results", "“{expression}” is not an arithmetic expression."),
    QT_TRANSLATE_NOOP("results", "“{name}” is not known here. Known: {names}."),
    QT_TRANSLATE_NOOP("results", "Division by zero has no value."),
    QT_TRANSLATE_NOOP("results", "There is no value: {why}."),
    QT_TRANSLATE_NOOP("results", "Only numbers can be used."),
    QT_TRANSLATE_NOOP("results", "Only numbers, + - * / // % ^, parentheses and a few functions can be used."),
    QT_TRANSLATE_NOOP("results", "The number is too large or too small."),
    QT_TRANSLATE_NOOP("results", "The power is too large."),
    QT_TRANSLATE_NOOP("results", "The result is too large."),
    QT_TRANSLATE_NOOP("results", "The result is not a real number."),
    QT_TRANSLATE_NOOP("results", "The result has about {digits} digits, too many to show."),
    QT_TRANSLATE_NOOP("results", "A negative number has no real square root."),
    QT_TRANSLATE_NOOP("results", "A factorial needs a whole number that is not negative."),
    QT_TRANSLATE_NOOP("results", "The factorial is too large."),
    QT_TRANSLATE_NOOP("results", "round() needs a small whole number of digits."),
    QT_TRANSLATE_NOOP("results", '{count} found for "{query}". You can call from now on:\n{tools}'),
    QT_TRANSLATE_NOOP(
        "results",
        'No tool fits "{query}". There are further tools of these servers: {names}. Try other words, also in English.',
    ),
    QT_TRANSLATE_NOOP("results", "The page took longer than {seconds} seconds."),
    QT_TRANSLATE_NOOP("results", "The web server does not answer in time."),
    QT_TRANSLATE_NOOP("results", "The web server answered with status {code}."),
    QT_TRANSLATE_NOOP("results", "The page could not be loaded: {why}"),
    QT_TRANSLATE_NOOP("results", "The page redirects more than {count} times."),
    QT_TRANSLATE_NOOP("results", "The address is too long."),
    QT_TRANSLATE_NOOP("results", "Only addresses that begin with http:// or https:// can be read."),
    QT_TRANSLATE_NOOP("results", "An address with a user name or a password in it is not read."),
    QT_TRANSLATE_NOOP("results", "The address has a port that does not exist."),
    QT_TRANSLATE_NOOP("results", "This is no valid web address."),
    QT_TRANSLATE_NOOP(
        "results", "This is a PDF file, which this tool does not read. The user can attach it to the chat."
    ),
    QT_TRANSLATE_NOOP("results", "This is no page or text but {kind}, which this tool does not read."),
    QT_TRANSLATE_NOOP("results", "The page is packed in a way that was not asked for ({encoding})."),
    QT_TRANSLATE_NOOP("results", "The page is packed wrongly."),
    QT_TRANSLATE_NOOP("results", "Not read: the name {name} could not be looked up."),
    QT_TRANSLATE_NOOP(
        "results",
        "Not read: the name {name} could not be looked up, and what only the proxy of this computer knows cannot be"
        " checked.",
    ),
    QT_TRANSLATE_NOOP(
        "results",
        "Not read: {name} leads to this computer or into a private network, which this tool does not read.",
    ),
    QT_TRANSLATE_NOOP(
        "results",
        "Not read: the proxy of this computer is of a kind through which addresses cannot be checked.",
    ),
    QT_TRANSLATE_NOOP("results", "Not read: the proxy of this computer refuses tunnels to checked addresses."),
)

_OF_CALLS = {"{}. {}".format(*ERROR_TEXTS[code]): code for code in ("tool.timeout", "tool.server_gone", "tool.failed")}
"""What the host says of a call that brought no result, and the code of that error."""


def result_words(server: str, tool: str, text: str) -> str:
    """Return the result ``text`` of a tool as it is shown; what the app did not write itself stays as it came."""
    if server == ASSISTANT_SERVER:
        text = outcome_words(text)
    is_bundled = server == BUNDLED_SERVER
    if is_bundled and tool == SHELL and (report := read_command_report(text)) is not None:
        return _report_words(report)
    if len(text) > _LONGEST:
        return text
    if found := find_template(_OF_CALLS, text):
        template, parts = found
        return sentences(*error_words(_OF_CALLS[template], parts))
    of_the_server = _in_language(_OF_THE_SERVER, text) if is_bundled else ""
    return _in_language(_OF_THE_HOST, text) or _not_run(text) or of_the_server or text


def _not_run(text: str) -> str:
    """Return why the folder or the sandbox kept a command from being run; empty when the text is something else."""
    template, parts = find_template(_NOT_RUN, text) or ("", {})
    why = problem_in_language(parts["problem"]) if parts else ""
    return QCoreApplication.translate("results", template).format(problem=why) if why else ""


def _report_words(report: CommandReport) -> str:
    said = (report.ending, *report.set_aside.splitlines(), report.leftovers)
    lines = [_in_language(_OF_THE_SERVER, line) or line for line in said if line]
    for label, output in ((_STDOUT, report.stdout), (_STDERR, report.stderr)):
        if output is not None:
            lines += [_in_language(_OF_THE_SERVER, label), output]
    if report.stdout is None and report.stderr is None:
        lines.append(_in_language(_OF_THE_HOST, _NO_OUTPUT))
    return "\n".join(lines)


def _in_language(templates: Iterable[str], text: str) -> str:
    """Return the text in the language shown; empty when it was made of none of these."""
    found = find_template(templates, text)
    if found is None:
        return ""
    template, parts = found
    return QCoreApplication.translate("results", template).format_map(_shown(parts))


def _shown(parts: Mapping[str, str]) -> Mapping[str, str]:
    weekday = parts.get("weekday")
    if weekday not in _WEEKDAYS:
        return parts
    return {**parts, "weekday": QLocale().standaloneDayName(_WEEKDAYS.index(weekday) + 1)}
