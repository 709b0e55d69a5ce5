"""What the pairs of an experiment need from its other groups: one rule, one small function."""

from collections.abc import Iterator

from clir_cli.config.choices import collection_for, language_of, qrels_for, topics_for
from clir_cli.config.draft import Draft, Rule
from clir_cli.config.problems import Problem, near_miss
from clir_cli.config.schema import languages_of
from clir_cli.corpora.topics import parse_ranges


def pairs_are_there(draft: Draft) -> Iterator[Problem]:
    if not draft.settings.pairs:
        yield draft.problem(("pairs",), "name at least one pair, such as deu-eng")


def pairs_have_collections(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        key = collection_for(settings, pair)
        if key in settings.collections or draft.wrote(("collections", key)):
            continue
        if settings.pairs[pair].collection is not None:
            rule = f"no collection `{key}`{near_miss(key, settings.collections)}"
            yield draft.problem(("pairs", pair, "collection"), rule)
        else:
            language = languages_of(pair)[1]
            fitting = [name for name in settings.collections if language_of(settings, name) == language]
            rule = f"{pair} searches documents in {language}: add `collections.{language}`"
            if fitting:
                rule = f"{pair} could search {' or '.join(fitting)}: say which with `pairs.{pair}.collection`"
            yield draft.problem(("pairs", pair), rule)


def pairs_have_topics(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        key = topics_for(settings, pair)
        if key in settings.topics or draft.wrote(("topics", key)):
            continue
        if settings.pairs[pair].topics is not None:
            yield draft.problem(("pairs", pair, "topics"), f"no topics `{key}`{near_miss(key, settings.topics)}")
        else:
            yield draft.problem(("pairs", pair), f"{pair} needs topics in {key}: add `topics.{key}`")


def pairs_have_qrels(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for pair in settings.pairs:
        key = qrels_for(settings, pair)
        if (
            key in settings.qrels
            or draft.wrote(("qrels", key))
            or collection_for(settings, pair) not in settings.collections
        ):
            continue
        if not settings.qrels and not draft.wrote(("qrels",)) and settings.pairs[pair].qrels is None:
            yield from _only_runs_are_asked_for(draft, pair)
            continue
        if settings.pairs[pair].qrels is not None:
            yield draft.problem(("pairs", pair, "qrels"), f"no qrels `{key}`{near_miss(key, settings.qrels)}")
        else:
            yield draft.problem(("pairs", pair), f"{pair} needs judgements of collection {key}: add `qrels.{key}`")


def _only_runs_are_asked_for(draft: Draft, pair: str) -> Iterator[Problem]:
    """An experiment without any judgement gives runs: nothing can be trained or measured."""
    trained = [name for name, model in draft.for_pair(pair).models.items() if not model.zero_shot]
    if trained:
        rule = (
            f"{', '.join(trained)} cannot be trained without judgements: add `qrels`, or keep models that are zero_shot"
        )
        yield draft.problem(("pairs", pair), rule)


def intersected_topics_are_there(draft: Draft) -> Iterator[Problem]:
    settings = draft.settings
    for index, key in enumerate(settings.topics_intersect):
        if key not in settings.topics and not draft.wrote(("topics", key)):
            path = ("topics", "intersect", index)
            yield draft.problem(path, f"no topics `{key}`{near_miss(key, settings.topics)}")


def collections_say_nothing_in_vain(draft: Draft) -> Iterator[Problem]:
    for name, collection in draft.settings.collections.items():
        group = ("collections", name)
        if collection.dataset is not None:
            for key in ("format", "encoding", "fields"):
                if draft.wrote((*group, key)):
                    yield draft.problem((*group, key), f"`{key}` says nothing of a dataset: ir_datasets reads it")
        elif collection.fields is not None and collection.format in ("jsonl", "tsv", "squad"):
            yield draft.problem((*group, "fields"), f"`fields` are tags of SGML: format {collection.format} has none")


def pools_name_topics_once(draft: Draft) -> Iterator[Problem]:
    for name, collection in draft.settings.collections.items():
        seen: list[tuple[int, int]] = []
        for index, pool in enumerate(collection.pools or []):
            for first, last in parse_ranges(pool.topics):
                if any(first <= end and begin <= last for begin, end in seen):
                    path = ("collections", name, "pools", index, "topics")
                    yield draft.problem(path, f"{pool.topics} overlaps an earlier pool: a topic searches one of them")
                seen.append((first, last))


def exact_lengths_have_an_engine(draft: Draft) -> Iterator[Problem]:
    """Told once where it is the experiment's, and at the pair where it is a pair's own."""
    rule = (
        "Lucene keeps a document's length in one byte: `exact_lengths` needs `engine: sparse`, or psq among `methods`"
    )
    for pair in draft.settings.pairs:
        retrieval = draft.for_pair(pair).retrieval
        if retrieval.exact_lengths and retrieval.engine == "lucene" and "psq" not in retrieval.methods:
            own = ("pairs", pair, "retrieval", "exact_lengths")
            yield draft.problem(own if draft.wrote(own) else ("retrieval", "exact_lengths"), rule)


def dense_retrieval_has_a_model(draft: Draft) -> Iterator[Problem]:
    """Told once: the encoder is the experiment's."""
    settings = draft.settings
    checkpoint = settings.encoder.checkpoint
    is_faulty = checkpoint is None and draft.wrote(("encoder", "checkpoint"))
    if settings.pretrain is not None or isinstance(checkpoint, str) or is_faulty:
        return
    for pair in settings.pairs:
        retrieval = draft.for_pair(pair).retrieval
        if "dense" in retrieval.methods and retrieval.dense.checkpoint is None:
            rule = "dense retrieval needs an encoder: give `retrieval.dense.checkpoint`"
            if checkpoint is not None:
                rule += " (a re-ranker of another experiment, which `encoder.checkpoint` names, is none)"
            own = ("pairs", pair, "retrieval", "methods")
            yield draft.problem(own if draft.wrote(own) else ("retrieval", "methods"), rule)
            return


def pairs_name_models_of_the_experiment(draft: Draft) -> Iterator[Problem]:
    for pair, override in draft.settings.pairs.items():
        for index, model in enumerate(override.models or []):
            if model not in draft.settings.models:
                rule = f"no model `{model}`{near_miss(model, draft.settings.models)}"
                yield draft.problem(("pairs", pair, "models", index), rule)


PAIR_RULES: list[Rule] = [
    pairs_are_there,
    pairs_have_collections,
    pairs_have_topics,
    pairs_have_qrels,
    intersected_topics_are_there,
    collections_say_nothing_in_vain,
    pools_name_topics_once,
    exact_lengths_have_an_engine,
    dense_retrieval_has_a_model,
    pairs_name_models_of_the_experiment,
]
