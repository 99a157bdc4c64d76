"""The dialogs of the settings that add an endpoint and change one."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.core.settings import EndpointSettings
from desktop.ui.dialogs.returning_dialog import ReturningDialog
from desktop.ui.endpoints.chooser import EndpointChooser
from desktop.ui.endpoints.chooser_presenter import ChooserPresenter
from desktop.ui.endpoints.endpoint_form import EndpointForm, Purpose
from desktop.ui.endpoints.form_presenter import FormPresenter
from desktop.ui.endpoints.parts import scroll_to, words
from desktop.ui.links import LinkOpener
from desktop.ui.services import UiServices
from desktop.ui.theme.theme_manager import ThemeManager


class _EndpointDialog(ReturningDialog):
    """Window-modal, scrolling where it is higher than the screen; Escape leaves everything as it was."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumSize(440, 360)
        self._scroll = QScrollArea()
        self._scroll.setObjectName("endpointScroll")
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._cancel = QPushButton()
        self._cancel.setObjectName("endpointDialogCancel")
        self._cancel.setAutoDefault(False)
        self._cancel.clicked.connect(self.reject)

    def _set_content(self, content: QWidget, foot: QWidget) -> None:
        """Show ``content``, which scrolls, and below it ``foot``, which does not."""
        canvas = QWidget()
        canvas.setObjectName("endpointCanvas")
        column = QVBoxLayout(canvas)
        column.setContentsMargins(22, 20, 22, 20)
        column.setSpacing(16)
        column.addWidget(content)
        column.addStretch(1)
        self._scroll.setWidget(canvas)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._scroll, 1)
        row = QHBoxLayout()
        row.setContentsMargins(22, 10, 22, 14)
        row.addWidget(foot, 1)
        layout.addLayout(row)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)  # Enter in a field is that field's business

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        self._cancel.setText(self.tr("Cancel"))
        self._cancel.setAccessibleName(self.tr("Cancel"))


class AddEndpointDialog(_EndpointDialog):
    """What the first start offers, for a further endpoint. Closes when one is chosen, which then answers.

    ``kept`` carries that endpoint as it was saved.
    """

    kept = Signal(object)

    def __init__(self, services: UiServices, theme: ThemeManager, parent: QWidget, *, key: str = "") -> None:
        """``key`` is one that only needs to be told whose it is."""
        super().__init__("addEndpointDialog", parent)
        self._key_note = words("muted", "keyNote")
        self._chooser = EndpointChooser(theme, services.endpoints.presets())
        self._chooser.unfolded.connect(self._bring_into_sight)
        self._links = LinkOpener(theme, self)
        self._presenter = ChooserPresenter(self._chooser, services, self._links.ask, key=key)
        self._presenter.kept.connect(self.kept)
        self._presenter.kept.connect(self.accept)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(16)
        column.addWidget(self._key_note)
        column.addWidget(self._chooser)
        self._key_note.setVisible(bool(key))
        foot = QWidget()
        row = QHBoxLayout(foot)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(self._cancel)
        self._set_content(content, foot)
        self.resize(theme.px(640), theme.px(620))  # room for what is about to unfold
        self._retranslate()
        self.finished.connect(self._presenter.close)
        self._presenter.look()

    def _retranslate(self) -> None:
        super()._retranslate()
        self.setWindowTitle(self.tr("Add a model"))
        self._key_note.setText(self.tr("Choose whose key it is. It is filled in for you, and kept out of the chat."))

    def _bring_into_sight(self, widget: QWidget) -> None:
        QTimer.singleShot(0, widget, lambda: scroll_to(self._scroll, widget))


class EditEndpointDialog(_EndpointDialog):
    """Changes one endpoint, its key, and the models that the picker offers."""

    def __init__(
        self,
        services: UiServices,
        theme: ThemeManager,
        parent: QWidget,
        endpoint: EndpointSettings,
        *,
        key_missing: bool,
        at_key: bool = False,
    ) -> None:
        """``key_missing``: the key was kept for an earlier session only; ``at_key``: it is what shall be entered."""
        super().__init__("editEndpointDialog", parent)
        self._form = EndpointForm(theme, Purpose.EDIT)
        self._form.set_endpoint(endpoint, key_missing=key_missing)
        buttons = self._form.take_buttons(self._cancel)
        self._links = LinkOpener(theme, self)
        self._presenter = FormPresenter(self._form, services, self._links.ask)
        self._presenter.kept.connect(self.accept)
        self._set_content(self._form, buttons)
        self._retranslate()
        self.finished.connect(self._presenter.close)
        self._presenter.begin()
        self.fit(self._scroll, theme.px(560))
        if at_key:
            self._form.key_field.edit.setFocus()
        else:
            self._form.focus_first()

    def _retranslate(self) -> None:
        super()._retranslate()
        self.setWindowTitle(self.tr("Edit model"))
