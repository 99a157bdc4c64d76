"""What the user says of one model: how much it reads, what it can, how it shall answer, and what it costs."""

import json
from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLineEdit, QWidget

from desktop.core.endpoint_settings import (
    HIGHEST_PRICE,
    MOST_CONTEXT_TOKENS,
    MOST_CURRENCY_CHARACTERS,
    ModelOptions,
)
from desktop.core.thinking_effort import ThinkingEffort
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.endpoints.parts import Field
from desktop.ui.state.endpoint_extras import read_body_fields, read_number, read_whole
from desktop.ui.text_field import TextField

BODY_LINES = 3
USUAL_CURRENCY = "$"
"""What a price is in where nobody says otherwise, as the empty field shows."""

_AUTO, _YES, _NO = "auto", "yes", "no"
_FLAGS = {_AUTO: None, _YES: True, _NO: False}


class MoreAboutModel(QWidget):
    """Shows the options of one model at a time and keeps those of all.

    Signals:
        changed: something else is entered.
        submitted: Enter in a field of one line.
    """

    changed = Signal()
    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("modelOptions")
        self._model = ""
        self._kept: dict[str, ModelOptions] = {}
        self._context = self._edit("modelContext", 12)
        self._temperature = self._edit("modelTemperature", 6)
        self._thinking = ChoiceBox("modelThinking", "", *ThinkingEffort)
        self._images = ChoiceBox("modelImages", *_FLAGS)
        self._tools = ChoiceBox("modelTools", *_FLAGS)
        self._input_price = self._edit("modelInputPrice", 12)
        self._output_price = self._edit("modelOutputPrice", 12)
        self._currency = self._edit("modelCurrency", MOST_CURRENCY_CHARACTERS)
        self._body = TextField("modelBody")
        self._fields = {
            control: Field(control)
            for control in (
                self._context,
                self._temperature,
                self._thinking,
                self._images,
                self._tools,
                self._input_price,
                self._output_price,
                self._currency,
                self._body,
            )
        }
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(10)
        grid.setVerticalSpacing(12)
        places = ((self._context, 0, 3), (self._temperature, 3, 3), (self._thinking, 0, 2), (self._images, 2, 2),
                  (self._tools, 4, 2), (self._input_price, 0, 2), (self._output_price, 2, 2), (self._currency, 4, 2))  # fmt: skip
        for number, (control, column, width) in enumerate(places):
            grid.addWidget(self._fields[control], (0, 0, 1, 1, 1, 2, 2, 2)[number], column, 1, width, _TOP)
        grid.addWidget(self._fields[self._body], 3, 0, 1, 6)
        for column in range(6):
            grid.setColumnStretch(column, 1)
        self._body.textChanged.connect(self.changed)
        for box in (self._thinking, self._images, self._tools):
            box.activated.connect(lambda _index: self.changed.emit())
        self.retranslate()

    @property
    def all_options(self) -> Mapping[str, ModelOptions]:
        """By model; those that say nothing are left out."""
        kept = {**self._kept, self._model: self._entered()}
        return {model: options for model, options in kept.items() if model and options != ModelOptions()}

    def fill(self, options: Mapping[str, ModelOptions], model: str) -> None:
        """Show the options of ``model``, and keep those of the others."""
        self._kept = dict(options)
        self._model = model
        self._show(self._kept.get(model, ModelOptions()))

    def show_model(self, model: str) -> None:
        """Show the options of another model; what was entered for the one before is kept."""
        if model != self._model:
            self._kept[self._model] = self._entered()
            self._model = model
            self._show(self._kept.get(model, ModelOptions()))

    def has_content(self) -> bool:
        """Something is said of the model that is shown."""
        return self._entered() != ModelOptions()

    def find_problem(self) -> QWidget | None:
        """Show at its field what cannot be used; returns the control to go to, None when all is well."""
        number = self.tr("A number from %1 to %2, or nothing.")

        def within(least: float, most: float) -> str:
            show = self.locale().toString
            return number.replace("%2", show(float(most), "f", 0)).replace("%1", show(float(least), "f", 0))

        body = read_body_fields(self._body.toPlainText())
        prices = within(0, HIGHEST_PRICE)
        problems = {
            self._context: "" if self._context_read()[1] else within(1, MOST_CONTEXT_TOKENS),
            self._temperature: "" if read_number(self._temperature.text(), 0, 2)[1] else within(0, 2),
            self._input_price: "" if self._price(self._input_price)[1] else prices,
            self._output_price: "" if self._price(self._output_price)[1] else prices,
            self._body: {
                "not_json": self.tr("This is no JSON that can be used; look at line %1.")
                if body.subject
                else self.tr("This is no JSON that can be used."),
                "no_object": self.tr("This should be a JSON object in braces, such as {\"top_k\": 40}."),
                "reserved": self.tr("%1 cannot be set here: Threadwell sets it."),
            }.get(body.problem, "").replace("%1", body.subject),
        }  # fmt: skip
        for control, text in problems.items():
            self._fields[control].show_problem(text)
        return next((control for control, text in problems.items() if text), None)

    def retranslate(self) -> None:
        automatic = self.tr("Automatic")
        for control, label in (
            (self._context, self.tr("Context length in tokens")),
            (self._temperature, self.tr("Temperature")),
            (self._thinking, self.tr("Thinking")),
            (self._images, self.tr("Sees images")),
            (self._tools, self.tr("Takes tools")),
            (self._input_price, self.tr("Price in, per million")),
            (self._output_price, self.tr("Price out, per million")),
            (self._currency, self.tr("Currency")),
            (self._body, self.tr("Further fields of the request, as JSON")),
        ):
            self._fields[control].set_label(label)
        self._context.setPlaceholderText(automatic)
        self._temperature.setPlaceholderText(self.tr("As in all chats"))
        for price in (self._input_price, self._output_price):
            price.setPlaceholderText(self.tr("Not known"))
        self._currency.setPlaceholderText(USUAL_CURRENCY)
        self._body.setPlaceholderText('{"top_k": 40}')
        self._body.setFixedHeight(self._body.fontMetrics().lineSpacing() * BODY_LINES + 18)
        self._thinking.set_words(automatic, self.tr("Off"), self.tr("Low"), self.tr("Medium"), self.tr("High"))
        for box in (self._images, self._tools):
            box.set_words(automatic, self.tr("Yes"), self.tr("No"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _edit(self, name: str, most: int) -> QLineEdit:
        edit = QLineEdit()
        edit.setObjectName(name)
        edit.setMaxLength(most)
        edit.textEdited.connect(self.changed)
        edit.returnPressed.connect(self.submitted)
        return edit

    def _context_read(self) -> tuple[int | None, bool]:
        return read_whole(self._context.text(), 1, MOST_CONTEXT_TOKENS)

    @staticmethod
    def _price(edit: QLineEdit) -> tuple[float | None, bool]:
        return read_number(edit.text(), 0, HIGHEST_PRICE)

    def _entered(self) -> ModelOptions:
        """What can be used of what stands here."""
        thinking = self._thinking.key
        prices = self._price(self._input_price)[0], self._price(self._output_price)[0]
        currency = self._currency.text().strip()
        if not currency and prices != (None, None):
            currency = USUAL_CURRENCY
        return ModelOptions(
            context_tokens=self._context_read()[0],
            temperature=read_number(self._temperature.text(), 0, 2)[0],
            thinking=ThinkingEffort(thinking) if thinking else None,
            sees_images=_FLAGS[self._images.key],
            takes_tools=_FLAGS[self._tools.key],
            extra_body=read_body_fields(self._body.toPlainText()).fields,
            input_price=prices[0],
            output_price=prices[1],
            currency=currency,
        )

    def _show(self, options: ModelOptions) -> None:
        self._context.setText("" if options.context_tokens is None else str(options.context_tokens))
        for edit, number in (
            (self._temperature, options.temperature),
            (self._input_price, options.input_price),
            (self._output_price, options.output_price),
        ):
            edit.setText("" if number is None else f"{number:g}")
        self._thinking.show_key(options.thinking or "")
        for box, flag in ((self._images, options.sees_images), (self._tools, options.takes_tools)):
            box.show_key(next(key for key, value in _FLAGS.items() if value is flag))
        self._currency.setText(options.currency)
        body = dict(options.extra_body)
        self._body.setPlainText(json.dumps(body, ensure_ascii=False) if body else "")
        for field in self._fields.values():
            field.show_problem("")


_TOP = Qt.AlignmentFlag.AlignTop
