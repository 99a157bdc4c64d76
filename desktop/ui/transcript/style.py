"""The transcript's look: its part of the style sheet, and the CSS of rendered Markdown."""

from PySide6.QtGui import QFont

from desktop.ui.theme.sizes import Sizes
from desktop.ui.theme.tokens import Tokens

GUTTER = 26
"""Room left of the text for the icon of an answer."""

NARROW = 560
"""Below this width the text begins at the margin."""


_HEADINGS = (
    ("h1", 1.5, "14px 0 8px 0"),
    ("h2", 1.3, "14px 0 7px 0"),
    ("h3", 1.15, "12px 0 6px 0"),
    ("h4", 1.0, "10px 0 6px 0"),
    ("h5", 1.0, "10px 0 6px 0"),
    ("h6", 1.0, "10px 0 6px 0"),
)
"""Class, size in parts of the text's, margins."""

QUIET_SHARE = 0.95
"""Reasoning and second lines are a little smaller than the answer."""


def transcript_style(t: Tokens, s: Sizes) -> str:
    """Return the style sheet of the transcript's widgets."""
    return f"""
QFrame#thread-loading {{ background: {t.window}; border: 0; }}
QAbstractScrollArea#transcript, QAbstractScrollArea#column-transcript {{ background: {t.window}; border: 0; }}
QTextBrowser[block="rich"], QPlainTextEdit[block="code"] {{ background: transparent; border: 0; padding: 0; }}
QFrame#code-block {{ background: {t.code}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame#tool-card {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame#tool-card[state="waiting_approval"], QFrame#tool-card[state="waiting_answer"] {{
    background: {t.warning_background}; border-color: {t.warning};
}}
QFrame#plan-card {{ background: {t.panel}; border: 1px solid {t.line}; border-radius: 10px; }}
QFrame#plan-card[state="asked"] {{ border-color: {t.accent}; }}
QFrame#tool-card QPlainTextEdit {{
    background: {t.code}; border: 1px solid {t.line}; border-radius: 6px; padding: 4px 6px;
}}
QFrame#error-notice {{ background: {t.error_background}; border: 1px solid {t.error}; border-radius: 10px; }}
QToolButton#jump-to-end {{
    background: {t.panel}; border: 1px solid {t.line}; border-radius: {s.px(36) // 2}px; padding: 0;
}}
QToolButton#jump-to-end:hover {{ background: {t.hover}; }}
QToolButton#jump-to-end:focus {{ border: 2px solid {t.accent}; }}
QToolButton#jump-to-end[news="true"] {{ background: {t.accent}; border-color: {t.accent}; }}
QPushButton#example-prompt {{
    text-align: left; padding: 10px 14px; border-radius: 12px; background: {t.panel}; color: {t.text};
}}
QPushButton#example-prompt:hover {{ background: {t.hover}; border-color: {t.accent}; }}
QPushButton#example-prompt:focus {{ border: 2px solid {t.accent}; padding: 9px 13px; }}
"""


def document_css(t: Tokens, s: Sizes, code_font: QFont, *, is_quiet: bool = False) -> str:
    """Return the style sheet of a document with rendered Markdown. Reasoning is ``is_quiet``.

    Bold is 600, the weight of everything bold here: from 700 on Qt smears a variable font in addition.
    """
    text = t.muted if is_quiet else t.text
    share = QUIET_SHARE if is_quiet else 1.0
    size, code_size = round(s.font * share, 2), round(s.code * share, 2)
    inline_size = round(size * 0.95, 2)  # goes with the sentence that it stands in
    families = ", ".join(f"'{family}'" for family in code_font.families())
    headings = "\n".join(
        f"p.{name} {{ font-size: {round(size * larger, 2)}pt; font-weight: 600; margin: {margins}; line-height: 120%; }}"
        for name, larger, margins in _HEADINGS
    )
    return f"""
body, p, li, td, th {{ color: {text}; font-size: {size}pt; }}
p {{ margin: 0 0 8px 0; line-height: 130%; }}
p.plain {{ margin: 0; white-space: pre-wrap; line-height: 130%; }}
p.formula {{ margin: 4px 0 10px 0; line-height: 100%; text-align: center; }}
ul, ol {{ margin: 0 0 8px 0; }}
ul ul, ul ol, ol ul, ol ol {{ margin: 0; }}
li {{ margin: 0 0 2px 0; line-height: 130%; }}
li p {{ margin: 0 0 4px 0; }}
{headings}
b, strong {{ font-weight: 600; }}
ul.tasks {{ list-style-type: none; }}
ul.tasks ul {{ list-style-type: disc; }}
ul.tasks ol {{ list-style-type: decimal; }}
ul.tasks ul.tasks, ul ul.tasks {{ list-style-type: none; }}
ul.joined {{ margin: 0; }}
ol.notes {{ margin: 0 0 2px 0; }}
ol.notes p, ol.notes li {{ font-size: {round(size * QUIET_SHARE, 2)}pt; color: {t.muted}; }}
sup {{ line-height: 100%; }}
span.box {{ font-family: '{code_font.families()[0]}'; }}
code {{ font-family: {families}; font-size: {inline_size}pt; background-color: {t.code_header}; }}
pre {{ font-family: {families}; font-size: {code_size}pt; background-color: {t.code}; margin: 4px 0 8px 0; }}
pre code {{ font-size: {code_size}pt; background-color: {t.code}; }}
a {{ color: {t.accent}; text-decoration: none; }}
hr {{ background-color: {t.line}; }}
span.target {{ color: {t.muted}; }}
table.grid {{ border-collapse: collapse; margin: 2px 0 4px 0; }}
table.grid th {{ background-color: {t.code_header}; font-weight: 600; padding: 5px 10px; border: 1px solid {t.line}; }}
table.grid td {{ padding: 5px 10px; border: 1px solid {t.line}; }}
table.quote {{ margin: 2px 0 8px 0; border-collapse: collapse; }}
td.quote {{ border: 0px; border-left: 3px solid {t.line}; padding: 0 0 0 12px; color: {t.muted}; }}
div.quote {{ margin-left: 14px; }}
"""
