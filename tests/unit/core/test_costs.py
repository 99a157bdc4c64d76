"""What an answer costs, and when nobody can say."""

import pytest

from desktop.core.costs import Cost, cost_of
from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import Usage

PRICED = ModelOptions(input_price=2.0, output_price=8.0, currency=" $ ")


@pytest.mark.parametrize(
    ("usage", "options", "cost"),
    [
        (Usage(input_tokens=500_000, output_tokens=250_000), PRICED, Cost(amount=3.0, currency="$")),
        (Usage(input_tokens=0, output_tokens=0), PRICED, Cost(amount=0.0, currency="$")),
        (Usage(output_tokens=250_000), ModelOptions(output_price=8.0), Cost(amount=2.0, currency="")),
        (Usage(input_tokens=7, output_tokens=7), ModelOptions(), None),
        (Usage(output_tokens=7), PRICED, None),
        (Usage(), PRICED, None),
    ],
)
def test_the_cost_is_what_the_user_priced_and_the_endpoint_counted(
    usage: Usage, options: ModelOptions, cost: Cost | None
) -> None:
    assert cost_of(usage, options) == cost
