"""What the model picker offers: every endpoint with its models, the demo model, and what the command line gave."""

from dataclasses import dataclass

from desktop.core.settings import EndpointSettings, Settings
from desktop.ui.state.endpoint_names import endpoint_name

MOST_ROWS = 400
"""Rows shown at once; who has more models finds them by typing."""


@dataclass(frozen=True, kw_only=True)
class ModelChoice:
    """A row of the picker. A heading cannot be chosen; without a model a choice is the demo model."""

    text: str
    """As it is shown; empty where the window has its own words: the demo model, the command line's heading."""
    endpoint_id: str = ""
    model: str = ""
    is_heading: bool = False
    is_given: bool = False
    """It belongs to the endpoint of the command line."""
    is_current: bool = False

    @property
    def is_demo(self) -> bool:
        return not self.is_heading and not self.is_given and not self.endpoint_id


def model_choices(
    settings: Settings, in_use: EndpointSettings, given: EndpointSettings | None
) -> tuple[ModelChoice, ...]:
    """Return the rows in order. ``given`` is the command line's endpoint; ``in_use`` is the one that answers now."""
    rows: list[ModelChoice] = []
    if given is not None and not given.is_demo:
        rows.append(ModelChoice(text="", is_heading=True, is_given=True))
        rows.append(
            ModelChoice(text=given.model or endpoint_name(given), model=given.model, is_given=True)
            if in_use != given
            else ModelChoice(
                text=given.model or endpoint_name(given), model=given.model, is_given=True, is_current=True
            )
        )
    for endpoint in settings.endpoints:
        rows.append(ModelChoice(text=endpoint_name(endpoint), endpoint_id=endpoint.id, is_heading=True))
        models = endpoint.models if endpoint.model in endpoint.models or not endpoint.model else ()
        for model in models or (endpoint.model, *endpoint.models):
            if model:
                is_current = in_use.id == endpoint.id and in_use.model == model
                rows.append(ModelChoice(text=model, endpoint_id=endpoint.id, model=model, is_current=is_current))
    rows.append(ModelChoice(text="", is_current=in_use.is_demo))
    return tuple(rows)


def number_of_models(choices: tuple[ModelChoice, ...]) -> int:
    return sum(not choice.is_heading for choice in choices)


def filtered(choices: tuple[ModelChoice, ...], query: str) -> tuple[ModelChoice, ...]:
    """Keep the choices that contain all words of ``query``, in their model or their heading, with their headings."""
    words = query.casefold().split()
    kept: list[ModelChoice] = []
    heading: ModelChoice | None = None
    for choice in choices:
        if choice.is_heading:
            heading = choice
            continue
        if choice.is_demo:
            heading = None
        text = f"{heading.text if heading else ''} {choice.text}".casefold()
        if words and not all(word in text for word in words):
            continue
        if heading is not None and heading not in kept:
            kept.append(heading)
        kept.append(choice)
        if len(kept) >= MOST_ROWS:
            break
    return tuple(kept)
