"""A form to call one tool of a server and see what comes back: from the tool's schema where a form can ask it, else JSON."""

import json
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.tools.entities import ToolDescriptor
from desktop.tools.strict_json import UnreadableJson, read_json
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.parts import plain_label, scrolled, set_plain
from desktop.ui.dialogs.schema_form import SchemaForm
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.live_text import LiveText
from desktop.ui.state.form_schema import FormSchema, SchemaError, parse_schema
from desktop.ui.text_field import TextField
from desktop.ui.theme.theme_manager import ThemeManager

_MOST_OF_NAME, _MOST_OF_DESCRIPTION = 80, 400


class ToolTest(QWidget):
    """Signals:
    called: the tool and its arguments as JSON text; ``show_running`` and ``show_result`` say what becomes of it.
    stop_requested: the call is to be given up.
    """

    called = Signal(object, str)
    stop_requested = Signal()

    def __init__(self, theme: ThemeManager) -> None:
        super().__init__()
        self.setProperty("role", "clear")
        self._theme = theme
        self._tools: tuple[ToolDescriptor, ...] = ()
        self._tool: ToolDescriptor | None = None
        self._form: SchemaForm | None = None
        self._is_running = False
        self._choice = ChoiceBox("testTool")
        self._choice.activated.connect(lambda _index: self._choose(self._choice.key))
        self._purpose, self._state = plain_label("", "muted"), plain_label("", "muted")
        self._state.setObjectName("testState")
        self._json = TextField("testJson")
        self._json.setFont(theme.code_font())
        self._json.setFixedHeight(self._json.fontMetrics().lineSpacing() * 7 + 24)
        self._problem = plain_label("", "error")
        self._problem.setObjectName("testProblem")
        self._run, self._stop, self._as_json = QPushButton(), QPushButton(), QPushButton()
        for button, name, role in (
            (self._run, "testRun", "primary"),
            (self._stop, "testStop", ""),
            (self._as_json, "testAsJson", "link"),
        ):
            button.setObjectName(name)
            button.setAutoDefault(False)
            button.setProperty("role", role)
        self._run.clicked.connect(self._call)
        self._stop.clicked.connect(self.stop_requested)
        self._as_json.clicked.connect(self._write_json)
        self._result = LiveText("testResult", theme, follows=False)
        self._arrange()
        self.retranslate()

    @property
    def tool(self) -> ToolDescriptor | None:
        """The tool that is chosen."""
        return self._tool

    def show_tools(self, tools: Sequence[ToolDescriptor]) -> None:
        """Offer these; the one that is chosen stays so while it is as it was, with what was filled in."""
        tools = tuple(tools)
        if tools == self._tools:
            return
        self._tools = tools
        names = [tool.name for tool in tools]
        self._choice.set_keys(*names)
        self._choice.set_words(*(reveal(name[:_MOST_OF_NAME], keep_newlines=False) for name in names))
        present = next((tool for tool in tools if self._tool is not None and tool.name == self._tool.name), None)
        if present is not None and present == self._tool:
            self._choice.show_key(present.name)
        else:
            self._choose(present.name if present is not None else names[0] if names else "")
        self._show()

    def show_running(self, words: str) -> None:
        """A call goes on: it cannot be made twice at a time."""
        self._is_running = True
        set_plain(self._state, words)
        self._show()

    def show_result(self, words: str, text: str) -> None:
        """The call is over: how, and what came back."""
        self._is_running = False
        set_plain(self._state, words)
        self._result.show_text(text)
        self._result.setVisible(bool(text))
        self._show()

    def retranslate(self) -> None:
        self._choice.setAccessibleName(self.tr("The tool to be called"))
        self._json.setAccessibleName(self.tr("Arguments as JSON"))
        self._run.setText(self.tr("Call"))
        self._stop.setText(self.tr("Stop"))
        self._as_json.setText(self.tr("Write the arguments as JSON"))
        self._result.setAccessibleName(self.tr("Result"))
        for button in (self._run, self._stop, self._as_json):
            button.setAccessibleName(button.text())
        self._show()

    def _arrange(self) -> None:
        content = QWidget()
        content.setProperty("role", "clear")
        self._column = QVBoxLayout(content)
        self._column.setContentsMargins(0, 12, 6, 4)
        self._column.setSpacing(8)
        buttons = QWidget()
        buttons.setLayout(Wrapping(self._run, self._stop, self._as_json))
        for widget in (self._choice, self._purpose, self._json, self._problem, buttons, self._state, self._result):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self._result.setMinimumHeight(self._result.fontMetrics().lineSpacing() * 6 + 20)
        self._result.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(scrolled(content))

    def _choose(self, name: str) -> None:
        self._tool = next((tool for tool in self._tools if tool.name == name), None)
        if self._tool is not None:
            self._choice.show_key(name)
        set_plain(self._problem, "")
        self._drop_form()
        self._json.setPlainText("{}")
        if self._tool is not None and (schema := _form_of(self._tool)) is not None:
            self._form = SchemaForm(schema, self._theme)
            self._form.setObjectName("testForm")
            self._column.insertWidget(2, self._form)
        self._show()

    def _drop_form(self) -> None:
        if self._form is not None:
            self._column.removeWidget(self._form)
            self._form.hide()
            self._form.deleteLater()
            self._form = None

    def _write_json(self) -> None:
        """Go on with the text: for what a form does not ask."""
        content = self._form.content() if self._form is not None else None
        self._json.setPlainText(json.dumps(content or {}, indent=2, ensure_ascii=False))
        self._drop_form()
        self._show()
        self._json.setFocus()

    def _call(self) -> None:
        if self._tool is None or self._is_running:
            return
        arguments = self._arguments()
        if arguments is not None:
            self.called.emit(self._tool, json.dumps(arguments, ensure_ascii=False))

    def _arguments(self) -> Any:
        if self._form is not None:
            content = self._form.content()
            if content is None and (row := self._form.first_problem()) is not None:
                row.focus_control()
            return content
        try:
            value = read_json(self._json.toPlainText().strip() or "{}")
        except UnreadableJson as error:
            set_plain(self._problem, self.tr("This is not JSON that can be used: %1.").replace("%1", str(error)))
            value = None
        else:
            is_object = isinstance(value, dict)
            set_plain(self._problem, "" if is_object else self.tr("The arguments must be one JSON object: {…}."))
            value = value if is_object else None
        self._show()
        return value

    def _show(self) -> None:
        has_tool = self._tool is not None
        said = " ".join(self._tool.description.split()) if self._tool is not None else ""
        shown = reveal(said[:_MOST_OF_DESCRIPTION]) + ("…" if len(said) > _MOST_OF_DESCRIPTION else "")
        set_plain(self._purpose, shown if has_tool else self.tr("It lists no tools now, so none can be called."))
        self._purpose.setVisible(bool(shown) or not has_tool)
        self._choice.setVisible(has_tool)
        self._json.setVisible(has_tool and self._form is None)
        self._problem.setVisible(bool(self._problem.text()) and self._form is None)
        self._as_json.setVisible(has_tool and self._form is not None)
        self._run.setVisible(has_tool)
        self._run.setEnabled(not self._is_running)
        if self._is_running and not self._stop.isVisible() and self._run.hasFocus():
            self._stop.setFocus(Qt.FocusReason.OtherFocusReason)
        self._stop.setVisible(self._is_running)
        self._state.setVisible(bool(self._state.text()))


def _form_of(tool: ToolDescriptor) -> FormSchema | None:
    """Return the fields of a tool's arguments, None where a form cannot ask them all."""
    try:
        return parse_schema(tool.input_schema)
    except SchemaError:
        return None
