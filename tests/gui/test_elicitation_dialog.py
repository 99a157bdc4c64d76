"""The form and address dialogs: every kind of field, problems at their field, three answers, secrets, odd addresses."""

from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QFont, QGuiApplication, QPaintEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QWidget,
)

from desktop.app.event_loop import QtLoop
from desktop.core.settings import AppearanceSettings, Theme
from desktop.tools.entities import ElicitationAction, ElicitationAnswer, ElicitationMode, ElicitationRequest, Ending
from desktop.ui.dialogs.elicitation_dialog import ElicitationDialog
from desktop.ui.dialogs.url_dialog import UrlDialog
from desktop.ui.state.form_schema import parse_schema
from tests.support.dialog_world import DialogWorld, dialog_world
from tests.support.marked_language import marked_language

Until = Callable[[Callable[[], object]], Awaitable[None]]

# One field of each kind that servers are known to send.
EVERY_KIND: dict[str, Any] = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "description": "Your full name"},
        "agree": {"type": "boolean", "title": "Agree"},
        "line": {"type": "string", "title": "First line", "default": "It was dark."},
        "mail": {"type": "string", "title": "Mail", "format": "email"},
        "page": {"type": "string", "title": "Page", "format": "uri"},
        "born": {"type": "string", "title": "Born", "format": "date"},
        "when": {"type": "string", "title": "When", "format": "date-time"},
        "whole": {"type": "integer", "title": "Whole", "minimum": 1, "maximum": 100, "default": 42},
        "ratio": {"type": "number", "title": "Ratio", "minimum": 0, "maximum": 1000, "default": 3.14},
        "plain_one": {"type": "string", "title": "One", "enum": ["Monica", "Rachel"], "default": "Monica"},
        "plain_many": {
            "type": "array",
            "title": "Many",
            "minItems": 1,
            "maxItems": 2,
            "items": {"type": "string", "enum": ["Guitar", "Piano", "Drums"]},
            "default": ["Guitar"],
        },
        "titled_one": {
            "type": "string",
            "title": "Titled",
            "oneOf": [{"const": f"hero-{i}", "title": f"Hero {i}"} for i in range(8)],
            "default": "hero-1",
        },
        "titled_many": {
            "type": "array",
            "title": "多选",
            "items": {"anyOf": [{"const": "fish", "title": "鱼 & 虾"}, {"const": "tuna", "title": "Tuna"}]},
        },
        "legacy": {"type": "string", "title": "Legacy", "enum": ["pet-1", "pet-2"], "enumNames": ["Cats", "Dogs"]},
        "story": {"type": "string", "title": "Story", "maxLength": 500},
    },
    "required": ["name", "mail"],
}
INDEX = {name: index for index, name in enumerate(EVERY_KIND["properties"])}


@pytest.fixture
def world(qapp: QApplication, qloop: QtLoop) -> Iterator[DialogWorld]:
    with dialog_world(qapp) as made:
        yield made


def form_request(schema: dict[str, Any], message: str = "Please fill this in", **more: Any) -> ElicitationRequest:
    return ElicitationRequest(server_id=more.pop("server", "everything"), message=message, schema=schema, **more)


def fields(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


async def form(world: DialogWorld, until: Until, request: ElicitationRequest) -> ElicitationDialog:
    dialog = ElicitationDialog(world.window, world.theme, request, parse_schema(request.schema), 0)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    await until(lambda: dialog.armed)
    return dialog


def answer_of(dialog: ElicitationDialog | UrlDialog) -> ElicitationAnswer:
    assert isinstance(dialog.answer, ElicitationAnswer)
    return dialog.answer


def type_into(world: DialogWorld, field: str, text: str) -> None:
    """Replace what stands in a line by typing."""
    line = world.find(QLineEdit, f"field_{INDEX[field]}")
    line.setFocus()
    line.selectAll()
    QTest.keyClick(line, Qt.Key.Key_Delete)
    line.insert(text)


def problem(world: DialogWorld, index: int) -> str:
    label = world.find(QLabel, f"problem_{index}")
    return label.accessibleName() if label.isVisible() else ""


async def test_a_form_with_every_kind_of_field_is_filled_and_sent(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(EVERY_KIND))
    assert world.text("headline") == "A server asks you something"
    assert world.text("subline") == "Server “everything”, which you added"
    type_into(world, "name", "梅 李")
    world.click(f"field_{INDEX['agree']}")
    type_into(world, "mail", "mei@example.com")
    type_into(world, "page", "https://example.com/")
    type_into(world, "born", "1999-12-31")
    type_into(world, "when", "2026-11-30T18:00:00Z")
    type_into(world, "whole", "12")
    type_into(world, "ratio", "0.5")
    world.click(f"field_{INDEX['plain_one']}_option_1")
    world.click(f"field_{INDEX['plain_many']}_option_2")
    box = world.find(QComboBox, f"field_{INDEX['titled_one']}")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    world.click(f"field_{INDEX['titled_many']}_option_0")
    world.click(f"field_{INDEX['legacy']}_option_1")
    story = world.find(QPlainTextEdit, f"field_{INDEX['story']}")
    story.setFocus()
    QTest.keyClicks(story, "one")
    QTest.keyClick(story, Qt.Key.Key_Return)
    QTest.keyClicks(story, "two")
    world.click("elicit_accept")
    assert answer_of(dialog).action is ElicitationAction.ACCEPT
    assert answer_of(dialog).ending is Ending.ANSWERED
    assert answer_of(dialog).content == {
        "name": "梅 李",
        "agree": True,
        "line": "It was dark.",
        "mail": "mei@example.com",
        "page": "https://example.com/",
        "born": "1999-12-31",
        "when": "2026-11-30T18:00:00Z",
        "whole": 12,
        "ratio": 0.5,
        "plain_one": "Rachel",
        "plain_many": ["Guitar", "Drums"],
        "titled_one": "hero-2",
        "titled_many": ["fish"],
        "legacy": "pet-2",
        "story": "one\ntwo",
    }


async def test_defaults_are_shown_and_sent_as_they_came(world: DialogWorld, until: Until) -> None:
    schema = fields(
        text={"type": "string", "default": "two\r\nlines\u2028and more"},
        whole={"type": "integer", "default": 7},
        one={"type": "string", "enum": [f"v{i}" for i in range(9)], "default": "v3"},
        many={"type": "array", "items": {"enum": ["a", "b"]}, "default": ["b"]},
        yes={"type": "boolean", "default": True},
    )
    dialog = await form(world, until, form_request(schema))
    assert world.find(QLineEdit, "field_1").text() == "7"
    world.click("elicit_accept")
    assert answer_of(dialog).content == {
        "text": "two\r\nlines\u2028and more",
        "whole": 7,
        "one": "v3",
        "many": ["b"],
        "yes": True,
    }


@pytest.mark.parametrize("font_size", [10.0, 14.0])
async def test_problems_come_and_go_without_moving_a_button(world: DialogWorld, until: Until, font_size: float) -> None:
    world.theme.set_appearance(AppearanceSettings(theme=Theme.LIGHT, font_size=font_size))
    colours = {"type": "string", "title": "Colour", "enum": ["red", "green", "blue"]}
    schema = fields(colour=colours, agree={"type": "boolean"}, number={"type": "integer"})
    dialog = await form(world, until, form_request(schema | {"required": ["colour", "number"]}))
    area = world.find(QScrollArea, "elicit_form")
    assert area.verticalScrollBar().maximum() == 0

    def places() -> list[QRect]:
        watched = [dialog, *dialog.findChildren(QPushButton), *dialog.form.findChildren(QAbstractButton)]
        return [QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size()) for widget in watched if widget.isVisible()]

    before = places()
    world.click("elicit_accept")
    await until(lambda: problem(world, 0) == "Required.")
    for index in (0, 2):
        label = world.find(QLabel, f"problem_{index}")
        await until(lambda label=label: label.height() > 0 and label.visibleRegion().boundingRect() == label.rect())
    assert places() == before
    assert area.verticalScrollBar().maximum() == 0, "all of it is in view"
    world.click("field_0_option_1")
    await until(lambda: not problem(world, 0))
    assert places() == before
    dialog.take_back()


async def test_problems_stand_at_their_field_and_go_as_they_are_mended(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(EVERY_KIND))
    type_into(world, "whole", "500")
    assert problem(world, INDEX["whole"]) == "", "nobody is told off while typing the first time"
    type_into(world, "born", "31.12.1999")
    world.click(f"field_{INDEX['plain_many']}_option_1")
    world.click(f"field_{INDEX['plain_many']}_option_2")
    world.click("elicit_accept")
    assert dialog.isVisible()
    assert dialog.answer is None
    assert problem(world, INDEX["name"]) == "Required."
    assert problem(world, INDEX["mail"]) == "Required."
    assert problem(world, INDEX["whole"]) == "Too large: at most 100."
    assert "2026-11-30" in problem(world, INDEX["born"])
    assert problem(world, INDEX["plain_many"]) == "Choose at most 2."
    first = world.find(QLineEdit, f"field_{INDEX['name']}")
    assert dialog.focusWidget() is first
    assert first.accessibleDescription() == "Required."
    assert "Nothing was sent" in world.text("hint")
    type_into(world, "whole", "50")
    assert problem(world, INDEX["whole"]) == ""
    type_into(world, "whole", "-1")
    assert problem(world, INDEX["whole"]) == "Too small: at least 1.", "checked with every edit from now on"
    type_into(world, "whole", "50")
    type_into(world, "name", "Mei")
    type_into(world, "mail", "mei@example.com")
    type_into(world, "born", "1999-12-31")
    world.click(f"field_{INDEX['plain_many']}_option_1")
    assert "Nothing was sent" not in world.text("hint")
    world.click("elicit_accept")
    assert answer_of(dialog).content["whole"] == 50


async def test_a_problem_out_of_view_is_scrolled_to(world: DialogWorld, until: Until) -> None:
    many = {f"f{i}": {"type": "string"} for i in range(40)}
    dialog = await form(world, until, form_request(fields(**many) | {"required": ["f39"]}))
    last = world.find(QLineEdit, "field_39")
    assert last.visibleRegion().isEmpty()
    world.click("elicit_accept")
    await until(lambda: not last.visibleRegion().isEmpty())
    assert dialog.focusWidget() is last
    dialog.take_back()


@pytest.mark.parametrize(
    ("button", "action", "ending"),
    [
        ("elicit_accept", ElicitationAction.ACCEPT, Ending.ANSWERED),
        ("elicit_decline", ElicitationAction.DECLINE, Ending.ANSWERED),
        ("elicit_cancel", ElicitationAction.CANCEL, Ending.CANCELLED),
    ],
)
async def test_an_empty_schema_still_gives_three_answers(
    world: DialogWorld, until: Until, button: str, action: ElicitationAction, ending: Ending
) -> None:
    dialog = await form(world, until, form_request({"type": "object", "properties": {}}, "Shall I go on?"))
    world.click(button)
    assert (answer_of(dialog).action, answer_of(dialog).ending) == (action, ending)
    assert answer_of(dialog).content == {}


async def test_declining_and_cancelling_send_nothing_that_was_typed(world: DialogWorld, until: Until) -> None:
    for leave in ("elicit_decline", "elicit_cancel"):
        dialog = await form(world, until, form_request(fields(a={"type": "string"})))
        QTest.keyClicks(world.find(QLineEdit, "field_0"), "typed")
        world.click(leave)
        assert answer_of(dialog).content == {}


async def test_escape_and_closing_are_a_cancel(world: DialogWorld, until: Until) -> None:
    for leave in (lambda d: QTest.keyClick(d.focusWidget(), Qt.Key.Key_Escape), lambda d: d.close()):
        dialog = await form(world, until, form_request(fields(a={"type": "string"})))
        leave(dialog)
        assert answer_of(dialog).action is ElicitationAction.CANCEL
        assert answer_of(dialog).ending is Ending.CANCELLED


async def test_enter_in_a_field_does_not_accept(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(EVERY_KIND))
    places = [w for w in dialog.findChildren(QWidget) if w.focusPolicy() & Qt.FocusPolicy.TabFocus and w.isVisible()]
    assert len(places) > 20
    for place in places:
        place.setFocus()
        QTest.keyClick(place, Qt.Key.Key_Return)
        QTest.keyClick(place, Qt.Key.Key_Enter, Qt.KeyboardModifier.ControlModifier)
    assert dialog.isVisible()
    assert dialog.answer is None
    assert problem(world, INDEX["name"]) == "", "Enter has not even tried"
    dialog.take_back()


async def test_accept_waits_until_the_dialog_stood_still(world: DialogWorld, until: Until) -> None:
    request = form_request({"type": "object", "properties": {}})
    dialog = ElicitationDialog(world.window, world.theme, request, parse_schema(request.schema), 3_600_000)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    await until(lambda: dialog.message.end_was_shown)
    assert not world.is_enabled("elicit_accept")
    world.click("elicit_accept")
    assert dialog.answer is None
    assert world.is_enabled("elicit_decline")
    world.click("elicit_decline")
    assert answer_of(dialog).action is ElicitationAction.DECLINE


async def test_the_servers_words_are_plain_and_clipped_and_complete(world: DialogWorld, until: Until) -> None:
    line = "<b>bold</b> <img src='http://x/y.png'> \u202e & more"
    message = "\n".join([line] * 400)
    dialog = await form(
        world, until, form_request(fields(ok={"type": "boolean", "title": "<i>Go</i>\u200b & on"}), message)
    )
    box = world.find(QPlainTextEdit, "elicit_message")
    assert box.toPlainText() == "\n".join([line.replace("\u202e", "<U+202E>")] * 400)
    assert box.height() < 300
    assert dialog.height() < 700
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in dialog.findChildren(QLabel) if label.text())
    assert world.find(QAbstractButton, "field_0").accessibleName() == "<i>Go</i><U+200B> & on"
    dialog.take_back()


async def test_odd_names_are_keys_exactly_as_they_came(world: DialogWorld, until: Until) -> None:
    names = ["class", "__init__", "a-b c", "", "名前"]
    dialog = await form(world, until, form_request(fields(**{n: {"type": "string"} for n in names})))
    for index in range(len(names)):
        world.find(QLineEdit, f"field_{index}").setText(str(index))
    assert world.find(QLineEdit, "field_3").accessibleName() == "(without a name)"
    world.click("elicit_accept")
    assert answer_of(dialog).content == {name: str(index) for index, name in enumerate(names)}


async def test_invisible_characters_in_a_default_are_named_under_it(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(fields(a={"type": "string", "default": "ab\u202ecd"})))
    note = world.find(QLabel, "note_0")
    assert note.isVisible()
    assert "<U+202E>" in note.accessibleName()
    world.find(QLineEdit, "field_0").setText("abcd")
    assert not note.isVisible()
    dialog.take_back()


@pytest.mark.parametrize(
    ("schema", "message"),
    [
        (fields(p={"type": "string", "title": "Your раѕѕword"}), "Connect"),
        (fields(p={"type": "string", "description": "the API key of your account"}), "Connect"),
        (fields(value={"type": "string"}), "Please enter your password"),
        (fields(code={"type": "integer", "title": "验证码"}), "登录"),
    ],
)
async def test_a_question_for_a_secret_needs_a_second_look(
    world: DialogWorld, until: Until, schema: dict[str, Any], message: str
) -> None:
    dialog = await form(world, until, form_request(schema, message))
    warning = world.find(QWidget, "secret_warning")
    assert warning.isVisible()
    assert warning.property("role") == "severe"
    world.find(QLineEdit, "field_0").setText("1234")
    world.click("elicit_accept")
    assert dialog.answer is None
    assert dialog.focusWidget().objectName() == "elicit_confirm_secret"
    assert "Nothing was sent" in world.text("hint")
    world.click("elicit_confirm_secret")
    world.click("elicit_accept")
    assert answer_of(dialog).action is ElicitationAction.ACCEPT


async def test_an_ordinary_question_has_no_warning(world: DialogWorld, until: Until) -> None:
    request = form_request(
        fields(v={"type": "string", "enum": ["茶", "咖啡"]}), "喝什么？", server="command", bundled=True
    )
    dialog = await form(world, until, request)
    assert dialog.findChild(QWidget, "secret_warning") is None
    assert world.text("headline") == "A question for you"
    assert world.text("subline") == "command server (built in)"
    dialog.take_back()


@pytest.mark.parametrize("bundled", [True, False])
async def test_the_field_of_the_built_in_servers_form_is_labelled_in_the_language(
    qapp: QApplication, world: DialogWorld, until: Until, bundled: bool
) -> None:
    schema = fields(answer={"type": "string", "title": "Answer"})
    server = "command" if bundled else "notes"
    with marked_language(qapp):
        dialog = await form(world, until, form_request(schema, "喝什么？", server=server, bundled=bundled))
        said = [label.accessibleName() for label in dialog.form.findChildren(QLabel)]
        assert ("«Answer" if bundled else "Answer") in said
        QTest.keyClicks(world.find(QLineEdit, "field_0"), "tea")
        world.click("elicit_accept")
        assert answer_of(dialog).content == {"answer": "tea"}


async def test_a_click_on_the_words_of_a_choice_chooses_it(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(fields(v={"enum": ["a", "b"]}) | {"required": ["v"]}))
    option = world.find(QAbstractButton, "field_0_option_1")
    row = option.parentWidget()
    assert row is not None
    words = row.findChildren(QLabel)[0]
    QTest.mouseClick(words, Qt.MouseButton.LeftButton)
    assert option.isChecked()
    world.click("elicit_accept")
    assert answer_of(dialog).content == {"v": "b"}


class _Paintings(QObject):
    """Notes which widgets are painted whole, with the mark that they bear then."""

    def __init__(self) -> None:
        super().__init__()
        self.marks: dict[str, bool] = {}

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent) and isinstance(watched, QWidget) and event.rect() == watched.rect():
            self.marks[watched.objectName()] = bool(watched.property("focused"))
        return False


async def test_the_ring_around_a_choice_is_painted_where_the_focus_is(world: DialogWorld, until: Until) -> None:
    ticks = {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}}
    await form(world, until, form_request(fields(v=ticks)))
    options = [world.find(QAbstractButton, f"field_0_option_{number}") for number in range(2)]
    paintings = _Paintings()
    for number, option in enumerate(options):
        row = option.parentWidget()
        assert row is not None
        row.setObjectName(f"row {number}")
        row.installEventFilter(paintings)
    for focused in (0, 1, 0):
        options[focused].setFocus()
        wanted = {f"row {number}": number == focused for number in range(2)}
        await until(lambda wanted=wanted: {"row 0": False, "row 1": False, **paintings.marks} == wanted)


async def test_an_optional_choice_can_be_left_open_and_the_wheel_changes_nothing(
    world: DialogWorld, until: Until
) -> None:
    many = {"type": "string", "enum": [f"v{i}" for i in range(9)]}
    dialog = await form(world, until, form_request(fields(few={"enum": ["a"]}, many=many)))
    world.click("field_0_option_0")
    world.click("field_0_no_answer")
    box = world.find(QComboBox, "field_1")
    place = QPointF(box.rect().center())
    wheel = QWheelEvent(
        place,
        box.mapToGlobal(place),
        QPointF(0, -120).toPoint(),
        QPointF(0, -120).toPoint(),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, wheel)
    world.click("elicit_accept")
    assert answer_of(dialog).content == {}


async def test_tab_goes_through_the_fields_to_the_answers(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(fields(a={"type": "string"}, b={"type": "boolean"})))
    assert dialog.focusWidget().objectName() == "field_0", "a person can start to type"
    order = ["field_0"]
    answers = ["elicit_cancel", "elicit_decline", "elicit_accept"]
    while not set(answers) <= set(order) and len(order) < 12:
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
        order.append(dialog.focusWidget().objectName())
    from_left = sorted(answers, key=lambda name: world.find(QPushButton, name).mapTo(dialog, QPoint(0, 0)).x())
    assert order[-3:] == from_left, "in the order in which the desktop has them"
    assert "field_1" in order[:-3]
    dialog.take_back()


async def test_a_form_of_ticks_starts_where_a_stray_key_sets_none(world: DialogWorld, until: Until) -> None:
    dialog = await form(world, until, form_request(fields(ok={"type": "boolean"})))
    QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Space)
    assert not world.find(QAbstractButton, "field_0").isChecked()
    dialog.take_back()


@pytest.mark.parametrize("width", [480, 640, 1400])
async def test_it_fits_narrow_and_wide(world: DialogWorld, until: Until, width: int) -> None:
    schema = {**EVERY_KIND, "properties": {**EVERY_KIND["properties"], "x" * 300: {"type": "string"}}}
    dialog = await form(world, until, form_request(schema))
    dialog.resize(width, 500)
    await until(lambda: dialog.armed and dialog.form.width() <= width)
    assert dialog.width() == width
    for button in dialog.findChildren(QPushButton):
        if button.isVisible():
            assert dialog.rect().contains(button.mapTo(dialog, button.rect().bottomRight()))
    for row in dialog.form.rows:
        assert dialog.form.rect().contains(row.geometry())
        for label in row.findChildren(QLabel):
            assert label.isHidden() or label.height() >= label.heightForWidth(label.width()) - 1, label.text()
    dialog.take_back()


class Browser:
    def __init__(self, works: bool = True) -> None:
        self.opened: list[str] = []
        self._works = works

    def open(self, url: str) -> bool:
        self.opened.append(url)
        return self._works


async def address(world: DialogWorld, until: Until, url: str, browser: Browser) -> UrlDialog:
    request = ElicitationRequest(server_id="github", message="Sign in", mode=ElicitationMode.URL, url=url)
    dialog = UrlDialog(world.window, world.theme, request, browser.open, 0)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
    await until(lambda: dialog.armed and dialog.address.end_was_shown)
    return dialog


async def test_an_address_is_shown_whole_and_opened_only_on_a_click(world: DialogWorld, until: Until) -> None:
    url = "https://accounts.example.com/authorize?" + "&".join(f"key{i}=value{i}" for i in range(20))
    browser = Browser()
    dialog = await address(world, until, url, browser)
    assert world.find(QPlainTextEdit, "elicit_url").toPlainText() == url
    assert world.text("elicit_host") == "accounts.example.com"
    block = dialog.address.document().firstBlock()
    bold = [f for f in block.layout().formats() if f.format.fontWeight() == QFont.Weight.DemiBold]
    assert [block.text()[f.start : f.start + f.length] for f in bold] == ["accounts.example.com"]
    QTest.keyClick(dialog.address, Qt.Key.Key_Return)
    assert browser.opened == []
    world.click("copy_url")
    assert QGuiApplication.clipboard().text() == url
    world.click("elicit_accept")
    assert browser.opened == [url]
    assert answer_of(dialog).action is ElicitationAction.ACCEPT
    assert answer_of(dialog).content == {}


@pytest.mark.parametrize(
    ("url", "warning"),
    [
        ("https://xn--80ak6aa92e.com/", "warning_punycode"),
        ("https://g\u043e\u043egle.com/", "warning_foreign_letters"),
        ("https://example.com:8443/", "warning_odd_port"),
        ("http://127.0.0.1:9000/", "warning_own_machine"),
    ],
)
async def test_an_odd_address_may_be_opened_but_is_warned_of(
    world: DialogWorld, until: Until, url: str, warning: str
) -> None:
    dialog = await address(world, until, url, Browser())
    assert world.find(QWidget, warning).isVisible()
    assert world.is_enabled("elicit_accept")
    dialog.take_back()


@pytest.mark.parametrize(
    ("url", "warning"),
    [
        ("https://bank.com@evil.example/", "warning_user_before_host"),
        ("http://example.com/", "warning_not_encrypted"),
        ("http://127.0.0.2/", "warning_not_encrypted"),
        ("javascript:alert(1)", "warning_no_web_address"),
        ("file:///etc/passwd", "warning_no_web_address"),
        ("https://exa\u202emple.com/", "warning_hidden_characters"),
    ],
)
async def test_a_deceptive_address_is_shown_and_never_opened(
    world: DialogWorld, until: Until, url: str, warning: str
) -> None:
    browser = Browser()
    dialog = await address(world, until, url, browser)
    assert world.find(QWidget, warning).property("role") == "severe"
    assert "never opens" in world.text("hint")
    assert world.find(QPushButton, "elicit_accept").isHidden(), "what is not done is not offered"
    world.click("elicit_accept")
    assert browser.opened == []
    world.click("elicit_decline")
    assert answer_of(dialog).action is ElicitationAction.DECLINE


async def test_a_browser_that_does_not_start_is_no_acceptance(world: DialogWorld, until: Until) -> None:
    dialog = await address(world, until, "https://example.com/", Browser(works=False))
    world.click("elicit_accept")
    assert dialog.answer is None
    assert "could not be started" in world.text("hint")
    world.click("elicit_cancel")
    assert answer_of(dialog).action is ElicitationAction.CANCEL
