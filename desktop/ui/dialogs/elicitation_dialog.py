"""A server's question during a call: its words as plain text, a form made from its schema, and three answers."""

from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QFrame, QPushButton, QVBoxLayout, QWidget

from desktop.tools.entities import ElicitationAction, ElicitationAnswer, ElicitationRequest, Ending
from desktop.tools.visible_text import reveal
from desktop.ui.bundled_words import field_title
from desktop.ui.controls import announce
from desktop.ui.dialogs.form_fields import OptionRow
from desktop.ui.dialogs.parts import (
    FittingScrollArea,
    QuietButton,
    fact_grid,
    icon_label,
    plain_label,
    quoted,
    row,
    yes_comes_first,
)
from desktop.ui.dialogs.prompt_dialog import PromptDialog
from desktop.ui.dialogs.schema_form import SchemaForm
from desktop.ui.dialogs.tick_marks import TickBox
from desktop.ui.state.form_schema import FieldKind, FormSchema
from desktop.ui.state.secret_words import prose_looks_secret
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_OF_CHAT = 200


class ServerQuestionDialog(PromptDialog):
    """What form and address questions share: who asks, the message, Accept, Decline and Cancel."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: ThemeManager,
        request: ElicitationRequest,
        arming_delay_ms: int,
        chat: str,
    ) -> None:
        """``chat`` is the title of the chat that the question belongs to, where that can be told."""
        super().__init__(parent, theme, arming_delay_ms)
        self.request = request
        self._chat = chat

    def cancelled_answer(self) -> ElicitationAnswer:
        return ElicitationAnswer(action=ElicitationAction.CANCEL, ending=Ending.CANCELLED)

    def update_buttons(self) -> None:
        self.accept_button.setEnabled(self.armed)

    def server_words(self) -> str:
        """Name the asker: a built-in server, or one that the person added."""
        server = reveal(self.request.server_id, keep_newlines=False)
        if self.request.bundled:
            return self.tr("{server} server (built in)").format(server=server)
        return self.tr("Server “{server}”, which you added").format(server=server)

    def chat_fact(self) -> list[QWidget]:
        """Return the line that names the chat, as the question before a call has it."""
        title = reveal(self._chat[:_MOST_OF_CHAT], keep_newlines=False)
        return [fact_grid([("thread", self.tr("Chat"), title)])] if title.strip() else []

    def add_message(self) -> None:
        self.message = quoted(self.request.message, self.theme, most_lines=8)
        self.message.setObjectName("elicit_message")
        self.message.setAccessibleName(self.tr("The server's message"))
        if self.request.message.strip():
            words = QVBoxLayout()
            words.setSpacing(5)
            caption = self.tr("The question") if self.request.bundled else self.tr("The server writes")
            words.addWidget(plain_label(caption, "section"))
            words.addWidget(self.message)
            self.body.addLayout(words)
        else:
            self.message.setParent(self)
            self.message.hide()

    def add_answers(self, accept_label: str) -> None:
        self.cancel_button = QuietButton(self.tr("Cancel"), "elicit_cancel")
        self.cancel_button.setToolTip(self.tr("Close the question without an answer"))
        self.decline_button = QuietButton(self.tr("Decline"), "elicit_decline", "danger")
        self.decline_button.setToolTip(self.tr("Tell the server that you say no"))
        self.accept_button = QuietButton(accept_label, "elicit_accept", "primary")
        self.cancel_button.clicked.connect(self.reject)
        self.decline_button.clicked.connect(lambda: self.finish(ElicitationAnswer(action=ElicitationAction.DECLINE)))
        self.accept_button.clicked.connect(self.accept_clicked)
        answers: list[QPushButton] = [self.accept_button, self.decline_button]
        self.add_foot([self.cancel_button], answers if yes_comes_first(self) else answers[::-1])

    def accept_clicked(self) -> None:
        """Check what there is to check, then ``finish``."""
        raise NotImplementedError


class _Hints(NamedTuple):
    quiet: str
    problems: str
    unread: str


class ElicitationDialog(ServerQuestionDialog):
    """A form. ``answer`` is an ``ElicitationAnswer``; Accept sends nothing while a field has a problem."""

    def __init__(
        self,
        parent: QWidget | None,
        theme: ThemeManager,
        request: ElicitationRequest,
        schema: FormSchema,
        arming_delay_ms: int = 700,
        *,
        chat: str = "",
    ) -> None:
        super().__init__(parent, theme, request, arming_delay_ms, chat)
        self.setObjectName("elicitationDialog")
        self._schema = schema
        self._was_checked = False
        self.build()

    def build(self) -> None:
        request, schema = self.request, self._schema
        self.setWindowTitle(self.tr("A question"))
        headline = self.tr("A question for you") if request.bundled else self.tr("A server asks you something")
        self.add_headline("message-circle-question-mark", headline, self.server_words())
        for widget in self.chat_fact():
            self.body.addWidget(widget)
        self.add_message()
        if request.bundled:
            schema = FormSchema(tuple(replace(field, title=field_title(field.title)) for field in schema.fields))
        self.form = SchemaForm(schema, self.theme)
        self._area = FittingScrollArea(self.form, least_height=90, most_height=self.theme.px(520))
        self._area.setObjectName("elicit_form")
        self._area.setAccessibleName(self.tr("Form"))
        self.body.addWidget(self._area)
        self._area.setVisible(bool(schema.fields))
        self._second_look = self._add_second_look(schema)
        self.add_answers(self.tr("Accept"))
        self._hints = _Hints(
            quiet=self._hint_for(schema),
            problems=self.tr("Nothing was sent. Look at the marked fields."),
            unread=self.tr("Nothing was sent. Read the warning first, and tick its box if you want to send this."),
        )
        self.set_hint(self._hints.quiet)
        self.form.problem_count_changed.connect(self._count_problems)
        first = self.form.first_text_row()
        if first is not None:
            first.focus_control()
        else:
            self.message.setFocus()
        self.update_buttons()

    def restored(self) -> None:
        if self._was_checked:
            self.form.content()

    def possible_hints(self) -> tuple[str, ...]:
        return self._hints if self._second_look is not None else self._hints[:2]

    def accept_clicked(self) -> None:
        self._was_checked = True
        content = self.form.content()
        if content is None:
            self._go_to_problem()
            return
        if self._second_look is not None and not self._second_look.isChecked():
            self.set_hint(self._hints.unread)
            self._second_look.setFocus()
            announce(self._second_look, self.hint.accessibleName())
            return
        self.finish(ElicitationAnswer(action=ElicitationAction.ACCEPT, content=content))

    def _go_to_problem(self) -> None:
        problem_row = self.form.first_problem()
        if problem_row is None:
            return
        problem_row.focus_control()
        announce(problem_row, problem_row.control.accessibleDescription())
        # Long messages have made the form higher: it must be laid out before it can be scrolled.
        QTimer.singleShot(0, problem_row, lambda: self._area.ensureWidgetVisible(problem_row, 0, 12))

    def _count_problems(self, count: int) -> None:
        self.set_hint(self._hints.problems if count else self._hints.quiet)
        self._area.fit(self._area.width())

    def _hint_for(self, schema: FormSchema) -> str:
        if not schema.fields:
            return self.tr("Only your answer is sent: this question has no fields.")
        if any(field.required for field in schema.fields):
            return self.tr("Fields with * must be filled in. What you accept is sent to the server.")
        return self.tr("What you accept is sent to the server.")

    def _add_second_look(self, schema: FormSchema) -> TickBox | None:
        typed = (FieldKind.TEXT, FieldKind.NUMBER, FieldKind.INTEGER)
        names = [f.title or f.name for f in schema.fields if f.secret]
        if not names and prose_looks_secret(self.request.message):
            names = [f.title or f.name for f in schema.fields if f.kind in typed]
        if not names:
            return None
        frame = QFrame()
        frame.setObjectName("secret_warning")
        frame.setProperty("role", "severe")
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(10, 8, 10, 6)
        layout.setSpacing(2)
        fields = ", ".join(reveal(name, keep_newlines=False) for name in names)
        warning = self.tr(
            "This looks like a question for a password, a key or another secret ({fields}). "
            "Servers must not ask for secrets in a form. Better decline."
        ).format(fields=fields)
        layout.addLayout(
            row(icon_label(self.theme, "key-round", "error"), plain_label(warning, "text"), stretch_last=True)
        )
        tick = TickBox()
        tick.setObjectName("elicit_confirm_secret")
        layout.addWidget(OptionRow(tick, self.tr("I know this server and want to send it anyway")))
        self.body.addWidget(frame)
        return tick
