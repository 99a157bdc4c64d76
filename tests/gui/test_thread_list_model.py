"""The rows of the sidebar: groups by day, one order, and selections that survive every change."""

import dataclasses
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, QLocale, QPersistentModelIndex, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication

from desktop.conversation.entities import Thread
from desktop.ui.sidebar.thread_groups import group_key, group_label, time_label
from desktop.ui.sidebar.thread_list_model import ThreadListModel, ThreadMark, ThreadRole

TODAY = date(2026, 11, 18)


def thread(name: str, days_ago: float = 0, *, title: str | None = None) -> Thread:
    moment = datetime(2026, 11, 18, 12, tzinfo=UTC) - timedelta(days=days_ago)
    return Thread(
        id=name,
        title=name if title is None else title,
        title_by_user=False,
        tip=None,
        created_at=moment,
        updated_at=moment,
        snippet=f"snippet of {name}",
    )


def make_model(*threads: Thread) -> ThreadListModel:
    model = ThreadListModel(today=lambda: TODAY)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
    model.reset(threads, complete=True)
    return model


def rows(model: ThreadListModel) -> list[str]:
    return [str(model.index(number).data()) for number in range(model.rowCount())]


def test_threads_stand_under_headings_newest_first(qapp: QApplication) -> None:
    model = make_model(thread("old", 60), thread("now"), thread("week", 4), thread("yesterday", 1))
    assert rows(model) == ["Today", "now", "Yesterday", "yesterday", "Previous 7 days", "week", "September 2026", "old"]
    heading = model.index(0)
    assert heading.data(ThreadRole.IS_HEADING)
    assert not heading.flags() & Qt.ItemFlag.ItemIsSelectable


@pytest.mark.parametrize(
    ("days", "key"), [(0, "today"), (1, "yesterday"), (2, "week"), (7, "week"), (8, "2026-11"), (300, "2026-01")]
)
def test_groups_by_local_day(days: int, key: str) -> None:
    assert group_key(thread("x", days).updated_at, TODAY) == key


def test_a_clock_that_ran_ahead_is_today() -> None:
    assert group_key(thread("x", -3).updated_at, TODAY) == "today"


@pytest.mark.parametrize(
    ("language", "month", "day"),
    [
        ("en_US", "March 2026", "Sep 19"),
        ("en_GB", "March 2026", "19 Sept"),
        ("zh_CN", "2026年3月", "9月19日"),
        ("de_DE", "März 2026", "19. Sept."),
        ("es_ES", "Marzo de 2026", "19 de sept"),
        ("ru_RU", "Март 2026\u202fг.", "19 сент."),
        ("ko_KR", "2026년 3월", "9월 19일"),
    ],
)
def test_dates_without_day_or_year_follow_the_locale(qapp: QApplication, language: str, month: str, day: str) -> None:
    assert group_label("2026-03", QLocale(language)) == month
    assert time_label(thread("x", 60).updated_at, TODAY, QLocale(language)) == day


def test_labels_follow_the_locale(qapp: QApplication) -> None:
    assert time_label(thread("x", 4).updated_at, TODAY, QLocale("en_US")) == "Sat"


def test_a_changed_thread_moves_up_and_stays_selected(qapp: QApplication) -> None:
    model = make_model(thread("a"), thread("b", 3), thread("c", 4))
    selection = QItemSelectionModel(model)
    selection.select(model.index_of("c"), QItemSelectionModel.SelectionFlag.Select)
    model.put(thread("c", -0.1, title="new title"))
    assert rows(model) == ["Today", "new title", "a", "Previous 7 days", "b"]
    assert [index.data(ThreadRole.ID) for index in selection.selectedIndexes()] == ["c"]


def test_a_heading_goes_with_its_last_thread(qapp: QApplication) -> None:
    model = make_model(thread("a"), thread("b", 3))
    model.remove("b")
    assert rows(model) == ["Today", "a"]
    model.remove("a")
    assert rows(model) == []


def test_a_thread_without_title_has_a_name(qapp: QApplication) -> None:
    assert rows(make_model(thread("a", title=""))) == ["Today", "New chat"]


@pytest.mark.parametrize(
    ("title", "snippet", "shown"),
    [
        ("Hello", "Hello", ""),
        ("Explain how the tide comes about and…", "Explain how the tide comes about and goes", ""),
        ("Hello", "Hello to you, too", "Hello to you, too"),
        ("Tides", "> **The moon** pulls", "The moon pulls"),
        ("", "", ""),
    ],
)
def test_the_second_line_says_something_else_than_the_title(
    qapp: QApplication, title: str, snippet: str, shown: str
) -> None:
    made = dataclasses.replace(thread("a", title=title), snippet=snippet)
    model = make_model(made)
    index = model.index_of("a")
    assert index.data(ThreadRole.SNIPPET) == shown
    spoken = str(index.data(Qt.ItemDataRole.AccessibleTextRole)).split(", ")
    assert spoken[-1] == (shown.split(", ")[-1] or index.data(ThreadRole.TIME))


def test_screen_readers_hear_title_mark_time_and_snippet(qapp: QApplication) -> None:
    model = make_model(thread("a", 4))
    model.set_mark("a", ThreadMark.WAITING)
    spoken = model.index_of("a").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("a, waiting for you, ")
    assert spoken.endswith("snippet of a")


def test_an_edit_is_a_request_and_changes_nothing(qapp: QApplication) -> None:
    model = make_model(thread("a"))
    requests: list[tuple[str, str]] = []
    model.rename_requested.connect(lambda *request: requests.append(request))
    model.setData(model.index_of("a"), "  another \n name ")
    model.setData(model.index_of("a"), "   ")
    model.setData(model.index_of("a"), "a")
    assert requests == [("a", "another name")]
    assert rows(model) == ["Today", "a"]


def test_pages_are_asked_for_once(qapp: QApplication) -> None:
    model = ThreadListModel(today=lambda: TODAY)
    asked: list[int] = []
    model.more_requested.connect(asked.append)
    model.reset([thread("a"), thread("b", 1)], complete=False)
    assert model.canFetchMore()
    model.fetchMore()
    model.fetchMore()
    assert asked == [2]
    model.append([thread("b", 1), thread("c", 2)], complete=True)
    assert not model.canFetchMore()
    assert model.thread_count == 3


STEPS = st.lists(
    st.tuples(st.sampled_from(["put", "put", "put", "remove"]), st.integers(0, 7), st.floats(0, 90, allow_nan=False)),
    max_size=30,
)


@given(steps=STEPS)
def test_any_changes_end_in_the_same_rows_as_a_fresh_start(qapp: QApplication, steps: list) -> None:
    model = make_model()
    held: dict[str, Thread] = {}
    places: dict[str, QPersistentModelIndex] = {}
    for action, number, age in steps:
        name = f"t{number}"
        if action == "put":
            held[name] = thread(name, age)
            model.put(held[name])
            places.setdefault(name, QPersistentModelIndex(model.index_of(name)))
        else:
            held.pop(name, None)
            model.remove(name)
            places.pop(name, None)
    assert rows(model) == rows(make_model(*held.values()))
    assert {name: place.data(ThreadRole.ID) for name, place in places.items()} == {name: name for name in held}
