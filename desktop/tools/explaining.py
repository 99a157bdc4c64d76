"""What would become of a command, and why: the policy asked without anything being run."""

from collections.abc import Mapping
from typing import Any

from desktop.core.permission_mode import PermissionMode
from desktop.tools import findings as names
from desktop.tools.assessment import Assessment, assess_command
from desktop.tools.entities import SHELL_TOOL, ToolDescriptor
from desktop.tools.policy import Circumstances, Reason, decide
from desktop.tools.sandbox import SandboxState
from desktop.tools.shell_syntax import parse_shell
from desktop.tools.trust import BUNDLED_SERVER

_SHELL = ToolDescriptor(
    server_id="command",
    name=SHELL_TOOL,
    alias=f"command__{SHELL_TOOL}",
    title="",
    description="",
    input_schema={},
    definition_hash="",
    bundled=True,
)


def explain_command(command: str, *, folder: str, mode: PermissionMode, sandbox: SandboxState) -> Mapping[str, Any]:
    """Return ``verdict``, ``facts`` and ``why`` for a command to which no permission was given."""
    assessment = assess_command(command, folder)
    profile = assessment.profile(sandbox)
    around = Circumstances(mode=mode, trust=BUNDLED_SERVER, assessment=assessment, sandbox=profile)
    decision = decide(_SHELL, {"command": command}, None, around)
    return {
        "verdict": decision.verdict.value,
        "why": _why(decision.reason, assessment, sandbox),
        "facts": _facts(command, assessment),
        "folder": folder,
        "mode": mode.value,
        "sandbox": {"health": sandbox.health.value, "reason": sandbox.reason, "runs_in": profile.value},
    }


def _why(reason: Reason, assessment: Assessment, sandbox: SandboxState) -> str:
    match reason:
        case Reason.NO_GRANT if assessment.doubt:
            return assessment.doubt
        case Reason.NO_SANDBOX if sandbox.reason:
            return f"{reason}: {sandbox.reason}"
        case _:
            return reason.value


def _facts(command: str, assessment: Assessment) -> Mapping[str, Any]:
    codes = {finding.code for finding in assessment.findings}
    redirections = [f"{operator} {target.raw}" for operator, target in parse_shell(command).redirections]
    return {
        "programs": list(assessment.programs),
        "reads": list(assessment.reads),
        "writes": list(assessment.details(names.WRITES)),
        "deletes": list(assessment.details(names.DELETES)),
        "network": list(assessment.details(names.NETWORK)),
        "substitutions": list(assessment.details(names.SUBSTITUTION)),
        "redirections": redirections,
        "outside": [*assessment.details(names.OUTSIDE_PATH), *assessment.details(names.SENSITIVE_PATH)],
        "understood": names.NOT_UNDERSTOOD not in codes,
        "harmless": assessment.is_harmless,
        "findings": [{"code": f.code, "detail": f.detail, "severe": f.severe} for f in assessment.findings],
    }
