"""The languages: nothing untranslated, placeholders kept, and the change of the language at run time."""

import ast
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QDoubleSpinBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QToolButton,
)

from desktop.conversation.entities import (
    AttachmentKind,
    AttachmentPart,
    ErrorPart,
    MessageStatus,
    ResultStatus,
    Role,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolResultPart,
)
from desktop.core.error_details import OF_ENDPOINTS, OF_FILES, OF_QUESTIONS, OF_THE_SYSTEM
from desktop.core.error_texts import ERROR_TEXTS, english
from desktop.core.language_model import DEMO_MODEL_NAME
from desktop.core.paths import resources_folder
from desktop.core.remark_texts import REMARK_TEXTS, english_remark
from desktop.tools.entities import ServerState, ServerStatus
from desktop.tools.server_remarks import REMARKS, Remark
from desktop.ui.attachment_words import figures
from desktop.ui.error_words import error_words
from desktop.ui.server_words import reason_of, status_lines
from desktop.ui.transcript.blocks.fold_header import FoldHeader
from desktop.ui.transcript.blocks.status_line import remark_words
from desktop.ui.transcript.model_name import model_name
from desktop.ui.translations import Translations, best_language
from tests.support.transcript_world import ViewWorld, message
from tests.support.window_world import WindowWorld, window_world

FOLDER = resources_folder() / "translations"
PROJECT = resources_folder().parent
TS_FILES = sorted(FOLDER.glob("*.ts"))
CHINESE = FOLDER / "threadwell_zh_CN.ts"
PLACEHOLDER = re.compile(r"(?<!\{)\{\w*\}(?!\})|%\d|%L?n")
"""What stands in double braces is a gap in a prompt, which has a name in each language."""
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


@pytest.mark.parametrize("file", TS_FILES, ids=lambda f: f.stem)
def test_no_text_is_unfinished_or_empty(file: Path) -> None:
    open_texts = [
        f"{context}: {source}"
        for context, source, message in messages(file)
        if message.find("translation[@type]") is not None or not all(forms(message))
    ]
    assert not open_texts


def test_every_text_in_the_program_is_in_the_files(tmp_path: Path) -> None:
    """What lupdate finds in the sources today is what each file holds; the English one has the plurals alone."""
    sources = [str(path) for path in sorted((PROJECT / "desktop").rglob("*.py"))]
    for options in ([], ["-pluralonly"]):
        fresh = tmp_path / f"fresh{''.join(options)}.ts"
        command = [tool("lupdate"), "-silent", "-locations", "none", *options, *sources, "-ts", str(fresh)]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        found = {(context, source) for context, source, _ in messages(fresh)}
        assert len(found) > 5
        for file in TS_FILES:
            if (file.stem == "threadwell_en") is not bool(options):
                continue
            held = {(context, source) for context, source, _ in messages(file)}
            again = (
                f"run {' '.join(command[:1] + options)} -no-obsolete -locations none desktop/**/*.py -ts {file.name}"
            )
            assert found - held == set(), f"{again}, and translate these"
            assert held - found == set(), "these are not in the program any more"


@pytest.mark.parametrize("file", TS_FILES, ids=lambda f: f.stem)
def test_every_placeholder_is_kept(file: Path) -> None:
    """``%n`` and ``%Ln`` may be left out of a plural form: "one chat"."""
    wrong = [
        f"{context}: {source} -> {text}"
        for context, source, message in messages(file)
        for text in forms(message)
        if sorted(PLACEHOLDER.findall(source)) != sorted(PLACEHOLDER.findall(text))
        and not (
            message.get("numerus")
            and set(PLACEHOLDER.findall(source)) - set(PLACEHOLDER.findall(text)) <= {"%n", "%Ln"}
        )
    ]
    assert not wrong


def test_chinese_is_chinese() -> None:
    left = [
        f"{context}: {source} -> {text}"
        for context, source, message in messages(CHINESE)
        for text in forms(message)
        if not HAN.search(text)
        and source not in SAME_IN_CHINESE
        and re.search(r"[A-Za-z]", PLACEHOLDER.sub("", source))
    ]
    assert not left


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


def texts_in_the_code(tree: ast.AST, owner: str = "") -> Iterator[tuple[str, str]]:
    """Context and text of everything that the program has translated, as Python itself reads it."""
    for node in ast.iter_child_nodes(tree):
        inside = node.name if isinstance(node, ast.ClassDef) else owner
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            given = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if called == "tr" and given:
                yield owner, given[0]
            elif called in ("translate", "QT_TRANSLATE_NOOP") and len(given) > 1:
                yield given[0], given[1]
        yield from texts_in_the_code(node, inside)


def test_lupdate_overlooks_no_text() -> None:
    """It does not look into f-strings, and gives up where the number of a plural is a call."""
    held = {(context, source) for context, source, _ in messages(CHINESE)}
    in_code = {
        found
        for path in (PROJECT / "desktop").rglob("*.py")
        for found in texts_in_the_code(ast.parse(path.read_text("utf-8")))
    }
    assert len(in_code) > 500
    assert in_code - held == set()


def test_what_servers_and_errors_say_is_translated(qapp: QApplication, compiled: Path) -> None:
    translations = Translations(qapp, "zh_CN", compiled)
    try:
        remarks = tuple(Remark(code, "3") for code in REMARKS)
        status = ServerStatus(server_id="files", state=ServerState.FAILED, remarks=remarks, detail="its own words")
        *ours, last = status_lines(status)
        assert (len(ours), last) == (len(REMARKS), "its own words")
        assert [line for line in ours if not HAN.search(line)] == []
        assert reason_of(status) == "没有找到程序“3”"
        reasons = (Remark("tool_left_out", "read", "its inputSchema is too large"), Remark("tool_left_out", "", "odd"))
        left_out = ServerStatus(server_id="files", state=ServerState.READY, remarks=reasons)
        named, nameless = status_lines(left_out)
        assert HAN.search(named.partition("read")[2])
        assert nameless == status_lines(ServerStatus(server_id="files", state=ServerState.READY, remarks=(Remark("tool_left_out", "odd"),)))[0]  # fmt: skip  # noqa: E501
        for phrase in (*OF_THE_SYSTEM, *OF_ENDPOINTS, *OF_FILES, *OF_QUESTIONS):
            assert HAN.search(error_words("tool.failed", {"detail": phrase}).detail), phrase
        expired = error_words("storage.failed", {"detail": "its certificate is not trusted: certificate has expired."})
        assert expired.detail.startswith("证书不受信任：certificate has expired。")
        entry = {"path": "/x", "detail": "", "server": "files", "problem": "no_command", "problem_detail": ""}
        assert "files：既没有“command”" in error_words("settings.mcp_entry", entry).detail
        assert error_words("tool.failed", {"detail": "what an endpoint said"}).detail == "what an endpoint said"
        assert model_name(DEMO_MODEL_NAME) == "演示模型"
    finally:
        translations.set_language("en")
        translations.deleteLater()


def test_a_sentence_of_ours_follows_a_whole_sentence() -> None:
    assert english("unknown", {"detail": "Boom"}).detail.startswith("An error in Threadwell: Boom. What")
    assert english("unknown", {"detail": "Boom!"}).detail.startswith("An error in Threadwell: Boom! What")


@pytest.mark.parametrize("detail", ["no response.", "no response", "没有回应。"])
def test_no_full_stop_is_doubled(qapp: QApplication, compiled: Path, detail: str) -> None:
    translations = Translations(qapp, "zh_CN", compiled)
    try:
        for language in ("en", "zh_CN"):
            translations.set_language(language)
            texts = [error_words(code, {"detail": detail}).detail for code in ERROR_TEXTS]
            texts += [remark_words(code, {"detail": detail}) for code in REMARK_TEXTS]
            texts += status_lines(
                ServerStatus(
                    server_id="files", state=ServerState.FAILED, remarks=tuple(Remark(code, detail) for code in REMARKS)
                )
            )
            texts += [english(code, {"detail": detail}).detail for code in ERROR_TEXTS]
            texts += [english_remark(code, {"detail": detail}) for code in REMARK_TEXTS]
            texts += [Remark(code, detail).english for code in REMARKS]
            assert [text for text in texts if re.search(r"[.。][)）]?[.。]|[.。][)）]", text)] == []
            assert sum("no response" in text or "没有回应" in text for text in texts) > 40
    finally:
        translations.set_language("en")
        translations.deleteLater()


def test_one_and_many_in_english(qapp: QApplication, compiled: Path) -> None:
    translations = Translations(qapp, "en", compiled)
    try:
        assert qapp.translate("ServerPopup", "%n tools", "", 1) == "1 tool"
        assert qapp.translate("ServerPopup", "%n tools", "", 2) == "2 tools"
        paper = AttachmentPart(attachment_id="a", name="a.pdf", kind=AttachmentKind.PDF, size=3_000)
        assert figures(dataclasses.replace(paper, pages=1, pages_read=1)) == "1 page, 3 kB"
        assert figures(dataclasses.replace(paper, pages=2, pages_read=2)) == "2 pages, 3 kB"
    finally:
        translations.deleteLater()


@pytest.fixture
def third(compiled: Path, tmp_path: Path) -> Path:
    """A folder with one more language: each text of the Chinese file in angle brackets, and nothing but that file."""
    folder = tmp_path / "translations"
    shutil.copytree(compiled, folder)
    tree = ET.parse(CHINESE)
    tree.getroot().set("language", "de")
    for entry in tree.getroot().iter("message"):
        translation = entry.find("translation")
        assert translation is not None
        plural = list(translation.iter("numerusform"))
        for form in plural or [translation]:
            form.text = f"<{entry.findtext('source', '')}>"
        if plural:  # Chinese has one form, German two
            ET.SubElement(translation, "numerusform").text = f"<{entry.findtext('source', '')}>"
    source = tmp_path / "threadwell_de.ts"
    tree.write(source, encoding="utf-8", xml_declaration=True)
    target = folder / "threadwell_de.qm"
    subprocess.run([tool("lrelease"), "-silent", str(source), "-qm", str(target)], check=True, timeout=60)
    return folder


async def test_a_third_language_needs_one_file(
    qapp: QApplication, qloop: object, tmp_path: Path, until: Until, third: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.support.window_world.resources_folder", lambda: third.parent)
    async with window_world(qapp, tmp_path / "data") as world:
        window = world.presenter.window
        action = window.findChild(QAction, "choose-de")
        assert action is not None
        assert action.text() == "Deutsch"
        number = QDoubleSpinBox(window)
        action.trigger()
        await until(lambda: window.sidebar.new_chat.text().strip() == "<New chat>")
        assert world.settings.settings.appearance.language == "de"
        assert action.isChecked()
        assert QLocale().toString(1234.5, "f", 1) == "1.234,5"
        assert number.textFromValue(0.5) == "0,50", "a field that was there before"
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        assert box.buttons()[0].text() == "Abbrechen"
        world.presenter.window.sidebar.footer.language_chosen.emit("en")
        await until(lambda: window.sidebar.new_chat.text().strip() == "New chat")


@pytest.mark.parametrize(
    ("language", "cancel", "copy"), [("zh_CN", "取消", "复制(&C)"), ("en", "Cancel", "&Copy")], ids=["zh_CN", "en"]
)
def test_qts_own_buttons_and_menus_are_in_the_language(
    qapp: QApplication, compiled: Path, language: str, cancel: str, copy: str
) -> None:
    translations = Translations(qapp, language, compiled)
    try:
        edit = QLineEdit("text")
        menu = edit.createStandardContextMenu()
        assert copy in [action.text().partition("\t")[0] for action in menu.actions()]
        menu.deleteLater()
        box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        assert box.buttons()[0].text() == cancel
    finally:
        translations.set_language("en")
        translations.deleteLater()


@pytest.mark.parametrize(
    ("preferred", "expected"),
    [
        ("zh-Hans-CN zh-CN zh-Hans zh", "zh_CN"),
        ("zh-Hans-SG zh-SG zh-Hans zh", "zh_CN"),
        ("zh-Hant-TW zh-TW zh-Hant zh", "zh_CN"),  # nothing else is wanted, and it can be read
        ("zh-Hant-TW zh-TW zh-Hant en-Latn-US en-US en-Latn en zh", "en"),  # LANGUAGE=zh_TW:en
        ("de-Latn-AT de-AT de-Latn de", "de"),
        ("fr-Latn-FR fr-FR fr-Latn de-Latn-DE de-DE fr de", "de"),
        ("pt-Latn-PT pt-PT pt-Latn pt", "pt_PT"),
        ("pt-Latn-AO pt-AO pt-Latn pt", "pt_BR"),
        ("en-Latn-GB en-GB en-Latn en", "en"),
        ("C", "en"),
        ("tlh", "en"),
        ("", "en"),
    ],
)
def test_the_first_language_of_the_system_that_there_is(preferred: str, expected: str) -> None:
    assert best_language(preferred.split(), ["en", "de", "pt_BR", "pt_PT", "zh_CN"]) == expected


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the language is no matter of variables")
@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({"LANG": "zh_Hans_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_TW.UTF-8"}, "zh_CN"),
        ({"LANG": "zh_CN.UTF-8", "LANGUAGE": "fr:en:zh_CN"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_CN.UTF-8"}, "zh_CN"),
        ({"LANG": "C"}, "en"),
    ],
)
def test_the_systems_language_is_what_the_variables_say(variables: dict[str, str], expected: str) -> None:
    program = (
        "from PySide6.QtCore import QLocale; from desktop.ui.translations import best_language;"
        "print(best_language(QLocale.system().uiLanguages(), ['en', 'zh_CN']))"
    )
    environment = {key: value for key, value in os.environ.items() if key[:3] not in ("LC_", "LAN")} | variables
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=PROJECT, capture_output=True, text=True, check=False
    )
    assert (run.stdout.strip(), run.returncode) == (expected, 0), run.stderr


@pytest.mark.expected_log("no translation for zh_CN")
def test_without_compiled_files_it_stays_english(qapp: QApplication, tmp_path: Path) -> None:
    translations = Translations(qapp, "zh_CN", tmp_path)
    try:
        assert translations.language == "en"
        assert error_words("run.busy", {}).title == "This chat is still answering"
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
