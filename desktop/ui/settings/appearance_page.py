"""The page Appearance: colours, text, motion and notifications, with a sample that shows each change at once."""

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.core.settings import FONT_SIZES, TEXT_WIDTHS, AppearanceSettings, Density, Theme
from desktop.ui.settings.accent_row import AccentRow
from desktop.ui.settings.context import SettingsContext
from desktop.ui.settings.controls import CalmDoubleSpinBox, CalmSpinBox, SegmentedChoice, Switch, show_number
from desktop.ui.settings.layouts import Wrapping
from desktop.ui.settings.look_sample import LookSample
from desktop.ui.settings.section_page import SectionPage, SectionPresenter
from desktop.ui.theme.theme_manager import ThemeManager

FIELDS = (
    "theme", "accent", "font_size", "code_font_size", "density", "text_width", "reduce_motion", "notify",
)  # fmt: skip
NARROW, STANDARD, WIDE, FULL = 600, 760, 1000, TEXT_WIDTHS[1]


def make_appearance_page(context: SettingsContext) -> SectionPage:
    page = AppearancePage(context.theme)
    SectionPresenter(page, context, "appearance", FIELDS)
    return page


class AppearancePage(SectionPage):
    def __init__(self, theme: ThemeManager) -> None:
        super().__init__("appearance", "palette")
        self._sample = LookSample(theme)
        self.add_widget(self._sample)
        self._theme = SegmentedChoice("theme", list(Theme))
        self._theme.set_icons(theme, {Theme.SYSTEM: "monitor", Theme.LIGHT: "sun", Theme.DARK: "moon"})
        self._accent = AccentRow(theme)
        self._font_size = CalmDoubleSpinBox("fontSize", *FONT_SIZES, 0.5, 1)
        self._code_font_size = CalmDoubleSpinBox("codeFontSize", *FONT_SIZES, 0.5, 1)
        self._density = SegmentedChoice("density", list(Density))
        self._presets = SegmentedChoice("textWidthPreset", [NARROW, STANDARD, WIDE, FULL])
        self._text_width = CalmSpinBox("textWidth", *TEXT_WIDTHS, 20)
        widths = QWidget()
        widths.setLayout(Wrapping(self._presets, self._text_width, spacing=12))
        widths.setFocusProxy(self._presets.button(STANDARD))
        widths.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._motion = Switch("reduceMotion")
        self._notify = Switch("notify")
        self._colours, self._text, self._behaviour = (self.add_section() for _ in range(3))
        self.field_rows = self._rows = {
            "theme": self._colours.add_row(self._theme),
            "accent": self._colours.add_row(self._accent),
            "font_size": self._text.add_row(self._font_size),
            "code_font_size": self._text.add_row(self._code_font_size),
            "density": self._text.add_row(self._density),
            "text_width": self._text.add_row(widths, wide=True),
            "reduce_motion": self._behaviour.add_row(self._motion),
            "notify": self._behaviour.add_row(self._notify),
        }
        self._connect()
        self.retranslate()

    def show_values(self, values: AppearanceSettings) -> None:
        self._theme.set_value(values.theme)
        self._accent.set_value(values.accent)
        self._density.set_value(values.density)
        self._presets.set_value(values.text_width)
        for box, number in (
            (self._font_size, values.font_size),
            (self._code_font_size, values.code_font_size),
            (self._text_width, values.text_width),
        ):
            show_number(box, number)
        for switch, is_on in ((self._motion, values.reduce_motion), (self._notify, values.notify)):
            with QSignalBlocker(switch):
                switch.setChecked(is_on)

    def retranslate(self) -> None:
        self.set_texts(self.tr("Appearance"), self.tr("How Threadwell looks. Every change shows at once."))
        self._colours.set_heading(self.tr("Colours"))
        self._text.set_heading(self.tr("Text"))
        self._behaviour.set_heading(self.tr("Motion and notifications"))
        self._retranslate_choices()
        rows = self._rows
        rows["theme"].set_texts(self.tr("Theme"), keywords=self.tr("dark light system night colours"))
        rows["accent"].set_texts(
            self.tr("Accent colour"), self.tr("Buttons, links and marks."), keywords=self.tr("color highlight")
        )
        rows["font_size"].set_texts(
            self.tr("Text size"), self.tr("For the window and the chats."), keywords=self.tr("font bigger smaller zoom")
        )
        rows["code_font_size"].set_texts(
            self.tr("Code size"), self.tr("For code and commands."), keywords=self.tr("font monospace")
        )
        rows["density"].set_texts(
            self.tr("Spacing"), self.tr("Compact shows more at once."), keywords=self.tr("density compact roomy")
        )
        rows["text_width"].set_texts(
            self.tr("Text width"),
            self.tr("How wide a chat may get in a wide window."),
            keywords=self.tr("column narrow full"),
        )
        rows["reduce_motion"].set_texts(
            self.tr("Less motion"),
            self.tr("Turns off animations. Always off when the system asks for it."),
            keywords=self.tr("animation reduce"),
        )
        rows["notify"].set_texts(
            self.tr("System notifications"),
            self.tr("When an answer is ready or a question waits while you are in another window."),
            keywords=self.tr("alerts messages background"),
        )
        self._text_width.setAccessibleName(self.tr("Text width in pixels"))

    def _retranslate_choices(self) -> None:
        self._accent.retranslate()
        self._theme.set_words(
            {
                Theme.SYSTEM: self.tr("Same as system"),
                Theme.LIGHT: self.tr("Light"),
                Theme.DARK: self.tr("Dark"),
            }
        )
        self._density.set_words({Density.COMFORTABLE: self.tr("Comfortable"), Density.COMPACT: self.tr("Compact")})
        self._presets.set_words(
            {
                NARROW: self.tr("Narrow"),
                STANDARD: self.tr("Standard"),
                WIDE: self.tr("Wide"),
                FULL: self.tr("Full"),
            }
        )
        self._presets.setAccessibleName(self.tr("Text width"))
        points = self.tr(" pt", "typographic points after a number")
        self._font_size.setSuffix(points)
        self._code_font_size.setSuffix(points)
        self._text_width.setSuffix(self.tr(" px", "pixels after a number"))

    def _connect(self) -> None:
        for field, choice in (
            ("theme", self._theme),
            ("accent", self._accent),
            ("density", self._density),
            ("text_width", self._presets),
        ):
            choice.chosen.connect(lambda value, field=field: self.chosen.emit(field, value))
        for field, switch in (("reduce_motion", self._motion), ("notify", self._notify)):
            switch.toggled.connect(lambda value, field=field: self.chosen.emit(field, value))
        for field, box in (
            ("font_size", self._font_size),
            ("code_font_size", self._code_font_size),
            ("text_width", self._text_width),
        ):
            box.valueChanged.connect(lambda value, field=field: self.typed.emit(field, value))
