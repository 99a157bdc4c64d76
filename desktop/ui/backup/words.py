"""The words for backups: how far one is, how much it holds, when it was made, and what a check found."""

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale, QObject

from desktop.core.backups import BackupKind, CheckReport, Finding, LibraryCounts, MergeReport, Part, Progress, Stage
from desktop.ui.punctuation import sentences


class BackupWording(QObject):
    """Belongs to whoever shows them."""

    def progress(self, progress: Progress) -> str:
        """Return what a backup or a restore is at."""
        return {
            Stage.COPYING: self.tr("Copying the database…"),
            Stage.PACKING: self.tr("Packing…"),
            Stage.CHECKING: self.tr("Checking…"),
            Stage.SENDING: self.tr("Storing…"),
            Stage.FETCHING: self.tr("Fetching…"),
            Stage.READING: self.tr("Reading and checking the backup…"),
            Stage.MERGING: self.tr("Adding what is missing…"),
        }[progress.stage]

    def counts(self, counts: LibraryCounts) -> str:
        """Return how much a library holds, on one line."""
        parts = [
            self.tr("%Ln chats", "", counts.chats),
            self.tr("%Ln messages", "", counts.messages),
            self.tr("%Ln memories", "", counts.memories),
            self.tr("%Ln files", "", counts.files),
        ]
        if counts.documents:
            parts.append(self.tr("%Ln documents", "", counts.documents))
        return " · ".join(parts)

    def kind(self, kind: BackupKind | None) -> str:
        """Return why a backup was made."""
        match kind:
            case BackupKind.BY_HAND:
                return self.tr("made by hand")
            case BackupKind.DAILY:
                return self.tr("daily")
            case BackupKind.BEFORE_RESTORE:
                return self.tr("before a restore")
            case None:
                return self.tr("from elsewhere")

    def merged(self, report: MergeReport) -> str:
        """Return what a merge brought."""
        said = (
            (report.chats, self.tr("%Ln chats were added", "", report.chats)),
            (report.grown, self.tr("%Ln chats got what was missing", "", report.grown)),
            (report.messages, self.tr("%Ln messages in all", "", report.messages)),
            (report.memories, self.tr("%Ln memories were added", "", report.memories)),
            (report.folders, self.tr("%Ln folders of the list were added", "", report.folders)),
            (report.prompts, self.tr("%Ln prompts were added", "", report.prompts)),
            (report.assistants, self.tr("%Ln assistants were added", "", report.assistants)),
            (report.places, self.tr("%Ln files or folders were added as knowledge", "", report.places)),
            (report.known, self.tr("%Ln chats were here already", "", report.known)),
            (report.skipped, self.tr("%Ln chats could not be added", "", report.skipped)),
            (report.forgotten, self.tr("%Ln memories stay forgotten", "", report.forgotten)),
            (report.prompts_left_out, self.tr("%Ln prompts found no room in the library", "", report.prompts_left_out)),
        )
        return "\n".join(words for count, words in said if count) or self.tr("There was nothing to add.")

    def checked(self, report: CheckReport) -> str:
        """Return what a check of the library found."""
        wrong = [self._finding(finding) for finding in report.findings if not finding.is_sound]
        if not wrong:
            return sentences(self.tr("Everything is sound."), self.counts(report.counts))
        return "\n".join(wrong)

    def _finding(self, finding: Finding) -> str:
        if finding.is_mended:
            return {
                Part.FILE: self.tr("Indexes of the database were wrong and were made anew."),
                Part.REFERENCES: self.tr(
                    "Entries that belonged to nothing were mended; words among them have a chat now."
                ),
                Part.WORDS: self.tr("The search by words was wrong and is made anew."),
                Part.VECTORS: self.tr("The search by meaning did not agree with the chats; it is brought up to date."),
            }.get(finding.part, self.tr("Something was wrong and was mended."))
        return {
            Part.FILE: self.tr(
                "The database is damaged. Start Threadwell again: it saves what can be read, and keeps the damaged file."
            ),
            Part.REFERENCES: self.tr("%Ln entries belong to nothing any more.", "", finding.count),
            Part.FILES: self.tr("%Ln attached files are missing. A backup may still have them.", "", finding.count),
            Part.VECTORS: self.tr("The search by meaning could not be checked now."),
        }.get(finding.part, finding.detail)


def moment_words(moment: datetime) -> str:
    """Return day and time as people here write them."""
    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(local, QLocale.FormatType.ShortFormat)


def size_words(size: int) -> str:
    """Return a size as people here write it."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)
