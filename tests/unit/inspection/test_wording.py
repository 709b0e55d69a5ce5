"""Numbers agree with their nouns and verbs."""

from clir_cli.inspection.wording import counted, listed, share, some_are, some_have


def test_one_and_many() -> None:
    assert (counted(1, "topic"), counted(0, "topic"), counted(1200, "topic")) == ("1 topic", "0 topics", "1,200 topics")
    assert (counted(1, "query"), counted(2, "entry")) == ("1 query", "2 entries")
    assert (some_are(1, "topic"), some_are(2, "topic", 10)) == ("1 topic is", "2 topics of 10 are")
    assert (some_have(1, "line", 9), some_have(3, "line")) == ("1 line of 9 has", "3 lines have")
    assert (share(1, 8), share(0, 0)) == ("1 of 8 (12.5 %)", "0 of 0 (0.0 %)")
    assert (listed("abc"), listed("abcdefg")) == ("a, b, c", "a, b, c, d, e, ...")
