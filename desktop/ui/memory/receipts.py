"""The receipt of what was removed for good: what it was, in numbers, and what is outside the reach of this program."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QLocale, QObject, Qt
from PySide6.QtWidgets import QDialogButtonBox, QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from desktop.core.receipt import Receipt
from desktop.ui.controls import describe
from desktop.ui.dialogs.parts import notice_row, plain_label, scrolled, set_plain
from desktop.ui.dialogs.returning_dialog import GrowingDialog
from desktop.ui.punctuation import labelled
from desktop.ui.state.readable import readable
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.toast import Toast

WIDTH = 540


class Receipts(QObject):
    """Shows receipts: at once after something that was asked about, else as an offer that disturbs nobody."""

    def __init__(
        self,
        window: QWidget,
        toast: Toast,
        theme: ThemeManager,
        parent: QObject | None = None,
        *,
        backups: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """``backups`` tells where backups of the library lie."""
        super().__init__(parent)
        self._backups = backups
        self._window = window
        self._toast = toast
        self._theme = theme
        self._waiting = Receipt()
        self.last: Receipt | None = None
        """Of what was removed last since the start; receipts are stored nowhere."""
        toast.ended.connect(self._offer, Qt.ConnectionType.QueuedConnection)  # after what its end set off

    def show(self, receipt: Receipt) -> None:
        """Open the receipt."""
        if not receipt.is_empty:
            self.last = receipt
            ReceiptDialog(receipt, self._theme, self._window, backups=self._backups()).open()

    def offer(self, receipt: Receipt) -> None:
        """Say that something is gone for good, with a way to the receipt; not before another message's offer is over."""
        self._waiting += receipt
        self.last = receipt
        self._offer()

    def _offer(self) -> None:
        receipt = self._waiting
        if receipt.is_empty or self._toast.can_act:
            return
        self._waiting = Receipt()
        self._toast.present(
            lambda: self._words(receipt),
            lambda: self.tr("Show receipt"),
            lambda: self.show(receipt),
        )

    def _words(self, receipt: Receipt) -> str:
        if receipt.messages and not receipt.chats:
            return self.tr("%n messages are gone for good", "", receipt.messages)
        if receipt.results:
            return self.tr("%n results are gone for good", "", receipt.results)
        if receipt.items and receipt.documents:
            return self.tr("Memories and documents are gone for good")
        if receipt.documents:
            return self.tr("%n documents are gone for good", "", receipt.documents)
        return self.tr("%n memories are gone for good", "", receipt.items)


class ReceiptDialog(GrowingDialog):
    """Opened with ``open()``; deletes itself when closed."""

    def __init__(self, receipt: Receipt, theme: ThemeManager, parent: QWidget, *, backups: Sequence[str] = ()) -> None:
        """``backups`` are the places where backups of the library lie."""
        super().__init__(parent)
        self._backups = backups
        self.setObjectName("receipt")
        self.setProperty("prompt", True)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._receipt, self._theme = receipt, theme
        self._close = QPushButton()
        self._close.setObjectName("receiptClose")
        self._close.clicked.connect(self.accept)
        holder = QWidget()
        holder.setObjectName("receiptContent")
        self._place = QVBoxLayout(holder)
        self._place.setContentsMargins(0, 0, 0, 0)
        self.area = scrolled(holder, "receiptArea")
        self.area.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # so that keys can scroll it
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(8)
        layout.addWidget(self.area, 1)
        layout.addSpacing(6)
        buttons = QDialogButtonBox()
        buttons.addButton(self._close, QDialogButtonBox.ButtonRole.AcceptRole)
        layout.addWidget(buttons)
        self._content: QWidget | None = None
        self._retranslate()
        self.resize(min(theme.px(WIDTH), max(340, parent.width() - 60)), 0)

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def lines(self) -> list[tuple[str, int, str]]:
        """Return what was removed: the receipt's field, how many, and what that is called."""
        r = self._receipt
        named = [
            ("chats", r.chats, self.tr("chats with their titles, options and drafts", "", r.chats)),
            ("messages", r.messages, self.tr("messages with all their parts", "", r.messages)),
            ("results", r.results, self.tr("results of tools", "", r.results)),
            ("items", r.items, self.tr("memories", "", r.items)),
            ("documents", r.documents, self.tr("documents as knowledge; the files themselves stay", "", r.documents)),
            ("quotes", r.quotes, self.tr("of your own words, quoted with memories", "", r.quotes)),
            ("words", r.words, self.tr("entries of the search by words", "", r.words)),
            ("vectors", r.vectors, self.tr("entries of the search by meaning", "", r.vectors)),
            ("summaries", r.summaries, self.tr("summaries", "", r.summaries)),
            ("stale_summaries", r.stale_summaries, self.tr("summaries that are written anew", "", r.stale_summaries)),
            ("files", r.files, self.tr("files", "", r.files)),
            ("calls", r.calls, self.tr("records of what tools did", "", r.calls)),
            ("requests", r.requests, self.tr("records of what a model was sent", "", r.requests)),
        ]
        return [line for line in named if line[1]]

    def _retranslate(self) -> None:
        title = self.tr("Removed for good")
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        if self.area is not None:
            self.area.setAccessibleName(title)
        text = self.tr("Close")
        self._close.setText(text)
        describe(self._close, text, tooltip="")
        if self._content is not None:
            self._place.removeWidget(self._content)
            self._content.setParent(None)
            self._content.deleteLater()
        self._content = self._made(title)
        self._place.addWidget(self._content)

    def _made(self, title: str) -> QWidget:
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(plain_label(title, "heading"))
        gone = self.tr("This is no longer on the disk in the data folder of Threadwell:")
        if self._receipt.waits:
            gone = self.tr("This was removed from the data folder of Threadwell:")
        layout.addWidget(plain_label(gone, "muted"))
        layout.addWidget(self._removed())
        if self._receipt.quotes and not self._receipt.messages:
            stays = self.tr("Your messages that they came from stay in their chats until you delete those for good.")
            layout.addWidget(plain_label(stays))
        if self._receipt.quotes and self._receipt.messages and not self._receipt.chats:
            stays = self.tr("What is remembered of it stays, without the words, until you forget it.")
            layout.addWidget(plain_label(stays))
        if self._receipt.waits:
            words = self.tr("Some of it could not be cleaned from the disk yet. That is done at the next start.")
            layout.addWidget(notice_row(self._theme, words, "finding"))
        if self._receipt.server:
            words = self.tr(
                "The Chroma server at %1 could not be reached. What it holds of this is deleted there as soon as it answers."
            ).replace("%1", readable(self._receipt.server))
            layout.addWidget(notice_row(self._theme, words, "finding"))
        layout.addSpacing(6)
        layout.addWidget(plain_label(self.tr("Outside the reach of Threadwell"), "label"))
        outside = [self._backup_words()] if self._backups else []
        outside += [
            self.tr(
                "Backups of your computer, copies that you made of the data folder, and a damaged database that was set"
                " aside in it."
            ),
            self.tr("Files that you exported, and text that you copied elsewhere."),
            self.tr("What was sent to a model's provider, to a tool server or to a Chroma server, which may keep it."),
        ]
        points = QGridLayout()
        points.setHorizontalSpacing(8)
        points.setVerticalSpacing(5)
        points.setColumnStretch(1, 1)
        for row, line in enumerate(outside):
            points.addWidget(plain_label("•", wrap=False), row, 0, Qt.AlignmentFlag.AlignTop)
            points.addWidget(plain_label(line), row, 1)
        layout.addLayout(points)
        return content

    def _backup_words(self) -> str:
        words = self.tr("Backups that Threadwell made before, which may still hold it. They lie in:")
        return "\n".join((words, *(readable(place) for place in self._backups)))

    def _removed(self) -> QFrame:
        frame = QFrame()
        frame.setObjectName("receiptRemoved")
        frame.setProperty("role", "note")
        grid = QGridLayout(frame)
        grid.setContentsMargins(14, 10, 14, 10)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(5)
        grid.setColumnStretch(1, 1)
        for row, (name, count, what) in enumerate(self.lines()):
            number = QLabel(QLocale().toString(count))
            number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            words = plain_label("")
            set_plain(words, what)
            words.setObjectName(f"receipt_{name}")
            words.setAccessibleName(labelled(what, number.text()))
            grid.addWidget(number, row, 0)
            grid.addWidget(words, row, 1)
        return frame
