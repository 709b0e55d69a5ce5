"""Which language the tags of topic files mean."""

# CLEF's languages, and those that its topics were translated into.
_OF_CODE = {
    "am": "amh", "ar": "ara", "bg": "bul", "bn": "ben", "ca": "cat", "cs": "ces", "da": "dan", "de": "deu",
    "el": "ell", "en": "eng", "es": "spa", "et": "est", "eu": "eus", "fa": "fas", "fi": "fin", "fr": "fra",
    "gl": "glg", "ha": "hau", "he": "heb", "hi": "hin", "hr": "hrv", "hu": "hun", "id": "ind", "it": "ita",
    "ja": "jpn", "ko": "kor", "lt": "lit", "lv": "lav", "mr": "mar", "nl": "nld", "no": "nor", "om": "orm",
    "pl": "pol", "pt": "por", "ro": "ron", "ru": "rus", "sk": "slk", "sl": "slv", "so": "som", "sv": "swe",
    "sw": "swa", "ta": "tam", "te": "tel", "th": "tha", "tl": "tgl", "tr": "tur", "uk": "ukr", "ur": "urd",
    "vi": "vie", "zh": "zho",
}  # fmt: skip
_KNOWN = frozenset(_OF_CODE.values())

# The first year had letters of its own; D is Dutch there, and German is G.
_OF_2000 = {
    "d": "nld", "e": "eng", "f": "fra", "fi": "fin", "g": "deu", "i": "ita", "sp": "spa", "sw": "swe",
}  # fmt: skip


def language_of_code(code: str) -> str:
    """ISO 639-3 of ``de``, ``DE``, ``deu`` or ``de-CH``; empty for what is no code of a language known here."""
    code = code.strip().lower().replace("_", "-").partition("-")[0]
    return code if code in _KNOWN else _OF_CODE.get(code, "")


def language_of_tag(tag: str) -> str:
    """ISO 639-3 of the ``DE`` in ``<DE-title>``, as the topics of 2001 to 2006 have it.

    Letters of the first year count too, but not ``SW``: Swedish to the first year, Swahili to ISO 639-1.
    """
    tag = tag.lower()
    return "" if tag == "sw" else language_of_code(tag) or _OF_2000.get(tag, "")


def language_of_2000(tag: str) -> str:
    """ISO 639-3 of the ``D`` in ``<D-title>``, as the topics of 2000 have it."""
    return _OF_2000.get(tag.lower()) or language_of_code(tag)
