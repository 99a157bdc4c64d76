"""The words of exported chats and of imports, in the language shown."""

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, QObject

from desktop.conversation.entities import MessageStatus, ResultStatus
from desktop.conversation.interchange.records import ImportReport, Outcome, Verdict, Why
from desktop.conversation.interchange.words import ExportWords, Params
from desktop.conversation.plans import StepState
from desktop.core.language_model import DEMO_MODEL_NAME
from desktop.ui.error_words import error_words
from desktop.ui.punctuation import sentences
from desktop.ui.transcript.blocks.status_line import remark_words
from desktop.ui.transcript.model_name import model_name


class ExportWording(QObject):
    """Makes the words of exported chats."""

    def words(self) -> ExportWords:
        return ExportWords(
            new_chat=self.tr("New chat"),
            you=self.tr("You"),
            assistant=self.tr("Assistant"),
            demo=model_name(DEMO_MODEL_NAME),
            created=self.tr("Begun"),
            last_message=self.tr("Last message"),
            exported_from=self.tr("Exported from Threadwell"),
            instructions=self.tr("Instructions of this chat"),
            reasoning=self.tr("Reasoning"),
            tool=self.tr("Tool %1").replace("%1", "{name}"),
            arguments=self.tr("Arguments"),
            result=self.tr("Result"),
            file=self.tr("File"),
            sources=self.tr("Sources"),
            answer_of=self.tr("answer %1 of %2").replace("%1", "{number}").replace("%2", "{count}"),
            version_of=self.tr("version %1 of %2").replace("%1", "{number}").replace("%2", "{count}"),
            tokens=self.tr("%1 tokens in, %2 out").replace("%1", "{input}").replace("%2", "{output}"),
            seconds=self.tr("%1 s").replace("%1", "{seconds}"),
            statuses={
                MessageStatus.STREAMING: self.tr("still being written when this was exported"),
                MessageStatus.STOPPED: self.tr("stopped"),
                MessageStatus.INTERRUPTED: self.tr("interrupted"),
                MessageStatus.FAILED: self.tr("failed"),
            },
            results={
                ResultStatus.OK: self.tr("done"),
                ResultStatus.ERROR: self.tr("failed"),
                ResultStatus.DENIED: self.tr("not allowed"),
                ResultStatus.TIMEOUT: self.tr("no result in time"),
                ResultStatus.INTERRUPTED: self.tr("interrupted"),
                ResultStatus.UNKNOWN: self.tr("nobody knows how it ended"),
            },
            plan=self.tr("Plan"),
            plan_step=self.tr("Step %1").replace("%1", "{number}"),
            step_states={
                StepState.WAITING: self.tr("not begun"),
                StepState.RUNNING: self.tr("interrupted"),
                StepState.DONE: self.tr("done"),
                StepState.FAILED: self.tr("failed"),
                StepState.SKIPPED: self.tr("not done"),
            },
            time=_time,
            error=_error,
            remark=remark_words,
        )


class ImportWording(QObject):
    """Says what became of an import."""

    def of_outcome(self, outcome: Outcome) -> str:
        """Return what became of one chat."""
        match outcome.verdict:
            case Verdict.IMPORTED:
                words = self.tr("%n messages", "", outcome.messages)
            case Verdict.KNOWN:
                words = self.tr("here already")
            case Verdict.GREW:
                words = self.tr("%n new messages", "", outcome.messages)
            case Verdict.BRANCHED:
                words = self.tr("%n new messages beside those that are shown", "", outcome.messages)
            case Verdict.SKIPPED:
                words = self._why(outcome.why)
        remarks = [words]
        if outcome.verdict is not Verdict.SKIPPED and outcome.why is Why.IN_TRASH:
            remarks.append(self.tr("in the Trash"))
        if outcome.files_missing:
            remarks.append(self.tr("%n files missing", "", outcome.files_missing))
        if outcome.options_dropped:
            remarks.append(self.tr("without its folder and settings for tools"))
        return " · ".join(remarks)

    def counts(self, report: ImportReport) -> str:
        """Return how many chats came, grew, were here and were skipped."""
        imported, known = report.count(Verdict.IMPORTED), report.count(Verdict.KNOWN)
        grown, skipped = report.count(Verdict.GREW, Verdict.BRANCHED), report.count(Verdict.SKIPPED)
        pieces = [
            self.tr("%Ln chats imported", "", imported),
            self.tr("%Ln brought up to date", "", grown) if grown else "",
            self.tr("%Ln here already", "", known) if known else "",
            self.tr("%Ln skipped", "", skipped) if skipped else "",
        ]
        return " · ".join(filter(None, pieces))

    def _why(self, why: Why | None) -> str:
        match why:
            case Why.EMPTY:
                return self.tr("skipped: it holds no message")
            case Why.NEWER:
                return self.tr("skipped: a newer version of Threadwell wrote it")
            case Why.TOO_LARGE:
                return self.tr("skipped: far too much is packed into it")
            case Why.NESTED_ARCHIVE:
                return self.tr("skipped: an archive inside the archive is not opened")
            case Why.BAD_NAME:
                return self.tr("skipped: its name leads out of the archive")
            case Why.LOCKED:
                return self.tr("skipped: it is protected by a password")
            case Why.NOT_STORED:
                return self.tr("skipped: this chat is being deleted for good")
            case _:
                return self.tr("skipped: it cannot be read")


def _time(moment: datetime) -> str:
    at = QDateTime.fromMSecsSinceEpoch(round(moment.timestamp() * 1000))
    return QLocale().toString(at, QLocale.FormatType.ShortFormat)


def _error(code: str, params: Params) -> str:
    text = error_words(code, params)
    return sentences(text.title, text.detail)
