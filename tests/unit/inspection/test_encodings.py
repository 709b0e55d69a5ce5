"""Text that was decoded wrongly looks like it, and other text does not."""

import pytest

from clir_cli.inspection.encodings import looks_misread

PLAIN = [
    "München, Köln und “Zürich”", "L’été à la plage, garçon", "Às vezes, IRMÃ e ÂNGULO", "niño, ¿qué? ¡Así!",
    "łódź, żółć",     "Ærø på Åland", "Ångström", "prix : 10 Â", "Ã", "naïve â la", "Москва", "ÄÖÜ »quoted«",
]  # fmt: skip


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_does_not_look_misread(text: str) -> None:
    assert not looks_misread(text)


@pytest.mark.parametrize("text", ["München", "été", "niño", "don’t", "a – b", "łódź", "»so«"])
@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252"])
def test_utf8_read_as_another_encoding_is_seen(text: str, encoding: str) -> None:
    try:
        misread = text.encode("utf-8").decode(encoding)
    except UnicodeDecodeError:
        pytest.skip("windows-1252 does not have that byte")
    assert looks_misread(misread)
