"""The states with answers of several models among the screenshots: picked, side by side, and in the chat afterwards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shots_scenes import Scene, scene

from desktop.conversation.entities import AskedModel
from tests.support.endpoint import RecordedRequest, Step, status, text, thinking

if TYPE_CHECKING:
    from shots_stage import Stage

ANSWER_SCENES: list[Scene] = []
QUESTION = "Which side of a roof should solar panels face, and does it still matter?"
BESIDE = ("gpt-oss:20b", "llama3.2:3b")

_LONG = """Towards the equator still gives the **most energy over a year**, but it matters less than it did.

| Side | Share of the best |
| --- | ---: |
| South | 100 % |
| East or west | 85 % |
| North | 60 % |

Panels are cheap now, so the hours count for more than the sum:

- *East and west* give power in the morning and the evening, when it is used.
- *South* gives a peak at noon, when it is often worth little.

```python
def worth(hours, price):
    return sum(power * price[hour] for hour, power in hours.items())
```

If the battery is small, take both sides.
"""
_SHORT = "South, if you can. East and west together come close, and spread the power over the day better."


def answer_beside(request: RecordedRequest) -> list[Step] | None:
    """What each model answers to ``QUESTION``; None for any other question."""
    if "solar panels" not in request.last_user_text:
        return None
    if "name conversations" in str(request.body["messages"][0]["content"]):
        return [text("Solar panels on a roof")]
    model = str(request.body["model"])
    if model == "gpt-oss:20b":
        return [
            thinking("Cheap panels change the weights."),
            text(_SHORT),
            {"hold": "the others"},
            text(" Measure first."),
        ]
    if model == "llama3.2:3b":
        return [status(404, {"error": {"message": "model 'llama3.2:3b' not found", "code": "model_not_found"}})]
    return [thinking("First the sum, then the hours."), text(_LONG)]


def asked_beside(models: Sequence[str] = BESIDE) -> tuple[AskedModel, ...]:
    return tuple(AskedModel(endpoint_id="own", model=model) for model in models)


@scene(ANSWER_SCENES, "40-side-by-side")
async def side_by_side(stage: "Stage") -> None:
    await stage.open("")
    stage.presenter.options.change(endpoint_id="own", model="qwen3:8b", asked_beside=asked_beside())
    await stage.pilot.send(QUESTION)
    answers = stage.presenter.answers
    await stage.pilot.until(
        lambda: answers.comparison is not None and len(answers.comparison.page.columns) == 3, "three columns"
    )
    await stage.pilot.until(lambda: stage.is_held("the others"), "half of an answer")
    await stage.settle()
    await stage.picture("40-side-by-side-1")
    comparison = answers.comparison
    assert comparison is not None
    comparison.page.bring_into_view(comparison.page.columns[-1].message_id)
    await stage.picture("40-side-by-side-2-last")
    await stage.session.container.chat.stop(stage.presenter.thread_id or "")
    await stage.settle()
    comparison.page.bring_into_view(comparison.page.columns[0].message_id)
    await stage.picture("40-side-by-side-3-ended")
    await stage.press("comparison-back")
    await stage.picture("40-side-by-side-4-in-the-chat")
    stage.window.transcript.scroll_to_message(await stage.first_message())
    await stage.picture("40-side-by-side-5-switch")


@scene(ANSWER_SCENES, "41-model-picker-several")
async def picker_of_several(stage: "Stage") -> None:
    await stage.open("")
    stage.presenter.options.change(
        asked_beside=(*asked_beside(BESIDE[:1]), AskedModel(endpoint_id="cloud", model="deepseek-chat"))
    )
    await stage.picture_each("41-model-picker-several-1", stage.presenter.models.open_picker, "modelPicker")
    stage.presenter.options.change(asked_beside=(*asked_beside(), AskedModel(endpoint_id="gone", model="old-model")))
    await stage.picture_each("41-model-picker-several-2-gone", stage.presenter.models.open_picker, "modelPicker")
    stage.presenter.options.change(asked_beside=())
