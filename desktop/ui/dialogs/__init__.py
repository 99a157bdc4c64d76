"""The questions to the person: approvals, server forms and addresses, confirmations, and the queue behind them."""
