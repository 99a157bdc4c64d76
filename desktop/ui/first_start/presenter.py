"""Brings the first-start page to life, and says who was chosen to answer."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop.core.errors import ThreadwellError
from desktop.core.settings import EndpointSettings
from desktop.ui.endpoints.chooser_presenter import ChooserPresenter
from desktop.ui.first_start.page import FirstStartPage
from desktop.ui.services import UiServices


class FirstStartPresenter(QObject):
    """Lives as long as the page.

    Signals:
        chosen: the endpoint that answers from now on; without an address it is the demo model.
    """

    chosen = Signal(object)

    def __init__(self, page: FirstStartPage, services: UiServices, open_link: Callable[[str], None]) -> None:
        super().__init__(page)
        self._services = services
        self._chooser = ChooserPresenter(page.chooser, services, open_link)
        self._chooser.kept.connect(self.chosen)
        page.demo_requested.connect(self._use_demo)
        self._chooser.look()

    def close(self) -> None:
        """End what still runs."""
        self._chooser.close()

    def _use_demo(self) -> None:
        try:
            self._services.endpoint_book.choose("")
        except ThreadwellError as error:
            self._services.report_error(error)
            return
        self.chosen.emit(EndpointSettings())
