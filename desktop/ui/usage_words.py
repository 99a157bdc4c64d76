"""What answers used, as people read it: tokens read and written, and costs in each currency."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from desktop.conversation.entities import UsageTotal
from desktop.core.costs import Cost
from desktop.ui.transcript.blocks.durations import cost_text


def usage_text(totals: Sequence[UsageTotal]) -> str:
    """Return ``12,345 tokens read, 678 written, $0.12``; empty where no endpoint counted anything."""
    read, written = sum(total.input_tokens for total in totals), sum(total.output_tokens for total in totals)
    if not (read or written):
        return ""
    text = QCoreApplication.translate("usage", "%1 tokens read, %2 written")
    text = text.replace("%2", QLocale().toString(written)).replace("%1", QLocale().toString(read))
    if costs := costs_text(total.cost for total in totals):
        return QCoreApplication.translate("usage", "%1, %2").replace("%2", costs).replace("%1", text)
    return text


def costs_text(costs: Iterable[Cost | None]) -> str:
    """Return the sum in each currency; empty where no price was set."""
    sums: dict[str, float] = {}
    for cost in costs:
        if cost is not None:
            sums[cost.currency] = sums.get(cost.currency, 0) + cost.amount
    return " + ".join(cost_text(Cost(amount=amount, currency=currency)) for currency, amount in sums.items())
