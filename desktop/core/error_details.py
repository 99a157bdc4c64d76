"""The fixed phrases that an error's ``detail`` may be, or begin with before a colon, so that they can be translated.

What an endpoint, a library or a file says in its own words is not among them and is shown as it is.
"""

from desktop.core.error_text import QT_TRANSLATE_NOOP

OF_THE_SYSTEM = (
    QT_TRANSLATE_NOOP("details", "Connection refused"),
    QT_TRANSLATE_NOOP("details", "Connection reset by peer"),
    QT_TRANSLATE_NOOP("details", "Connection timed out"),
    QT_TRANSLATE_NOOP("details", "Network is unreachable"),
    QT_TRANSLATE_NOOP("details", "No route to host"),
    QT_TRANSLATE_NOOP("details", "Name or service not known"),
    QT_TRANSLATE_NOOP("details", "No address associated with hostname"),
    QT_TRANSLATE_NOOP("details", "Temporary failure in name resolution"),
    QT_TRANSLATE_NOOP("details", "Permission denied"),
    QT_TRANSLATE_NOOP("details", "Read-only file system"),
    QT_TRANSLATE_NOOP("details", "No space left on device"),
    QT_TRANSLATE_NOOP("details", "Input/output error"),
    QT_TRANSLATE_NOOP("details", "No such file or directory"),
    QT_TRANSLATE_NOOP("details", "Not a directory"),
    QT_TRANSLATE_NOOP("details", "Is a directory"),
)
OF_ENDPOINTS = (
    QT_TRANSLATE_NOOP("details", "no connection within the time limit"),
    QT_TRANSLATE_NOOP("details", "no secure connection: the server there does not speak https; try http"),
    QT_TRANSLATE_NOOP("details", "no secure connection"),
    QT_TRANSLATE_NOOP("details", "its certificate is not trusted"),
    QT_TRANSLATE_NOOP("details", "the host's name is not known"),
    QT_TRANSLATE_NOOP("details", "it sent something else"),
    QT_TRANSLATE_NOOP("details", "it sent an empty answer"),
    QT_TRANSLATE_NOOP("details", "a line of more than 32 MB"),
    QT_TRANSLATE_NOOP("details", "an event is nested too deeply"),
    QT_TRANSLATE_NOOP("details", "a part of a tool call could not be read"),
    QT_TRANSLATE_NOOP("details", "its chunks are no valid JSON"),
    QT_TRANSLATE_NOOP("details", "in the answer"),
    QT_TRANSLATE_NOOP("details", "it refused them before"),
    QT_TRANSLATE_NOOP("details", "its list of models says so"),
)
OF_TOOLS = (
    QT_TRANSLATE_NOOP("details", "its schema is not of type object"),
    QT_TRANSLATE_NOOP("details", "its schema takes too much work"),
    QT_TRANSLATE_NOOP("details", "its schema refers to itself in a circle"),
    QT_TRANSLATE_NOOP("details", "its schema is not valid"),
    QT_TRANSLATE_NOOP("details", "its schema is too large"),
    QT_TRANSLATE_NOOP("details", "its schema is not JSON"),
    QT_TRANSLATE_NOOP("details", "its schema uses dynamic references"),
    QT_TRANSLATE_NOOP("details", "it is not an object"),
    QT_TRANSLATE_NOOP("details", "it has no name"),
    QT_TRANSLATE_NOOP("details", "it is malformed"),
    QT_TRANSLATE_NOOP("details", "its inputSchema does not describe an object"),
    QT_TRANSLATE_NOOP("details", "its inputSchema is nested more than 60 deep"),
    QT_TRANSLATE_NOOP("details", "its inputSchema is too large"),
    QT_TRANSLATE_NOOP("details", "its inputSchema refers to another document"),
    QT_TRANSLATE_NOOP("details", "its inputSchema refers to itself without end"),
    QT_TRANSLATE_NOOP("details", "the list is longer than 2 MB"),
    QT_TRANSLATE_NOOP("details", "only the first 512 tools are used"),
)
OF_SERVERS = (
    QT_TRANSLATE_NOOP("details", "It is not running"),
    QT_TRANSLATE_NOOP("details", "It is not configured"),
    QT_TRANSLATE_NOOP("details", "It does not list this tool any more as it was when the call was made"),
    QT_TRANSLATE_NOOP("details", "It was switched off, removed or changed in the settings"),
    QT_TRANSLATE_NOOP("details", "It returned nothing"),
    QT_TRANSLATE_NOOP("details", "It sent something that cannot be understood"),
    QT_TRANSLATE_NOOP("details", "The server sent an answer that cannot be read"),
    QT_TRANSLATE_NOOP("details", "The server's question carries too much state"),
)
OF_QUESTIONS = (
    QT_TRANSLATE_NOOP("details", "its form is malformed"),
    QT_TRANSLATE_NOOP("details", "its form is too long"),
    QT_TRANSLATE_NOOP("details", "its form requires a field that it lacks"),
    QT_TRANSLATE_NOOP("details", "its form has a field of a kind that forms cannot have"),
    QT_TRANSLATE_NOOP("details", "a field of its form is malformed"),
    QT_TRANSLATE_NOOP("details", "the choices of a field are malformed or too many"),
    QT_TRANSLATE_NOOP("details", "nothing can satisfy the bounds of a field"),
    QT_TRANSLATE_NOOP("details", "its address is missing or too long"),
    QT_TRANSLATE_NOOP("details", "no call of this server is running"),
    QT_TRANSLATE_NOOP("details", "too many of its questions are open"),
    QT_TRANSLATE_NOOP("details", "the answer does not fit the form"),
    QT_TRANSLATE_NOOP("details", "it could not be shown"),
)
OF_FILES = (
    QT_TRANSLATE_NOOP("details", "It holds a value that is neither text, number nor list"),
    QT_TRANSLATE_NOOP("details", "It is not JSON"),
    QT_TRANSLATE_NOOP("details", "It is not UTF-8 text"),
    QT_TRANSLATE_NOOP("details", "It does not hold an object"),
    QT_TRANSLATE_NOOP("details", "It is longer than 2,000,000 characters"),
    QT_TRANSLATE_NOOP("details", "It is nested more than 64 levels deep"),
    QT_TRANSLATE_NOOP("details", "“mcpServers” is not an object"),
    QT_TRANSLATE_NOOP("details", "It contains half of a character (a lone surrogate)"),
    QT_TRANSLATE_NOOP("details", "it contains half of a character (a lone surrogate)"),
    QT_TRANSLATE_NOOP("details", "this is no regular file"),
    QT_TRANSLATE_NOOP("details", "the file does not hold an object"),
    QT_TRANSLATE_NOOP("details", "The search index cannot be built"),
    QT_TRANSLATE_NOOP("details", "The store is closed"),
)
