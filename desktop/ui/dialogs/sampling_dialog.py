"""A server wants the model to write something for it: all that the model would read, and then what it wrote."""

from collections.abc import Sequence

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from desktop.tools.entities import Ending
from desktop.tools.server_sampling import (
    ModelAnswer,
    SamplingChoice,
    SamplingDecision,
    SamplingQuestion,
    SamplingRole,
)
from desktop.tools.visible_text import reveal
from desktop.ui.dialogs.display_lines import display_lines
from desktop.ui.dialogs.parts import FittingScrollArea, QuietButton, fact_grid, notice_row, plain_label, yes_comes_first
from desktop.ui.dialogs.plain_box import PlainBox
from desktop.ui.dialogs.prompt_dialog import PromptDialog
from desktop.ui.theme.theme_manager import ThemeManager
from desktop.ui.transcript.blocks.durations import cost_text
from desktop.ui.transcript.model_name import MOST_CHARACTERS, model_name

_ALL_LINES = 1_000_000
_MOST_OF_NAME = 200


class _SamplingDialog(PromptDialog):
    """What both questions share. ``answer`` is a ``SamplingDecision``; refusing is the way out of everything.

    Allowing takes a click after the arming delay, and after all of the text was on the screen.
    """

    def __init__(
        self, parent: QWidget | None, theme: ThemeManager, question: SamplingQuestion, arming_delay_ms: int
    ) -> None:
        super().__init__(parent, theme, arming_delay_ms)
        self.question = question
        self.allowing: Sequence[QuietButton] = ()

    def cancelled_answer(self) -> SamplingDecision:
        return SamplingDecision(choice=SamplingChoice.REFUSE, ending=Ending.CANCELLED, shown_seconds=self.shown_seconds)

    def update_buttons(self) -> None:
        was_read = self._texts.all_was_seen
        for button in self.allowing:
            button.setEnabled(self.armed and was_read)
        self.set_hint(self.possible_hints()[0 if was_read else 1])

    def possible_hints(self) -> tuple[str, str]:
        unread = self.tr("Scroll to the end of the text first. Only then can it be allowed.")
        return self.meaning(), unread

    def meaning(self) -> str:
        """Say what follows from allowing."""
        raise NotImplementedError

    def server_words(self) -> str:
        server = reveal(self.question.request.server_id, keep_newlines=False)
        return self.tr("Server “{server}”, which you added").format(server=server)

    def model_words(self) -> str:
        name, endpoint = _short(self.question.model), _short(self.question.endpoint)
        if not endpoint:
            return model_name(self.question.model)
        return self.tr("{model} at {provider}").format(model=name, provider=endpoint)

    def chat_fact(self) -> list[tuple[str, str, str]]:
        title = _short(self.question.thread_title)
        return [("thread", self.tr("Chat"), title)] if title else []

    def add_texts(self, texts: Sequence[tuple[str, str]]) -> None:
        """Show each text whole below its caption; the captions are ours, outside of what anybody else wrote."""
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(6, 5, 6, 6)  # clear of the frame that shows the focus
        layout.setSpacing(5)
        boxes: list[QWidget] = []
        for number, (caption, text) in enumerate(texts):
            if number:
                layout.addSpacing(5)
            layout.addWidget(plain_label(caption, "section"))
            box = PlainBox(display_lines(text), self.theme, role="quote", least_lines=1, most_lines=_ALL_LINES)
            box.setObjectName(f"sampling_text_{number}")
            box.setAccessibleName(caption)
            layout.addWidget(box)
            boxes.append(box)
        layout.addStretch(1)
        most = self.theme.px(520)
        self._texts = FittingScrollArea(content, least_height=96, most_height=most, must_see=boxes)
        self._texts.setObjectName("sampling_texts")
        self._texts.setAccessibleName(self.tr("The whole text"))
        self._texts.all_seen.connect(self.update_buttons)
        self.body.addWidget(self._texts)

    def add_choices(self, refuse: str, *allowing: tuple[str, str, SamplingChoice]) -> None:
        """Put the buttons at the foot; each that allows has a name, a text and what it means. The first is usual."""
        self.refuse_button = QuietButton(refuse, "sampling_refuse", "danger")
        self.refuse_button.clicked.connect(lambda: self._choose(SamplingChoice.REFUSE))
        made: list[QuietButton] = []
        for name, text, choice in allowing:
            button = QuietButton(text, name, "" if made else "primary")
            button.clicked.connect(lambda _checked=False, choice=choice: self._choose(choice))
            made.append(button)
        self.allowing = made
        right: list[QPushButton] = [*made]
        self.add_foot([self.refuse_button], right if yes_comes_first(self) else right[::-1])
        # Not a button: whatever is typed when the dialog appears goes nowhere.
        self._texts.setFocus()
        self.update_buttons()

    def _choose(self, choice: SamplingChoice) -> None:
        self.finish(SamplingDecision(choice=choice, shown_seconds=self.shown_seconds))


class AskModelDialog(_SamplingDialog):
    """May the model be asked what a server wants of it?"""

    def __init__(
        self, parent: QWidget | None, theme: ThemeManager, question: SamplingQuestion, arming_delay_ms: int = 700
    ) -> None:
        super().__init__(parent, theme, question, arming_delay_ms)
        self.setObjectName("askModelDialog")
        self.build()

    def build(self) -> None:
        self.setWindowTitle(self.tr("Let a server use your model?"))
        self.add_headline("sparkles", self.tr("A server wants to use your model"), self.server_words())
        self.body.addWidget(fact_grid(self._facts()))
        if self.question.request.wants_context:
            words = self.tr("It also asked for what is said in the chat. No server is given that.")
            notice = notice_row(self.theme, words, "finding")
            notice.setObjectName("sampling_context")
            self.body.addWidget(notice)
        self.add_texts(self._all_texts())
        self.add_choices(
            self.tr("Refuse"),
            ("sampling_allow", self.tr("Allow, and show me the answer"), SamplingChoice.ALLOW),
            ("sampling_allow_and_send", self.tr("Allow and send at once"), SamplingChoice.ALLOW_AND_SEND),
        )

    def meaning(self) -> str:
        return self.tr(
            "The model gets this text and nothing of the chat. The server gets the answer: at once, or after you have seen it."
        )

    def _facts(self) -> list[tuple[str, str, str]]:
        request = self.question.request
        most = self.tr("%Ln tokens", "", request.max_tokens)
        if request.asked_tokens > request.max_tokens:
            asked = self.tr("{most} (the server asked for {asked})")
            most = asked.format(most=most, asked=QLocale().toString(request.asked_tokens))
        reads = self.tr("About %Ln tokens", "", self.question.input_tokens)
        facts = [
            ("model", self.tr("Who answers"), self.model_words()),
            ("input", self.tr("It reads"), reads),
            ("output", self.tr("Longest answer"), most),
        ]
        if self.question.most_cost is not None:
            cost = self.tr("At most {cost}").format(cost=_short(cost_text(self.question.most_cost)))
            facts.append(("cost", self.tr("Costs you"), cost))
        return [*facts, *self.chat_fact()]

    def _all_texts(self) -> list[tuple[str, str]]:
        request = self.question.request
        texts = [(self.tr("Instructions for the model, by the server"), request.system_prompt)]
        captions = {
            SamplingRole.USER: self.tr("Message {number}, as if you had written it"),
            SamplingRole.ASSISTANT: self.tr("Message {number}, as if the model had written it"),
        }
        for number, message in enumerate(request.messages, start=1):
            texts.append((captions[message.role].format(number=number), message.text))
        if request.stop_sequences:
            texts.append((self.tr("The answer is cut where one of these comes"), "\n".join(request.stop_sequences)))
        return texts if request.system_prompt else texts[1:]


class SendAnswerDialog(_SamplingDialog):
    """May the server have what the model wrote?"""

    def __init__(
        self,
        parent: QWidget | None,
        theme: ThemeManager,
        question: SamplingQuestion,
        answer: ModelAnswer,
        arming_delay_ms: int = 700,
    ) -> None:
        super().__init__(parent, theme, question, arming_delay_ms)
        self.setObjectName("sendAnswerDialog")
        self._answer = answer
        self.build()

    def build(self) -> None:
        self.setWindowTitle(self.tr("Send the answer?"))
        self.add_headline("sparkles", self.tr("Let the server have this answer?"), self.server_words())
        facts = [("model", self.tr("Who answered"), self.model_words())]
        if self._answer.stop_reason == "maxTokens":
            facts.append(("end", self.tr("Ended"), self.tr("At the longest length: there could be more")))
        self.body.addWidget(fact_grid([*facts, *self.chat_fact()]))
        self.add_texts([(self.tr("What your model wrote"), self._answer.text)])
        self.add_choices(self.tr("Do not send"), ("sampling_send", self.tr("Send to the server"), SamplingChoice.ALLOW))

    def meaning(self) -> str:
        return self.tr("The server gets exactly this text and the model's name.")


def _short(text: str) -> str:
    shown = reveal(text[:_MOST_OF_NAME], keep_newlines=False)
    return shown if len(shown) <= MOST_CHARACTERS else f"{shown[:MOST_CHARACTERS]}…"
