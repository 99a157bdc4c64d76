"""Who answers in a thread: what it chose, else what the settings say; never anybody else without a word."""

from desktop.core.endpoint_list import Answering, answering
from desktop.core.settings import EndpointSettings, Settings

HOME = EndpointSettings(id="home", base_url="http://127.0.0.1:1/v1", model="small", models=("small", "big"))
CLOUD = EndpointSettings(id="cloud", base_url="https://cloud.example/v1", model="large")
SETTINGS = Settings(endpoints=(HOME, CLOUD), endpoint_id="cloud")


def chosen(endpoint_id: str | None, model: str | None = None) -> Answering:
    return answering(SETTINGS, CLOUD, endpoint_id=endpoint_id, model=model)


def test_without_a_choice_the_usual_one_answers() -> None:
    assert chosen(None) == chosen(None, "ignored") == Answering(endpoint=CLOUD)


def test_a_choice_holds_whatever_the_settings_say() -> None:
    assert chosen("home", "big").endpoint.model == "big"
    assert chosen("home", "big").endpoint.id == "home"
    assert chosen("home").endpoint == HOME
    assert chosen("home", "not listed any more").endpoint.model == "not listed any more"
    assert chosen("").endpoint.is_demo


def test_for_one_that_is_gone_the_usual_one_answers_and_it_is_said() -> None:
    assert chosen("removed", "its model") == Answering(endpoint=CLOUD, is_substitute=True)


def test_a_name_that_two_endpoints_have_is_recorded_with_that_of_the_endpoint() -> None:
    work = EndpointSettings(id="work", name="Work", base_url="https://work.example/v1", model="big")
    settings = Settings(endpoints=(*SETTINGS.endpoints, work))
    recorded = [
        answering(settings, CLOUD, endpoint_id=endpoint_id, model=model).recorded_as
        for endpoint_id, model in (("work", None), ("home", "big"), ("home", "small"), ("", None), (None, None))
    ]
    assert recorded == ["big · Work", "big · 127.0.0.1:1", "", "", ""]
