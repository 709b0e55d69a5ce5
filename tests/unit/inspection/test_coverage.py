from clir_cli.inspection.coverage import doubt_pair, measure_query_coverage

QUERIES = {"1": ["haus", "haus", "dom"], "2": ["buch"], "3": [], "4": ["dom", "x", "haus"]}


def test_words_are_counted_with_and_without_their_repetitions():
    found = measure_query_coverage(QUERIES, {"haus", "buch"})
    assert (found.tokens, found.known_tokens, found.types, found.known_types) == (7, 4, 4, 2)
    assert found.unknown == {"1": ["dom"], "2": [], "3": [], "4": ["dom", "x"]}
    assert found.words == {"1": 2, "2": 1, "3": 0, "4": 3}
    assert found.worst() == ["4", "1"]


def test_a_table_is_doubted_where_hardly_a_word_is_in_it():
    assert doubt_pair(QUERIES, {"haus"}, set(), where="the table") is None
    assert doubt_pair({"1": ["a", "b"]}, set(), set(), where="the table") is None
    problem, hint = doubt_pair(QUERIES, {"x"}, {"haus"}, where="the table")
    assert (
        problem
        == "Only 1 of 7 (14.3 %) words of the queries are in the table: it looks like the table of another pair."
    )
    assert hint == "Check its languages and the file."
    problem, _ = doubt_pair(QUERIES, {"x"}, {"haus", "dom"}, where="the table")
    assert problem.endswith(
        ", but 5 of 7 (71.4 %) are among its translations: it looks like the table of the opposite direction."
    )
