"""A list of rows: who reads it without seeing it meets the rows in the order in which they stand."""

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QFrame, QLabel

from desktop.ui.settings.row_list import RowList


@pytest.fixture
def rows(qapp: QApplication) -> Iterator[RowList]:
    made = RowList("rows")
    made.show()
    yield made
    made.close()
    made.deleteLater()


def read(rows: RowList) -> str:
    """What a screen reader meets that can be seen, in its order."""
    interface = QAccessible.queryAccessibleInterface(rows)
    children = [interface.child(number) for number in range(interface.childCount())]
    return "".join(child.text(QAccessible.Text.Name) for child in children if not child.state().invisible)


def test_it_is_read_in_the_order_that_is_seen(rows: RowList) -> None:
    labels = {name: QLabel(name) for name in "abcdef"}
    for wanted in ("ab", "abcd", "abcdef", "ba", "ac", "", "fedcba", "fdb", "fdba"):
        rows.set_rows([labels[name] for name in wanted])
        QApplication.processEvents()
        shown = sorted((label for label in labels.values() if label.isVisible()), key=lambda label: label.y())
        assert "".join(label.text() for label in shown) == wanted
        assert read(rows) == wanted
        lines = [
            line for line in rows.findChildren(QFrame) if line.property("role") == "settingLine" and line.isVisible()
        ]
        assert len(lines) == max(len(wanted) - 1, 0)
    for label in labels.values():
        label.deleteLater()


def test_rows_that_stay_at_the_beginning_keep_the_focus(rows: RowList) -> None:
    first, second = QLabel("first"), QLabel("second")
    rows.set_rows([first])
    rows.activateWindow()
    first.setFocus()
    rows.set_rows([first, second])
    assert rows.focusWidget() is first
    rows.set_rows([first])
    assert rows.focusWidget() is first
    second.deleteLater()
