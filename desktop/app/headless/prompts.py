"""Answers questions by a rule where there is no window: refuse and decline unless told otherwise."""

from collections.abc import Callable

from desktop.app.options import ApproveRule, ElicitRule
from desktop.tools.entities import (
    ApprovalAnswer,
    ApprovalRequest,
    Choice,
    ElicitationAction,
    ElicitationAnswer,
    ElicitationMode,
    ElicitationRequest,
)
from desktop.tools.server_sampling import SamplingChoice, SamplingDecision, SamplingQuestion
from desktop.ui.state.form_state import default_content


class HeadlessPrompts:
    """Implements ``tools.ports.UserPrompts``; ``say`` is told what was decided, for people who watch."""

    def __init__(self, approve: ApproveRule, elicit: ElicitRule, say: Callable[[str], None]) -> None:
        self._approve = approve
        self._elicit = elicit
        self._say = say
        self._allowed = 0

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """Allow according to the rule; ``once`` allows the first request and refuses every later one."""
        allow = self._approve is ApproveRule.ALL or (self._approve is ApproveRule.ONCE and self._allowed == 0)
        self._allowed += allow
        tool = request.intent.tool
        self._say(f"{'allowed' if allow else 'refused'}: {tool.server_id} {tool.name} {request.intent.arguments_json}")
        return ApprovalAnswer(choice=Choice.ALLOW_ONCE if allow else Choice.REFUSE)

    async def elicit(self, request: ElicitationRequest) -> ElicitationAnswer:
        """Decline, cancel, or send the form's defaults; declined where a required field has none, or a URL is asked for."""
        action, content = ElicitationAction.DECLINE, None
        if self._elicit is ElicitRule.CANCEL:
            action = ElicitationAction.CANCEL
        elif self._elicit is ElicitRule.DEFAULTS and request.mode is ElicitationMode.FORM:
            content = default_content(request.schema)
            action = ElicitationAction.DECLINE if content is None else ElicitationAction.ACCEPT
        self._say(f"{action}: {request.server_id} asks: {request.message}")
        return ElicitationAnswer(action=action, content=content or {})

    async def sample(self, question: SamplingQuestion) -> SamplingDecision:
        """Refuse: what a server would have the model write, and what that costs, nobody could look at."""
        self._say(f"refused: {question.request.server_id} wants to use the model")
        return SamplingDecision(choice=SamplingChoice.REFUSE)
