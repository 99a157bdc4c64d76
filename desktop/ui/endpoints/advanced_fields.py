"""What few endpoints need: a key from the environment, further headers, a proxy of its own."""

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.core.endpoint_reach import DIRECT, proxy_problem
from desktop.core.settings import EndpointSettings
from desktop.ui.endpoints.choice_box import ChoiceBox
from desktop.ui.endpoints.parts import Field, shown
from desktop.ui.state.endpoint_extras import read_headers, written_headers
from desktop.ui.text_field import TextField

HEADER_LINES = 3

_SYSTEM, _DIRECT, _OWN = "system", "direct", "own"


class AdvancedFields(QWidget):
    """Signals:
    changed: something else is entered.
    variable_changed: the name of the environment variable.
    submitted: Enter in a field of one line.
    """

    changed = Signal()
    variable_changed = Signal(str)
    submitted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("advancedFields")
        self._variable = QLineEdit()
        self._variable.setObjectName("endpointVariable")
        self._variable.setMaxLength(200)
        self._variable_field = Field(self._variable)
        self._headers = TextField("endpointHeaders")
        self._headers_field = Field(self._headers)
        self._proxy = ChoiceBox("endpointProxy", _SYSTEM, _DIRECT, _OWN)
        self._proxy_address = QLineEdit()
        self._proxy_address.setObjectName("endpointProxyAddress")
        self._proxy_address.setMaxLength(300)
        proxies = QWidget()
        row = QHBoxLayout(proxies)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._proxy, 1)
        row.addWidget(self._proxy_address, 2)
        proxies.setFocusProxy(self._proxy)
        self._proxy_field = Field(proxies)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        for each in (self._variable_field, self._headers_field, self._proxy_field):
            layout.addWidget(each)
        self._variable.textChanged.connect(lambda text: self.variable_changed.emit(text.strip()))
        self._headers.textChanged.connect(self.changed)
        self._proxy.activated.connect(lambda _index: self._show_proxy_address(go_there=True))
        self._proxy.activated.connect(lambda _index: self.changed.emit())
        self._proxy_address.textEdited.connect(self.changed)
        for edit in (self._variable, self._proxy_address):
            edit.returnPressed.connect(self.submitted)
        self._show_proxy_address()
        self.retranslate()

    @property
    def variable(self) -> str:
        return self._variable.text().strip()

    @property
    def headers(self) -> Mapping[str, str]:
        """Those that are entered; none while there is something wrong with one."""
        return read_headers(self._headers.toPlainText()).headers

    @property
    def proxy(self) -> str:
        """As in ``EndpointSettings``."""
        if self._proxy.key == _OWN:
            return self._proxy_address.text().strip().rstrip("/")
        return DIRECT if self._proxy.key == _DIRECT else ""

    def fill(self, endpoint: EndpointSettings) -> None:
        """Show what the endpoint has."""
        self._variable.setText(endpoint.key_env)
        self._headers.setPlainText(written_headers(endpoint.headers))
        own = endpoint.proxy if endpoint.proxy != DIRECT else ""
        self._proxy.show_key(_OWN if own else _DIRECT if endpoint.proxy else _SYSTEM)
        self._proxy_address.setText(own)
        self._show_proxy_address()
        for each in (self._variable_field, self._headers_field, self._proxy_field):
            each.show_problem("")

    def has_content(self) -> bool:
        return bool(self.variable or self._headers.toPlainText().strip() or self._proxy.key != _SYSTEM)

    def find_problem(self) -> QWidget | None:
        """Show at its field what keeps this from being used; returns the control to go to, None when all is well."""
        bad_variable = bool(self.variable) and not self.variable.replace("_", "a").isalnum()
        problems = (
            (
                self._variable_field,
                self._variable,
                self.tr("This is not a valid environment variable name, such as OPENAI_API_KEY.")
                if bad_variable
                else "",
            ),
            (self._headers_field, self._headers, self._header_words()),
            (self._proxy_field, self._proxy_address, self._proxy_words()),
        )
        for field, _, text in problems:
            field.show_problem(text)
        return next((control for _, control, text in problems if text), None)

    def retranslate(self) -> None:
        self._variable_field.set_label(self.tr("Take the key from an environment variable"))
        self._variable.setPlaceholderText("OPENAI_API_KEY")
        self._headers_field.set_label(self.tr("Further headers"))
        self._headers_field.set_hint(
            self.tr("One in each line. Where the key belongs in one of them, write {key}: X-Api-Key: {key}")
        )
        self._headers.setPlaceholderText("X-Title: Threadwell")
        self._headers.setFixedHeight(self._headers.fontMetrics().lineSpacing() * HEADER_LINES + 18)
        self._proxy_field.set_label(self.tr("Proxy"))
        self._proxy.set_words(self.tr("As the system says"), self.tr("None"), self.tr("This one:"))
        self._proxy.setAccessibleName(self.tr("Proxy"))
        self._proxy_address.setPlaceholderText("http://127.0.0.1:7890")
        self._proxy_address.setAccessibleName(self.tr("Address of the proxy"))

    def changeEvent(self, event: QEvent) -> None:  # noqa: N802
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()

    def _show_proxy_address(self, *, go_there: bool = False) -> None:
        is_own = self._proxy.key == _OWN
        self._proxy_address.setVisible(is_own)
        if is_own and go_there:
            self._proxy_address.setFocus()

    def _header_words(self) -> str:
        found = read_headers(self._headers.toPlainText())
        text = {
            "no_colon": self.tr("“%1” has no colon. Write a name, a colon and a value, such as X-Title: Threadwell."),
            "bad_name": self.tr("“%1” cannot be the name of a header."),
            "own_header": self.tr("“%1” is set by Threadwell itself and cannot be changed."),
            "bad_value": self.tr("The value of “%1” is empty, too long, or has characters other than plain ASCII."),
            "secret": self.tr(
                "“%1” holds a secret, and headers are stored as plain text. Enter the secret as the key above,"
                " and write {key} here in its place."
            ),
            "twice": self.tr("“%1” is there twice."),
            "too_many": self.tr("At most %1 headers can be sent."),
        }.get(found.problem, "")
        return text.replace("%1", shown(found.subject))

    def _proxy_words(self) -> str:
        if self._proxy.key != _OWN:
            return ""
        if not self.proxy:
            return self.tr("Enter the address of the proxy, for example http://127.0.0.1:7890.")
        return {
            "bad_proxy": self.tr("This is not an address like http://host:port or socks5://host:port."),
            "proxy_secret": self.tr(
                "The address holds a user name or password, and it is stored as plain text. Set such a proxy in the"
                " variable HTTPS_PROXY, and choose “As the system says”."
            ),
        }.get(proxy_problem(self.proxy), "")
