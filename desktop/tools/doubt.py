"""Why a command is not known to be harmless: raised by whatever looks at it, in English words for the log and for shells."""


class DoubtError(Exception):
    """``str()`` completes the sentence "It asks because …"."""
