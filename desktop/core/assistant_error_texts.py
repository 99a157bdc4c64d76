"""The words for errors of assistants that are asked by others: what happened, what it means, what to do."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, ErrorText

ASSISTANT_ERROR_TEXTS: Mapping[str, ErrorText] = {
    "assistant.out_of_tokens": ErrorText(
        QT_TRANSLATE_NOOP("errors", "An assistant used up its tokens"),
        QT_TRANSLATE_NOOP(
            "errors",
            "It may use {most} tokens for a task, so it was stopped. Give it more in the settings, or a smaller task.",
        ),
    ),
}
