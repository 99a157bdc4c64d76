"""``python -m desktop``: dispatches to a bundled server, a shell command or the window, importing only what it needs."""

import sys


def main(argv: list[str] | None = None) -> int:
    """Run the program that the arguments name and return its exit status."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments[:1] == ["mcp-server"]:
        from desktop.servers.main import main as serve

        return serve(arguments[1:])
    from desktop.app.main import main as run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
