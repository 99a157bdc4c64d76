"""The entry: parses the command line and starts the front end that it names, importing only that one."""

from desktop.app.options import AskCommand, GrantsCommand, SmokeTestCommand, ThreadsCommand, parse


def main(arguments: list[str]) -> int:
    """Run the command and return the process's exit status."""
    command = parse(arguments)
    match command:
        case AskCommand() | ThreadsCommand() | GrantsCommand():
            from desktop.app.headless.main import run_headless

            return run_headless(command)
        case SmokeTestCommand():
            from desktop.app.smoke_test import run_smoke_test

            return run_smoke_test(command)
        case _:
            from desktop.app.start import run_window

            return run_window(command)
