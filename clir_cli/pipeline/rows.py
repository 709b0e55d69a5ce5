"""The rows of an experiment's tables: which systems a pair has, how they are called, what a caption must say."""

from collections.abc import Iterable, Iterator

from clir_cli.config.choices import language_length, languages_learned, task_from
from clir_cli.config.encoder_schema import CheckpointOf
from clir_cli.config.evaluation_schema import InterpolationSettings
from clir_cli.config.load import Experiment
from clir_cli.config.sources import NONE, chosen_source, find_source, parts_there, what_lacks
from clir_cli.pipeline.reductions import reductions

SMT, PSQ, DENSE, HUMAN = "smt", "psq", "dense", "human"
FIRST_STAGE = (SMT, PSQ, DENSE, HUMAN)
"""The systems that rank a whole collection, in the order of the tables; the first two translate by a table."""

ORACLE = "oracle"

_MORES_STEPS = 15_625
"""Steps of 128 examples over 2 million, as MORES was trained for ranking."""

_MADX_STEPS, _MADX_BATCH = 250_000, 64
"""Steps in which MAD-X learns a language, and inputs in each."""

LABELS = {
    SMT: "SMT",
    PSQ: "PSQ",
    DENSE: "Dense",
    HUMAN: "Human translation",
    "mart": "MART",
    "mart-plb": "MART-PLB",
    "mart-blocks": "MART, word blocks only",
    "zero-shot": "Zero-shot",
    "mores": "MORES",
    "mores-mat": "MORES with M^tr",
    "mores-plb": "MORES, placebo",
    ORACLE: "Oracle re-ranking",
}


class Rows:
    """What the settings of an experiment mean for its tables."""

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = experiment
        self.settings = experiment.settings

    def models(self, pair: str) -> list[str]:
        """The re-rankers of a pair; none that lacks translations to read, or candidates made with them."""
        return [name for name in self._wanted_models(pair) if name not in self._models_not_available(pair)]

    def _wanted_models(self, pair: str) -> list[str]:
        chosen = self.settings.pairs[pair].models
        return list(self.settings.models) if chosen is None else list(chosen)

    def _models_not_available(self, pair: str) -> list[str]:
        wanted = self._wanted_models(pair)
        if self.lack(pair) is not None:
            return wanted
        return [name for name in wanted if self._reads_table(name) and self.lack_of_matrix(pair, name) is not None]

    def _reads_table(self, model: str) -> bool:
        return self.settings.models[model].reads_table

    def reads_matrix(self, model: str) -> bool:
        """Whether a re-ranker is given M^tr."""
        return self.settings.models[model].reads_translations

    def zero_shot(self) -> list[str]:
        """The models that nobody trains."""
        return [name for name, model in self.settings.models.items() if model.zero_shot]

    def trained(self) -> list[str]:
        """The models that are fine-tuned fold by fold."""
        return [name for name, model in self.settings.models.items() if not model.zero_shot]

    def task_from(self, pair: str, model: str) -> str:
        """The pair whose topics a model of ``pair`` is trained on; mostly the same."""
        return task_from(self.settings, pair, model)

    def source(self, pair: str) -> str:
        """The name of the source that a pair is translated with, or ``none``."""
        return chosen_source(self.experiment.for_pair(pair).knowledge)

    def source_of_matrix(self, pair: str, model: str | None = None) -> str:
        """The name of the source that M^tr is taken from, or ``none``; of ``model``, which may have its own."""
        own = self.settings.models[model].source if model is not None else None
        return own or self.experiment.for_pair(pair).matrix.source or self.source(pair)

    def lack(self, pair: str) -> str | None:
        """Why a pair does not have the source that it is to be translated with; None where it has it, or wants none."""
        return self._lack(pair, self.source(pair))

    def lack_of_matrix(self, pair: str, model: str | None = None) -> str | None:
        """The same for the source of M^tr, or of the M^tr of ``model``."""
        return self._lack(pair, self.source_of_matrix(pair, model))

    def _lack(self, pair: str, source: str) -> str | None:
        return None if source == NONE else what_lacks(self.experiment.for_pair(pair), pair, source)

    def translates(self, pair: str) -> bool:
        """Whether a pair has translations at all."""
        return self.source(pair) != NONE and self.lack(pair) is None

    def has_matrices(self, pair: str) -> bool:
        """Whether there is a table for M^tr."""
        return self.source_of_matrix(pair) != NONE and self.lack_of_matrix(pair) is None

    def not_available(self, pair: str) -> list[str]:
        """The systems that a pair would have if it had its sources of translations."""
        methods = self.experiment.for_pair(pair).retrieval.methods if self.lack(pair) is not None else []
        lacking = [*(method for method in (SMT, PSQ) if method in methods), *self._models_not_available(pair)]
        return [*lacking, *(name for name, parts in self._mixable(pair, lacking).items() if set(parts) & set(lacking))]

    def availability(self, pairs: Iterable[str]) -> list[str]:
        """What some of the pairs do not have, or have only in part: a sentence each."""
        return [sentence for pair in pairs for sentence in self._availability(pair)]

    def _availability(self, pair: str) -> Iterator[str]:
        settings = self.experiment.for_pair(pair)
        lacks: dict[str, str] = {}
        of_models = [self.source_of_matrix(pair, name) for name in self._wanted_models(pair) if self._reads_table(name)]
        used = [("", self.source(pair)), *((" for M^tr", name) for name in (self.source_of_matrix(pair), *of_models))]
        for what, source in used:
            if (lack := self._lack(pair, source)) is not None:
                lacks.setdefault(source, f"{pair}: translations by {source}{what} are not available: {lack}.")
            found = find_source(settings.knowledge, source)
            if found is None or found.mix is None or lack is not None or source in lacks:
                continue
            there = parts_there(settings, pair, found)
            parts = [f"{part} ({what_lacks(settings, pair, part)})" for part in found.mix if part not in there]
            if parts:
                lacks[source] = f"{pair}: the mixture is without {', '.join(parts)}."
        yield from lacks.values()

    def first_stage(self, pair: str) -> list[str]:
        """The systems of the first stage that a pair has: by a table where it has one, dense, human translation."""
        methods = self.experiment.for_pair(pair).retrieval.methods
        has = {HUMAN: self.experiment.human_topics(pair) is not None}
        has |= {method: method in methods and self.translates(pair) for method in (SMT, PSQ)}
        has[DENSE] = DENSE in methods
        return [system for system in FIRST_STAGE if has[system]]

    def candidates(self, pair: str) -> str:
        """The system whose documents are re-ranked: SMT where there is one, else the next row of the table."""
        return self.first_stage(pair)[0]

    def interpolations(self, pair: str) -> list[str]:
        """The mixtures of a pair: those of two systems that it has, where judgements can choose a weight."""
        return list(self._mixable(pair)) if self.experiment.is_judged(pair) else []

    def _mixable(self, pair: str, lacking: Iterable[str] = ()) -> dict[str, list[str]]:
        """Mixture -> its two systems, where a pair has both or lacks them for want of translations."""
        systems = {*self.first_stage(pair), *self.models(pair), *lacking}
        wanted = self.experiment.for_pair(pair).interpolation.items()
        return {name: chosen.systems for name, chosen in wanted if systems.issuperset(chosen.systems)}

    def systems(self, pair: str) -> list[str]:
        """Rows of the table for a pair, in the paper's order; then what is mixed from them, and the oracle."""
        has_oracle = self.settings.evaluation.oracle and self.experiment.is_judged(pair) and self.first_stage(pair)
        oracle = [ORACLE] if has_oracle else []
        return [*self.first_stage(pair), *self.models(pair), *self.interpolations(pair), *oracle]

    def is_trained(self, system: str) -> bool:
        """Whether a row is of something fine-tuned fold by fold, so that only the folds that are run have it."""
        mixture = self.settings.interpolation.get(system)
        return bool({system, *(mixture.systems if mixture else ())} & set(self.trained()))

    def folds_of(self, pair: str, system: str) -> list[int]:
        """The folds that a row is made in: without training every fold is cheap."""
        return self.folds(pair) if self.is_trained(system) else list(range(1, self.settings.training.folds.count + 1))

    def seeds(self, pair: str) -> list[int]:
        """The seeds that each model is trained with, one after the other."""
        training = self.experiment.for_pair(pair).training
        return training.seeds or [training.seed]

    def folds(self, pair: str) -> list[int]:
        """The folds that are trained and tested."""
        folds = self.experiment.for_pair(pair).training.folds
        return folds.run or list(range(1, folds.count + 1))

    def label(self, system: str) -> str:
        """The title of a row. Without ranking examples before the folds there is no m2BERT."""
        named = self.settings.models.get(system) or self.settings.interpolation.get(system)
        if named is not None and named.label:
            return named.label
        if isinstance(named, InterpolationSettings):
            return " + ".join(map(self.label, named.systems))
        if system == "m2bert":
            return "m2BERT" if self.is_ranking_pretrained() else "BERT (no ranking step)"
        return LABELS.get(system, system)

    def is_ranking_pretrained(self) -> bool:
        """Whether the encoder saw ranking examples before the folds."""
        encoder, pretrain = self.settings.encoder, self.settings.pretrain
        return (
            encoder.ranking_pretrained
            or isinstance(encoder.checkpoint, CheckpointOf)
            or (pretrain is not None and pretrain.ranking is not None)
        )

    def notes(self, systems: dict[str, list[str]]) -> list[str]:
        """What a reader of the table must know: everything that is less than the paper's setting."""
        found: list[str] = []
        with_models = [pair for pair, chosen in systems.items() if set(chosen) & set(self.trained())]
        for pair in with_models:
            found += [note for note in reductions(self.experiment.for_pair(pair)) if note not in found]
        trained = {name for pair in with_models for name in systems[pair]} & set(self.settings.models)
        identical = [self.label(name) for name in self.settings.models if name in trained and self._starts_plain(name)]
        if identical:
            found.append(f"{' and '.join(identical)} started as the plain encoder (init: identity)")
        found += self._notes_of_mores(trained)
        found += self._notes_of_languages(systems, trained)
        if with_models and not self.is_ranking_pretrained():
            found.append("the encoder saw no ranking examples before fine-tuning")
        return found

    def _notes_of_mores(self, trained: set[str]) -> Iterator[str]:
        """How much less than its paper a MORES was trained for ranking, and what differs for some of the models."""
        pretrain = self.settings.pretrain
        for name, model in self.settings.models.items():
            if name not in trained:
                continue
            own = model.training.model_dump(mode="json", exclude_none=True)
            if any(own[key] != {} for key in own):
                changed = ", ".join(f"{key} {value}" for key, value in own.items() if value != {})
                yield f"{self.label(name)} was fine-tuned otherwise ({changed})"
            if model.kind != "mores":
                continue
            if pretrain is None or pretrain.ranking is None:
                yield f"{self.label(name)} saw no ranking examples before fine-tuning (paper: MS MARCO)"
            elif model.ranking.steps < _MORES_STEPS:
                steps, batch = model.ranking.steps, 2 * model.ranking.batch
                yield f"{self.label(name)} learned ranking in {steps} steps of {batch} documents (paper: 15625 of 128)"

    def _notes_of_languages(self, systems: dict[str, list[str]], trained: set[str]) -> Iterator[str]:
        """Which other pair a model was trained on, and how much less than in MAD-X a language learned."""
        for pair, chosen in systems.items():
            sources = {name: self.task_from(pair, name) for name in chosen if name in trained}
            for source in dict.fromkeys(sources.values()):
                if source != pair:
                    names = ", ".join(self.label(name) for name, each in sources.items() if each == source)
                    yield f"{pair}: trained on topics of {source} ({names})"
        settings, models = self.settings, [self.settings.models[name] for name in trained]
        learned = [language for language in languages_learned(settings) if trained]
        learned = [name for name in learned if settings.adapters.languages[name].adapter is None]
        if learned and any(model.adapters or model.masked_language for model in models):
            amounts: dict[str, list[str]] = {}
            for language in learned:
                length = language_length(settings, language)
                if length.epochs is not None:
                    amounts.setdefault(f"{length.epochs:g} passes over the text", []).append(language)
                elif length.steps is not None and (length.steps < _MADX_STEPS or settings.adapters.batch < _MADX_BATCH):
                    amounts.setdefault(f"{length.steps} steps", []).append(language)
            for amount, languages in amounts.items():
                names = ", ".join(languages) if len(amounts) > 1 else "languages"
                yield f"{names} learned in {amount} of {settings.adapters.batch} inputs (paper: 250000 of 64)"

    def explanations(self, systems: dict[str, list[str]]) -> dict[str, str]:
        """Row -> a sentence of the caption, for rows that are no system trained on this experiment's topics."""
        found = {
            name: f"{self.label(name)}: the ranking head that the encoder came with, nothing fine-tuned."
            for name in self.zero_shot()
        }
        depths = sorted({self.experiment.for_pair(pair).reranking.depth for pair in systems})
        found[ORACLE] = (
            f"{self.label(ORACLE)}: the {' or '.join(map(str, depths))} documents that are re-ranked, relevant ones "
            "first; a ceiling that no re-ranker passes, in no test."
        )
        return found

    def _starts_plain(self, model: str) -> bool:
        settings = self.settings.models[model]
        has_branch = settings.kind == "mart" or (settings.kind == "mores" and settings.knowledge)
        return has_branch and settings.init == "identity"
