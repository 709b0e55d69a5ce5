"""Codes and names of languages: what was probably meant by ``de-en`` or ``german-english``."""

import re

# ISO 639-3, then its English name, then other ways to write it: ISO 639-1, the other code of ISO 639-2, its own name.
_LANGUAGES = """
afr Afrikaans af; amh Amharic am; ara Arabic ar; ben Bengali bn bangla; bul Bulgarian bg; cat Catalan ca català;
ces Czech cs cze čeština; cym Welsh cy wel; dan Danish da dansk; deu German de ger deutsch; ell Greek el gre;
eng English en; epo Esperanto eo; est Estonian et; eus Basque eu baq; fas Persian fa per farsi; fin Finnish fi suomi;
fra French fr fre français; gle Irish ga; glg Galician gl; guj Gujarati gu; hau Hausa ha; heb Hebrew he iw;
hin Hindi hi; hrv Croatian hr; hun Hungarian hu magyar; hye Armenian hy arm; ibo Igbo ig; ind Indonesian id;
isl Icelandic is ice; ita Italian it italiano; jpn Japanese ja jp; kan Kannada kn; kat Georgian ka geo; kaz Kazakh kk;
khm Khmer km; kin Kinyarwanda rw; kor Korean ko kr; kur Kurdish ku; lat Latin la; lav Latvian lv; lit Lithuanian lt;
mal Malayalam ml; mar Marathi mr; mkd Macedonian mk mac; mlt Maltese mt; mon Mongolian mn; msa Malay ms may;
mya Burmese my bur; nep Nepali ne; nld Dutch nl dut nederlands; nor Norwegian no nb norsk; orm Oromo om;
pan Punjabi pa; pol Polish pl polski; por Portuguese pt português; pus Pashto ps; ron Romanian ro rum; rus Russian ru;
sin Sinhala si; slk Slovak sk slo; slv Slovene sl slovenian; som Somali so; sot Sotho st;
spa Spanish es español castilian; sqi Albanian sq alb; srp Serbian sr; swa Swahili sw kiswahili;
swe Swedish sv svenska; tam Tamil ta; tel Telugu te; tgl Tagalog tl filipino; tha Thai th; tir Tigrinya ti;
tur Turkish tr türkçe; ukr Ukrainian uk; urd Urdu ur; uzb Uzbek uz; vie Vietnamese vi; xho Xhosa xh; yor Yoruba yo;
zho Chinese zh chi cn mandarin; zul Zulu zu
"""

_ENTRIES = [entry.split() for entry in _LANGUAGES.replace("\n", " ").split(";")]
_NAME_OF = {code: name for code, name, *_ in _ENTRIES}
_CODE_OF = {other.lower(): code for code, name, *others in _ENTRIES for other in (name, *others)}
_PARTS = re.compile(r"\s*(?:[-_:/,>\s]|→|to)+\s*")


def name_of_language(code: str) -> str:
    """English name of an ISO 639-3 code; the code itself where it is none of the common ones."""
    return _NAME_OF.get(code, code)


def check_pair(text: str) -> str | None:
    """What is wrong with ``text`` as a pair, with the pair that was probably meant; None where it is one.

    Codes that nobody lists here pass, if they have three letters; codes that ISO 639-2 has and ISO 639-3 has not
    (``ger``) do not.
    """
    match = re.fullmatch(r"([a-z]{3})-([a-z]{3})", text)
    if match and not any(part in _CODE_OF for part in match.groups()):
        return None
    meant = _pair_in(text)
    if meant is not None:
        return f"`{text}` is not written in ISO 639-3 codes: did you mean `{meant}`?"
    return (
        f"`{text}` is not a pair: write the ISO 639-3 codes of query language and document language, such as `deu-eng`"
    )


def _pair_in(text: str) -> str | None:
    parts = [part for part in _PARTS.split(text.strip().lower()) if part]
    codes = [code for part in parts if (code := _code_in(part)) is not None]
    return "-".join(codes) if len(codes) == len(parts) == 2 else None


def _code_in(part: str) -> str | None:
    if part in _CODE_OF:
        return _CODE_OF[part]
    return part if re.fullmatch(r"[a-z]{3}", part) else None
