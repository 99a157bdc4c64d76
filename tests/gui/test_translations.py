"""The languages: nothing untranslated, placeholders kept, and the change of the language at run time."""

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QToolButton

from desktop.conversation.entities import (
    ErrorPart,
    MessageStatus,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.error_texts import ERROR_TEXTS
from desktop.core.paths import resources_folder
from desktop.ui.error_words import error_words
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from desktop.ui.translations import Translations
from tests.support.transcript_world import ViewWorld, message
from tests.support.window_world import WindowWorld, window_world

FOLDER = resources_folder() / "translations"
PROJECT = resources_folder().parent
CHINESE = FOLDER / "threadwell_zh_CN.ts"
PLACEHOLDER = re.compile(r"\{\w*\}|%\d|%n")
HAN = re.compile(r"[\u4e00-\u9fff]")
SAME_IN_CHINESE = {"{detail}", "name@example.com"}
Until = Callable[..., Coroutine[Any, Any, None]]


def tool(name: str) -> str:
    return str(Path(sys.executable).with_name(f"pyside6-{name}"))


def messages(file: Path) -> list[tuple[str, str, ET.Element]]:
    """Context, source text and element of each message."""
    return [
        (context.findtext("name", ""), message.findtext("source", ""), message)
        for context in ET.parse(file).getroot().iter("context")
        for message in context.iter("message")
    ]


def forms(message: ET.Element) -> list[str]:
    translation = message.find("translation")
    assert translation is not None
    plural = [form.text or "" for form in translation.iter("numerusform")]
    return plural or [translation.text or ""]


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the translations compiled from their sources."""
    folder = tmp_path_factory.mktemp("translations")
    for source in FOLDER.glob("*.ts"):
        target = folder / source.with_suffix(".qm").name
        subprocess.run([tool("lrelease"), "-silent", str(source), "-qm", str(target)], check=True, timeout=60)
    return folder


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.ts")), ids=lambda f: f.stem)
def test_no_text_is_unfinished_or_empty(file: Path) -> None:
    open_texts = [
        f"{context}: {source}"
        for context, source, message in messages(file)
        if message.find("translation[@type]") is not None or not all(forms(message))
    ]
    assert not open_texts


def test_every_text_in_the_program_is_in_the_file(tmp_path: Path) -> None:
    """What lupdate finds in the sources today is what the files hold."""
    sources = [str(path) for path in sorted((PROJECT / "desktop").rglob("*.py"))]
    for name, options in (("threadwell_zh_CN", []), ("threadwell_en", ["-pluralonly"])):
        fresh = tmp_path / f"{name}.ts"
        command = [tool("lupdate"), "-silent", "-locations", "none", *options, *sources, "-ts", str(fresh)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        found = {(context, source) for context, source, _ in messages(fresh)}
        held = {(context, source) for context, source, _ in messages(FOLDER / f"{name}.ts")}
        assert len(found) > 5
        again = f"run {' '.join(command[:1] + options)} -no-obsolete -locations none desktop/**/*.py -ts {name}.ts"
        assert found - held == set(), f"{again}, and translate these"
        assert held - found == set(), "these are not in the program any more"


def test_chinese_keeps_every_placeholder_and_is_chinese() -> None:
    wrong = [
        f"{context}: {source} -> {text}"
        for context, source, message in messages(CHINESE)
        for text in forms(message)
        if sorted(PLACEHOLDER.findall(source)) != sorted(PLACEHOLDER.findall(text))
        or not (
            HAN.search(text) or source in SAME_IN_CHINESE or not re.search(r"[A-Za-z]", PLACEHOLDER.sub("", source))
        )
    ]
    assert not wrong


def test_every_error_has_chinese_words(qapp: QApplication, compiled: Path) -> None:
    translations = Translations(qapp, "zh_CN", compiled)
    try:
        for code, text in ERROR_TEXTS.items():
            title, detail = error_words(code, {})
            assert HAN.search(title), code
            assert HAN.search(detail) or text.detail == "{detail}" or not re.sub(r"[{}\w]", "", text.detail).strip(" :")
    finally:
        translations.set_language("en")
        translations.deleteLater()


def test_texts_are_taken_from_the_own_class() -> None:
    """lupdate takes ``thing.tr`` for the context "thing", which no class has: such a text would stay English."""
    pattern = re.compile(r"(?<!self)\.tr\(|self\.\w+\.tr\(")
    found = [
        f"{path.relative_to(PROJECT)}: {line.strip()}"
        for path in (PROJECT / "desktop").rglob("*.py")
        for line in path.read_text("utf-8").splitlines()
        if pattern.search(line)
    ]
    assert not found


def test_one_and_many_in_english(qapp: QApplication, compiled: Path) -> None:
    translations = Translations(qapp, "en", compiled)
    try:
        assert qapp.translate("ServerPopup", "%n tools", "", 1) == "1 tool"
        assert qapp.translate("ServerPopup", "%n tools", "", 2) == "2 tools"
    finally:
        translations.deleteLater()


@pytest.mark.expected_log("no translation for zh_CN")
def test_without_compiled_files_it_stays_english(qapp: QApplication, tmp_path: Path) -> None:
    translations = Translations(qapp, "zh_CN", tmp_path)
    try:
        assert translations.language == "en"
        assert error_words("run.busy", {}).title == "This thread is still answering"
    finally:
        translations.deleteLater()


def visible_texts(world: WindowWorld) -> list[str]:
    """What can be read or heard in the window's own parts."""
    window = world.presenter.window
    texts: list[str] = []
    for part in (window.sidebar, window.header, window.composer):
        for kind in (QLabel, QPushButton, QToolButton, QLineEdit, QPlainTextEdit):
            for widget in part.findChildren(kind):
                texts += [widget.accessibleName(), widget.toolTip()]
                if isinstance(widget, QLabel | QPushButton | QToolButton):
                    texts.append(widget.text())
                else:
                    texts.append(widget.placeholderText())
    return [text for text in texts if text]


async def test_the_language_changes_while_the_window_is_open(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    resources = tmp_path / "resources"
    shutil.copytree(compiled, resources / "translations")
    monkeypatch.setattr("tests.support.window_world.resources_folder", lambda: resources)
    async with window_world(qapp, tmp_path / "data") as world:
        await world.add_thread("一条消息")
        await until(lambda: world.presenter.window.sidebar.model.rowCount() == 2)
        english = visible_texts(world)
        assert not [text for text in english if HAN.search(text)]
        world.presenter.window.sidebar.footer.language_chosen.emit("zh_CN")
        assert world.settings.settings.appearance.language == "zh_CN"
        assert QLocale().language() == QLocale.Language.Chinese
        await until(lambda: world.presenter.window.sidebar.new_chat.text().strip() == "新对话")
        left = [text for text in visible_texts(world) if not HAN.search(text) and re.search(r"[A-Za-z]{2}", text)]
        assert left == []
        assert world.presenter.window.sidebar.model.index(0).data() == "今天"
        world.presenter.window.sidebar.footer.language_chosen.emit("en")
        await until(lambda: visible_texts(world) == english)
        assert QLocale().language() != QLocale.Language.Chinese


def test_an_answer_with_open_cards_changes_its_language(qapp: QApplication, compiled: Path) -> None:
    translations = Translations(qapp, "en", compiled)
    world = ViewWorld(qapp, height=1200)
    try:
        parts = (
            ThinkingPart(text="嗯"),
            ToolCallPart(call_id="c", name="command__get_date", arguments="{}"),
            ToolResultPart(call_id="c", status=ResultStatus.OK, text="2026", duration_seconds=1.5),
            TextPart(text="```\n代码\n```"),
            ErrorPart(code="model.empty", params={}),
        )
        answer = message(1, Role.ASSISTANT, *parts, status=MessageStatus.FAILED)
        world.show([message(0, Role.USER, TextPart(text="你好")), answer])
        world.find(FoldHeader, "tool-card-header").click()
        world.settle()
        heard = transcript_texts(world)
        assert {"Arguments", "Result", "Try again", "Copy: Result", "Copy code"} <= set(heard)
        translations.set_language("zh_CN")
        world.settle()
        left = [text for text in transcript_texts(world) if not HAN.search(text) and re.search(r"[A-Za-z]{2}", text)]
        assert left == ["model-x"]
    finally:
        translations.set_language("en")
        translations.deleteLater()
        world.close()


def transcript_texts(world: ViewWorld) -> list[str]:
    """What can be read or heard in the transcript, but for the texts of the messages."""
    texts: list[str] = []
    for kind in (QLabel, QPushButton, QToolButton, FoldHeader):
        for widget in world.view.viewport().findChildren(kind):
            texts += [widget.accessibleName(), "" if isinstance(widget, FoldHeader) else widget.text()]
    return [text.strip() for text in texts if text.strip()]
