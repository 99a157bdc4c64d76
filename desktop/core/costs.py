"""What answers cost, at the prices that the user entered for a model."""

from dataclasses import dataclass

from desktop.core.endpoint_settings import ModelOptions
from desktop.core.language_model import Usage


@dataclass(frozen=True, kw_only=True)
class Cost:
    amount: float
    currency: str
    """As the user wrote it beside the price; may be empty."""


def cost_of(usage: Usage, options: ModelOptions) -> Cost | None:
    """Return what ``usage`` costs; None where a price or the count that it is for is missing.

    Tokens that the endpoint had read before are counted at the full price: what they cost less differs everywhere.
    """
    prices = ((usage.input_tokens, options.input_price), (usage.output_tokens, options.output_price))
    known = [tokens * price / 1_000_000 for tokens, price in prices if tokens is not None and price is not None]
    if not known or any(price is not None and tokens is None for tokens, price in prices):
        return None
    return Cost(amount=sum(known), currency=options.currency.strip())
