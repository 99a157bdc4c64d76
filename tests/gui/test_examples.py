"""The examples of an empty thread: the demo model does what each of its own says, in both of its languages."""

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.core.settings import Theme
from desktop.providers.demo_intents import ASK, COMMAND, DATE, WEATHER, Intent, read_intent
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.empty_state import EmptyState, ExampleButton
from tests.support.app_language import app_language


def examples(qapp: QApplication, qtbot: QtBot, language: str, *, is_scripted: bool = True) -> list[str]:
    with app_language(qapp, language):
        theme = ThemeManager(qapp, Theme.LIGHT, language)
        window = QWidget()
        qtbot.addWidget(window)
        state = EmptyState(theme, window)
        state.set_scripted(is_scripted)
        texts = [button.full_text for button in state.findChildren(ExampleButton)]
    theme.deleteLater()
    return texts


def tools(intent: Intent) -> set[str]:
    return {wish.tool for stage in intent.stages for wish in stage}


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_the_demo_model_understands_each_example(qapp: QApplication, qtbot: QtBot, language: str) -> None:
    introduction, lookup, disk, form = map(read_intent, examples(qapp, qtbot, language))
    assert introduction.greeting
    assert tools(lookup) == {DATE, WEATHER}
    assert tools(disk) == {COMMAND}
    assert [wish.arguments["command"] for wish in disk.stages[0]] in (["df -h ."], ["dir"])
    assert tools(form) == {ASK}
    assert all(intent.chinese is (language == "zh_CN") for intent in (introduction, lookup, disk, form))


def test_a_real_model_is_offered_nothing_that_only_the_script_of_the_demo_knows(
    qapp: QApplication, qtbot: QtBot
) -> None:
    for_demo, for_others = (examples(qapp, qtbot, "en", is_scripted=scripted) for scripted in (True, False))
    assert len(set(for_others)) == len(for_demo)
    scripted = [text for text in for_demo if tools(read_intent(text)) & {DATE, WEATHER, ASK}]
    assert len(scripted) == 2
    assert not set(scripted) & set(for_others)
