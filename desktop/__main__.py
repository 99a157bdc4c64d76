"""``python -m desktop``: dispatches to a server, a helper program, a shell command or the window, importing what it needs."""

import os
import sys


def main(argv: list[str] | None = None) -> int:
    """Run the program that the arguments name and return its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    _occupy_standard_streams()
    if arguments[:1] == ["mcp-server"]:
        from desktop.servers.main import main as serve

        return serve(arguments[1:])
    if arguments[:1] == ["read-file"]:
        from desktop.readers.main import main as read

        return read(arguments[1:])
    if arguments[:1] == ["keep-vectors"]:
        from desktop.storage.chroma_program import main as keep

        return keep(arguments[1:])
    if arguments[:1] == ["read-chats"]:
        from desktop.storage.chat_program import main as read_chats

        return read_chats(arguments[1:])
    from desktop.app.main import main as run

    return run(arguments)


def _occupy_standard_streams() -> None:
    """Open what the caller closed (``>&-``): else the next file, such as the lock, would stand where output goes.

    A packaged program without a console has no streams at all, for which nothing that writes should have to look.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, this one
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115


if __name__ == "__main__":
    sys.exit(main())
