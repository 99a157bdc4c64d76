"""What a screen reader sees: walks the tree of another process over AT-SPI, presses its buttons, hears its events."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, MessageType, message_bus, new_method_call
from jeepney.io.blocking import DBusConnection, Proxy, open_dbus_connection
from jeepney.wrappers import DBusErrorResponse, unwrap_msg

ATSPI = "org.a11y.atspi"
REGISTRY = (f"{ATSPI}.Registry", f"/{ATSPI.replace('.', '/')}/accessible/root")
ACTIVE, CHECKED, ENABLED, FOCUSABLE, FOCUSED, MODAL, SHOWING, VISIBLE = 1, 4, 8, 11, 12, 16, 25, 30
"""Numbers of states, from AT-SPI's own list."""

Reference = tuple[str, str]


@dataclass(frozen=True)
class Node:
    """One accessible object as it was when it was read."""

    reference: Reference
    name: str
    description: str
    role: str
    states: frozenset[int]

    def has(self, state: int) -> bool:
        return state in self.states


class AtSpi:
    """A connection to the bus of assistive technology, which the session bus at ``session_address`` starts."""

    def __init__(self, session_address: str) -> None:
        with open_dbus_connection(session_address) as session:
            bus = DBusAddress("/org/a11y/bus", "org.a11y.Bus", "org.a11y.Bus")
            (address,) = unwrap_msg(session.send_and_get_reply(new_method_call(bus, "GetAddress"), timeout=20))
        self._connection: DBusConnection = open_dbus_connection(address)
        self.announcements: list[tuple[str, int]] = []
        """Texts that were announced, each with its politeness: 1 polite, 2 assertive."""
        rule = MatchRule(type="signal", interface=f"{ATSPI}.Event.Object", member="Announcement")
        Proxy(message_bus, self._connection, timeout=20).AddMatch(rule)
        self.until(self._hear_announcements, "the registry is there")

    def _hear_announcements(self) -> bool:
        """Ask the registry for them. While it starts it may be gone again before it has answered."""
        registry = REGISTRY[0], "/org/a11y/atspi/registry"
        return self._call(registry, REGISTRY[0], "RegisterEvent", "s", ("object:announcement",)) is not None

    def close(self) -> None:
        self._connection.close()

    # -- reading

    def applications(self) -> list[Reference]:
        return [tuple(child) for child in self._call(REGISTRY, f"{ATSPI}.Accessible", "GetChildren")[0]]

    def children(self, reference: Reference) -> list[Reference]:
        return [tuple(child) for child in self._call(reference, f"{ATSPI}.Accessible", "GetChildren")[0]]

    def read(self, reference: Reference) -> Node:
        (role,) = self._call(reference, f"{ATSPI}.Accessible", "GetRoleName")
        low, high = self._call(reference, f"{ATSPI}.Accessible", "GetState")[0]
        bits = low | high << 32
        return Node(
            reference,
            self._property(reference, "Name"),
            self._property(reference, "Description"),
            role,
            frozenset(number for number in range(64) if bits >> number & 1),
        )

    def walk(self, reference: Reference, *, depth: int = 40) -> Iterator[tuple[int, Node]]:
        """Everything below ``reference`` and itself, in the order of reading, each with its depth."""
        stack = [(0, reference)]
        while stack:
            level, each = stack.pop()
            yield level, self.read(each)
            if level < depth:
                stack.extend((level + 1, child) for child in reversed(self.children(each)))

    def showing(self, reference: Reference) -> list[Node]:
        """What of ``reference`` can be seen now, in the order of reading."""
        found: list[Node] = []
        stack = [reference]
        while stack:
            node = self.read(stack.pop())
            if node.has(SHOWING) or node.role == "application":
                found.append(node)
                stack.extend(reversed(self.children(node.reference)))
        return found

    def text(self, reference: Reference) -> str:
        return self._call(reference, f"{ATSPI}.Text", "GetText", "ii", (0, -1))[0]

    # -- acting

    def press(self, reference: Reference) -> None:
        """Do the object's first action, as an assistive program does."""
        assert self._call(reference, f"{ATSPI}.Action", "DoAction", "i", (0,)) == (True,)

    def focus(self, reference: Reference) -> None:
        assert self._call(reference, f"{ATSPI}.Component", "GrabFocus") == (True,)

    def write(self, reference: Reference, text: str) -> None:
        assert self._call(reference, f"{ATSPI}.EditableText", "SetTextContents", "s", (text,)) == (True,)

    # -- waiting

    def until(self, found: Callable[[], Any], what: str, *, within: float = 60.0) -> Any:
        """Return what ``found`` gives as soon as it is true; objects may come and go meanwhile.

        Between two looks the program is left alone for as long as a look took: it answers all the questions of a walk
        through its tree in the thread in which it should get on.
        """
        end = time.monotonic() + within
        while True:
            began = time.monotonic()
            try:
                if result := found():
                    return result
            except (DBusErrorResponse, LookupError):
                pass  # an object went while it was being read
            assert time.monotonic() < end, f"not within {within} s: {what}"
            self._listen(max(0.02, time.monotonic() - began))

    def _listen(self, seconds: float) -> None:
        """Take the events that have come."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            try:
                self._take(self._connection.receive(timeout=rest))
            except TimeoutError:
                return

    def _property(self, reference: Reference, name: str) -> str:
        interface = "org.freedesktop.DBus.Properties"
        return self._call(reference, interface, "Get", "ss", (f"{ATSPI}.Accessible", name))[0][1]

    def _call(
        self, reference: Reference, interface: str, member: str, signature: str = "", body: tuple[Any, ...] = ()
    ) -> tuple[Any, ...]:
        bus_name, path = reference
        message = new_method_call(DBusAddress(path, bus_name, interface), member, signature or None, body)
        serial = next(self._connection.outgoing_serial)
        self._connection.send(message, serial=serial)
        while True:
            reply = self._connection.receive(timeout=20)
            if reply.header.fields.get(HeaderFields.reply_serial) == serial:
                return unwrap_msg(reply)
            self._take(reply)

    def _take(self, message: Message) -> None:
        if message.header.message_type is MessageType.signal and len(message.body) >= 4:
            _, politeness, _, value = message.body[:4]
            self.announcements.append((value[1], politeness))
