"""Large text: what belongs to words grows with them, and nothing is cut off where they need more room."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFont, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton, QStyle, QVBoxLayout, QWidget

from desktop.agent.queue_state import Pause, Queue
from desktop.conversation.queued import QueuedMessage
from desktop.core.settings import AppearanceSettings
from desktop.ui.clear_button import ClearButton
from desktop.ui.composer.queue_panel import QueuePanel
from desktop.ui.search_field import SearchField
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.list_indent import list_indent

LARGE = 24.0


@pytest.fixture(params=[10.0, LARGE], ids=["usual", "large"])
def theme(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[ThemeManager]:
    made = ThemeManager(qapp, AppearanceSettings(font_size=request.param), "en")
    yield made
    made.deleteLater()


@pytest.fixture
def window(qapp: QApplication) -> Iterator[QWidget]:
    made = QWidget()
    made.resize(340, 400)
    yield made
    made.close()
    made.deleteLater()


def put_in(window: QWidget, widget: QWidget) -> None:
    layout = QVBoxLayout(window)
    layout.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
    window.show()
    QApplication.processEvents()


def test_the_cross_of_a_field_grows_with_its_text_and_stays_clear_of_it(theme: ThemeManager, window: QWidget) -> None:
    field = SearchField("field", theme)
    put_in(window, field)
    cross = field.findChild(ClearButton)
    assert cross is not None
    assert not cross.isVisible(), "nothing is there to be emptied"
    field.setText("words")
    assert cross.isVisible()
    assert cross.iconSize().height() == theme.px(14)
    assert field.rect().contains(cross.geometry())
    assert field.textMargins().right() >= cross.width() - 10, "the padding of the field is the rest"
    QTest.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert (field.text(), cross.isVisible()) == ("", False)


@pytest.mark.parametrize("items", [3, 120])
@pytest.mark.parametrize("start", [1, 9_990])
def test_the_numbers_of_a_list_have_room(qapp: QApplication, items: int, start: int) -> None:
    html = f'<ol start="{start}">{"<li>x</li>" * items}</ol>'
    for points in (10.0, LARGE):
        font = QFont()
        font.setPointSizeF(points)
        longest = f"{start + items - 1}."
        assert list_indent(html, font) > QFontMetricsF(font).horizontalAdvance(longest)


def test_a_menu_that_is_higher_than_the_screen_scrolls(theme: ThemeManager, window: QWidget) -> None:
    menu = QMenu(window)
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, None, menu) == 1


def test_why_messages_wait_is_never_squeezed(theme: ThemeManager, window: QWidget) -> None:
    panel = QueuePanel(theme)
    put_in(window, panel)
    waiting = QueuedMessage(id="m", thread_id="t", text="And then?")
    panel.show_queue(Queue(messages=(waiting,), pause=Pause.STOPPED), answers=False)
    QApplication.processEvents()
    words = panel.findChild(QWidget, "queueWords")
    assert words is not None
    assert words.height() >= words.heightForWidth(words.width())
    assert words.width() >= min(words.sizeHint().width(), panel.width() * 0.7)
    for name in ("queueGoOn", "queueDiscard"):
        button = panel.findChild(QPushButton, name)
        assert button is not None
        place = QRect(button.mapTo(panel, QPoint()), button.size())
        assert button.width() >= button.sizeHint().width()
        assert panel.rect().contains(place)
        assert not place.intersects(QRect(words.mapTo(panel, QPoint()), words.size()))
