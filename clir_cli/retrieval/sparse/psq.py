"""Probabilistic structured queries (Darwish and Oard, SIGIR 2003): a query word is all of its translations at once.

tf(q, d) = sum over translations t of p(t|q) tf(t, d), df(q) = sum of p(t|q) df(t): what the query word would have
occurred, were the documents in its language. BM25 then scores one term for each query word, with one idf, where SMT
(``translate_query.weigh``) gives every translation its own: there a rare wrong translation outweighs the common right
one, here it cannot.

df need not be a whole number. The idf ln(1 + (N - df + .5) / (df + .5)) is defined and falls for any df from 0 to N,
and is that of BM25 where df is whole; a word whose shares sum to less than 1 seems rarer than it is, so its idf is
higher; one whose shares sum to more than 1 is taken to be in N documents at most. Where each word has one translation
with p = 1 the scores are BM25's, to the bit but for the order of additions.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from clir_cli.records import ProgressCallback, Run, no_progress
from clir_cli.retrieval.sparse.index import SparseIndex
from clir_cli.retrieval.sparse.scorer import Scorer
from clir_cli.translation.rules import TranslatedWord


def search_structured(
    index: Path,
    queries: Mapping[str, Sequence[TranslatedWord]],
    *,
    k1: float = 1.2,
    b: float = 0.75,
    depth: int = 1000,
    exact_lengths: bool = False,
    progress: ProgressCallback = no_progress,
) -> Run:
    """For each topic the best ``depth`` documents; every occurrence of a query word weighs 1 / number of words.

    ``queries``: topic -> its words, each with document words and p(t|q), taken as they are (``translate``).
    Raises ``DataError`` for an index that is not whole.
    """
    scorer = Scorer(SparseIndex(index), k1=k1, b=b, exact_lengths=exact_lengths)
    run: Run = {}
    for number, (topic, words) in enumerate(queries.items(), 1):
        counts = Counter(translated.word for translated in words)
        for translated in {translated.word: translated for translated in words}.values():
            scorer.add_word(dict(translated.translations), counts[translated.word] / len(words))
        run[topic] = scorer.take(depth)
        progress(number, len(queries), "searching")
    return run


def to_text(words: Sequence[TranslatedWord]) -> str:
    """The query with Indri's operator for weighted synonyms, for people; weights to six digits."""
    parts = []
    for _, translations, _ in words:
        inside = " ".join(f"{share:.6g} {target}" for target, share in translations)
        is_plain = len(translations) == 1 and translations[0][1] == 1.0
        parts.append(translations[0][0] if is_plain else f"#wsyn( {inside} )")
    return f"#combine( {' '.join(parts)} )" if parts else "#combine( )"
