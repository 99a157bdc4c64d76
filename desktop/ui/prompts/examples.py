"""Prompts to begin with, in the language shown: offered where there are none, and the user's own as soon as they are added."""

from PySide6.QtCore import QCoreApplication

from desktop.conversation.prompts.library import PromptDraft


def examples() -> list[PromptDraft]:
    """Return them in the order in which they are added."""
    translate = QCoreApplication.translate
    return [
        PromptDraft(
            translate("examplePrompts", "Sum up"),
            translate(
                "examplePrompts",
                "Sum up the following text in {{sentences=three}} sentences. Keep numbers and names.\n\n{{text}}",
            ),
            translate("examplePrompts", "The main points of a text"),
        ),
        PromptDraft(
            translate("examplePrompts", "Translate"),
            translate(
                "examplePrompts",
                "Translate the following text into {{language=English}}. Keep its tone and its formatting.\n\n{{text}}",
            ),
            translate("examplePrompts", "Into another language"),
        ),
        PromptDraft(
            translate("examplePrompts", "Improve my writing"),
            translate(
                "examplePrompts",
                "Improve this text. It should sound {{tone:friendly|formal|brief}} and keep its meaning. Then name your"
                " three most important changes.\n\n{{text}}",
            ),
            translate("examplePrompts", "A friendlier, more formal or briefer text"),
        ),
        PromptDraft(
            translate("examplePrompts", "Explain simply"),
            translate(
                "examplePrompts",
                "Explain {{subject}} to {{reader=somebody who is new to it}}, with one example from everyday life.",
            ),
            translate("examplePrompts", "In plain words, with an example"),
        ),
        PromptDraft(
            translate("examplePrompts", "Plan my day"),
            translate(
                "examplePrompts",
                "Today is {{date}}. This is what I have to do:\n\n{{tasks}}\n\nMake a plan for the day with breaks. Ask me"
                " first if something is unclear.",
            ),
            translate("examplePrompts", "An order for what there is to do"),
        ),
        PromptDraft(
            translate("examplePrompts", "Patient teacher"),
            translate(
                "examplePrompts",
                "You are a patient teacher of {{subject}}. Ask before you explain, go step by step, and let me find the"
                " answer myself where I can.",
            ),
            translate("examplePrompts", "For the instructions of a chat"),
        ),
    ]
