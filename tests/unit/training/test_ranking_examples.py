"""Material for ranking in one language."""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from clir_cli.corpora.document_store import DocumentStore, write_store
from clir_cli.errors import DataError
from clir_cli.records import Document
from clir_cli.training.ranking_examples import RankingExamples, query_examples, read_triples, title_examples

DOCUMENTS = [
    Document("d0", "A cat sleeps on the mat.", "Sleeping cat"),
    Document("d1", "A dog and a cat.", "Dog"),
    Document("d2", "Nobody is here.", ""),
    Document("d3", "", "Title without a text"),
    Document("d4", "Dog food is dear.", "Dog"),
    Document("d5", "Fish swim.", "Fish"),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> DocumentStore:
    folder = tmp_path_factory.mktemp("store")
    write_store(DOCUMENTS, folder, frozenset())
    return DocumentStore(folder)


def written(path: Path, text: str) -> Path:
    path.write_text(text, "utf-8")
    return path


def drawn_others(examples: RankingExamples, query: str, hard_share: float) -> set[int]:
    dice = np.random.default_rng(1)
    return {examples.draw_other(examples.queries.index(query), dice, hard_share) for _ in range(200)}


def test_a_title_asks_for_its_document_which_is_read_without_it(store: DocumentStore) -> None:
    examples = title_examples(store)
    assert examples.queries == ["Sleeping cat", "Dog", "Fish"]  # d2 has no title, d3 nothing else
    assert examples.relevant == [[0], [1, 4], [5]]  # documents of one title both answer it
    assert examples.documents[0] == "A cat sleeps on the mat."
    assert len(examples.documents) == 6


def test_others_are_any_documents_but_the_relevant_ones(store: DocumentStore) -> None:
    assert drawn_others(title_examples(store), "Dog", hard_share=0.0) == {0, 2, 3, 5}


def test_hard_others_share_a_word_with_the_query(store: DocumentStore) -> None:
    assert drawn_others(title_examples(store), "Sleeping cat", hard_share=1.0) == {1}


def test_where_nothing_is_shared_others_are_drawn_from_all(store: DocumentStore) -> None:
    assert drawn_others(title_examples(store), "Fish", hard_share=1.0) == {0, 1, 2, 3, 4}
    # Sharing "cat" counts for nothing where it is a stop word.
    stopped = title_examples(store, stop=frozenset({"cat"}))
    assert drawn_others(stopped, "Sleeping cat", hard_share=1.0) == {1, 2, 3, 4, 5}


def test_queries_ask_for_what_is_judged_and_documents_keep_their_titles(store: DocumentStore) -> None:
    queries = {"1": "sleep", "2": "hound", "3": "nothing judged", "4": "only absent"}
    judgements = {"1": {"d0": 1, "d2": 0}, "2": {"d1": 2, "d4": 1, "gone": 1}, "4": {"gone": 1}}
    examples = query_examples(store, queries, judgements)
    assert examples.queries == ["sleep", "hound"]
    assert examples.relevant == [[0], [1, 4]]
    assert examples.documents[0] == "Sleeping cat\nA cat sleeps on the mat."


def test_without_judgements_a_query_has_the_id_of_its_document(store: DocumentStore) -> None:
    examples = query_examples(store, {"d5": "what swims", "x": "no such document"})
    assert (examples.queries, examples.relevant) == (["what swims"], [[5]])


def test_a_sample_of_the_queries_is_the_same_for_a_seed(store: DocumentStore) -> None:
    chosen = {seed: title_examples(store, examples=2, seed=seed).queries for seed in range(8)}
    assert all(len(queries) == 2 for queries in chosen.values())
    assert len({tuple(queries) for queries in chosen.values()}) > 1
    assert title_examples(store, examples=2, seed=3).queries == chosen[3]


def test_without_titles_there_is_nothing_to_learn_from(tmp_path: Path) -> None:
    write_store([Document("a", "one"), Document("b", "two")], tmp_path, frozenset())
    with pytest.raises(DataError, match="No document of the collection has a title"):
        title_examples(DocumentStore(tmp_path))
    with pytest.raises(DataError, match="None of the pre-training queries"):
        query_examples(DocumentStore(tmp_path), {"c": "three"})


def test_triples_of_a_query_are_put_together(tmp_path: Path) -> None:
    file = written(tmp_path / "triples.tsv", "q one\tgood\tbad\nq two\tbad\tgood\n\nq one\tgood\tworse\n")
    examples = read_triples(file)
    assert list(examples.queries) == ["q one", "q two"]
    assert list(examples.documents) == ["good", "bad", "worse"]
    assert [numbers.tolist() for numbers in examples.relevant] == [[0], [1]]
    assert examples.others is not None
    assert [numbers.tolist() for numbers in examples.others] == [[1, 2], [0]]
    assert drawn_others(examples, "q one", hard_share=0.0) == {1, 2}
    (one,) = read_triples(file, examples=1).queries
    assert one in ("q one", "q two")


def test_texts_of_triples_are_no_objects_in_memory(tmp_path: Path) -> None:
    lines = (f"query {n % 500}\trelevant {n} {'x' * 1000}\tother {n * n % 1500} {'y' * 1000}\n" for n in range(3000))
    file = written(tmp_path / "triples.tsv", "".join(lines))
    tracemalloc.start()
    examples = read_triples(file, folder=tmp_path)
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert kept < file.stat().st_size / 20
    assert sorted(path.name for path in tmp_path.iterdir()) == ["triples.tsv"]
    dice = np.random.default_rng(1)
    assert examples.documents[examples.draw_relevant(3, dice)].startswith("relevant ")
    assert examples.documents[examples.draw_other(3, dice)].startswith("other ")
    assert [len(numbers) for numbers in examples.relevant] == [6] * 500


@pytest.mark.parametrize("line", ["query\tonly one", "query\tone\t", "a\tb\tc\td"])
def test_a_line_that_is_no_triple_is_named(tmp_path: Path, line: str) -> None:
    with pytest.raises(DataError, match=r"triples\.tsv:2: ") as caught:
        read_triples(written(tmp_path / "triples.tsv", f"q\ta\tb\n{line}\n"))
    assert "query, relevant text, other text" in caught.value.hint


def test_a_file_without_triples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no triples"):
        read_triples(written(tmp_path / "triples.tsv", "\n"))
