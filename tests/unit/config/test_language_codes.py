"""What was meant by a pair that is not written in ISO 639-3."""

import pytest

from clir_cli.config.language_codes import check_pair, name_of_language


@pytest.mark.parametrize("pair", ["deu-eng", "som-eng", "gsw-eng", "qaa-qab", "arb-eng"])
def test_iso_639_3_passes_even_where_the_code_is_not_known_here(pair: str) -> None:
    assert check_pair(pair) is None


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("de-en", "deu-eng"),
        ("german-english", "deu-eng"),
        ("German to English", "deu-eng"),
        ("deutsch-english", "deu-eng"),
        ("ger-eng", "deu-eng"),  # ISO 639-2 has two codes for some languages
        ("fre-eng", "fra-eng"),
        ("DEU-ENG", "deu-eng"),
        ("deu_eng", "deu-eng"),
        ("deu-en", "deu-eng"),
        ("zh-jp", "zho-jpn"),
        ("türkçe-swahili", "tur-swa"),
    ],
)
def test_the_pair_that_was_meant_is_offered(written: str, meant: str) -> None:
    assert check_pair(written) == f"`{written}` is not written in ISO 639-3 codes: did you mean `{meant}`?"


@pytest.mark.parametrize("written", ["", "deu", "deu-eng-fra", "klingon-english", "deu-", "-"])
def test_what_is_no_pair_is_told_how_one_looks(written: str) -> None:
    assert check_pair(written) == (
        f"`{written}` is not a pair: write the ISO 639-3 codes of query language and document language, "
        "such as `deu-eng`"
    )


def test_names() -> None:
    assert name_of_language("deu") == "German"
    assert name_of_language("gsw") == "gsw"
