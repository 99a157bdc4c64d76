"""The page About: versions, the licence of the program, and those of everything that it stands on."""

import asyncio
import platform
import sys
from collections.abc import Sequence

import PySide6
from PySide6.QtCore import QObject, Qt, Signal, qVersion
from PySide6.QtGui import QGuiApplication, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QPushButton,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
)

from desktop import __version__
from desktop.core.licences import PROJECT, PackageLicence, licence_text, package_licences
from desktop.core.paths import resources_folder
from desktop.ui.presenting import Worker
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.licence_dialog import LicenceDialog
from desktop.ui.settings.page import SettingsPage
from desktop.ui.settings.value_label import ValueLabel

OWN_LICENCE = "MIT"
LIST_HEIGHT = 300


def make_about_page(context: SettingsContext) -> SettingsPage:
    page = AboutPage()
    AboutPresenter(page, context)
    return page


def version_details(database: str) -> str:
    """What a bug report needs: versions, and nothing about the person, their files or their settings."""
    lines = (
        f"Threadwell {__version__}",
        f"Python {platform.python_version()} ({platform.python_implementation()})",
        f"Qt {qVersion()}, PySide6 {PySide6.__version__}, {QGuiApplication.platformName()}",
        database,
        f"{platform.system()} {platform.release()} {platform.machine()}",
        f"Packaged: {'yes' if getattr(sys, 'frozen', False) else 'no'}",
    )
    return "\n".join(lines)


class AboutPage(SettingsPage):
    """Signals: ``shown``, ``copy_requested``, ``licence_requested`` with a package's name and short licence."""

    shown = Signal()
    copy_requested = Signal()
    licence_requested = Signal(str, str)

    def __init__(self) -> None:
        super().__init__("about", "info", can_reset=False)
        self._versions, self._licences = self.add_section(), self.add_section()
        self._app, self._parts = ValueLabel("appVersion"), ValueLabel("partVersions")
        self._copy = _button("copyDetails")
        self._copy.clicked.connect(self.copy_requested)
        self._own = _button("ownLicence")
        self._own.clicked.connect(lambda: self.licence_requested.emit("Threadwell", OWN_LICENCE))
        self.packages = _PackageList()
        self.packages.chosen.connect(self.licence_requested)
        self._rows = {
            "app": self._versions.add_row(self._app),
            "parts": self._versions.add_row(self._parts),
            "copy": self._versions.add_row(self._copy),
            "own": self._licences.add_row(self._own),
            "packages": self._licences.add_row(self.packages, wide=True),
        }
        self.retranslate()

    def show_packages(self, packages: Sequence[PackageLicence]) -> None:
        self.packages.show_packages(packages)

    def show_copied(self) -> None:
        """Say on the button that it is in the clipboard."""
        self._copy.setText(self.tr("Copied"))

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("About"), self.tr("A chat app that keeps its memory on your own disk and asks before it acts.")
        )
        self._versions.set_heading(self.tr("Versions"))
        self._licences.set_heading(self.tr("Licences"))
        self._app.setText(__version__)
        self._parts.setText(f"Python {platform.python_version()} · Qt {qVersion()}")
        self._rows["app"].set_texts("Threadwell", keywords=self.tr("version release"))
        self._rows["parts"].set_texts(self.tr("Built with"), keywords="PySide6 SQLite")
        self._rows["copy"].set_texts(
            self.tr("Details for a bug report"),
            self.tr("Versions only: nothing about you, your files or your chats."),
            keywords=self.tr("clipboard system information"),
        )
        self._copy.setText(self.tr("Copy details"))
        self._rows["own"].set_texts(
            self.tr("Licence of Threadwell"),
            self.tr("%1: you may use, change and pass it on freely.").replace("%1", OWN_LICENCE),
            keywords=self.tr("license copyright open source"),
        )
        self._own.setText(self.tr("Read"))
        self._rows["packages"].set_texts(
            self.tr("Third-party software"),
            self.tr("The packages that Threadwell uses. Choose a line to read its licence."),
            keywords=self.tr("license packages libraries dependencies third party"),
        )
        self.packages.set_headings(self.tr("Name"), self.tr("Version"), self.tr("Licence"))

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()


class AboutPresenter(QObject):
    """Reads the licences in a thread when the page is first seen."""

    def __init__(self, page: AboutPage, context: SettingsContext) -> None:
        super().__init__(page)
        self._page = page
        self._context = context
        self._worker = Worker(context.services)
        self._is_read = False
        page.shown.connect(self._shown)
        page.copy_requested.connect(self._copy)
        page.licence_requested.connect(
            lambda *of: self._worker.start_once(self._show_licence(*of), f"read the licence of {of[0]}")
        )

    def _shown(self) -> None:
        if not self._is_read:
            self._is_read = True
            self._worker.start(self._read(), "read licences")

    async def _read(self) -> None:
        self._page.show_packages(await asyncio.to_thread(package_licences))

    async def _show_licence(self, name: str, licence: str) -> None:
        text = await asyncio.to_thread(_own_text if name.lower() == PROJECT else lambda: licence_text(name))
        LicenceDialog(name, licence, text, self._context.theme, self._context.window).open()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(version_details(self._context.services.data.engine))
        self._page.show_copied()


class _PackageList(QTreeWidget):
    """``chosen`` carries the name and the short licence of the package whose line was clicked or entered."""

    chosen = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._is_waiting = True
        self.setObjectName("packageList")
        self.setColumnCount(3)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTabKeyNavigation(False)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(LIST_HEIGHT)
        header = self.header()
        header.setSectionsMovable(False)
        mode = QHeaderView.ResizeMode
        for column, how in enumerate((mode.Stretch, mode.ResizeToContents, mode.Stretch)):
            header.setSectionResizeMode(column, how)
        self.itemClicked.connect(self._choose)

    def show_packages(self, packages: Sequence[PackageLicence]) -> None:
        self._is_waiting = False
        self.clear()
        for package in packages:
            item = QTreeWidgetItem([package.name, package.version[:20], package.licence])
            item.setToolTip(0, package.name)
            item.setToolTip(2, package.licence)
            self.addTopLevelItem(item)
        if (first := self.topLevelItem(0)) is not None:
            self.setCurrentItem(first)

    def set_headings(self, *headings: str) -> None:
        self.setHeaderLabels(headings)
        if self._is_waiting:
            self.clear()
            waiting = QTreeWidgetItem([self.tr("Reading…")])
            waiting.setFlags(Qt.ItemFlag.NoItemFlags)
            self.addTopLevelItem(waiting)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        item = self.currentItem()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and item is not None:
            self._choose(item)
            return
        super().keyPressEvent(event)

    def _choose(self, item: QTreeWidgetItem) -> None:
        self.chosen.emit(item.text(0), item.text(2))


def _own_text() -> str:
    try:
        return (resources_folder().parent / "LICENSE").read_text("utf-8")
    except OSError:  # installed as a package
        return licence_text(PROJECT)


def _button(object_name: str) -> QPushButton:
    button = QPushButton()
    button.setObjectName(object_name)
    return button
