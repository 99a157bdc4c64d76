"""The keys that the user chose: read from the settings, put in force, and changed there."""

import logging
from collections.abc import Iterable, Mapping, Sequence

from PySide6.QtGui import QKeySequence

from desktop.core.shortcut_settings import OwnKeys
from desktop.ui.key_names import first_keys
from desktop.ui.keyboard.rules import is_one_stroke, refusal, share_place
from desktop.ui.shortcuts import SHORTCUTS, Shortcut, sequences, use_own_keys, usual_sequences

logger = logging.getLogger(__name__)

_PORTABLE = QKeySequence.SequenceFormat.PortableText


def put_in_force(own: OwnKeys) -> bool:
    """Let the actions have the keys that the settings say; returns whether that changes anything.

    What cannot be is left out, and the log says so: then the usual keys count.
    """
    return use_own_keys(_usable(own))


def with_keys(own: OwnKeys, shortcut_id: str, keys: Sequence[QKeySequence]) -> OwnKeys:
    """Return the settings with these keys for an action, each once; they are taken from whatever else has them."""
    chosen = list(dict.fromkeys(each.toString(_PORTABLE) for each in keys))
    changed = _put(own, shortcut_id, chosen)
    shortcut = SHORTCUTS[shortcut_id]
    for other in SHORTCUTS.values():
        if other.id == shortcut_id or other.is_fixed or not share_place(shortcut, other):
            continue
        has = [each.toString(_PORTABLE) for each in sequences(other.id)]
        left = [each for each in has if each not in chosen]
        if left != has:
            changed = _put(changed, other.id, left)
    return changed


def has_own_keys(shortcut_id: str) -> bool:
    """Whether the keys of an action are not the usual ones."""
    return sequences(shortcut_id) != usual_sequences(shortcut_id)


def _put(own: OwnKeys, shortcut_id: str, keys: Sequence[str]) -> OwnKeys:
    usual = [each.toString(_PORTABLE) for each in usual_sequences(shortcut_id)]
    others = {each: texts for each, texts in own.items() if each != shortcut_id}
    return others if list(keys) == usual else {**others, shortcut_id: tuple(keys)}


def _usable(own: OwnKeys) -> Mapping[str, Sequence[QKeySequence]]:
    settled = {each: usual_sequences(each) for each in SHORTCUTS if each not in own or SHORTCUTS[each].is_fixed}
    usable: dict[str, list[QKeySequence]] = {}
    for shortcut_id, texts in own.items():
        shortcut = SHORTCUTS.get(shortcut_id)
        if shortcut is None or shortcut.is_fixed:
            # Not an error: a newer version may have it.
            logger.warning("the keys in the settings for %.60s are left out: there is no such action", shortcut_id)
            continue
        keys = list(_read(shortcut, texts, settled))
        if texts and not keys:  # no keys at all are only what somebody wanted
            keys = [each for each in usual_sequences(shortcut_id) if not _taken(shortcut, each, settled)]
        settled[shortcut_id] = usable[shortcut_id] = keys
    return usable


def _read(
    shortcut: Shortcut, texts: Iterable[str], settled: Mapping[str, Sequence[QKeySequence]]
) -> Iterable[QKeySequence]:
    for text in texts:
        sequence = QKeySequence(text, _PORTABLE)
        if not is_one_stroke(sequence):
            complaint = "are no keys"
        elif (reason := refusal(shortcut, first_keys(sequence))) is not None:
            complaint = f"cannot be used ({reason})"
        elif taken := _taken(shortcut, sequence, settled):
            complaint = f"belong to {taken}"
        else:
            yield sequence
            continue
        logger.warning("the keys %.60r in the settings for %s %s", text, shortcut.id, complaint)


def _taken(shortcut: Shortcut, sequence: QKeySequence, settled: Mapping[str, Sequence[QKeySequence]]) -> str:
    return next((o for o, keys in settled.items() if sequence in keys and share_place(shortcut, SHORTCUTS[o])), "")
