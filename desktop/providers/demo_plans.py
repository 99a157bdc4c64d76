"""How the demo model plans: each part of what is asked is a step, and what a step asks is answered as any message is."""

import re

from desktop.core.expressions import Expression

PLAN_TOOL = "propose_plan"
MOST_STEPS = 6
_ASKS = "\n\nDo not answer yet."
_STEP = Expression(r"Carry out step \d+ of \d+ now, and nothing else: ([^\n]*)")
_ENDS = ("All steps of the plan are done.", "The plan ends here:")
_PARTS = Expression(r"[,;，；。!?！？\n]+|(?:\.\s)|\b(?:and then|then|and)\b|然后|接着|并且|再")
_CHINESE = re.compile("[\u4e00-\u9fff]")


def steps_of(said: str) -> list[str]:
    """Return the parts of a request that was put with the wish for a plan; only what is asked when there is one part."""
    asked = said.partition(_ASKS)[0].strip().split("\n\n")[-1]
    parts: list[str] = []
    end = 0
    for found in _PARTS.finditer(asked):
        parts.append(asked[end : found.start()])
        end = found.end()
    parts.append(asked[end:])
    steps = [part.strip(" .") for part in parts if len(part.strip(" .")) > 1]
    return steps[:MOST_STEPS] or [asked[:200] or "…"]


def told_to_do(said: str) -> str:
    """Return what a message asks for: of a step of a plan that is the step alone."""
    found = _STEP.search(said)
    return found.group(1) if found is not None else said


def ending_of(said: str, asked: str) -> str:
    """Return what is said after the last step of what was ``asked``; empty where ``said`` is not the wish for that."""
    if not said.startswith(_ENDS):
        return ""
    if _CHINESE.search(asked):
        return "以上就是按计划逐步完成的内容。真正的模型会在这里总结结果；我只是脚本演示模型。"
    return "That was the plan, step by step. A real model would sum up here what came of it; this one is scripted."
