"""Recognises questions that sound like a password, a key, a card or a code, also when they are spelt to hide it."""

import re
import unicodedata

from desktop.tools.look_alikes import look_alike_of


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORDS = _words(
    "password passwords passwd passcode passphrase pwd pw secret secrets token tokens credential credentials "
    "apikey apikeys key keys privatekey pin pins card cards cardnumber creditcard cvv cvc cvv2 iban ssn "
    "seed seeds mnemonic otp totp 2fa mfa passwort kennwort geheimnis contrasena clave senha "
    "пароль пароля токен секрет ключ пин парольная"
)
"""Matched as whole words: inside others (keyboard, spinning, discard) they mean nothing."""

_PARTS = _words(
    "password passwort passphrase passcode apikey accesskey secretkey privatekey accesstoken authtoken creditcard "
    "debitcard cardnumber seedphrase recoveryphrase recoverycode securitycode onetimecode verificationcode "
    "credential mnemonic"
)
"""Matched anywhere once blanks and signs are taken away, so that ``p-a-s-s w o r d`` is found."""

_EAST_ASIAN = _words(
    "密码 密碼 口令 令牌 密钥 密鑰 私钥 私鑰 公私钥 秘钥 验证码 驗證碼 校验码 助记词 助記詞 银行卡 銀行卡 信用卡 卡号 卡號 "
    "安全码 身份证 身份證 暗証番号 パスワード 認証コード 비밀번호"
)

_AMBIGUOUS = _words("key keys card cards pin pins seed seeds token tokens secret secrets ключ секрет")
"""Words that prose uses for other things, too ("the key points")."""

_LEET = str.maketrans("013457@$!", "oieastasi")


def looks_secret(*texts: str) -> bool:
    """Return whether one of the labels asks for something that must not go through a form."""
    return any(_sounds_secret(text, _WORDS) for text in texts)


def prose_looks_secret(text: str) -> bool:
    """The same for a whole message, where words such as ``key`` alone mean little."""
    return _sounds_secret(text, _WORDS - _AMBIGUOUS)


def _sounds_secret(text: str, words: frozenset[str]) -> bool:
    without_gaps = re.sub(r"[\W_]+", "", unicodedata.normalize("NFKC", text))
    if any(part in without_gaps for part in _EAST_ASIAN):
        return True
    return any(_has_words(variant, words) for variant in _variants(_plain(text)))


def _plain(text: str) -> str:
    """Compatibility forms folded, invisible characters and accents dropped, humps of camelCase split, lower case."""
    decomposed = unicodedata.normalize("NFKD", text)
    visible = "".join(c for c in decomposed if unicodedata.category(c) not in ("Cf", "Cc", "Mn") or c in "\n\t\r")
    split = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", visible)
    return unicodedata.normalize("NFKC", split).casefold()


def _variants(plain: str) -> tuple[str, ...]:
    folded = "".join(look_alike_of(c) or c for c in plain)
    return (plain, folded, folded.translate(_LEET))


def _has_words(text: str, words: frozenset[str]) -> bool:
    if words.intersection(re.split(r"[\W_]+", text)):
        return True
    joined = re.sub(r"[\W_]+", "", text)
    return any(part in joined for part in _PARTS)
