"""What must never be remembered: secrets, hypotheticals, placeholders, and instructions that are no wish of the user's own."""

from enum import StrEnum

from desktop.core.expressions import Expression
from desktop.core.keys_in_text import keys_in


class Refusal(StrEnum):
    EMPTY = "empty"
    SECRET = "secret"
    PLACEHOLDER = "placeholder"
    INSTRUCTION = "instruction"
    """It tells the app or the model what to do beyond what answers look like."""


_SECRET_WORDS = Expression(
    r"(?i)\b(?:pass ?words?|passwd|passphrase|pass ?code|pwd|seed phrase|recovery "
    r"(?:phrase|code|key)|private key|secret key"
    r"|api[ -]?keys?|access token|security code|one[- ]time code|verification code"
    r"|cvv2?|cvc2?|otp|social security|ssn)\b"
    r"(?! ?manager)|密码(?!学|管理)|密碼|口令|验证码|驗證碼|助记词|私钥|密钥|秘钥|令牌|安全码|取款码"
)
_NUMBERED_SECRET = Expression(
    r"(?i)\b(?:pin|pin[- ]?code|iban|account (?:number|no\.?)|passport(?: number| no\.?)?|licen[cs]e number"
    r"|routing number|(?:credit |debit |bank )?card(?: number)?)\b[^.\n]{0,20}\d[\d -]{2,}"
    r"|\b(?:code|token|secret)\b[^.\n]{0,32}(?:\bis\b|[:=])\s*[\w-]*\d{3,}"
    r"|(?:卡号|账号|帐号|身份证|护照|银行卡|信用卡)[^。\n]{0,12}[0-9A-Za-z]{5,}"
)
_DIGITS = Expression(r"(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])")
_IBAN = Expression(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?\b")
_SSN = Expression(r"\b\d{3}-\d{2}-\d{4}\b")
_CHINESE_ID = Expression(r"(?<!\d)\d{17}[\dXx](?![\dA-Za-z])")
_BLOBS = Expression(r"-----BEGIN [A-Z ]+-----|\beyJ[\w-]{10,}\.[\w-]{10,}|://[^\s/@:]+:[^\s/@]+@")
_PLACEHOLDERS = Expression(
    r"(?i)\b(?:john|jane) doe\b|\blorem ipsum\b|\bfoo ?bar\b|\b(?:foo(?! fighters)"
    r"|baz|qux)\b|\b(?:xxx+|asdf+|todo|tbd|n/?a)\b"
    r"|@example\.(?:com|org|net)\b|\[[^\]\n]*\b(?:name|city|date|company|place|insert|your)\b[^\]\n]*\]"
    r"|<(?:your|name|insert|city|date)[^>\n]*>|\{\{?[\w ]+\}?\}|\byour (?:name"
    r"|city|company) here\b|_{3,}|某某|某某某|XX+(?:市|公司|先生|女士)"
    r"|[\[【（(](?:姓名|名字|城市|公司|日期|地点)[^\]】）)]{0,6}[\]】）)]"
)
_SUPPOSED = Expression(
    r"(?i)\b(?:suppos(?:e|ing)|imagine|imagining|pretend|let'?s (?:say|assume"
    r"|pretend|imagine)|assum(?:e|ing)|hypothetical(?:ly)?"
    r"|what if|as if i|role-?play|act as)\b|假设|假定|假如|假使|设想|想象一下|想像一下|打个比方|扮演|假装"
)
_EXAMPLE = Expression(r"(?i)\b(?:for (?:example|instance)|e\.g\.|say i)\b|比方说|例如|比如|举个例子")
_IF = Expression(
    r"(?i)\b(?:if (?!(?:possible|you (?:can|could|like|don'?t mind)|that'?s (?:ok"
    r"|okay|fine|possible)))|unless\b|in case\b"
    r"|would (?!like|prefer|love)|might\b|could be\b|maybe\b|perhaps\b|possibly\b"
    r"|wish i (?:was|were|had|lived)|as though\b)"
    r"|如果(?!可以|方便|可能|不介意)|要是|倘若|万一|也许|或许|说不定|可能会"
)
_COMMANDS = Expression(
    r"(?i)\bignore\b.{0,40}\b(?:previous|prior|above|earlier|all|other|your|any)\b|\bdisregard\b|\boverride\b"
    r"|\bsystem (?:prompt|message)\b|\byou are now\b|\bdeveloper mode\b|\bjailbreak\b|\bbypass\b"
    r"|\b(?:allows?|permits?|authori[sz]e[sd]?|approves?|consents?|grants?)\b.{0,40}"
    r"\b(?:everything|anything|any|all|every|commands?|tools?|actions?|access|permissions?|servers?)\b"
    r"|\btrusts?\b.{0,40}\b(?:commands?|tools?|actions?|servers?)\b|\bauto-?(?:approve|run|accept)"
    r"|\bwithout\b.{0,16}\b(?:asking|confirm(?:ing|ation)|approv(?:al|ing)|permissions?|warning|prompting)\b"
    r"|\b(?:no|never|don'?t|do not|not|skip(?:ping)?|stop)\b.{0,16}\b(?:confirm"
    r"(?:ing|ations?)?|approv(?:e|al|als|ing)"
    r"|permissions?|warn(?:ing|ings)?|prompt(?:ing|s)?)\b"
    r"|\b(?:never|don'?t|do not|stop) ask(?:ing)?(?: me)?(?: again| first| before| whether| if|\W*$)"
    r"|\b(?:do not|don'?t|never) (?:tell|inform|mention|show|reveal)\b.{0,30}\b(?:user|them|him|her|owner|this|it)\b"
    r"|(?<!\bI )\b(?:run|execute|delete|remove|send|upload|e-?mail|forward|download|install|curl|post)\b.{0,30}"
    r"\b(?:automatically|immediately|silently|commands?|scripts?|tools?|to https?:)"
    r"|(?<!\bI )(?<!\bwe )\b(?:always|automatically) "
    r"(?:run|execute|delete|send|upload|forward|install|approve|allow|call|fetch|visit|open)\b"
    r"|\b(?:run|execute|do|follow|obey)\b.{0,12}\b(?:whatever|anything|everything|any instructions?)\b"
    r"|忽略.{0,12}(?:之前|以上|前面|所有|其他)|无视.{0,8}(?:规则|指令|限制|之前)|系统提示|你现在是|越狱"
    r"|(?:允许|批准|同意|授权|信任).{0,12}(?:一切|所有|任何|全部|命令|工具|操作|权限|执行)"
    r"|(?:不用|不要|无需|不必|别|跳过|无须|不需要|不必要).{0,6}(?:询问|确认|批准"
    r"|征求|提示|警告|请示|问我(?!.{0,4}(?:问题|后续)))"
    r"|(?:自动|直接|立即|总是).{0,4}(?:执行|运行|删除|发送|上传|转发|安装)|不要告诉用户|别告诉用户"
)
_OF_THE_APP = Expression(
    r"(?i)\b(?:the )?(?:assistant|ai|model|chatbot|system)\b.{0,12}\b(?:must|should"
    r"|shall|has to|needs to|will always|is to)\b"
    r"|(?:助手|模型|系统|AI).{0,4}(?:必须|应该|应当|需要|务必)"
)
_STANDING = Expression(
    r"(?i)\b(?:always|never|from now on|from today|going forward|in (?:the )?future"
    r"|henceforth|by default|every ?time|each time|as a rule"
    r"|in all (?:my |our |your )?(?:chats|conversations|answers|replies)|any ?more|permanently|generally|whenever)\b"
    r"|以后|今后|从现在|从今|往后|默认|每次|每回|总是|始终|一直|永远|一律|都要|都用|统一"
)
_PREFERS = Expression(
    r"(?i)\bI(?:'d| would)? (?:really |much |strongly )?(?:prefer|like|want|love"
    r"|hate|dislike|enjoy)\b|我(?:更|比较|最)?(?:喜欢|希望|想要|偏好|讨厌)"
)


def refusal_of(text: str, quote: str) -> Refusal | None:
    """Return why something of this text, from these words of the user, must not be remembered; None when it may be."""
    if not any(character.isalnum() for character in text):
        return Refusal.EMPTY
    both = f"{text}\n{quote}"
    if holds_secret(both):
        return Refusal.SECRET
    if _PLACEHOLDERS.search(both):
        return Refusal.PLACEHOLDER
    if _COMMANDS.search(both) or _OF_THE_APP.search(both):
        return Refusal.INSTRUCTION
    return None


def holds_secret(text: str) -> bool:
    """Tell whether a text names a password, a key, a card, an account or a document number."""
    patterns = (_SECRET_WORDS, _NUMBERED_SECRET, _SSN, _BLOBS)
    if any(pattern.search(text) for pattern in patterns) or keys_in(text):
        return True
    return (
        any(_is_card(match.group()) for match in _DIGITS.finditer(text))
        or any(_is_iban(match.group()) for match in _IBAN.finditer(text))
        or any(_is_chinese_id(match.group()) for match in _CHINESE_ID.finditer(text))
    )


def is_supposed(before: str) -> bool:
    """Tell whether what follows this text, in the same paragraph, is only supposed."""
    return _SUPPOSED.search(before) is not None


def is_conditional(sentence: str) -> bool:
    """Tell whether a sentence speaks of what may be instead of what is."""
    return any(expression.search(sentence) for expression in (_IF, _SUPPOSED, _EXAMPLE))


def is_standing(sentence: str) -> bool:
    """Tell whether a wish is meant to hold for good, not for the next answer alone."""
    return _STANDING.search(sentence) is not None


def is_preference(sentence: str) -> bool:
    """Tell whether a wish is put as what the user likes."""
    return _PREFERS.search(sentence) is not None


def _is_card(text: str) -> bool:
    """Luhn's check."""
    digits = [int(character) for character in text if character.isdigit()][::-1]
    doubled = (sum(divmod(2 * digit, 10)) if place % 2 else digit for place, digit in enumerate(digits))
    return len(set(digits)) > 1 and sum(doubled) % 10 == 0


def _is_iban(text: str) -> bool:
    plain = text.replace(" ", "")
    return int("".join(str(int(character, 36)) for character in plain[4:] + plain[:4])) % 97 == 1


def _is_chinese_id(text: str) -> bool:
    weights = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
    total = sum(weight * int(digit) for weight, digit in zip(weights, text[:17], strict=True))
    return "10X98765432"[total % 11] == text[-1].upper()
