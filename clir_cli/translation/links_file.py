"""One file with the links of all topics: arrays and word lists in a compressed .npz, nothing pickled."""

import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy as np

from clir_cli.errors import DataError
from clir_cli.records import TopicLinks


def write_links(path: Path, links: Mapping[str, TopicLinks]) -> None:
    """Write the links of every topic, atomically; the same links make the same bytes.

    Three levels, each as in a CSR matrix: topic t owns query words ``topic_start[t]:topic_start[t+1]``, query word q
    owns entries ``word_start[q]:word_start[q+1]`` of ``document_word`` and ``p`` (float32, as in the table).
    """
    query_words = [word for rows in links.values() for word in rows]
    entries = [row for rows in links.values() for row in rows.values()]
    vocabulary = sorted({word for row in entries for word in row})
    number = {word: i for i, word in enumerate(vocabulary)}
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with partial.open("wb") as file:
        np.savez_compressed(
            file,
            topics=_packed(links),
            query_words=_packed(query_words),
            document_words=_packed(vocabulary),
            topic_start=_starts(len(rows) for rows in links.values()),
            word_start=_starts(len(row) for row in entries),
            document_word=np.array([number[word] for row in entries for word in row], np.int32),
            p=np.array([p for row in entries for p in row.values()], np.float32),
        )
    partial.replace(path)


def read_links(path: Path) -> dict[str, TopicLinks]:
    """Topic -> query word -> document word -> p, as written; raises ``DataError`` where the file is not whole."""
    try:
        with np.load(path, allow_pickle=False) as file:
            topics, query_words, vocabulary = (_unpacked(file[n]) for n in ("topics", "query_words", "document_words"))
            topic_start, word_start = file["topic_start"].tolist(), file["word_start"].tolist()
            document_word, p = file["document_word"].tolist(), file["p"].tolist()
    except FileNotFoundError as error:
        raise DataError(f"{path} is missing.", "Make the links first (clir matrices).") from error
    except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise DataError(f"{path} is no file of links: {error}.", "Delete it: it is made anew.") from error
    links: dict[str, TopicLinks] = {}
    for t, topic in enumerate(topics):
        rows = links[topic] = {}
        for q in range(topic_start[t], topic_start[t + 1]):
            span = range(word_start[q], word_start[q + 1])
            rows[query_words[q]] = {vocabulary[document_word[i]]: p[i] for i in span}
    return links


def _packed(words: Iterable[str]) -> np.ndarray:
    """Words as UTF-8 bytes, one a line: numpy's own string arrays give every word the room of the longest."""
    return np.frombuffer("".join(f"{word}\n" for word in words).encode(), np.uint8)


def _unpacked(packed: np.ndarray) -> list[str]:
    return packed.tobytes().decode().split("\n")[:-1]


def _starts(lengths: Iterable[int]) -> np.ndarray:
    return np.cumsum([0, *lengths], dtype=np.int64)
