#!/usr/bin/env python3
"""The one developer command: sets up what is missing, then runs the app, the tests, the checks or the benchmarks."""

import os
import shutil
import subprocess
import sys

OLDEST, NEWEST = (3, 11), (3, 13)

USAGE = """usage: python3 packaging/dev.py COMMAND [ARGUMENTS]

  run [-- ARGUMENTS]     open the window (without a display: drive it offscreen and save pictures)
  test [--long] [...]    run the tests, all of them side by side; further arguments go to pytest
  check [--fix]          format, lint, types and the dependency rule
  bench [...]            measure what the tests never assert
  bench library [...]    measure with ten years of chats, beside a small library
  bench rendering [...]  measure huge texts in sight, streamed, resized and pasted
  bench memory [...]     measure recall, on sentences of our own or on a set (--data FILE)
  bench api [...]        measure the local API with 1, 10 and 50 runs at once
  bench mem-server [...] measure the short-term memory server, beside redis-benchmark
  crashtest [...]        strike a working library in every way, and say what was lost: --rounds N --seed S --kinds …
  servers                install the MCP servers and the conformance suite that some tests run (else those skip)
  shots [...] [DIR]      make pictures of every page and state of the window
  package                build the app for people without Python

Everything needed is set up in .venv on the first call; later calls start at once."""


def main(arguments):
    """Dispatch to a command and return the exit status."""
    commands = {
        "run": run,
        "test": test,
        "check": check,
        "bench": bench,
        "crashtest": crashtest,
        "servers": servers,
        "shots": shots,
        "package": package,
    }
    if not arguments or arguments[0] in ("-h", "--help"):
        print(USAGE)
        return 0 if arguments else 2
    if arguments[0] not in commands:
        print(f"dev: there is no command {arguments[0]!r}\n\n{USAGE}", file=sys.stderr)
        return 2
    rest = arguments[1:]
    return commands[arguments[0]](rest[1:] if rest[:1] == ["--"] else rest)


def run(arguments):
    """Start the app, or its smoke test where no window can be shown."""
    import dev_environment
    import dev_system

    shows_window = not arguments or (
        arguments[0].startswith("-") and not {"--smoke-test", "-h", "--help"} & {*arguments}
    )
    display = dev_system.has_display()
    _set_up("run", window=shows_window and display)
    command = [dev_environment.prepare("run"), "-P", "-m", "desktop"]
    if not shows_window or display:
        return _become([*command, *arguments])
    pictures = dev_environment.ROOT / "pictures"
    dev_system.say("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open here")
    dev_system.say(f"driving the smoke test offscreen instead; pictures of the window go to {pictures}")
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return _become([*command, "--smoke-test", "--pictures", str(pictures)])


def test(arguments):
    """Run pytest; its exit status is ours."""
    import dev_environment

    _set_up("dev")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # else each of some thousand processes compiles the app anew
    os.chdir(dev_environment.ROOT)
    cores = min(4, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1)
    # One more than there are cores: many tests wait for a process that they started.
    workers = ["-n", str(cores + 1), "--dist", "worksteal"] if cores > 1 and set(arguments) <= {"--long"} else []
    return _become([dev_environment.prepare("dev"), "-m", "pytest", *workers, *arguments])


def check(arguments):
    """Run every check, also after one has failed, and sum up."""
    import dev_environment
    from dev_system import say

    if arguments not in ([], ["--fix"]):
        print(f"dev: check takes --fix and nothing else\n\n{USAGE}", file=sys.stderr)
        return 2
    _set_up("dev")
    python, ruff = dev_environment.prepare("dev"), dev_environment.script("ruff")
    fix = bool(arguments)
    checks = {
        "format": [ruff, "format", *([] if fix else ["--check"])],
        "lint": [ruff, "check", *(["--fix"] if fix else [])],
        "types": [python, "-m", "pyright"],
        "imports": [dev_environment.script("lint-imports"), "--no-logo"],
    }
    os.environ["PYRIGHT_PYTHON_IGNORE_WARNINGS"] = "1"  # a newer pyright is not news here: the lock says which one
    failed = []
    for name, command in checks.items():
        say(f"check {name}")
        if subprocess.call(command, cwd=dev_environment.ROOT) != 0:
            failed.append(name)
    say(f"failed: {', '.join(failed)}" if failed else f"all checks passed: {', '.join(checks)}")
    return 1 if failed else 0


def bench(arguments):
    """Run the benchmarks: those of the app, of a large library, of huge texts, of recall, of the API, or of the memory server."""
    import dev_environment

    _set_up("dev")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    kinds = (["memory"], ["library"], ["rendering"], ["api"], ["mem-server"])
    kind = arguments[0] if arguments[:1] in kinds else ""
    program = str(dev_environment.ROOT / "packaging" / (f"bench_{kind.replace('-', '_')}.py" if kind else "bench.py"))
    return _become([dev_environment.prepare("dev"), "-P", program, *arguments[bool(kind) :]])


def crashtest(arguments):
    """Run the crash suite; its exit status says whether anything was lost."""
    import dev_environment

    _set_up("dev")
    program = str(dev_environment.ROOT / "packaging" / "crashtest.py")
    return _become([dev_environment.prepare("dev"), "-P", program, *arguments])


def servers(arguments):
    """Install what some tests run beside the app."""
    import dev_environment
    import dev_servers

    _set_up("dev")
    dev_servers.prepare(dev_environment.prepare("dev"))
    return 0


def shots(arguments):
    """Make the screenshots, without a display."""
    import dev_environment

    _set_up("dev")
    program = str(dev_environment.ROOT / "packaging" / "shots.py")
    return _become([dev_environment.prepare("dev"), "-P", program, *arguments])


def package(arguments):
    """Say what does not exist."""
    print("The packaged app is not built yet; `python3 packaging/dev.py run` starts it from the source.")
    return 1


def _set_up(wanted, window=False):
    import dev_environment
    import dev_system
    import dev_translations

    dev_system.prepare(window=window, packages=dev_environment.missing_packages(wanted))
    dev_environment.prepare(wanted)
    dev_translations.compile_changed()


def _become(command):
    """Run ``command`` in this process's place, so that signals and the exit status are its own."""
    sys.stdout.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    process = subprocess.Popen(command)
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue  # the child has it, too, and decides


def _fitting_python():
    """Return a supported Python on the PATH, or None."""
    for minor in range(NEWEST[1], OLDEST[1] - 1, -1):
        found = shutil.which("python3.%d" % minor)  # noqa: UP031 (old Pythons get this far)
        if found and subprocess.call([found, "-c", ""], stderr=subprocess.DEVNULL) == 0:
            return found
    return None


def start():
    """Make sure of the Python version, then run the command."""
    if not OLDEST <= sys.version_info[:2] <= NEWEST:
        other = _fitting_python()
        if other is None:
            print("dev: Threadwell needs Python 3.11, 3.12 or 3.13; this is %s." % sys.version.split()[0])  # noqa: UP031
            return 1
        print("dev: this is Python %s; going on with %s" % (sys.version.split()[0], other), flush=True)  # noqa: UP031
        return subprocess.call([other, os.path.abspath(__file__), *sys.argv[1:]])
    from dev_system import SetupError

    try:
        return main(sys.argv[1:])
    except SetupError as error:
        print(f"dev: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(start())
