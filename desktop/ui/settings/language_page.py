"""The page Language: one of the languages that have a file, in force at once, and how dates and numbers are written."""

from PySide6.QtCore import QDateTime, QLocale, QSignalBlocker
from PySide6.QtWidgets import QButtonGroup, QRadioButton

from desktop.core.settings import AppearanceSettings
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.page import SettingRow
from desktop.ui.settings.section_page import SectionPage, SectionPresenter
from desktop.ui.settings.value_label import ValueLabel
from desktop.ui.translations import SYSTEM, Translations, own_name

SHORT = QLocale.FormatType.ShortFormat


def make_language_page(context: SettingsContext) -> SectionPage:
    page = LanguagePage(context.translations)
    SectionPresenter(page, context, "appearance", ("language",))
    return page


class LanguagePage(SectionPage):
    """The names of languages stand there in their own language, so that everybody finds his own."""

    def __init__(self, translations: Translations) -> None:
        super().__init__("language", "languages")
        self._translations = translations
        self._choices, self._formats = self.add_section(), self.add_section()
        self._buttons: dict[str, QRadioButton] = {}
        self._rows: dict[str, SettingRow] = {}
        group = QButtonGroup(self)
        for language in (SYSTEM, *translations.languages):
            button = QRadioButton()
            button.setObjectName(f"language-{language}")
            button.clicked.connect(lambda _checked=False, language=language: self.chosen.emit("language", language))
            group.addButton(button)
            self._buttons[language] = button
            self._rows[language] = self._choices.add_row(button)
        self._date, self._number = ValueLabel("dateSample"), ValueLabel("numberSample")
        self._date_row = self._formats.add_row(self._date)
        self._number_row = self._formats.add_row(self._number)
        self.retranslate()

    def show_values(self, values: AppearanceSettings) -> None:
        for language, button in self._buttons.items():
            with QSignalBlocker(button):
                button.setChecked(language == values.language)

    def retranslate(self) -> None:
        self.set_texts(
            self.tr("Language"), self.tr("The language of the window. It changes at once, without a restart.")
        )
        for language, row in self._rows.items():
            if language == SYSTEM:
                like = self.tr("Currently: %1").replace("%1", own_name(self._translations.system_language()))
                row.set_texts(self.tr("Same as system"), like, keywords="system automatic")
            else:
                english = QLocale.languageToString(QLocale(language).language())
                row.set_texts(own_name(language), keywords=f"{english} {language}")
        self._formats.set_heading(self.tr("Dates and numbers"))
        locale = QLocale()
        now = QDateTime.currentDateTime()
        day, time = locale.toString(now.date(), QLocale.FormatType.LongFormat), locale.toString(now.time(), SHORT)
        self._date.setText(f"{day} · {time}")
        self._number.setText(locale.toString(1234567.89, "f", 2))
        self._date_row.set_texts(
            self.tr("Date and time"),
            self.tr("Shown in the format of the chosen language."),
            keywords=self.tr("format calendar clock"),
        )
        self._number_row.set_texts(self.tr("Numbers"), keywords=self.tr("format decimal comma"))
