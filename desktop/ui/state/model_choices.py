"""What the model picker offers: every endpoint with its models, the demo model, and what the command line gave."""

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.conversation.entities import AskedModel
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
    is_missing: bool = False
    """Its endpoint is not set up any more; a heading above such choices."""
    number: int = 0
    """Its place among the models that are asked: 1 is the one that answers in the chat, 0 one that is not asked."""

    @property
    def is_demo(self) -> bool:
        return not self.is_heading and not self.is_given and not self.endpoint_id

    @property
    def is_same_as(self) -> tuple[bool, str, str]:
        """What two rows of the same model have in common."""
        return self.is_given, self.endpoint_id, "" if self.is_demo else self.model


def model_choices(
    settings: Settings,
    in_use: EndpointSettings,
    given: EndpointSettings | None,
    asked_beside: Sequence[AskedModel] = (),
) -> tuple[ModelChoice, ...]:
    """Return the rows in order. ``given`` is the command line's endpoint; ``in_use`` is the one that answers now.

    ``asked_beside`` are there in any case, also where their endpoint does not name them or is gone.
    """
    rows: list[ModelChoice] = []
    if given is not None and not given.is_demo:
        is_current = in_use == given
        rows.append(ModelChoice(text="", is_heading=True, is_given=True))
        text = given.model or endpoint_name(given)
        rows.append(
            ModelChoice(text=text, model=given.model, is_given=True, is_current=is_current, number=int(is_current))
        )
    numbers = _numbers(in_use, asked_beside)
    for endpoint in settings.endpoints:
        rows.append(ModelChoice(text=endpoint_name(endpoint), endpoint_id=endpoint.id, is_heading=True))
        models = endpoint.models if endpoint.model in endpoint.models or not endpoint.model else ()
        names = [*(models or (endpoint.model, *endpoint.models))]
        names += [asked.model for asked in asked_beside if asked.endpoint_id == endpoint.id]
        for model in dict.fromkeys(names):
            if model:
                rows.append(_choice(endpoint.id, model, numbers))
    known = {endpoint.id for endpoint in settings.endpoints} | {""}
    if missing := [asked for asked in asked_beside if asked.endpoint_id not in known]:
        rows.append(ModelChoice(text="", is_heading=True, is_missing=True))
        rows += [_choice(asked.endpoint_id, asked.model, numbers, is_missing=True) for asked in missing]
    number = numbers.get(("", ""), 0)
    rows.append(ModelChoice(text="", is_current=number == 1, number=number))
    return tuple(rows)


def _numbers(in_use: EndpointSettings, asked_beside: Sequence[AskedModel]) -> dict[tuple[str, str], int]:
    # The endpoint of the command line has no id; it must not be taken for the demo model.
    first = ("", "") if in_use.is_demo else (in_use.id or "given", in_use.model)
    others = [(asked.endpoint_id, asked.model if asked.endpoint_id else "") for asked in asked_beside]
    return {key: number for number, key in enumerate(dict.fromkeys((first, *others)), start=1)}


def _choice(
    endpoint_id: str, model: str, numbers: dict[tuple[str, str], int], *, is_missing: bool = False
) -> ModelChoice:
    number = numbers.get((endpoint_id, model), 0)
    return ModelChoice(
        text=model,
        endpoint_id=endpoint_id,
        model=model,
        is_current=number == 1,
        is_missing=is_missing,
        number=number,
    )


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
