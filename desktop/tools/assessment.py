"""What the app knows of a call before it is decided upon: what was noticed, whether it is harmless, and what it must reach."""

import os
import posixpath
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from desktop.tools import findings as names
from desktop.tools.command_facts import argument_findings, command_findings
from desktop.tools.entities import Finding, ToolDescriptor
from desktop.tools.harmless import judge
from desktop.tools.path_facts import is_within
from desktop.tools.program_tables import names_of
from desktop.tools.sandbox import SandboxProfile, SandboxState

ACCESS_ARGUMENT = "access"
"""The argument by which a model may say that a command must reach more: ``network`` or ``everything``. It asks then."""

_OPAQUE = {names.NOT_UNDERSTOOD, names.COMPUTED_PROGRAM, names.DISGUISED, names.HIDDEN_CHARACTERS, names.MANY_COMMANDS}
_OF_OUTSIDE = {
    *(names.NETWORK, names.INTERPRETER, names.STARTS_OTHERS, names.UNKNOWN_PROGRAM, names.SUBSTITUTION),
    *_OPAQUE,
}
_HELD_IN_ITS_PLACE = names_of("chmod chown chgrp")
_NEEDS_THE_USER = names_of(
    "sudo su doas pkexec ssh scp sftp rsync ssh-copy-id gh glab aws gcloud az kubectl helm docker podman docker-compose nerdctl",
    "systemctl service launchctl crontab at mount umount apt apt-get dpkg dnf yum pacman apk brew snap flatpak kill pkill",
    "killall open xdg-open start code subl screen tmux xclip xsel wl-copy pbcopy gsettings dconf defaults",
)
"""Programs that are of no use without the user's keys, desktop, processes or rights."""
_NOT_SHARED = ("/tmp", "/var/tmp", "/run", "/home", "/root")
"""In a sandbox these are empty, or of its own."""
_GIT_WITH_KEYS = re.compile(r"\bgit\b.*\b(?:push|fetch|pull|clone|ls-remote|submodule)\b", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class Assessment:
    """Of one call. ``doubt`` says in English why a command is not known to be harmless."""

    findings: tuple[Finding, ...] = ()
    is_harmless: bool = False
    """The parser understood all of it, and all of it only looks, within the folder and where nothing private lies."""
    doubt: str = ""
    access: SandboxProfile = SandboxProfile.NONE
    """The least in which it can do its work. The sandbox may be missing: then it gets no choice."""
    wants_access: bool = False
    """The model itself says that it must reach more than the folder."""
    programs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()

    @property
    def is_opaque(self) -> bool:
        """Something about it could not be made out, so nothing lasting is to be built on it."""
        return any(finding.code in _OPAQUE for finding in self.findings)

    @property
    def may_bring_text_in(self) -> bool:
        """Where nothing holds it: its output may be what somebody else wrote."""
        return not self.is_harmless and any(finding.code in _OF_OUTSIDE for finding in self.findings)

    def profile(self, sandbox: SandboxState) -> SandboxProfile:
        """In what it is to run here: the least that does, or nothing at all where no sandbox holds."""
        return self.access if sandbox.holds else SandboxProfile.NONE

    def details(self, code: str) -> tuple[str, ...]:
        """What was noticed under one code, in order."""
        return tuple(finding.detail for finding in self.findings if finding.code == code and finding.detail)


UNSEEN = Assessment()


def assess(tool: ToolDescriptor, arguments: Mapping[str, Any], folder: str) -> Assessment:
    """Look at a call; a command would run in ``folder``."""
    if not tool.is_shell:
        return Assessment(findings=argument_findings(tool, arguments))
    found = assess_command(str(arguments.get("command", "")), folder)
    wanted = _WANTED.get(str(arguments.get(ACCESS_ARGUMENT) or "folder"), SandboxProfile.NONE)
    if _ORDER.index(wanted) <= _ORDER.index(found.access):
        return found
    return replace(found, is_harmless=False, doubt="the model asks for more access", access=wanted, wants_access=True)


_ORDER = (SandboxProfile.WORKSPACE, SandboxProfile.WORKSPACE_WITH_NETWORK, SandboxProfile.NONE)
_WANTED = {"folder": SandboxProfile.WORKSPACE, "network": SandboxProfile.WORKSPACE_WITH_NETWORK}


def assess_command(command: str, folder: str) -> Assessment:
    """Look at a command that would run in ``folder``."""
    findings = command_findings(command)
    judgement = judge(command, folder)
    programs = _programs(findings)
    # What only the findings see, such as letters that look like others, is reason enough to ask.
    severe = next((finding.code for finding in findings if finding.severe), "")
    is_harmless = judgement.is_harmless and not severe
    return Assessment(
        findings=findings,
        is_harmless=is_harmless,
        doubt="" if is_harmless else judgement.reason or f"something grave was noticed ({severe})",
        access=_needed_access(command, findings, programs, folder),
        programs=programs,
        reads=judgement.reads,
    )


def _programs(findings: Sequence[Finding]) -> tuple[str, ...]:
    listed = next((finding.detail for finding in findings if finding.code == names.PROGRAMS), "")
    return tuple(filter(None, listed.split(", ")))


def _needed_access(command: str, findings: Sequence[Finding], programs: Sequence[str], folder: str) -> SandboxProfile:
    """What it must reach to do what it says. Where that cannot be told it gets the least."""
    used = {posixpath.basename(program) for program in programs}
    changes_rights = any(finding.code == names.PRIVILEGE for finding in findings) and not used & _HELD_IN_ITS_PLACE
    if changes_rights or used & _NEEDS_THE_USER or _GIT_WITH_KEYS.search(command):
        return SandboxProfile.NONE
    paths = [f.detail for f in findings if f.code in {names.OUTSIDE_PATH, names.SENSITIVE_PATH}]
    changes = any(f.code in {names.WRITES, names.DELETES} for f in findings)
    if any(_is_out_of_reach(path, folder, changes=changes) for path in paths):
        return SandboxProfile.NONE
    if any(finding.code == names.NETWORK for finding in findings):
        return SandboxProfile.WORKSPACE_WITH_NETWORK
    return SandboxProfile.WORKSPACE


def _is_out_of_reach(path: str, folder: str, *, changes: bool) -> bool:
    """True for what a sandbox does not show, and for all that it does not let be changed, where something is changed."""
    home = os.path.expanduser("~")
    text = re.sub(r"^(?:~(?=/|$)|\$HOME\b|\$\{HOME\})", lambda _: home, path.rpartition("=")[2])
    if text.startswith("~"):
        return True
    whole = posixpath.normpath(posixpath.join(folder or "/", text))
    if folder and is_within(whole, posixpath.normpath(folder)):
        return False
    return changes or any(is_within(whole, place) for place in (home, *_NOT_SHARED))
