"""Why nobody was signed in: one exception with the words for it."""

from desktop.tools.server_remarks import Remark

_MOST_OF_DETAIL = 300


class SignInError(Exception):
    """``code`` is a name of ``server_remarks``; ``detail`` may be text of the other side."""

    def __init__(self, code: str, detail: str = "") -> None:
        self.remark = Remark(code, " ".join(detail.split())[:_MOST_OF_DETAIL])
        super().__init__(self.remark.english)
