"""Pages that show fields of one section of the settings, and the presenter that all of them share."""

import dataclasses
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from PySide6.QtCore import QObject, Signal

from desktop.core.settings import Settings
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.page import SettingRow, SettingsPage
from desktop.ui.settings.writer import Edit


class SectionPage(SettingsPage):
    """A page of plain values.

    Signals:
        chosen: a field's name and the value that the user picked; it is stored at once.
        typed: a field's name and a value that may change with the next key; it is stored in a moment.
        store_requested: what was typed shall be stored now, also where that failed before.
    """

    chosen = Signal(str, object)
    typed = Signal(str, object)
    store_requested = Signal()

    field_rows: Mapping[str, SettingRow] = {}
    """The rows of what can be typed, by the field's name."""

    def __init__(self, key: str, icon: str) -> None:
        super().__init__(key, icon)
        for signal in (self.chosen, self.typed):
            signal.connect(self.steady.hold)  # before the change: what it alters may stand above the control

    def show_unsaved(self, fields: Collection[str]) -> None:
        """Mark the rows of these fields: what stands there could not be stored. The others are not."""
        for field, row in self.field_rows.items():
            row.set_unsaved(field in fields, self.store_requested.emit)

    def show_values(self, values: Any) -> None:
        """Show the section's values without emitting anything."""
        raise NotImplementedError


class SectionPresenter(QObject):
    """Keeps a page and its fields of the settings alike; belongs to the page."""

    def __init__(self, page: SectionPage, context: SettingsContext, section: str, fields: Sequence[str]) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._writer = context.writer
        self._section = section
        self._fields = fields
        self._typed: dict[str, object] = {}
        page.chosen.connect(self._save)
        page.typed.connect(self._save_soon)
        page.reset_requested.connect(self._reset)
        page.store_requested.connect(self._writer.flush)
        self._writer.written.connect(self._take_stored)
        self._writer.failed.connect(self._failed)
        context.services.settings.changed.connect(self._settings_changed)
        self._show()

    def _values(self) -> Any:
        return getattr(self._writer.settings, self._section)

    def _edit(self, **changes: object) -> Edit:
        section = self._section

        def edit(settings: Settings) -> Settings:
            values = dataclasses.replace(getattr(settings, section), **changes)
            return dataclasses.replace(settings, **{section: values})

        return edit

    def _save(self, field: str, value: object) -> None:
        self._forget(field)
        self._writer.save(self._edit(**{field: value}))

    def _save_soon(self, field: str, value: object) -> None:
        self._typed[field] = value
        self._writer.save_soon(f"{self._section}.{field}", self._edit(**{field: value}))

    def _forget(self, field: str) -> None:
        self._typed.pop(field, None)
        self._writer.drop(f"{self._section}.{field}")

    def _reset(self) -> None:
        self._writer.flush()  # what Undo brings back includes what was just typed
        values, first = self._values(), type(self._values())()
        before = {field: getattr(values, field) for field in self._fields}
        if self._writer.save(self._edit(**{field: getattr(first, field) for field in self._fields})):
            self._context.offer_undo(
                lambda: self.tr("“%1” was reset").replace("%1", self._page.title), lambda: self._restore(before)
            )

    def _restore(self, before: dict[str, object]) -> None:
        self._writer.save(self._edit(**before))

    def _settings_changed(self, settings: Settings) -> None:
        self._take_stored()

    def _take_stored(self) -> None:
        values = self._values()
        self._typed = {field: typed for field, typed in self._typed.items() if getattr(values, field) != typed}
        if not self._typed:
            self._page.show_unsaved(())
        self._show()

    def _failed(self) -> None:
        self._page.show_unsaved(self._typed)
        self._show()

    def _show(self) -> None:
        values = self._values()
        first = type(values)()
        self._page.show_values(dataclasses.replace(values, **self._typed))
        self._page.set_can_reset(any(getattr(values, field) != getattr(first, field) for field in self._fields))
