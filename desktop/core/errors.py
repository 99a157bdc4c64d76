"""The error tree: a code and parameters; the words for people stand in ``error_texts`` and are translated by the UI."""

import errno
from collections.abc import Mapping


class ThreadwellError(Exception):
    """Something that the user should hear about.

    ``code`` is a stable dotted name that ``error_texts`` knows; ``params`` fill its text. Never put a secret in them.
    """

    def __init__(self, code: str, **params: str | int | float) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: Mapping[str, str | int | float] = params

    def __str__(self) -> str:
        details = ", ".join(f"{k}={v!r}" for k, v in self.params.items())
        return f"{self.code}({details})"


class ModelError(ThreadwellError):
    """A model endpoint could not be reached, refused, or broke off (codes ``model.…``)."""


class StorageError(ThreadwellError):
    """The data folder or its database cannot be used (codes ``storage.…``)."""

    @classmethod
    def of_unwritten(cls, error: OSError) -> "StorageError":
        """Return what the user should hear of a file that could not be written."""
        path = str(error.filename or "")
        if error.errno == errno.ENOSPC:
            return cls("storage.full", path=path)
        return cls("storage.unwritable", path=path, detail=f"{error.strerror or error}.")


class SettingsError(ThreadwellError):
    """A configuration given by the user cannot be used (codes ``settings.…``)."""


class FileError(ThreadwellError):
    """A file cannot be attached (codes ``file.…``)."""


class ToolError(ThreadwellError):
    """A tool call could not be made or did not end well (codes ``tool.…``)."""


class RecallError(ThreadwellError):
    """What is remembered cannot be looked through by meaning (codes ``memory.…``); by words it still can."""
