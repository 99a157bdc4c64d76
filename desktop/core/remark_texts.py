"""The words for remarks on an answer, in English: one sentence each; the UI translates them (context ``remarks``)."""

from collections.abc import Mapping

from desktop.core.error_text import QT_TRANSLATE_NOOP, within

REMARK_TEXTS: Mapping[str, str] = {
    "without_tools": QT_TRANSLATE_NOOP(
        "remarks", "This model does not take tools here, so it was asked without them ({detail})."
    ),
    "without_images": QT_TRANSLATE_NOOP(
        "remarks", "This model cannot see images; they were left out ({detail}). Choose a model that can."
    ),
    "without_parameter": QT_TRANSLATE_NOOP(
        "remarks", "The provider refuses “{name}” for this model; it was asked without it."
    ),
    "not_streamed": QT_TRANSLATE_NOOP(
        "remarks", "The provider cannot stream for this model, so the answer came in one piece."
    ),
    "tool_left_out": QT_TRANSLATE_NOOP(
        "remarks",
        "The tool “{name}” was not offered: its description cannot be put into a form that the provider takes.",
    ),
    "tool_unusable": QT_TRANSLATE_NOOP(
        "remarks", "The tool “{name}” was not offered, because its server describes it wrongly: {detail}."
    ),
    "tools_chosen": QT_TRANSLATE_NOOP(
        "remarks", "Only {count} of {total} tools were offered: the provider takes no more at once."
    ),
    "tools_searched": QT_TRANSLATE_NOOP(
        "remarks",
        "{left} of {total} tools were left out at first, so that the model has room for the chat; it can search for them.",
    ),
    "retried": QT_TRANSLATE_NOOP("remarks", "The provider failed once and was asked again ({detail})."),
    "shortened": QT_TRANSLATE_NOOP(
        "remarks", "The chat was too long for the model, so the oldest messages were left out this time."
    ),
    "call_in_text": QT_TRANSLATE_NOOP(
        "remarks", "The model wrote a tool call as text. It is offered below and runs only if you allow it."
    ),
    "repeated_call": QT_TRANSLATE_NOOP(
        "remarks",
        "The model called the same tool again and again and learned nothing new, so it was asked to answer without tools.",
    ),
    "plan_not_asked": QT_TRANSLATE_NOOP(
        "remarks", "No plan was made: nobody could be asked to approve it, so the answer was made without one."
    ),
    "plan_none": QT_TRANSLATE_NOOP("remarks", "The model gave no plan that can be read, so it just answered."),
    "plan_no_rest": QT_TRANSLATE_NOOP("remarks", "The model gave no other steps after the one that failed."),
    "plan_replans": QT_TRANSLATE_NOOP(
        "remarks", "A step failed again. The plan was changed {most} times, and no further change is made."
    ),
    "plan_steps": QT_TRANSLATE_NOOP("remarks", "The plan has {most} steps, and no more are added."),
    "result_cut": QT_TRANSLATE_NOOP(
        "remarks", "A result was too long for the model: it read the beginning and the end. You can open all of it."
    ),
    "endpoint_gone": QT_TRANSLATE_NOOP(
        "remarks", "The model chosen for this chat was removed from the settings, so {model} ({name}) answered."
    ),
    "context_small": QT_TRANSLATE_NOOP(
        "remarks",
        "The server reads at most {limit} tokens of about {needed}: it may have dropped the beginning without saying so.",
    ),
}


def english_remark(code: str, params: Mapping[str, str | int | float]) -> str:
    """Return the English sentence for a remark; an unknown code is named as it is."""
    text = REMARK_TEXTS.get(code)
    if text is None:
        return code
    try:
        return text.format_map(within(text, params))
    except (KeyError, ValueError, IndexError):
        return text
