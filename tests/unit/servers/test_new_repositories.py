"""What a command in a sandbox plants for git, in whatever shape: git starts none of it when somebody looks there later."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.core.bubblewrap import Bubblewrap
from desktop.core.sandbox_problems import SandboxError
from desktop.core.sandbox_profile import SandboxProfile
from desktop.servers.shell import CommandOutcome, Shell
from tests.support.sandboxed import require_sandbox
from tests.support.waiting import until

FOLDER = "a/b/c"
"""Where somebody looks, unless an attack says otherwise."""
OWN = "git init -q a/b/c; "
CONFIG = "a/b/c/.git/config"
HOOK = "printf '#!/bin/sh\\ntouch {mark}\\n' > {path}; chmod +x {path}; "


def hook(path: str) -> str:
    return HOOK.replace("{path}", path)


def lines(path: str, *settings: str) -> str:
    quoted = " ".join(f"'{line}'" for line in settings)
    return f"printf '%s\\n' {quoted} >> {path}; "


MONITOR = "fsmonitor = touch {mark}; true"
PLANTED = {
    "a monitor": f"{OWN}git -C a/b/c config core.fsmonitor 'touch {{mark}}; true'",
    "a hook": OWN + hook("a/b/c/.git/hooks/post-index-change") + hook("a/b/c/.git/hooks/pre-commit"),
    "a folder of hooks": OWN + "mkdir a/b/c/h; " + hook("a/b/c/h/pre-commit") + "git -C a/b/c config core.hooksPath h",
    "hooks by a link": OWN
    + "rm -r a/b/c/.git/hooks; mkdir a/h; ln -s ../../../h a/b/c/.git/hooks; "
    + hook("a/h/pre-commit"),
    "other settings": OWN + lines(CONFIG, "[include]", "path = ../x") + lines("a/b/c/x", "[core]", MONITOR),
    "other settings under a condition": OWN
    + lines(CONFIG, '[includeIf "gitdir:**"]', "path = ../x")
    + lines("a/b/c/x", "[core]", MONITOR),
    "settings of a worktree": OWN
    + lines(CONFIG, "[extensions]", "worktreeConfig = true")
    + lines("a/b/c/.git/config.worktree", "[core]", MONITOR),
    "settings by a link": OWN
    + lines("a/x", "[core]", "repositoryformatversion = 0", MONITOR)
    + f"ln -sf ../../../x {CONFIG}",
    "on one line": OWN + lines(CONFIG, f"[core] {MONITOR}"),
    "in capitals": OWN + lines(CONFIG, "[CORE]", "FsMonitor = touch {mark}; true"),
    "continued": OWN + lines(CONFIG, "[core]", 'fsmonitor = "touch \\', '{mark}; true"'),
    "behind a mark": f"{OWN}printf '\\357\\273\\277[core]\\n{MONITOR}\\n' > {CONFIG}",
    "with returns": f"{OWN}printf '[core]\\r\\n{MONITOR}\\r\\n' >> {CONFIG}",
    "a filter": OWN
    + lines(CONFIG, '[filter "x"]', "clean = touch {mark}; cat")
    + lines("a/b/c/.gitattributes", "* filter=x"),
    "another place for all": "git init -q s; rm -rf a/b/c; mkdir -p a/b/c; git init -q --bare a/b/g; mkdir a/b/w; "
    "mv a/b/g/HEAD a/b/w; echo ../g > a/b/w/commondir; echo 'gitdir: ../w' > a/b/c/.git; "
    + lines("a/b/g/config", "[core]", "bare = false", MONITOR),
    "a pointer to a store": "git init -q a/b/c; mv a/b/c/.git a/store; echo 'gitdir: ../../store' > a/b/c/.git; "
    + lines("a/store/config", "[core]", MONITOR),
    "a store in a store": "git init -q a/s; git init -q --bare a/s/.git/objects/e; mkdir -p a/b/c; "
    "echo 'gitdir: ../../s/.git/objects/e' > a/b/c/.git; "
    + lines("a/s/.git/objects/e/config", "[core]", "bare = false", MONITOR),
    "a link to a store": "git init -q a/b/c; mv a/b/c/.git a/store; ln -s ../../store a/b/c/.git; "
    + lines("a/store/config", "[core]", MONITOR),
    "a bare one": "mkdir -p a/b; git init -q --bare a/b/c; "
    + lines("a/b/c/config", "[core]", "bare = false", "worktree = .", MONITOR),
    "a folder that cannot be looked into": OWN + lines(CONFIG, "[core]", MONITOR) + "chmod 300 a/b a",
    "a repository that cannot be changed": OWN + lines(CONFIG, "[core]", MONITOR) + "chmod 500 a/b/c/.git",
    "in one that is right below": "git init -q n; git init -q n/m/o; mkdir -p a/b; mv n/m/o a/b/c; "
    + lines(CONFIG, "[core]", MONITOR),
}


class Place:
    """A workspace with git's commands to look at it from outside, and a mark that only what git starts makes."""

    def __init__(self, base: Path, *, name: str = "work") -> None:
        self.mark = base / f"ran-{name}"
        self.work = base / name
        self.work.mkdir()
        self.data = base / "data"
        self.data.mkdir(exist_ok=True)
        self.shell = Shell(base / "usual", sandbox=Bubblewrap([self.data]))

    async def run(self, command: str, profile: SandboxProfile = SandboxProfile.WORKSPACE) -> CommandOutcome:
        command = command.replace("{mark}", str(self.mark))
        return await self.shell.run(command, timeout_seconds=30, folder=str(self.work), profile=profile)

    def look(self, folder: str) -> bool:
        """Do in a folder what people and editors do. True when git started something of what was planted."""
        self.mark.unlink(missing_ok=True)
        for path in (self.work, *self.work.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o755)
        env = {"PATH": os.environ["PATH"], "HOME": str(self.data), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8"}
        env |= {f"GIT_{who}_{what}": "x@x.invalid" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
        for words in ("status", "add -A", "diff", "commit -qm x --allow-empty", "log -1", "submodule update"):
            argv = ["git", *words.split()]
            subprocess.run(argv, cwd=self.work / folder, env=env, capture_output=True, check=False, timeout=30)
        return self.mark.exists()


@pytest.fixture
def place(tmp_path: Path) -> Place:
    require_sandbox()
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    return Place(tmp_path)


@pytest.mark.parametrize("name", PLANTED)
async def test_git_starts_nothing_of_a_new_repository(place: Place, tmp_path: Path, name: str) -> None:
    unheld = Place(tmp_path, name="unheld")
    await unheld.run(PLANTED[name], SandboxProfile.NONE)
    assert unheld.look(FOLDER), "this attack is none"
    outcome = await place.run(PLANTED[name])
    assert not place.look(FOLDER), outcome.text()
    assert "Set aside" in outcome.text()
    assert "Do not trust" not in outcome.text()


async def test_the_folder_itself_becomes_no_repository(place: Place, tmp_path: Path) -> None:
    planted = "git init -q --bare x; mv x/* .; " + lines("config", "[core]", "bare = false", "worktree = .", MONITOR)
    unheld = Place(tmp_path, name="unheld")
    await unheld.run(planted, SandboxProfile.NONE)
    assert unheld.look(".")
    await place.run(planted)
    assert not place.look(".")


BEFORE = {
    "one that lies deep": (OWN, lines(CONFIG, "[core]", MONITOR) + hook("a/b/c/.git/hooks/pre-commit"), FOLDER),
    "one that is moved": (
        OWN,
        lines(CONFIG, "[core]", MONITOR) + "mv a x; mkdir a; mv x/b a/b; " + lines(CONFIG, "[core]", MONITOR),
        FOLDER,
    ),
    "one that is exchanged": (
        OWN,
        "mv a/b/c/.git a/g; rm -rf a/b/c; mkdir -p a/b; " + OWN + lines(CONFIG, "[core]", MONITOR),
        FOLDER,
    ),
    "a submodule": (
        "git init -q a; mkdir -p a/b a/.git/modules; git init -q --separate-git-dir=a/.git/modules/c a/b/c",
        lines("a/.git/modules/c/config", "[core]", MONITOR) + hook("a/.git/modules/c/hooks/pre-commit"),
        FOLDER,
    ),
    "settings of a worktree": (
        "git init -q . && git config extensions.worktreeConfig true",
        lines(".git/config.worktree", "[core]", MONITOR),
        ".",
    ),
    "another place for all": (
        "git init -q .",
        "git init -q --bare e; " + lines("e/config", "[core]", "bare = false", MONITOR) + "echo ../e > .git/commondir",
        ".",
    ),
    "its folder of hooks": (
        "git init -q .; mkdir own; echo '#!/bin/sh' > own/pre-commit; chmod +x own/pre-commit; git config core.hooksPath own",
        hook("own/pre-commit") + "mv own x; mkdir own; " + hook("own/pre-commit"),
        ".",
    ),
    "its folder of hooks that is not there": (
        "git init -q . && git config core.hooksPath own/deep",
        "mkdir -p own/deep; " + hook("own/deep/pre-commit"),
        ".",
    ),
    "its other settings": (
        "git init -q . && echo > more && git config include.path ../more",
        lines("more", "[core]", MONITOR) + "mv more x; " + lines("more", "[core]", MONITOR),
        ".",
    ),
    "its other settings that are not there": (
        "git init -q . && git config include.path ../more",
        lines("more", "[core]", MONITOR),
        ".",
    ),
    "a script of a filter": (
        "git init -q . && echo cat > clean.sh && git config filter.x.clean 'sh clean.sh' && echo '* filter=x' > .gitattributes",
        "printf 'touch {mark}\\n' > clean.sh; mv clean.sh x; printf 'touch {mark}\\n' > clean.sh",
        ".",
    ),
}


@pytest.mark.parametrize("name", BEFORE)
async def test_git_starts_nothing_else_in_one_that_was_there(place: Place, tmp_path: Path, name: str) -> None:
    before, planted, folder = BEFORE[name]
    unheld = Place(tmp_path, name="unheld")
    for each in (place, unheld):
        await each.run(before, SandboxProfile.NONE)
        assert not each.look(folder)
    await unheld.run(planted, SandboxProfile.NONE)
    assert unheld.look(folder), "this attack is none"
    outcome = await place.run(planted)
    assert not place.look(folder), outcome.text()


_KILLED = """
import asyncio, os, sys
from pathlib import Path
from desktop.core.bubblewrap import Bubblewrap
from desktop.core.sandbox_profile import SandboxProfile
from desktop.servers.shell import Shell
base, command = Path(sys.argv[1]), sys.argv[2]
shell = Shell(base / "usual", sandbox=Bubblewrap([base / "data"]))
asyncio.run(shell.run(command, timeout_seconds=60, folder=str(base / "work"), profile=SandboxProfile.WORKSPACE))
"""


async def test_what_a_command_left_whose_app_was_killed_is_set_aside_by_the_next_start(
    place: Place, tmp_path: Path
) -> None:
    await place.run("git init -q own && git -C own config core.fsmonitor own", SandboxProfile.NONE)
    command = PLANTED["a monitor"].replace("{mark}", str(place.mark)) + " && touch planted && sleep 50"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _KILLED, str(tmp_path), command)
    try:
        await until((place.work / "planted").exists)
        assert place.shell.catch_up() == (), "it still runs"
    finally:
        process.kill()
        await process.wait()
    assert "touch" in (place.work / CONFIG).read_text()
    assert place.shell.catch_up() == ("a/b/c/.git/config (core.fsmonitor)",)
    assert not place.look(FOLDER)
    assert "own" in (place.work / "own/.git/config").read_text()
    assert list((place.data / "sandboxes").iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"root": 1}', '{"root": "/nowhere", "device": 1, "known": [], "absent": []}']
)
async def test_a_spoilt_note_is_forgotten(place: Place, text: str) -> None:
    (place.data / "sandboxes").mkdir()
    (place.data / "sandboxes" / "x.json").write_text(text)
    assert (await place.run("true")).exit_code == 0
    assert list((place.data / "sandboxes").iterdir()) == []


async def test_what_is_set_aside_is_not_lost_and_said(place: Place) -> None:
    outcome = await place.run(
        PLANTED["a hook"] + "git -C a/b/c config core.fsmonitor evil; git -C a/b/c config user.name N"
    )
    assert (place.work / "a/b/c/.git/hooks.set-aside/pre-commit").is_file()
    assert "evil" in (place.work / "a/b/c/.git/config.set-aside").read_text()
    assert "name = N" in (place.work / CONFIG).read_text()
    assert "core.fsmonitor" in outcome.text()


async def test_a_new_repository_with_nothing_odd_stays_as_it_is(place: Place) -> None:
    """Also a clone, and a worktree: with their remotes, branches and samples of hooks."""
    (place.work / "o").mkdir()
    outcome = await place.run(
        "git init -q o/p && cd o/p && git config user.name N && git config user.email e@x.invalid && echo x > f"
        " && git add f && git commit -qm first && cd ../.. && git clone -q o/p q/r && git -C q/r checkout -q -b two"
        " && git -C q/r push -q -u origin two && git -C o/p worktree add -q ../../t/u"
    )
    assert outcome.exit_code == 0, outcome.text()
    assert not outcome.set_aside.gone
    assert [path for path in place.work.rglob("*set-aside*") if path.name != "x"] == []
    assert not place.look("q/r")


async def test_its_own_settings_are_not_lost_when_it_is_moved(place: Place) -> None:
    await place.run(
        OWN + hook("a/b/c/.git/hooks/pre-commit") + "git -C a/b/c config core.fsmonitor own", SandboxProfile.NONE
    )
    outcome = await place.run("mv a moved")
    assert not outcome.set_aside.gone
    assert (place.work / "moved/b/c/.git/hooks/pre-commit").is_file()
    assert "own" in (place.work / "moved/b/c/.git/config").read_text()


async def test_a_folder_that_cannot_be_looked_through_is_no_workspace(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.core.repositories.MOST_FILES", 10)
    for number in range(12):
        (place.work / f"f{number}").touch()
    with pytest.raises(SandboxError, match="too many files"):
        await place.run("touch ran")
    assert not (place.work / "ran").exists()


async def test_no_link_leads_what_is_set_aside_elsewhere(place: Place, tmp_path: Path) -> None:
    """What lies outside stays as it is, whatever in the folder leads there."""
    outside = tmp_path / "outside"
    await place.run(f"git init -q {outside}", SandboxProfile.NONE)
    (outside / ".git" / "config").write_text("[core]\n\tfsmonitor = own\n")
    before = sorted(path.name for path in (outside / ".git").iterdir())
    await place.run(
        f"o={outside}; mkdir -p a/b; ln -s $o a/b/c; ln -s $o/.git a/.git; mkdir -p d/objects d/refs; ln -s $o/.git/HEAD d/HEAD;"
        " ln -s $o/.git/config d/config; ln -s $o/.git d/hooks; echo $o/.git > d/commondir"
    )
    assert sorted(path.name for path in (outside / ".git").iterdir()) == before
    assert "own" in (outside / ".git" / "config").read_text()
    assert not (place.work / "d" / "config").is_symlink()
