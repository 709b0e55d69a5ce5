"""Learn to align: IBM Models 1 and 2 and an HMM, both directions at once.

Trained by agreement (Liang, Taskar, Klein 2006): the expected count of a link is the product of its posteriors in the
two directions, so that each keeps the other from its favourite faults, such as rare words that explain everything.
After the last iteration one more pass over the text gives the links and the counts that make the tables.
"""

from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np

from clir_cli.records import ProgressCallback, no_progress
from clir_cli.translation.alignment.aligned import Alignment, AlignmentReport
from clir_cli.translation.alignment.kernels import BACKWARD, FORWARD, PRODUCT
from clir_cli.translation.alignment.model import Model
from clir_cli.translation.alignment.passes import LinkWriting, expect
from clir_cli.translation.alignment.prepared_text import PreparedText
from clir_cli.translation.alignment.state import State
from clir_cli.translation.alignment.symmetrise import Links

_TITLES = {"model1": "IBM Model 1", "model2": "IBM Model 2", "hmm": "HMM"}


@dataclass(frozen=True, slots=True)
class AlignerSettings:
    """``model1``, ``model2``, ``hmm``: iterations of each, in this order. ``agreement``: both directions are trained
    together, else each by itself. ``null``: probability that a word comes from nothing. ``family_weight``: with how
    many pseudo-counts words that begin alike back each other off, families being words of more than
    ``family_letters`` letters that share those. ``bayes``: a symmetric Dirichlet prior by variational Bayes instead;
    0 for none. ``threads``: default all cores; it changes no result.

    Raises ``ValueError`` for numbers outside their range, and where both kinds of smoothing are asked for.
    """

    model1: int = 3
    model2: int = 0
    hmm: int = 5
    agreement: bool = True
    null: float = 0.1
    family_weight: float = 20.0
    family_letters: int = 5
    bayes: float = 0.0
    threads: int | None = None

    def __post_init__(self) -> None:
        if min(self.model1, self.model2, self.hmm) < 0 or self.model1 + self.model2 + self.hmm == 0:
            raise ValueError("the iterations of the models are 0 or more, and one at least")
        weights_fit = 0 <= self.family_weight < inf and 0 <= self.bayes < inf
        if not 0 < self.null < 1 or not weights_fit or self.family_letters < 1:
            raise ValueError("null lies between 0 and 1, weights are 0 or more, family_letters 1 or more")
        if self.threads is not None and self.threads < 1:
            raise ValueError("threads are 1 or more, or None for all cores")
        if self.bayes and self.family_weight:
            raise ValueError("family_weight and bayes are two ways to smooth: set one of them to 0")

    @property
    def schedule(self) -> list[str]:
        """The model of each iteration."""
        return ["model1"] * self.model1 + ["model2"] * self.model2 + ["hmm"] * self.hmm

    def deciding(self) -> tuple[object, ...]:
        """All settings that results depend on."""
        return (
            self.model1, self.model2, self.hmm, self.agreement, self.null, self.family_weight, self.family_letters,
            self.bayes,
        )  # fmt: skip


def learn(
    text: PreparedText,
    settings: AlignerSettings | None = None,
    *,
    state: Path | None = None,
    progress: ProgressCallback = no_progress,
) -> Alignment:
    """Align ``text``.

    ``state``: a folder where each iteration is saved; a run that was killed goes on after the last whole one and ends
    with the same bits. State of other text or settings is ignored. Delete it once the results are saved.
    Deterministic: no seed, and the same bits for any number of threads.
    """
    settings = settings or AlignerSettings()
    saved = State(state, text, settings.deciding()) if state is not None else None
    model = Model(text, settings.null)
    learning = _Learning(text, model, settings, progress)
    likelihoods = saved.load(model) if saved else []
    for iteration in range(len(likelihoods), len(settings.schedule)):
        likelihoods.append(learning.iterate(iteration))
        if saved:
            saved.save(model, likelihoods)
    forward, backward, agreed, likelihood = learning.finish()
    report = AlignmentReport(
        len(text), len(text.sources), len(text.targets), len(text.source_words), len(text.target_words),
        len(model.pairs), tuple(settings.schedule), (*likelihoods, likelihood),
    )  # fmt: skip
    return Alignment(text, model, forward, backward, agreed, report)


class _Learning:
    """The passes over the text."""

    def __init__(self, text: PreparedText, model: Model, settings: AlignerSettings, progress: ProgressCallback) -> None:
        self.text = text
        self.model = model
        self.settings = settings
        self.progress = progress
        self.message = "aligning"
        self.message_end = ""  # the log-likelihood of the last pass
        self.done = 0.0
        self.weights: list[float] = [_weight(name) for name in [*settings.schedule, settings.schedule[-1]]]
        if not settings.agreement:
            self.weights[-1] *= 1.5  # one direction is done twice

    def iterate(self, iteration: int) -> float:
        """One iteration of EM; returns the log-likelihood before it."""
        self.done = sum(self.weights[:iteration])
        name = self.settings.schedule[iteration]
        self.message = f"{_TITLES[name]}, iteration {iteration + 1} of {len(self.settings.schedule)}" + self.message_end
        if iteration == 0:  # from the uniform table both posteriors of a link are known without a look
            self.model.count_meetings()
            self._maximise(PRODUCT)
            likelihood = self.model.likelihood_at_first()
        elif self.settings.agreement:
            likelihood = self._pass(name, PRODUCT, True, True)
            self._maximise(PRODUCT)
        else:
            likelihood = self._pass(name, FORWARD, True, False)
            self._maximise(FORWARD)
            likelihood += self._pass(name, BACKWARD, False, True)
            self._maximise(BACKWARD)
        self.message_end = f", log-likelihood {likelihood:.6g}"
        return likelihood

    def finish(self) -> tuple[np.ndarray, np.ndarray, Links, float]:
        """The last pass: links, and counts without smoothing for the tables."""
        self.done = sum(self.weights[:-1])
        self.message = "links and tables" + self.message_end
        name = self.settings.schedule[-1]
        writing = LinkWriting(self.text, self.model)
        if self.settings.agreement:
            likelihood = self._pass(name, PRODUCT, True, True, writing)
            self.model.maximise(PRODUCT)
        else:
            likelihood = self._pass(name, FORWARD, True, True, writing)
            self.model.maximise(FORWARD)
            self._pass(name, BACKWARD, False, True)
            self.model.maximise(BACKWARD)
        self.progress(100, 100, f"aligned, log-likelihood {likelihood:.6g}")
        return writing.forward, writing.backward, writing.links(), likelihood

    def _maximise(self, direction: int) -> None:
        settings = self.settings
        if settings.bayes:
            self.model.maximise_by_bayes(direction, settings.bayes)
        elif settings.family_weight:
            self.model.maximise_with_families(direction, settings.family_weight, settings.family_letters)
        else:
            self.model.maximise(direction)
        self.model.take_counts()

    def _pass(
        self, name: str, counted: int, does_forward: bool, does_backward: bool, writing: LinkWriting | None = None
    ) -> float:
        begun, total = self.done, sum(self.weights)
        weight = _weight(name) if does_forward and does_backward else _weight(name) / 2

        def tell(share: float) -> None:
            self.progress(int(100 * (begun + weight * share) / total), 100, self.message)

        likelihood = expect(
            self.text, self.model, name, counted, does_forward, does_backward,
            threads=self.settings.threads, tell=tell, writing=writing,
        )  # fmt: skip
        self.done = begun + weight
        return likelihood


def _weight(name: str) -> float:
    """How long an iteration takes: the HMM about three times as long as the others."""
    return 3.0 if name == "hmm" else 1.0
