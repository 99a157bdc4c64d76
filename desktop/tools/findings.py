"""The names of what the app notices about a call, and their words in English.

The UI translates the words (context ``findings``) and fills ``{detail}``, which is text from the call: show it through
``visible_text.reveal``.
"""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.tools.entities import Finding

NOT_UNDERSTOOD = "not_understood"
"""The command could not be taken apart completely, or a limit was passed: nothing may be concluded from what is missing."""
WRITTEN_AS_TEXT = "written_as_text"
HIDDEN_CHARACTERS = "hidden_characters"
LOOK_ALIKE = "look_alike"
MANY_BLANKS = "many_blanks"
MANY_COMMANDS = "many_commands"
DISGUISED = "disguised"
COMPUTED_PROGRAM = "computed_program"
PRIVILEGE = "privilege"
DELETES = "deletes"
SENSITIVE_PATH = "sensitive_path"
ENVIRONMENT = "environment"
INTERPRETER = "interpreter"
STARTS_OTHERS = "starts_others"
REDEFINES = "redefines"
SUBSTITUTION = "substitution"
NETWORK = "network"
WRITES = "writes"
OUTSIDE_PATH = "outside_path"
ENDS_PROCESSES = "ends_processes"
ENDLESS = "endless"
BACKGROUND = "background"
READS_ENVIRONMENT = "reads_environment"
DESTRUCTIVE_NAME = "destructive_name"
SENDING_NAME = "sending_name"
SAID_DESTRUCTIVE = "said_destructive"
UNKNOWN_PROGRAM = "unknown_program"
PROGRAMS = "programs"
SAME_NAME = "same_name"
IMITATES_NAME = "imitates_name"


FINDING_TEXTS: Mapping[str, str] = {
    NOT_UNDERSTOOD: QT_TRANSLATE_NOOP(
        "findings", "Could not be fully understood: what is not listed here may still be done"
    ),
    WRITTEN_AS_TEXT: QT_TRANSLATE_NOOP(
        "findings", "The model wrote this call as text instead of making it: perhaps it was only an example"
    ),
    HIDDEN_CHARACTERS: QT_TRANSLATE_NOOP("findings", "Contains characters that cannot be seen: {detail}"),
    LOOK_ALIKE: QT_TRANSLATE_NOOP("findings", "Letters that look like others: {detail}"),
    MANY_BLANKS: QT_TRANSLATE_NOOP("findings", "Much empty space that may hide what follows: {detail} spaces"),
    MANY_COMMANDS: QT_TRANSLATE_NOOP("findings", "Very many commands in one, not all can be judged: {detail}"),
    DISGUISED: QT_TRANSLATE_NOOP("findings", "Written so that it is hard to read: {detail}"),
    COMPUTED_PROGRAM: QT_TRANSLATE_NOOP("findings", "Which program runs is only known when it runs: {detail}"),
    PRIVILEGE: QT_TRANSLATE_NOOP("findings", "Changes rights or the system: {detail}"),
    DELETES: QT_TRANSLATE_NOOP("findings", "Deletes: {detail}"),
    SENSITIVE_PATH: QT_TRANSLATE_NOOP("findings", "Touches a sensitive place: {detail}"),
    ENVIRONMENT: QT_TRANSLATE_NOOP("findings", "Sets a variable that changes how programs work: {detail}"),
    INTERPRETER: QT_TRANSLATE_NOOP("findings", "Runs a script or code: {detail}"),
    STARTS_OTHERS: QT_TRANSLATE_NOOP("findings", "Starts other programs: {detail}"),
    REDEFINES: QT_TRANSLATE_NOOP("findings", "Gives a name a new meaning: {detail}"),
    SUBSTITUTION: QT_TRANSLATE_NOOP("findings", "A part is computed when it runs: {detail}"),
    NETWORK: QT_TRANSLATE_NOOP("findings", "Uses the network: {detail}"),
    WRITES: QT_TRANSLATE_NOOP("findings", "Writes: {detail}"),
    OUTSIDE_PATH: QT_TRANSLATE_NOOP("findings", "A path that may lie outside the folder: {detail}"),
    ENDS_PROCESSES: QT_TRANSLATE_NOOP("findings", "Ends programs: {detail}"),
    ENDLESS: QT_TRANSLATE_NOOP("findings", "May run without end or use much memory or disk: {detail}"),
    BACKGROUND: QT_TRANSLATE_NOOP("findings", "Continues in the background: {detail}"),
    READS_ENVIRONMENT: QT_TRANSLATE_NOOP("findings", "Reads the environment, where keys may stand: {detail}"),
    DESTRUCTIVE_NAME: QT_TRANSLATE_NOOP("findings", "Its name says that it deletes or ends something: {detail}"),
    SENDING_NAME: QT_TRANSLATE_NOOP("findings", "Its name says that it sends something out: {detail}"),
    SAID_DESTRUCTIVE: QT_TRANSLATE_NOOP("findings", "The server says that this tool can destroy data"),
    UNKNOWN_PROGRAM: QT_TRANSLATE_NOOP("findings", "Threadwell does not know what this program does: {detail}"),
    PROGRAMS: QT_TRANSLATE_NOOP("findings", "Programs: {detail}"),
    SAME_NAME: QT_TRANSLATE_NOOP("findings", "Another server has a tool of the same name: {detail}"),
    IMITATES_NAME: QT_TRANSLATE_NOOP("findings", "Its name looks like that of another tool: {detail}"),
}


def finding(code: str, detail: str = "", *, severe: bool = False) -> Finding:
    """Return a finding; one without a detail is about the whole command."""
    return Finding(code=code, detail=detail, severe=severe)
