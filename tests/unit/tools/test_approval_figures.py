"""The figures of the approval model, on lists of our own: what runs silently, what asks, what the dialog says and shows."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest

from desktop.core.digests import approval_proof, canonical_json
from desktop.core.permission_mode import PermissionMode
from desktop.servers.command import ApprovalProofs
from desktop.tools.assessment import assess_command
from desktop.tools.entities import CallIntent, Verdict
from desktop.tools.explaining import explain_command
from desktop.tools.sandbox import NO_SANDBOX, SandboxHealth, SandboxState
from desktop.tools.shell_syntax import parse_shell
from desktop.tools.visible_text import reveal
from tests.support.command_lists import FOLDER, abuse, bypasses, lines_of, routine, sample
from tests.support.scripted_gateway import shell_tool

HOLDS = SandboxState(health=SandboxHealth.HOLDS)
FACTS = {
    "writes": "writes",
    "deletes": "deletes",
    "network": "network",
    "substitution": "substitution",
    "privilege": "privilege",
    "interpreter": "interpreter",
    "starts": "starts_others",
    "unknown": "unknown_program",
    "opaque": "not_understood",
}


def verdict(command: str, *, sandbox: SandboxState = HOLDS, mode: PermissionMode = PermissionMode.ASK_FOR_RISK) -> str:
    return explain_command(command, folder=FOLDER, mode=mode, sandbox=sandbox)["verdict"]


def test_nothing_that_programs_can_be_abused_for_runs_silently() -> None:
    commands = abuse()
    assert len(commands) >= 300
    assert [command for command in commands if verdict(command) != Verdict.ASK] == []


def test_no_known_way_past_the_reader_is_one() -> None:
    commands = bypasses()
    assert len(commands) >= 500
    assert [command for command in commands if verdict(command) != Verdict.ASK] == []


def test_a_routine_day_asks_seldom_in_a_sandbox() -> None:
    commands = routine()
    assert len(commands) >= 200
    asked = [command for command in commands if verdict(command) != Verdict.ALLOW]
    assert len(asked) <= 0.25 * len(commands)


def test_without_a_sandbox_and_in_careful_chats_no_command_runs_unasked(long_run: bool) -> None:
    for command in sample(routine(), 40, long_run=long_run):
        assert verdict(command, sandbox=NO_SANDBOX) == Verdict.ASK
        assert verdict(command, mode=PermissionMode.ASK_ALWAYS) == Verdict.ASK
        assert verdict(command, mode=PermissionMode.CHAT_ONLY) == Verdict.DENY
    for command in sample(abuse(), 40, long_run=long_run):
        assert verdict(command, mode=PermissionMode.READ_ONLY) == Verdict.DENY


def test_the_facts_of_labelled_commands_are_right() -> None:
    wrong: list[str] = []
    lines = lines_of("labelled")
    for line in lines:
        command, programs, kinds, *_ = (*(part.strip() for part in re.split(r"(?<!\\)\|", line)), "", "")
        command = command.replace("\\|", "|")
        assessment = assess_command(command, FOLDER)
        if set(assessment.programs) != set(programs.split()) or _kinds(command) != set(kinds.split()):
            wrong.append(f"{command}: {assessment.programs} {_kinds(command)}")
    assert len(lines) >= 150
    assert len(wrong) <= 0.05 * len(lines), wrong


def test_facts_of_two_commands_are_those_of_both() -> None:
    wrong: list[str] = []
    commands = [line.split(" | ")[0] for line in lines_of("labelled") if "\\|" not in line and "<<" not in line]
    commands = [command for command in commands if "opaque" not in _kinds(command)]
    pairs = list(zip(commands, commands[7:], strict=False))
    for first, second in pairs:
        both = _kinds(f"{first}; {second}") - {"reads"}
        if both != (_kinds(first) | _kinds(second)) - {"reads"}:
            wrong.append(f"{first}; {second}: {both}")
    assert len(wrong) <= 0.05 * len(pairs), wrong


def _kinds(command: str) -> set[str]:
    assessment = assess_command(command, FOLDER)
    codes = {finding.code for finding in assessment.findings}
    conditions = {
        "reads": bool(assessment.reads),
        "redirection": bool(parse_shell(command).redirections),
        "outside": bool(codes & {"outside_path", "sensitive_path"}),
        "grave": any(f.severe and f.code != "deletes" for f in assessment.findings),
    }
    found = {kind for kind, code in FACTS.items() if code in codes}
    return found | {kind for kind, is_so in conditions.items() if is_so}


@pytest.mark.parametrize("part", range(4))
def test_what_was_changed_between_showing_and_running_is_not_run(part: int, long_run: bool) -> None:
    """10,000 mutations: the proof of the host fits exactly what was shown, and nothing else."""
    random_ = random.Random(f"mutations {part}")
    commands = routine()
    proofs = ApprovalProofs("the secret of this start")
    executed, shown, proof = 0, _intent("ls", random_), ""
    for _ in range(2_500 if long_run else 250):
        shown = _intent(random_.choice(commands), random_)
        proof = approval_proof(
            "the secret of this start", shown.tool.name, shown.arguments, shown.sandbox, shown.folder
        )
        about_to_run, claim = _mutated(shown, proof, random_)
        would_run = proofs._proved(claim, about_to_run.tool.name, about_to_run.arguments)
        executed += would_run is not None
        if about_to_run is not shown:
            assert about_to_run.digest != shown.digest
    assert executed == 0
    unchanged = {"proof": proof, "sandbox": shown.sandbox, "folder": shown.folder}
    assert proofs._proved(unchanged, shown.tool.name, shown.arguments)


def _intent(command: str, random_: random.Random) -> CallIntent:
    return CallIntent(
        call_id="c",
        thread_id="t",
        turn_id="u",
        tool=shell_tool(),
        arguments_json=canonical_json({"command": command, "is_need_user_check": False, "timeout": 10}),
        folder=FOLDER,
        sandbox=random_.choice(["none", "workspace", "workspace+network"]),
    )


def _mutated(shown: CallIntent, proof: str, random_: random.Random) -> tuple[CallIntent, dict[str, Any]]:
    """Change one thing of the call or of its proof, as an attacker between the two would."""
    claim: dict[str, Any] = {"proof": proof, "sandbox": shown.sandbox, "folder": shown.folder}
    arguments = shown.arguments
    command: str = arguments["command"]
    match random_.randrange(9):
        case 0:
            position = random_.randrange(len(command) + 1)
            arguments["command"] = command[:position] + random_.choice(";|&$`\n \u200bx-") + command[position:]
        case 1:
            position = random_.randrange(len(command))
            arguments["command"] = command[:position] + command[position + 1 :]
        case 2:
            position = random_.randrange(len(command))
            arguments["command"] = command[:position] + chr(ord(command[position]) ^ 1) + command[position + 1 :]
        case 3:
            arguments["timeout"] = random_.randint(11, 600)
        case 4:
            arguments["is_need_user_check"] = True
        case 5:
            arguments["extra"] = random_.random()
        case 6:
            other = random_.choice([s for s in ("none", "workspace", "workspace+network") if s != shown.sandbox])
            return replace(shown, sandbox=other), {**claim, "sandbox": other}
        case 7:
            return replace(shown, folder=f"{FOLDER}/..{random_.randrange(99)}"), {**claim, "folder": "/"}
        case _:
            position = random_.randrange(len(proof))
            changed = (
                proof[:position]
                + format(int(proof[position], 16) ^ random_.randint(1, 15), "x")
                + proof[position + 1 :]
            )
            return shown, {**claim, "proof": changed}
    return replace(shown, arguments_json=canonical_json(arguments)), claim


def test_no_two_texts_look_alike_in_the_dialog(long_run: bool) -> None:
    """100,000 random strings, made of what is most easily mistaken."""
    random_ = random.Random("look-alikes")
    alphabet = [
        *"ab<>+U0123456789ESC×LT \t\n\r\0\x1b\x7f'\"\\",
        *"\u00a0\u200b\u200d\u202e\u2066\ufeff\u00ad\u2028\u2029\u3000\u0301\u0308e\u00e9\ufe0f\U000e0041\ud800\udfff",
        *"\u0430a\u0455s\u0131i\u1160\u3164\u2800\u00e4a\u0308A\u030a\u212b\u00c5\uff21",
        *("<U+202E>", "<SPACE×3>", "<LT>", "<ESC>", "<"),
    ]
    seen: dict[str, str] = {}
    for _ in range(100_000 if long_run else 5_000):
        text = "".join(random_.choice(alphabet) for _ in range(random_.randint(0, 8)))
        shown = reveal(text)
        assert seen.setdefault(shown, text) == text, (text, seen[shown])
