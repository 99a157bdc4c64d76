"""Takes what a model wrote of its thinking into its text, between marks, out of it."""

from desktop.core.expressions import Expression

_MARKED = Expression(r"(?is)<(think|thinking|reasoning)>.*?(?:</\1>|\Z)")
_TO_ITS_END = Expression(r"(?is)^.*</(?:think|thinking|reasoning)>")
"""Where it began stands in the prompt, with some models."""


def without_thinking(text: str) -> str:
    return _TO_ITS_END.sub(" ", _MARKED.sub(" ", text))
