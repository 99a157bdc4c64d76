"""What was sent to models, kept in memory."""

import dataclasses

from desktop.conversation.request_records import Outcome, RequestRecord


class InMemoryRequests:
    """Implements ``RequestRecords``; nothing is ever left out."""

    def __init__(self) -> None:
        self.records: list[RequestRecord] = []

    async def add(self, record: RequestRecord) -> None:
        self.records.append(record)

    async def finish(self, request_id: str, outcome: Outcome) -> None:
        self.records = [
            dataclasses.replace(record, outcome=outcome) if record.id == request_id else record
            for record in self.records
        ]

    async def of_answer(self, message_id: str) -> tuple[RequestRecord, ...]:
        return tuple(record for record in self.records if record.message_id == message_id)

    async def answers_of(self, thread_id: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(r.message_id for r in self.records if r.thread_id == thread_id))
