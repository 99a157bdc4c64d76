"""The form for one endpoint: address, key, model, name; what is not needed for its purpose is not shown."""

import dataclasses
from enum import StrEnum

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QHBoxLayout, QLineEdit, QPushButton, QToolButton, QVBoxLayout, QWidget

from desktop.core.endpoints import EndpointCheck, ProviderPreset
from desktop.core.settings import EndpointSettings, KeyPlace
from desktop.ui.controls import announce, describe, prepare_icon_button, set_enabled
from desktop.ui.endpoints.advanced_fields import AdvancedFields
from desktop.ui.endpoints.check_result import CheckResult
from desktop.ui.endpoints.key_field import PASTE, KeyField
from desktop.ui.endpoints.model_list import ModelList
from desktop.ui.endpoints.model_options_fields import MoreAboutModel
from desktop.ui.endpoints.parts import Disclosure, Field, ModelBox, shown, words
from desktop.ui.state.endpoint_entry import (
    host_of,
    is_address_usable,
    sort_address,
    tidy_address,
)
from desktop.ui.theme.theme_manager import ThemeManager


class Purpose(StrEnum):
    PRESET = "preset"
    """A known provider: only key and model are asked for."""
    CUSTOM = "custom"
    EDIT = "edit"
    """An endpoint that is in the settings already."""


class EndpointForm(QWidget):
    """Holds what is entered. The presenter (``form_presenter``) tests it and asks for the models.

    Signals:
        submitted: the user wants it kept; ``find_problem`` tells whether it can be.
        test_requested, test_cancelled: the Test button, and Cancel while it runs.
        models_requested: the list of models is wanted anew; True when the user asked for it by the button.
    """

    submitted = Signal()
    test_requested = Signal()
    test_cancelled = Signal()
    models_requested = Signal(bool)

    def __init__(self, theme: ThemeManager, purpose: Purpose) -> None:
        super().__init__()
        self.setObjectName(f"endpointForm-{purpose}")
        self._purpose = purpose
        self._endpoint = EndpointSettings()
        self._taken_model = ""  # by ``set_models``, so not by the user
        self._counted = 0
        """How many models the hint below the field speaks of; 0 when it says something else."""
        self._moved = ""
        self._asked_address = ""
        self._address = QLineEdit()
        self._address.setObjectName("endpointAddress")
        self._address.setPlaceholderText("http://127.0.0.1:11434/v1")
        self._address.setInputMethodHints(Qt.InputMethodHint.ImhUrlCharactersOnly)
        self._address_length = 0
        self._address_field = Field(self._address)
        self.key_field = KeyField(theme)
        self._model = ModelBox()
        self._model.setObjectName("endpointModel")
        self._refresh = QToolButton()
        prepare_icon_button(self._refresh, theme, "refreshModels", "refresh-cw")
        self._model_field = Field(self._model, (self._refresh,), keeps_room=True)
        self._list = ModelList()
        self._name = QLineEdit()
        self._name.setObjectName("endpointName")
        self._name.setMaxLength(80)
        self._name_field = Field(self._name)
        self._about_model = MoreAboutModel()
        self._model_options = Disclosure("endpointModelOptions", self._about_model)
        self._more = AdvancedFields()
        self._advanced = Disclosure("endpointAdvanced", self._more)
        self._note = words("muted", "movedNote")
        self._note.hide()
        self._submit = QPushButton()
        self._submit.setObjectName("submitEndpoint")
        self._submit.setProperty("role", "primary")
        self._test = QPushButton()
        self._test.setObjectName("testEndpoint")
        self.result = CheckResult(theme)
        self._arrange()
        self._connect()
        self.retranslate()

    @property
    def is_new(self) -> bool:
        """It is no endpoint of the settings yet."""
        return self._purpose is not Purpose.EDIT

    def take_buttons(self, cancel: QPushButton) -> QWidget:
        """Return the row of buttons, which ends with Save and a dialog's Cancel in the order that the desktop is used to.

        It is no part of the form any more: the dialog shows it where it does not scroll.
        """
        role = QDialogButtonBox.ButtonRole
        ending = QDialogButtonBox()
        self._buttons.removeWidget(self._submit)
        ending.addButton(self._submit, role.YesRole)  # as its AcceptRole Enter would press it from every field
        ending.addButton(cancel, role.RejectRole)
        self._buttons.addWidget(ending)
        layout = self.layout()
        assert layout is not None
        layout.removeItem(self._buttons)
        self._buttons.setParent(None)
        self._buttons.setContentsMargins(0, 0, 0, 0)
        foot = QWidget()
        foot.setLayout(self._buttons)
        return foot

    def set_preset(self, preset: ProviderPreset, name: str) -> None:
        """Ask for what this provider needs; ``name`` is what it is called in the language shown."""
        self._endpoint = EndpointSettings(
            name=name, base_url=preset.base_url, model=preset.models[0] if preset.models else "", models=preset.models
        )
        self._fill()
        self.key_field.set_provider(name, preset.key_page, preset.key_prefix, required=True)
        self.key_field.clear()

    def rename_preset(self, preset: ProviderPreset, name: str) -> None:
        """Call the provider by another name, in another language; what was entered stays."""
        self._endpoint = dataclasses.replace(self._endpoint, name=name)
        self._name.setText(name)
        self.key_field.set_provider(name, preset.key_page, preset.key_prefix, required=True)

    def set_endpoint(self, endpoint: EndpointSettings, *, key_missing: bool = False) -> None:
        """Show an endpoint; ``key_missing`` when its key was kept for an earlier session only."""
        self._endpoint = endpoint
        self._fill()
        self.key_field.clear()
        self.key_field.set_kept(endpoint.key_place, missing=key_missing)

    @property
    def endpoint(self) -> EndpointSettings:
        """What stands in the form, under the id of what was put in."""
        address = self._endpoint.base_url if self._purpose is Purpose.PRESET else tidy_address(self._address.text())
        return dataclasses.replace(
            self._endpoint,
            base_url=address,
            model=self._model.chosen_model,
            models=self._model.models,
            name=" ".join(self._name.text().split()) or self._endpoint.name or host_of(address),
            key_env=self._more.variable,
            key_place=KeyPlace.NONE if self._more.variable else self._endpoint.key_place,
            headers=self._more.headers,
            proxy=self._more.proxy,
            model_options=self._about_model.all_options,
        )

    def find_problem(self, *, needs_model: bool = True) -> QWidget | None:
        """Show at its field what keeps this from being used; returns the control to go to, None when all is well."""
        first: QWidget | None = None
        key_problem = self.key_field.problem()
        address = self.endpoint.base_url
        for field, control, text in (
            (self._address_field, self._address, "" if is_address_usable(address) else self._address_problem(address)),
            (self.key_field.field, self.key_field.edit, key_problem),
            (
                self._model_field,
                self._model,
                self.tr("Choose or type a model.") if needs_model and not self._model.chosen_model else "",
            ),
        ):
            field.show_problem(text)
            if text and first is None:
                first = control
        for part, fold in ((self._about_model, self._model_options), (self._more, self._advanced)):
            if (control := part.find_problem()) is not None:
                fold.setChecked(True)
                first = first or control
        return first

    def set_models(self, models: tuple[str, ...]) -> None:
        """Offer the endpoint's models; what is chosen stays, and the first one is taken where nothing is."""
        if self._purpose is Purpose.EDIT:  # what the user typed stays, at the end
            models = tuple(dict.fromkeys((*models, *self._list.models)))
        self._list.set_models(models)
        chosen = self._model.chosen_model
        is_untouched = chosen in self._endpoint.models or chosen in ("", self._taken_model)
        if models and (not chosen or (is_untouched and chosen not in models and self._purpose is not Purpose.EDIT)):
            chosen = self._taken_model = models[0]
        self._model.set_models(models, chosen)
        self._counted = len(models)
        self._model_field.set_hint(self._count_words())

    def _count_words(self) -> str:
        return self.tr("%n models", "", self._counted) if self._counted else ""

    def show_models_note(self, text: str) -> None:
        """Say why there is no list of models, but nothing where the test's result says the same."""
        self._counted = 0
        self._model_field.set_hint("" if self._is_said(text) else text)

    def show_result(self, check: EndpointCheck, *, anyway: bool) -> None:
        """Show what came of a test of what stands here."""
        self.result.show_check(self.endpoint, check, anyway=anyway)
        if self._is_said(self._model_field.hint):
            self._model_field.set_hint("")

    def _is_said(self, text: str) -> bool:
        return bool(text) and self.result.text.startswith(text.rstrip(".。"))

    def set_asking(self, is_asking: bool) -> None:
        """Show that the list of models is on its way."""
        set_enabled(self._refresh, not is_asking)
        if is_asking:
            self._counted = 0
            self._model_field.set_hint(self.tr("Asking for the list of models…"))

    def set_testing(self, is_testing: bool) -> None:
        """Let nothing begin a second test while one runs."""
        set_enabled(self._test, not is_testing)
        set_enabled(self._submit, not is_testing)

    def mend_address(self, address: str) -> None:
        """Put in the address that was found to work, and say so."""
        if self._purpose is not Purpose.PRESET and address != tidy_address(self._address.text()):
            self._set_address(address)
            self._asked_address = address
            self._say_moved("mended")

    def choose_model(self) -> None:
        """Lead to the list of models and open it."""
        self._model.setFocus()
        self._model.showPopup()

    def focus_first(self) -> None:
        """Go to where something has to be entered."""
        if self._purpose is Purpose.PRESET:
            self.key_field.edit.setFocus()
        else:
            self._address.setFocus()

    def set_submit_text(self, submit: str) -> None:
        """Give the button that keeps the endpoint another text."""
        self._submit.setText(submit)
        describe(self._submit, submit, tooltip="")

    def retranslate(self) -> None:
        self._address_field.set_label(self.tr("Address"))
        self._model_field.set_label(self.tr("Model"))
        self._name_field.set_label(self.tr("Display name"))
        if self._counted:
            self._model_field.set_hint(self._count_words())
        self._name.setPlaceholderText(self.tr("Optional"))
        self._name_model_options()
        self._advanced.setText(self.tr("Advanced"))
        describe(self._refresh, self.tr("Refresh the list of models"))
        self._test.setText(self.tr("Test"))
        describe(self._test, self.tr("Test"), tooltip=self.tr("Ask one short question"))
        submit = self.tr("Save") if self._purpose is Purpose.EDIT else self.tr("Start")
        self.set_submit_text(submit)
        self._note.setText(self._moved_words())

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _arrange(self) -> None:
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        self._buttons.addWidget(self._submit)
        self._buttons.addWidget(self._test)
        self._buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        parts = (self._address_field, self._note, self.key_field, self._model_field, self._list, self._name_field)
        for widget in parts:
            layout.addWidget(widget)
        for fold, content in ((self._model_options, self._about_model), (self._advanced, self._more)):
            layout.addWidget(fold, 0, Qt.AlignmentFlag.AlignLeft)
            layout.addWidget(content)
        layout.addWidget(self.result)
        layout.addLayout(self._buttons)
        self._address_field.setVisible(self._purpose is not Purpose.PRESET)
        self._name_field.setVisible(self._purpose is not Purpose.PRESET)
        for widget in (self._list, self._model_options):
            widget.setVisible(self._purpose is Purpose.EDIT)

    def _connect(self) -> None:
        self._submit.clicked.connect(self.submitted)
        self._test.clicked.connect(self.test_requested)
        self.result.cancel_requested.connect(self.test_cancelled)
        self.result.left.connect(self._test.setFocus)
        self._refresh.clicked.connect(lambda: self.models_requested.emit(True))
        self._address.textEdited.connect(self._address_edited)
        self._address.editingFinished.connect(self._address_finished)
        for edit in (self._address, self.key_field.edit, self._name):
            edit.returnPressed.connect(self.submitted)
        self.key_field.changed.connect(self.result.clear)
        self.key_field.completed.connect(lambda: self.models_requested.emit(False))
        self.key_field.address_found.connect(self._take_address)
        self._model.chosen.connect(self.result.clear)
        self._list.changed.connect(lambda: self._model.set_models(self._list.models, self._model.chosen_model))
        self._model.currentTextChanged.connect(lambda text: self._about_model.show_model(text.strip()))
        self._model.currentTextChanged.connect(lambda _text: self._name_model_options())
        self._more.variable_changed.connect(self.key_field.set_variable)
        for part in (self._about_model, self._more):
            part.submitted.connect(self.submitted)
            part.changed.connect(self.result.clear)

    def _fill(self) -> None:
        endpoint = self._endpoint
        self._asked_address = endpoint.base_url
        self._set_address(endpoint.base_url)
        self._model.set_models(endpoint.models, endpoint.model)
        self._list.set_models(endpoint.models)
        self._model_field.set_hint("")
        self._name.setText(endpoint.name)
        self._about_model.fill(endpoint.model_options, endpoint.model)
        self._model_options.setChecked(self._about_model.has_content())
        self._more.fill(endpoint)
        self._advanced.setChecked(self._more.has_content())
        self._moved = ""
        self._note.hide()
        self.result.clear()
        for field in (self._address_field, self._name_field):
            field.show_problem("")

    def _name_model_options(self) -> None:
        model = shown(self._model.chosen_model)
        text = self.tr("Options of %1").replace("%1", model) if model else self.tr("Options of the model")
        self._model_options.setText(text.replace("&", "&&"))

    def _address_edited(self, text: str) -> None:
        was_pasted = len(text) - self._address_length >= PASTE
        self._address_length = len(text)
        self._address_field.show_problem("")
        self.result.clear()
        if was_pasted:
            self._sort_address()

    def _address_finished(self) -> None:
        self._sort_address()
        address = tidy_address(self._address.text())
        if address and address != self._asked_address and is_address_usable(address):
            self._asked_address = address
            self.models_requested.emit(False)

    def _set_address(self, address: str) -> None:
        self._address.setText(address)
        self._address_length = len(address)
        self._address_field.show_problem("")

    def _sort_address(self) -> None:
        """Move a key that was put into the address field to where it belongs, and mend the address."""
        found = sort_address(self._address.text())
        if found.address is not None and found.address != self._address.text():
            self._set_address(found.address)
        if found.key:
            self.key_field.set_key(found.key)
            self._say_moved("key")

    def _take_address(self, address: str) -> None:
        if self._purpose is Purpose.PRESET:
            self.key_field.show_problem(self.tr("That was an address. The key goes here."))
            return
        self._set_address(address)
        self._say_moved("address")
        self._address_finished()

    def _say_moved(self, what: str) -> None:
        self._moved = what
        self._note.setText(self._moved_words())
        self._note.setVisible(bool(what))
        announce(self._note, self._note.text())

    def _moved_words(self) -> str:
        return {
            "key": self.tr("That was a key; it was moved to the field for the key."),
            "address": self.tr("That was an address; it was moved to the field for the address."),
            "mended": self.tr("The address was completed."),
        }.get(self._moved, "")

    def _address_problem(self, address: str) -> str:
        if not address:
            return self.tr("Enter the address, for example http://127.0.0.1:11434/v1.")
        if "@" in host_of(address) or "@" in address.partition("//")[2].partition("/")[0]:
            return self.tr("An address must not contain a user name or password. Enter the key in its own field.")
        return self.tr("This is not an address like http://host/v1 or https://host/v1.")
