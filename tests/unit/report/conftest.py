"""One small table that the tests of all formats share."""

import pytest

from clir_cli.report.tables import Contrast, ResultsTable, build_table

SYSTEMS = {"smt": "SMT", "human": "Human", "m2bert": "tiny_BERT", "mart-plb": "MART-PLB", "mart": "MART"}
CONTRASTS = [
    Contrast("mart", "smt"),
    Contrast("mart", "m2bert"),
    Contrast("mart", "mart-plb"),
    Contrast("mart-plb", "m2bert", in_family=False),
]
ADDED = {"smt": 0.0, "human": 0.2, "m2bert": 0.05, "mart-plb": 0.05, "mart": 0.16}


def per_topic(system: str, measure: str) -> dict[str, float]:
    """Ten topics; systems differ by ``ADDED``, and by a little that changes from topic to topic."""
    own = list(SYSTEMS).index(system) + 1
    scale = 1.0 if measure == "AP@100" else 0.5
    return {f"C{t:03}": scale * (0.05 * t + ADDED[system] + 0.01 * ((own * t) % 7 - 3)) for t in range(1, 11)}


@pytest.fixture
def values() -> dict[str, dict[str, dict[str, dict[str, float]]]]:
    """Two pairs; the backward one comes first and was not run with the placebo."""
    return {
        pair: {
            system: {measure: per_topic(system, measure) for measure in ("AP@100", "P@10")}
            for system in SYSTEMS
            if (pair, system) != ("eng-deu", "mart-plb")
        }
        for pair in ("eng-deu", "deu-eng")
    }


@pytest.fixture
def table(values: dict[str, dict[str, dict[str, dict[str, float]]]]) -> ResultsTable:
    return build_table(
        values,
        SYSTEMS,
        ["AP@100", "P@10"],
        contrasts=CONTRASTS,
        neural=["m2bert", "mart-plb", "mart"],
        gain=("mart", "m2bert"),
        title="Sample & more",
        notes=["Reduced: 10 epochs, 100% of the documents."],
    )
