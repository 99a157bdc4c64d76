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
from desktop.conversation.lists import Folder
from desktop.ui.sidebar.thread_groups import group_key, group_label, time_label
from desktop.ui.sidebar.thread_list_model import OTHERS, ThreadListModel
from desktop.ui.sidebar.thread_roles import ThreadMark, ThreadRole

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
    asked: list[str] = []
    model.more_requested.connect(asked.append)
    model.reset([thread("a"), thread("b", 1)], complete=False)
    assert model.canFetchMore()
    model.fetchMore()
    model.fetchMore()
    assert asked == [OTHERS]
    assert not model.canFetchMore()
    model.append([thread("b", 1), thread("c", 2)], complete=True)
    assert not model.canFetchMore()
    assert model.thread_count == 3


FOLDERS = (Folder(id="f0", name="Work", position=0), Folder(id="f1", name="Home", position=1, is_open=False))
STEPS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(["put", "pin", "file", "archive", "remove"]), st.integers(0, 7), st.integers(0, 90 * 24)
        ),
        st.tuples(st.sampled_from(["folders", "open", "more", "day"]), st.integers(0, 5), st.just(0)),
        st.tuples(st.just("page"), st.integers(0, 7), st.integers(0, 90 * 24)),
    ),
    max_size=40,
)


class World:
    """A model after any steps, and what a fresh one must show."""

    def __init__(self) -> None:
        self.today = TODAY
        self.model = self.fresh()
        self.held: dict[str, Thread] = {}
        self.folders: tuple[Folder, ...] = ()
        self.more: set[str] = set()
        self.places: dict[str, QPersistentModelIndex] = {}

    def fresh(self) -> ThreadListModel:
        model = ThreadListModel(today=lambda: self.today)
        QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal, model)
        return model

    def expected(self) -> list[str]:
        model = self.fresh()
        model.set_folders(self.folders)
        model.reset(list(self.held.values()), complete=True)
        for part in self.more:
            model.append([], complete=False, part=part)
        return rows(model)

    def step(self, action: str, number: int, age: int) -> None:
        name = f"t{number}"
        if action in ("folders", "open", "more", "day"):
            self.change_list(action, number)
        elif action == "page":
            page = [thread(f"t{(number + n) % 8}", (age + n) / 24) for n in range(3)]
            for each in page:
                held = self.held.get(each.id)
                if held is None or held.updated_at <= each.updated_at:
                    self.held[each.id] = each
            self.model.append(page, complete=True)
        elif action == "remove":
            self.held.pop(name, None)
            self.model.remove(name)
        else:
            self.put(action, thread(name, age / 24), number)
        for known, place in list(self.places.items()):
            if not self.model.index_of(known).isValid():
                del self.places[known]
            else:
                assert place.data(ThreadRole.ID) == known
        for known in self.held:
            if self.model.index_of(known).isValid():
                self.places.setdefault(known, QPersistentModelIndex(self.model.index_of(known)))

    def put(self, action: str, made: Thread, number: int) -> None:
        if action == "pin":
            made = dataclasses.replace(made, pinned_at=made.updated_at)
        elif action == "archive":
            made = dataclasses.replace(made, archived_at=made.updated_at)
        elif action == "file":
            made = dataclasses.replace(made, folder_id=f"f{number % 2}")
        self.held[made.id] = made
        self.model.put(made)

    def change_list(self, action: str, number: int) -> None:
        if action == "folders":
            chosen = (FOLDERS, FOLDERS[::-1], FOLDERS[:1], FOLDERS[1:], (), FOLDERS)[number]
            gone = {f.id for f in self.folders} - {f.id for f in chosen}
            self.folders = chosen
            self.model.set_folders(chosen)
            self.more -= gone
            # As the service does: what was in a folder that is gone is announced anew, and a folder's threads are read.
            for each in list(self.held.values()):
                if each.folder_id in gone:
                    self.put("put", dataclasses.replace(each, folder_id=None), 0)
                elif each.folder_id is not None:
                    self.model.put(each)
        elif action == "open":
            self.folders = tuple(
                dataclasses.replace(f, is_open=not f.is_open) if f.id == f"f{number % 2}" else f for f in self.folders
            )
            self.model.set_folders(self.folders)
        elif action == "more":
            part = f"f{number % 2}"
            if any(f.id == part for f in self.folders):
                has_more = part not in self.more
                (self.more.add if has_more else self.more.discard)(part)
                self.model.append([], complete=not has_more, part=part)
        else:
            self.today += timedelta(days=number)
            self.model.regroup()


@given(steps=STEPS)
def test_any_changes_end_in_the_same_rows_as_a_fresh_start(qapp: QApplication, steps: list) -> None:
    world = World()
    for action, number, age in steps:
        world.step(action, number, age)
        assert rows(world.model) == world.expected(), (action, number, age)
        others = [row for row in range(world.model.rowCount()) if world.model.index(row).data(ThreadRole.IS_HEADING)]
        assert [row for row, _ in world.model.other_rows()] == others
        for row in range(world.model.rowCount()):
            index = world.model.index(row)
            if not index.data(ThreadRole.IS_HEADING):
                assert world.model.index_of(index.data(ThreadRole.ID)).row() == row
