"""One document's score for one topic, explained."""

from dataclasses import replace

from clir_cli.analysis.explain_first_stage import split_by_query_word, split_structured_query
from clir_cli.analysis.explanation import Explanation, FirstStage, QueryWord, Reading, Reranked
from clir_cli.analysis.hidden_text import hide_text
from clir_cli.analysis.marked_text import mark_text, marks_of_links, marks_of_translations
from clir_cli.corpora.document_store import DocumentStore
from clir_cli.corpora.folds import read_folds
from clir_cli.corpora.normalise import content_keys, words
from clir_cli.pipeline.explanation.needs import read_judgements, stages_of_ranking
from clir_cli.pipeline.joined_topics import JoinedTopic
from clir_cli.pipeline.plan import Plan
from clir_cli.pipeline.rows import DENSE, HUMAN, PSQ
from clir_cli.pipeline.stage import Inputs, Stage
from clir_cli.pipeline.stages.first_stage import name_index, translate_queries
from clir_cli.pipeline.stages.material import Material
from clir_cli.pipeline.stages.reranking import load_untrained
from clir_cli.pipeline.stages.stop_list import stop_list
from clir_cli.records import ScoredDoc
from clir_cli.retrieval.score_parts import split_score
from clir_cli.retrieval.sparse import score_parts as sparse
from clir_cli.retrieval.translate_query import weigh
from clir_cli.trec import read_run

NOT_DENSE = "Dense retrieval compares vectors: its score has no parts by word."
NOT_INDEXED = "The index that the topic searches has no such document: it has no words there, or is in another pool."
NOT_AS_IN_RUN = 1e-3
"""A score that differs from the run's by more is remarked on."""


def explain(
    plan: Plan, pair: str, model: str | None, fold: int | None, topic: JoinedTopic, document: str
) -> Explanation:
    """Why ``document`` scores as it does for ``topic``; the stages of ``stages_of_explanation`` must be there.

    ``model`` None: the first stage alone; ``fold`` None: a model that nobody trains.
    """
    graph = plan.graph
    text = DocumentStore(plan.artifact(graph.collection(graph.experiment.collection(pair))) / "store")
    raw = text.text(document)
    candidates = graph.candidates(pair)
    first = _first_stage(_inputs(plan, candidates), _ranking(plan, candidates, topic), topic, document)
    reranked, keys = None, [word.key for word in words(raw)]
    spans = [(0, len(keys) - 1)]
    if model is not None:
        stage = stages_of_ranking(graph, pair, model, [fold] if fold is not None else [])[-1]
        found, keys = _read(_inputs(plan, stage), topic.id, document)
        spans = [(passage.first - 1, passage.last - 1) for passage in found.passages]
        reranked = _place_score(found, _ranking(plan, stage, topic), document, model, graph.rows.label(model), fold)
        if fold is not None:
            tested = read_folds(plan.artifact(graph.folds()) / "folds.tsv")
            reranked = replace(reranked, is_tested=topic.key in tested)
    links = reranked.reading.links if reranked is not None else []
    numbered = list(dict.fromkeys(link.query_word for link in links)) or [word.word for word in first.words]
    marks = marks_of_links(links, numbered) if links else marks_of_translations(first.words)
    explanation = Explanation(
        pair, topic.id, topic.query, document, text.title(document),
        read_judgements(plan, pair).get(topic.id, {}).get(document),
        first, reranked, numbered, bool(links),
        mark_text(raw, keys, spans, marks, marks_rest=not links),  # the first stage reads whole documents
    )  # fmt: skip
    if plan.experiment.shows_text:
        return explanation
    asked = topic.human if first.system == HUMAN else topic.query
    return hide_text(explanation, *([word.key for word in words(said)] for said in (asked, topic.query, raw)))


def _inputs(plan: Plan, stage: Stage) -> Inputs:
    needs = {name: plan.artifact(needed) for name, needed in stage.needs.items()}
    return Inputs(stage.settings, needs, stage.files, stage.hints)


def _ranking(plan: Plan, stage: Stage, topic: JoinedTopic) -> list[ScoredDoc]:
    return read_run(plan.artifact(stage) / "run.trec").get(topic.id, [])


def _place(ranking: list[ScoredDoc], document: str) -> tuple[int | None, float | None]:
    """Rank and score of a document, None where the list has it not."""
    return next(((n, entry.score) for n, entry in enumerate(ranking, 1) if entry.document == document), (None, None))


def _first_stage(inputs: Inputs, ranking: list[ScoredDoc], topic: JoinedTopic, document: str) -> FirstStage:
    """Rank, score and its parts by query word."""
    settings = inputs.settings
    rank, score = _place(ranking, document)
    found = FirstStage(settings["system"], rank, len(ranking), score)
    if found.system == DENSE:
        return replace(found, remark=NOT_DENSE)
    text = topic.human if found.system == HUMAN else topic.query
    asked = content_keys(text, stop_list(inputs, settings["stop"]))
    others = dict.fromkeys(word.key for word in words(text) if any(map(str.isalnum, word.key)))
    translated = translate_queries([topic], inputs)[topic.id]
    index = inputs.needs[name_index(topic, settings["pools"])] / "index"
    scoring = {"k1": settings["k1"], "b": settings["b"]}
    split: list[QueryWord]
    if found.system == PSQ:
        words_held = sparse.split_structured(
            index, translated, document, **scoring, exact_lengths=settings["exact_lengths"]
        )
        is_split = words_held is not None
        split = split_structured_query(asked, translated, words_held or [])
    else:
        structure = settings.get("structure", "nested")
        weights = weigh(translated, structure)
        if settings.get("engine") == "sparse":
            held = sparse.split_score(index, weights, document, **scoring, exact_lengths=settings["exact_lengths"])
        else:
            held = split_score(index, weights, document, **scoring, heap=inputs.hints["heap"])
        is_split = held is not None
        split = split_by_query_word(asked, translated, held or [], structure)
    return replace(
        found,
        words=split,
        passed_over=[word for word in others if word not in asked],
        is_split=is_split,
        remark="" if is_split else NOT_INDEXED,
    )


def _read(inputs: Inputs, topic: str, document: str) -> tuple[Reading, list[str]]:
    """What the model of a stage that ranks makes of the document, and the key of each word that it has pieces of."""
    from clir_cli.analysis.explain_reranker import read_document
    from clir_cli.learning.devices import choose_device, set_threads
    from clir_cli.pipeline.stages.languages import load_trained
    from clir_cli.rerankers.int8 import quantise
    from clir_cli.rerankers.reading import PassageReader
    from clir_cli.reranking.scoring import Scorer

    settings, material = inputs.settings, Material(inputs)
    set_threads(settings["threads"])
    is_trained = "train" in inputs.needs
    model, tokenizer = load_trained(inputs) if is_trained else load_untrained(inputs)
    model.to(choose_device())
    if settings.get("int8"):
        quantise(model)
    reader = PassageReader(model, tokenizer, **material.reading)
    pieces, names = material.pieces.get(document), list(material.pieces.vocabulary)
    keys = [names[number] for number in pieces.keys.tolist()]
    found = read_document(
        Scorer(model, reader, tokens=inputs.hints["tokens"], precision=settings["precision"]),
        reader.read(topic, document),
        pieces,
        reader.query_keys(topic),
        keys,
        reads_translations=model.arm == "translation",
    )
    return found, keys


def _place_score(
    reading: Reading, ranking: list[ScoredDoc], document: str, model: str, label: str, fold: int | None
) -> Reranked:
    """A score among those of the run."""
    rank, score = _place(ranking, document)
    better = sum(entry.score > reading.score for entry in ranking if entry.document != document)
    is_other = score is not None and abs(score - reading.score) > NOT_AS_IN_RUN
    remark = "The run was scored otherwise: from stored documents, or on another device." if is_other else ""
    return Reranked(model, label, fold, rank, len(ranking), score, better + 1, reading, remark=remark)
