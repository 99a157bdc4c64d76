"""The palette and the keys that can be changed, among the screenshots."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTreeWidget
from shots_scenes import Scene, scene

from desktop.ui.key_names import first_keys
from desktop.ui.keyboard.recorder import KeyRecorder
from desktop.ui.keyboard.shortcut_list import ID, ShortcutList

if TYPE_CHECKING:
    from shots_stage import Stage

PALETTE_SCENES: list[Scene] = []


async def _palette(stage: "Stage", which: str, text: str, picture: str) -> None:
    palette = stage.presenter.features.keyboard.palette
    palette.open(which)
    palette.panel.field.setText(text)
    await stage.pilot.until(lambda: bool(palette.panel.rows or text) and not palette.is_searching, "the rows are there")
    await stage.picture(picture)
    palette.panel.close_palette()
    await stage.settle()


@scene(PALETTE_SCENES, "98-palette")
async def palette(stage: "Stage") -> None:
    await _palette(stage, "palette", "", "98-palette")
    await _palette(stage, "palette", "th", "98-palette-typed")
    await _palette(stage, "run_action", "> se", "98-palette-actions")
    await _palette(stage, "palette", "zzzz", "98-palette-nothing")


@scene(PALETTE_SCENES, "99-keys")
async def keys(stage: "Stage") -> None:
    stage.window.show_shortcuts()
    dialog = await stage.pilot.dialog_appears("shortcutsDialog")
    tree, shortcuts = stage.find(QTreeWidget, "shortcutList", dialog), dialog.findChild(ShortcutList)
    assert shortcuts is not None
    for item in tree.findItems("", Qt.MatchFlag.MatchContains | Qt.MatchFlag.MatchRecursive):
        if item.data(0, ID) == "memory":
            tree.setCurrentItem(item)
    shortcuts.change_current()
    asked = await stage.pilot.dialog_appears("keysDialog")
    await stage.settle()
    await stage.picture("99-keys")
    pressed = first_keys(QKeySequence("Ctrl+B"))
    QTest.keyClick(stage.find(KeyRecorder, "keyRecorder", asked), pressed.key(), pressed.keyboardModifiers())
    await stage.picture("99-keys-taken")
    asked.reject()
    dialog.reject()
    await stage.settle()
