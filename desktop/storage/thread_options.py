"""The options of a thread to columns and back."""

import json
from collections.abc import Sequence
from typing import Any

from desktop.conversation.entities import AskedModel, ThreadOptions
from desktop.core.memory_settings import MemoryUse
from desktop.core.permission_mode import PermissionMode
from desktop.core.thinking_effort import ThinkingEffort
from desktop.storage.rows import clean
from desktop.storage.sqlite_assistants import from_text, to_text

COLUMNS = (
    "system_prompt, temperature, endpoint_id, model, thinking, asked_beside, workspace, mode, memory, is_temporary,"
    " plans_first, assistant_id, assistant, session"
)
PLACES = ", ".join("?" * len(COLUMNS.split(", ")))

Row = tuple[str | float | None, ...]


def to_row(options: ThreadOptions) -> Row:
    return (
        _clean_or_none(options.system_prompt),
        options.temperature,
        _clean_or_none(options.endpoint_id),
        _clean_or_none(options.model),
        options.thinking,
        _models_to_json(options.asked_beside),
        _clean_or_none(options.workspace),
        options.mode,
        options.memory,
        int(options.is_temporary),
        int(options.plans_first),
        None if options.assistant is None else clean(options.assistant.id),
        None if options.assistant is None else to_text(options.assistant),
        _clean_or_none(options.session),
    )


def from_row(row: Sequence[Any]) -> ThreadOptions:
    """Return what ``COLUMNS`` hold; a word that this version does not know counts as none."""
    system_prompt, temperature, endpoint_id, model, thinking, asked_beside, workspace, mode, memory, *others = row
    is_temporary, plans_first, _, assistant, session = others
    return ThreadOptions(
        system_prompt=system_prompt,
        temperature=temperature,
        endpoint_id=endpoint_id,
        model=model,
        thinking=ThinkingEffort(thinking) if thinking in list(ThinkingEffort) else None,
        asked_beside=_models_from_json(asked_beside),
        workspace=workspace,
        mode=PermissionMode(mode) if mode in list(PermissionMode) else None,
        memory=MemoryUse(memory) if memory in list(MemoryUse) else None,
        is_temporary=bool(is_temporary),
        plans_first=bool(plans_first),
        assistant=None if assistant is None else from_text(assistant),
        session=session,
    )


def _models_to_json(models: Sequence[AskedModel]) -> str | None:
    return clean(json.dumps([[m.endpoint_id, m.model] for m in models], ensure_ascii=False)) if models else None


def _models_from_json(text: str | None) -> tuple[AskedModel, ...]:
    """Return the models; whatever this program did not write counts as none."""
    try:
        rows: Any = json.loads(text or "[]")
    except (ValueError, RecursionError):
        return ()
    match rows:
        case [*pairs] if all(isinstance(pair, list) and list(map(type, pair)) == [str, str] for pair in pairs):
            return tuple(AskedModel(endpoint_id=endpoint, model=model) for endpoint, model in pairs)
        case _:
            return ()


def _clean_or_none(text: str | None) -> str | None:
    return None if text is None else clean(text)
