"""What of a message are the user's own words: quoted mails and texts, code and quotations are blanked out, places stay."""

import re
from collections.abc import Iterator

from desktop.core.expressions import Expression

_LONGEST_NAME = 24
"""In quotation marks, up to so many characters, stands a name or a word the user means, longer are somebody else's words."""
_FENCES = Expression(r"(?ms)^[ \t]*(`{3,}|~{3,}).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)")
_INLINE_CODE = Expression(r"`[^`\n]+`")
_BLOCK_QUOTES = Expression(r"(?m)^[ \t]*(?:>|\|).*$")
_QUOTATIONS = Expression(
    r"\"[^\"\n]{1,2000}\"|“[^”\n]{1,2000}[”\n]|„[^“”\n]{1,2000}[“”]|«[^»\n]{1,2000}»"
    r"|「[^」\n]{1,2000}」|『[^』\n]{1,2000}』"
)
_TAGGED = Expression(r"(?s)<([A-Za-z][\w-]{0,30})\b[^>]{0,200}>.*?(?:</\1>|\Z)")
_HEADER = r"[ \t]*(?:from|to|cc|bcc|subject|date|sent|reply-to|发件人|收件人|抄送|主题|日期|发送时间)[ \t]*[:：].*"
_MAIL = Expression(
    rf"(?im)^(?:{_HEADER}\n[\s]*{_HEADER}|[ \t]*-{{2,}}[ \t]*(?:original message"
    rf"|forwarded message|原始邮件|转发的?邮件)"
    r"|[ \t]*begin forwarded message|[ \t]*on .{6,80} wrote:|在.{4,40}写道[：:])[\s\S]*"
)
_HANDED = Expression(
    # What is to be worked on stands behind a colon, until the message's end: "Translate this: …", "Here is the mail:\n…".
    r"(?i)(?:\b(?:translate|summari[sz]e|proofread|rewrite|rephrase|paraphrase"
    r"|correct|fix|improve|polish|edit|explain|analy[sz]e"
    r"|review|shorten|reply to|respond to|read this|what does)\b[^.!?\n:：]{0,80}"
    r"|\b(?:this|the following|following|below|here is|here's|here are|got an?|received an?)\b[^.!?\n:：]{0,40}"
    r"\b(?:e-?mail|mail|message|letter|text|article|post|note|paragraph|document"
    r"|transcript|review|comment|story|poem|lyrics"
    r"|dialogue|quote|sentence)s?\b[^.!?\n:：]{0,40}|\b(?:wrote|writes|says|said"
    r"|told me)\b[^.!?\n:：]{0,20}(?=[:：]\s*[^\s\"“„«「『])"
    r"|(?:翻译|总结|概括|润色|修改|改写|校对|解释|分析|回复|缩写|看看|读一下)[^。！？\n:：]{0,40}"
    r"|(?:下面|以下|这是|这段|这封|收到)[^。！？\n:：]{0,20}(?:邮件|信|消息|短信"
    r"|文章|文字|文本|段落|故事|歌词|对话|评论|句子|内容)"
    r"[^。！？\n:：]{0,20}|(?:写道|说道|他说|她说|对我说))[:：][ \t]*\n?(?P<handed>[\s\S]*)"
)


_SPEAKS = Expression(
    r"(?i)(?:\b(?:says?|said|wrote|writes|ask(?:s|ed)|repl(?:y|ies|ied)|translate"
    r"|means?)|说|问|写道?|喊|答|翻译)[\s,:，：]*$"
)
_HOLES = Expression("\0[\0\\s]*")
_LEFT_OUT = " [left out] "


def own_words(text: str) -> str:
    """Return the text with everything that is not the user's own speech as blanks: each word keeps its place."""
    for expression in (_FENCES, _MAIL, _TAGGED, _BLOCK_QUOTES, _INLINE_CODE):
        text = _blanked(text, (match.span() for match in expression.finditer(text)))
    text = _blanked(text, (match.span("handed") for match in _HANDED.finditer(text)))
    return _blanked(text, (match.span() for match in _QUOTATIONS.finditer(text) if _is_quotation(text, match)))


def _is_quotation(text: str, match: re.Match[str]) -> bool:
    if _SPEAKS.search(text[max(0, match.start() - 20) : match.start()]) is not None:
        return True
    inside = match.group()[1:-1]
    width = sum(2 if character > "\u2e7f" else 1 for character in inside)
    return width > _LONGEST_NAME or len(inside.split()) > 3


def _blanked(text: str, spans: Iterator[tuple[int, int]]) -> str:
    for start, end in list(spans):
        hole = "".join("\n" if character == "\n" else " " for character in text[start:end])
        text = text[:start] + hole + text[end:]
    return text


def told(text: str) -> str:
    """Return the text as a model is shown it: with a mark where somebody else's words were left out."""
    pairs = zip(text, own_words(text), strict=True)
    return _HOLES.sub(_LEFT_OUT, "".join(own if own == said else "\0" for said, own in pairs)).strip()
