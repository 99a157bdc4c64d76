"""The models that the picker offers for an endpoint: added by typing, removed one by one."""

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QListWidget, QListWidgetItem, QPushButton, QVBoxLayout, QWidget

from desktop.ui.controls import describe, set_enabled
from desktop.ui.endpoints.parts import shown, words

HEIGHT = 148


class ModelList(QWidget):
    """Emits ``changed`` when the user added or removed one."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._label = words("fieldLabel")
        self._list = QListWidget()
        self._list.setObjectName("endpointModels")
        self._list.setFixedHeight(HEIGHT)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._list.installEventFilter(self)
        self._list.currentRowChanged.connect(lambda row: set_enabled(self._remove, row >= 0))
        self._edit = QLineEdit()
        self._edit.setObjectName("newModel")
        self._edit.setMaxLength(300)
        self._edit.returnPressed.connect(self._add_typed)
        self._edit.textChanged.connect(lambda text: set_enabled(self._add, bool(text.strip())))
        self._add = QPushButton()
        self._add.setObjectName("addModel")
        self._add.setEnabled(False)
        self._add.clicked.connect(self._add_typed)
        self._remove = QPushButton()
        self._remove.setObjectName("removeModel")
        self._remove.setEnabled(False)
        self._remove.clicked.connect(self._remove_current)
        self._label.setBuddy(self._list)
        row = QHBoxLayout()
        row.setSpacing(6)
        row.addWidget(self._edit, 1)
        row.addWidget(self._add)
        row.addWidget(self._remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._label)
        layout.addWidget(self._list)
        layout.addLayout(row)
        self.retranslate()

    @property
    def models(self) -> tuple[str, ...]:
        return tuple(str(self._list.item(row).data(Qt.ItemDataRole.UserRole)) for row in range(self._list.count()))

    def set_models(self, models: tuple[str, ...]) -> None:
        self._list.clear()
        for model in models:
            self._append(model)
        set_enabled(self._remove, False)

    def retranslate(self) -> None:
        self._label.setText(self.tr("Models in the list above the chat"))
        self._list.setAccessibleName(self._label.text())
        self._edit.setPlaceholderText(self.tr("Name of another model"))
        self._edit.setAccessibleName(self._edit.placeholderText())
        for button, text in ((self._add, self.tr("Add")), (self._remove, self.tr("Remove"))):
            button.setText(text)
        describe(self._add, self.tr("Add the model to the list"))
        describe(self._remove, self.tr("Remove the selected model from the list"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if (
            watched is self._list
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
        ):
            self._remove_current()
            return True
        return super().eventFilter(watched, event)

    def _append(self, model: str) -> None:
        item = QListWidgetItem(shown(model))
        item.setData(Qt.ItemDataRole.UserRole, model)
        self._list.addItem(item)

    def _add_typed(self) -> None:
        model = self._edit.text().strip()
        if not model:
            return
        self._edit.clear()
        if model not in self.models:
            self._append(model)
            self.changed.emit()
        self._list.setCurrentRow(self.models.index(model))

    def _remove_current(self) -> None:
        if (row := self._list.currentRow()) >= 0:
            self._list.takeItem(row)
            self.changed.emit()
