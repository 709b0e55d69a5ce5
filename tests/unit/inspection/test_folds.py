"""Folds leak where a model has seen what it is tested on."""

from clir_cli.corpora.folds import assign_folds, split
from clir_cli.inspection.findings import Findings
from clir_cli.inspection.folds import inspect_repeated_texts, inspect_start
from clir_cli.inspection.judgements import repeated_texts

KEYS = [str(number) for number in range(20)]
FOLDS = assign_folds(KEYS, 5, seed=42)


def test_the_same_folds_do_not_leak() -> None:
    findings = Findings()

    def seen(fold: int) -> frozenset[str]:
        return split(FOLDS, fold).training | split(FOLDS, fold).validation

    inspect_start(FOLDS, range(1, 6), seen, findings.about("pair x"), start="mart of a", is_sure=True)
    assert list(findings) == []


def test_other_folds_leak_and_each_fold_is_named() -> None:
    findings = Findings()
    other = assign_folds(KEYS, 5, seed=1)

    def seen(fold: int) -> frozenset[str]:
        return split(other, fold).training | split(other, fold).validation

    inspect_start(FOLDS, range(1, 6), seen, findings.about("pair x"), start="mart of a", is_sure=True)
    (found,) = findings
    leaked = {fold: split(FOLDS, fold).test & seen(fold) for fold in range(1, 6)}
    assert (found.level.value, found.count) == ("error", sum(map(len, leaked.values())))
    assert found.message == (
        f"mart of a, where training starts, was trained on {found.count} topics that folds test here."
    )
    assert len(found.examples) == sum(bool(keys) for keys in leaked.values())


def test_repeated_texts_leak_only_across_folds() -> None:
    first, *others = KEYS
    same = next(key for key in others if FOLDS[key] == FOLDS[first])
    different = next(key for key in others if FOLDS[key] != FOLDS[first])
    for other, expected in ((same, 0), (different, 1)):
        findings = Findings()
        groups = repeated_texts({first: "house", other: "house", "99": ""})
        assert groups == [[first, other]]
        places = {key: f"t.tsv:{key}" for key in KEYS}
        inspect_repeated_texts(groups, FOLDS, findings.about("topics deu"), dict(zip(KEYS, KEYS, strict=True)), places)
        assert len(list(findings)) == expected
