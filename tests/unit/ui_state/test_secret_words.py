"""Questions for secrets are recognised, however they are spelt; everyday words are not."""

import pytest

from desktop.ui.state.secret_words import looks_secret, prose_looks_secret

SECRET = """password|userPassword|USER_PASSWORD|APIKey|api_key|API key|access-token|token|PIN|your pin code|card number
credit card|CVV|seed phrase|OTP|one-time-code|private key|раѕѕwоrd|pаsswоrd|tоkеn|РІN|Κey|p a s s w o r d|pa\u200bssword
p@ssw0rd|pässword|ＰＡＳＳＷＯＲＤ|𝐩𝐚𝐬𝐬𝐰𝐨𝐫𝐝|密码|请输入密 码|验证码|银行卡号|パスワード|пароль|Passwort|recovery_phrase"""
PLAIN = "Keyboard layout|monkey|discard|name|City|Spinning|email|colour|How many days?|旅行天数|你想先去哪里|cardigan|tokenizer"


@pytest.mark.parametrize("label", SECRET.replace("\n", "|").split("|"))
def test_secret_labels(label: str) -> None:
    assert looks_secret("harmless", label)


@pytest.mark.parametrize("label", PLAIN.split("|"))
def test_plain_labels(label: str) -> None:
    assert not looks_secret(label)


def test_prose_may_speak_of_keys() -> None:
    assert not prose_looks_secret("Which of the key points should the card show? 100 tokens at most.")
    assert prose_looks_secret("Please enter your password to go on")
    assert prose_looks_secret("请输入您的密码")
