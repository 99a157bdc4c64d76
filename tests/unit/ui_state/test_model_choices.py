"""The rows of the model picker, and what a person reads for an endpoint."""

from desktop.conversation.entities import AskedModel
from desktop.core.endpoints import EndpointCheck
from desktop.core.errors import ModelError
from desktop.core.settings import EndpointSettings, KeyPlace, Settings
from desktop.ui.state.endpoint_advice import Advice, advice_for
from desktop.ui.state.endpoint_names import endpoint_name, model_label
from desktop.ui.state.endpoint_rows import KeyState, key_state
from desktop.ui.state.model_choices import ModelChoice, filtered, model_choices, number_of_models

OLLAMA = EndpointSettings(
    id="o", name="Ollama", base_url="http://127.0.0.1:11434/v1", model="qwen3:8b", models=("qwen3:8b", "llama3.2:3b")
)
GATEWAY = EndpointSettings(id="g", base_url="https://gateway.example:8443/v1", model="typed", models=("a", "b"))
SETTINGS = Settings(endpoints=(OLLAMA, GATEWAY), endpoint_id="o")


def texts(choices: tuple[ModelChoice, ...]) -> list[str]:
    return [f"[{choice.text}]" if choice.is_heading else choice.text for choice in choices]


def test_every_endpoint_has_its_models_and_the_demo_model_is_last() -> None:
    choices = model_choices(SETTINGS, OLLAMA, None)
    assert texts(choices) == ["[Ollama]", "qwen3:8b", "llama3.2:3b", "[gateway.example:8443]", "typed", "a", "b", ""]
    assert choices[-1].is_demo
    assert [choice.model for choice in choices if choice.is_current] == ["qwen3:8b"]
    assert number_of_models(choices) == 6


def test_the_endpoint_of_the_command_line_stands_first_and_can_be_chosen_again() -> None:
    given = EndpointSettings(base_url="http://127.0.0.1:9/v1", model="given")
    in_use = model_choices(SETTINGS, given, given)
    assert texts(in_use)[:2] == ["[]", "given"]
    assert [choice.is_given for choice in in_use if choice.is_current] == [True]
    other = model_choices(SETTINGS, OLLAMA, given)
    assert [choice.model for choice in other if choice.is_current] == ["qwen3:8b"]
    assert texts(model_choices(Settings(), EndpointSettings(), EndpointSettings())) == [""]


def test_the_search_finds_by_model_and_by_endpoint_and_keeps_the_heading() -> None:
    choices = model_choices(SETTINGS, OLLAMA, None)
    assert texts(filtered(choices, "LLAMA3")) == ["[Ollama]", "llama3.2:3b"]
    assert texts(filtered(choices, "gateway b")) == ["[gateway.example:8443]", "b"]
    assert texts(filtered(choices, "nothing like it")) == []
    assert filtered(choices, " ") == choices


def test_what_people_read_for_an_endpoint() -> None:
    assert model_label(OLLAMA) == "qwen3:8b · Ollama"
    assert model_label(GATEWAY) == "typed"
    assert endpoint_name(GATEWAY) == "gateway.example:8443"
    assert model_label(EndpointSettings()) == ""


def test_where_the_key_is() -> None:
    session = EndpointSettings(base_url="https://h/v1", key_place=KeyPlace.SESSION)
    assert key_state(session, is_known=True) is KeyState.SESSION
    assert key_state(session, is_known=False) is KeyState.MISSING
    assert key_state(EndpointSettings(key_env="K", key_place=KeyPlace.SESSION), is_known=False) is KeyState.VARIABLE
    assert key_state(OLLAMA, is_known=False) is KeyState.NONE


def test_what_may_help_after_a_failed_test() -> None:
    unknown = EndpointCheck(models=("a",), error=ModelError("model.not_found", url="u", model="x", detail=""))
    assert advice_for(GATEWAY, unknown) == (Advice.CHOOSE_MODEL,)
    refused = EndpointCheck(error=ModelError("model.unauthorized", url="u", status=401, detail=""))
    assert advice_for(GATEWAY, refused) == (Advice.ENTER_KEY,)
    assert advice_for(GATEWAY, EndpointCheck(error=ModelError("model.unreachable", url="u", detail=""))) == ()
    assert advice_for(GATEWAY, EndpointCheck(answer="hello")) == ()


def test_models_asked_beside_have_their_number_and_are_there_in_any_case() -> None:
    asked = (
        AskedModel(endpoint_id="g", model="b"),
        AskedModel(endpoint_id="o", model="typed by hand"),
        AskedModel(endpoint_id="gone", model="lost"),
        AskedModel(endpoint_id=""),
    )
    choices = model_choices(SETTINGS, OLLAMA, None, asked)
    numbers = {choice.text: choice.number for choice in choices if choice.number}
    assert numbers == {"qwen3:8b": 1, "b": 2, "typed by hand": 3, "lost": 4, "": 5}
    assert [choice.text for choice in choices if choice.is_missing] == ["", "lost"]
    assert texts(choices)[-3:] == ["[]", "lost", ""], "what is gone stands above the demo model"
    assert [choice.model for choice in choices if choice.is_current] == ["qwen3:8b"]


def test_the_same_model_asked_twice_is_one() -> None:
    asked = (AskedModel(endpoint_id="o", model="qwen3:8b"), AskedModel(endpoint_id="g", model="a"))
    choices = model_choices(SETTINGS, OLLAMA, None, asked)
    assert {choice.text: choice.number for choice in choices if choice.number} == {"qwen3:8b": 1, "a": 2}


def test_an_unnamed_model_of_the_command_line_is_not_taken_for_the_demo_model() -> None:
    given = EndpointSettings(base_url="http://127.0.0.1:9/v1")
    choices = model_choices(SETTINGS, given, given)
    assert [choice.is_given for choice in choices if choice.number] == [True]
