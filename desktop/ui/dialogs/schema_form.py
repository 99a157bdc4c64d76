"""A form made from a server's schema: shows the fields, and says at each field what is wrong with it."""

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.dialogs.form_fields import FieldRow
from desktop.ui.dialogs.parts import plain_label
from desktop.ui.state.form_schema import FieldKind, FormSchema
from desktop.ui.state.form_state import Problem, ProblemCode, check_field, check_form
from desktop.ui.theme.theme_manager import ThemeManager

_LEAST_GAP, _TICK_GAP = 7, 2
"""Between two fields stands the room for what is wrong with the upper one; nothing can be wrong with a tick."""


class SchemaForm(QWidget):
    """The fields of one schema. Problems show when ``content`` was asked for, and from then on with every edit."""

    problem_count_changed = Signal(int)

    def __init__(self, schema: FormSchema, theme: ThemeManager) -> None:
        super().__init__()
        self._schema = schema
        self._problems: set[int] = set()
        self._is_live = False
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(_LEAST_GAP)
        self.rows = [FieldRow(field, index, theme) for index, field in enumerate(schema.fields)]
        a_line = plain_label(self._words(Problem(ProblemCode.REQUIRED)), "error").sizeHint().height()
        for index, row in enumerate(self.rows):
            row.keep_room(_TICK_GAP if row.field.kind is FieldKind.BOOLEAN else a_line)
            layout.addWidget(row)
            row.changed.connect(lambda index=index: self._edited(index))
        layout.addStretch(1)

    def content(self) -> Mapping[str, Any] | None:
        """Return what would be sent, or None after showing each problem at its field."""
        self._is_live = True
        check = check_form(self._schema, {index: row.entry for index, row in enumerate(self.rows)})
        for index in range(len(self.rows)):
            self._show(index, check.problems.get(index))
        return None if check.problems else check.content

    def first_problem(self) -> FieldRow | None:
        return self.rows[min(self._problems)] if self._problems else None

    def first_text_row(self) -> FieldRow | None:
        """The first field if one can type into it: the natural start; a tick is none, a stray key would set it."""
        kinds = (FieldKind.TEXT, FieldKind.NUMBER, FieldKind.INTEGER)
        return self.rows[0] if self.rows and self.rows[0].field.kind in kinds else None

    def _edited(self, index: int) -> None:
        if self._is_live:
            row = self.rows[index]
            self._show(index, check_field(row.field, row.entry)[1])

    def _show(self, index: int, problem: Problem | None) -> None:
        before = len(self._problems)
        if problem is None:
            self._problems.discard(index)
        else:
            self._problems.add(index)
        self.rows[index].show_problem("" if problem is None else self._words(problem))
        if len(self._problems) != before:
            self.problem_count_changed.emit(len(self._problems))

    def _words(self, problem: Problem) -> str:
        words = {
            ProblemCode.REQUIRED: self.tr("Required."),
            ProblemCode.TOO_SHORT: self.tr("Too short: at least {limit} characters."),
            ProblemCode.TOO_LONG: self.tr("Too long: at most {limit} characters."),
            ProblemCode.NOT_A_NUMBER: self.tr("This is not a number."),
            ProblemCode.NOT_WHOLE: self.tr("Enter a whole number."),
            ProblemCode.TOO_SMALL: self.tr("Too small: at least {limit}."),
            ProblemCode.NOT_ABOVE: self.tr("Too small: it must be more than {limit}."),
            ProblemCode.TOO_LARGE: self.tr("Too large: at most {limit}."),
            ProblemCode.NOT_BELOW: self.tr("Too large: it must be less than {limit}."),
            ProblemCode.BAD_EMAIL: self.tr("Enter an e-mail address such as name@example.com."),
            ProblemCode.BAD_URI: self.tr("Enter a complete address such as https://example.com/."),
            ProblemCode.BAD_DATE: self.tr("Enter a date as year-month-day, such as 2026-11-30."),
            ProblemCode.BAD_DATE_TIME: self.tr("Enter date, time and zone, such as 2026-11-30T18:00:00+08:00."),
            ProblemCode.TOO_FEW_CHOICES: self.tr("Choose at least {limit}."),
            ProblemCode.TOO_MANY_CHOICES: self.tr("Choose at most {limit}."),
            ProblemCode.UNSENDABLE: self.tr("Contains half a character, which cannot be sent. Type it again."),
        }
        return words[problem.code].format(limit=problem.limit)
