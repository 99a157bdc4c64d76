"""What holds a command, and why nothing does, in words for people."""

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from desktop.core.error_text import QT_TRANSLATE_NOOP
from desktop.core.sandbox_problems import PROBLEMS, SandboxProblem
from desktop.core.sandbox_profile import SandboxProfile
from desktop.tools.sandbox import SandboxState
from desktop.tools.visible_text import reveal
from desktop.ui.state.templates import find_template

_PROFILES: Mapping[str, str] = {
    SandboxProfile.WORKSPACE: QT_TRANSLATE_NOOP(
        "sandbox", "In a sandbox: it can change only this folder, sees none of your other files, and has no network"
    ),
    SandboxProfile.WORKSPACE_WITH_NETWORK: QT_TRANSLATE_NOOP(
        "sandbox", "In a sandbox: it can change only this folder and sees none of your other files, but has network"
    ),
}


def profile_words(profile: str) -> str:
    """Say what a command can reach in a sandbox profile; one without words is named as it is."""
    text = _PROFILES.get(profile)
    return _translated(text) if text is not None else reveal(profile)


def problem_words(problem: SandboxProblem) -> str:
    """Say why there is no sandbox, or why no command may run in a folder."""
    return _filled(PROBLEMS[problem.code], problem.detail)


def problem_in_language(text: str) -> str:
    """Return such a reason, given in English, in the language shown; empty when it is none."""
    template, parts = find_template(PROBLEMS.values(), text) or ("", {})
    return _filled(template, parts.get("detail", "")) if template else ""


def sandbox_words(state: SandboxState) -> str:
    """Say in a sentence or two whether commands are held, and if not, why and what that means."""
    if state.holds:
        return _translated(
            QT_TRANSLATE_NOOP("sandbox", "Commands run in a sandbox: only the chat’s folder can be changed by them.")
        )
    why = problem_words(state.problem) if state.problem is not None else reveal(state.reason, keep_newlines=False)
    effect = _translated(QT_TRANSLATE_NOOP("sandbox", "No sandbox, so every command asks first. %1"))
    return effect.replace("%1", why).strip()


def _filled(words: str, detail: str) -> str:
    return _translated(words).replace("{detail}", reveal(detail, keep_newlines=False)).strip()


def _translated(text: str) -> str:
    return QCoreApplication.translate("sandbox", text)
