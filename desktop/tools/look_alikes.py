"""Characters that most fonts draw like an ASCII one: the usual tools of spoofed names."""

import unicodedata
from collections.abc import Mapping

# Written pairwise: look-alike, then what it is taken for.
_LETTER_PAIRS = (
    # Cyrillic
    "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ӏl ѵv "
    "АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԌG ԚQ ԜW ӀI ѴV "
    # Greek
    "αa ιi κk νv οo ρp υu "
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX "
    # Armenian, Hebrew, Cherokee, Coptic and Latin extras
    "օo սu ոn հh ցg զq ւL "
    "ⲟo ⲥc ᎪA ᏴB ᏟC ᎠD ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏒR ᏚS ᎢT ᏙV ᎳW ᏃZ "
    "ıi ȷj ɑa ɡg ɩi ʟL ᴄc ᴏo ᴠv ᴡw ᴢz ꜱs ɪi ʀr ⅼl"
)

_LETTERS: Mapping[str, str] = {pair[0]: pair[1] for pair in _LETTER_PAIRS.split()}

LOOK_ALIKE_MARKS: Mapping[str, str] = {
    **dict.fromkeys("\u2044\u2215\u29f8\u2571\u27cb", "/"),
    **dict.fromkeys("\u2216\u29f5\u29f9\ufe68", "\\"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\u02d7\ufe58\ufe63", "-"),
    **dict.fromkeys("\u2024\ua4f8", "."),
    **dict.fromkeys("\u2236\u02d0\ua789\u05c3\ufe55", ":"),
    **dict.fromkeys("\u204f\ufe54", ";"),
    **dict.fromkeys("\u2223\u01c0\uffe8\u2758", "|"),
    **dict.fromkeys("\u02cb\u2035", "`"),
    **dict.fromkeys("\u201a\ua4f9", ","),
    **dict.fromkeys("\u2039\u276e\u02c2", "<"),
    **dict.fromkeys("\u203a\u276f\u02c3", ">"),
    **dict.fromkeys("\ufe60", "&"),
    **dict.fromkeys("\ufe69", "$"),
    **dict.fromkeys("\u223c\u02dc", "~"),
}


def look_alike_of(char: str) -> str | None:
    """Return the ASCII letter or digit that ``char`` is easily taken for, or None.

    Besides the table these are the styled letters of Unicode (mathematical, full-width, Roman numerals), whose
    compatibility form is one ASCII character.
    """
    if char.isascii():
        return None
    if (known := _LETTERS.get(char)) is not None:
        return known
    kind, _, plain = unicodedata.decomposition(char).rpartition(" ")
    if kind in {"<font>", "<wide>", "<compat>"}:
        twin = chr(int(plain, 16))
        return twin if twin.isascii() and twin.isalnum() else None
    return None
