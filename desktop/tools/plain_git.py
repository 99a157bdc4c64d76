"""Which git commands only look, and with which options they still do."""

import re
from collections.abc import Mapping, Sequence

from desktop.tools.doubt import DoubtError
from desktop.tools.program_tables import names_of

_DIFFERENCE = (
    "-p -u --patch --no-patch -s --stat --shortstat --numstat --name-only --name-status --summary --raw --cached --staged"
    " --no-color --color -w -b --ignore-all-space --ignore-space-change --word-diff --minimal --patience --histogram --check"
    " --no-renames -M -C --no-ext-diff --no-textconv --merge-base --quiet --exit-code --text -a -R --compact-summary --no-prefix"
)
_HISTORY = (
    "--oneline --graph --all --decorate --no-decorate --merges --no-merges --first-parent --reverse --follow --abbrev-commit"
    " --date-order --topo-order --branches --tags --remotes --left-right --cherry-pick --name-only -i --all-match --no-pager"
    " --full-history --simplify-merges --ancestry-path --show-signature --relative-date --source --boundary --invert-grep -E -F"
)
_SWITCHES: Mapping[str, frozenset[str]] = {
    "status": names_of(
        "-s -sb --short -b --branch --porcelain --ignored -uno -uall -unormal -z --long --show-stash -v"
    ),
    "log": names_of(f"{_DIFFERENCE} {_HISTORY}"),
    "show": names_of(f"{_DIFFERENCE} {_HISTORY}"),
    "diff": names_of(_DIFFERENCE),
    "shortlog": names_of("-s -n -e -sn -sne -ns --summary --numbered --email --all --no-merges"),
    "blame": names_of(
        "-w -M -C -e -l -s -t --show-email --show-name --show-number --porcelain --line-porcelain -f -n -c"
    ),
    "ls-files": names_of(
        "-c -d -m -o -s -z -t -v --cached --deleted --modified --others --exclude-standard --stage --full-name --error-unmatch"
        " --ignored -i --directory --eol"
    ),
    "ls-tree": names_of("-r -t -d -l -z --name-only --name-status --long --full-name --full-tree"),
    "rev-parse": names_of(
        "--show-toplevel --abbrev-ref --short --verify --is-inside-work-tree --git-dir --show-prefix --show-cdup --symbolic"
        " --is-bare-repository --absolute-git-dir --symbolic-full-name -q --quiet"
    ),
    "rev-list": names_of("--count --all --oneline --no-merges --merges --first-parent --reverse --left-right"),
    "describe": names_of("--tags --always --dirty --long --all --exact-match"),
    "branch": names_of("-a -r -v -vv --list -l --all --remotes --verbose --show-current --no-color"),
    "tag": names_of("-l --list -n"),
    "remote": names_of("-v --verbose"),
    "merge-base": names_of("--is-ancestor --fork-point -a --all"),
    "name-rev": names_of("--name-only --tags --all"),
    "cat-file": names_of("-t -s -p -e"),
    "for-each-ref": frozenset(),
    "show-ref": names_of("--heads --tags --head --verify -q --quiet"),
    "count-objects": names_of("-v -H"),
    "grep": names_of(
        "-n -i -l -L -c -w -v -E -F -P -G -h -H -o -q --line-number --ignore-case --files-with-matches --count --word-regexp"
        " --cached --untracked --no-index --heading --break -p --show-function -W --function-context --name-only -nE -nw -ni -in"
    ),
    "check-ignore": names_of("-v -n -q --verbose --no-index"),
    "diff-tree": names_of(f"{_DIFFERENCE} -r --no-commit-id --root -m -c"),
}
_VALUED = re.compile(
    r"--(?:format|pretty|author|committer|since|until|after|before|grep|date|max-count|skip|abbrev|unified|diff-filter|sort"
    r"|contains|no-contains|merged|no-merged|points-at|color|stat|word-diff|decorate|match|exclude|count|encoding|column"
    r"|ignore-submodules|untracked-files|porcelain|find-renames|find-copies|inter-hunk-context|color-moved|diff-algorithm"
    r"|word-diff-regex|submodule|abbrev-ref|short|max-depth|threads|and|or|L|glob|branches|tags|remotes)=.*",
    re.DOTALL,
)
_NEXT = names_of("-n -L -S -G -U -A -B -C -e --format --author --since --until --after --before --grep --max-count")
"""Options whose value is the next word."""
_ATTACHED = re.compile(r"-(?:\d+|[nULSGABC]\S.*|M\d+%?|l\d+)", re.DOTALL)
_NO_NAMES = {"branch", "tag", "remote"}
"""A name given to these would make something, unless it is a list that is asked for."""
_LISTS = names_of("-l --list --contains --no-contains --merged --no-merged --points-at")


def paths_of_git(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the files that a git command is told to look at; a revision may be among them.

    Raises ``DoubtError`` for a command that is not known to only look.
    """
    command, *rest = arguments or [""]
    if command == "stash":
        return _stash(rest)
    if command == "remote" and rest[:1] == ["get-url"] and len(rest) == 2 and not rest[1].startswith("-"):
        return ()
    switches = _SWITCHES.get(command)
    if switches is None:
        raise DoubtError(f"what git {command} does is not known to be harmless")
    operands: list[str] = []
    names_things = command in _NO_NAMES
    lists = any(option.partition("=")[0] in _LISTS for option in rest)
    while rest:
        word = rest.pop(0)
        if word == "--":
            operands += rest
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
        elif word in switches or _VALUED.fullmatch(word) or (not names_things and _ATTACHED.fullmatch(word)):
            continue
        elif word in _LISTS or (word in _NEXT and not names_things):
            if rest and not rest[0].startswith("-"):
                rest.pop(0)
        else:
            raise DoubtError(f"the option {word} of git {command} is not known to be harmless")
    if names_things and operands and not lists:
        raise DoubtError(f"git {command} {operands[0]} may change something")
    if command == "grep" and "-e" not in arguments:
        operands = operands[1:]
    return tuple(map(_path_of, operands))


def _stash(rest: Sequence[str]) -> tuple[str, ...]:
    shown = re.compile(r"-p|--stat|--name-only|--oneline|--name-status|-?\d+")
    if rest[:1] not in (["list"], ["show"]) or not all(shown.fullmatch(word) for word in rest[1:]):
        raise DoubtError("git stash may change something")
    return ()


def _path_of(operand: str) -> str:
    """What of a revision or a path may lie somewhere: ``HEAD:src/a.py`` is within the repository, as is ``a..b``."""
    revision, colon, path = operand.partition(":")
    if colon and revision and not revision.startswith(("/", ".", "~")):
        return path or "."
    if re.fullmatch(r"[\w@^~/-]+\.{2,3}[\w@^~/-]*", operand) and not operand.startswith("/"):
        return "."
    return operand
