"""`clir compare` on three large runs against the same work done by hand with ir_measures and scipy.

    python -m benchmarks.compare [--topics 1000] [--depth 1000]

Both sides read the same files: three runs of topics x depth lines and their judgements. Both give AP, P@10 and nDCG@10
of every topic and paired t-tests against the first run. By hand means: ir_measures reads and computes, scipy tests. CPU
seconds of a process each, imports included. Then all values and p must be equal, and ours corrected as Holm says.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

TARGET = 1.0
MEASURES = ("AP", "P@10", "nDCG@10")
RUNS = ("a", "b", "c")

BY_HAND = """
import json, sys
import ir_measures
from scipy.stats import ttest_rel

folder, names = sys.argv[1], sys.argv[2].split(",")
measures = [ir_measures.parse_measure(name) for name in sys.argv[3].split(",")]
qrels = list(ir_measures.read_trec_qrels(f"{folder}/qrels.txt"))
values = {}
for name in names:
    by_measure = values.setdefault(name, {str(m): {} for m in measures})
    for metric in ir_measures.iter_calc(measures, qrels, ir_measures.read_trec_run(f"{folder}/{name}.trec")):
        by_measure[str(metric.measure)][metric.query_id] = metric.value
tests = {}
for measure in map(str, measures):
    topics = sorted(values[names[0]][measure])
    for name in names[1:]:
        columns = [[values[run][measure][topic] for topic in topics] for run in (name, names[0])]
        tests[f"{measure} {name}"] = float(ttest_rel(*columns).pvalue)
print(json.dumps({"values": values, "tests": tests}))
"""


def write_files(folder: Path, topics: int, depth: int, seed: int = 1) -> None:
    """Runs of which each finds the relevant documents a little better than the one before."""
    draw = random.Random(seed)
    documents = [f"LA{draw.randrange(10**6):06d}-{number:04d}" for number in range(20 * depth)]
    judged = {f"C{topic:04d}": draw.sample(documents, 60) for topic in range(topics)}
    with (folder / "qrels.txt").open("w", encoding="utf-8") as file:
        for topic, names in judged.items():
            file.writelines(f"{topic} 0 {name} {int(place < 15)}\n" for place, name in enumerate(names))
    for skill, run in enumerate(RUNS):
        with (folder / f"{run}.trec").open("w", encoding="utf-8") as file:
            for topic, names in judged.items():
                found = dict.fromkeys([*draw.sample(documents, depth - 60), *names])
                scores = {name: draw.random() * 30 for name in found}
                for name in names[:15]:
                    scores[name] += skill
                ranked = sorted(scores, key=lambda name: (scores[name], name), reverse=True)
                file.writelines(
                    f"{topic} Q0 {name} {place} {scores[name]!r} {run}\n" for place, name in enumerate(ranked, start=1)
                )


def run(command: list[str]) -> tuple[float, str]:
    """CPU seconds of a process, and what it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def check_equal(ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Values to 1e-6 (the peer compares scores as 32-bit floats; drawn ones do not tie), p to 1e-9, Holm by rule."""
    values = {(name, measure, topic): value for name, by_measure in theirs["values"].items()
              for measure, by_topic in by_measure.items() for topic, value in by_topic.items()}  # fmt: skip
    for (name, measure, topic), value in values.items():
        assert abs(ours["values"][name][measure][topic] - value) < 1e-6, (name, measure, topic)
    found = {f"{one['measure']} {one['run']}": one for one in ours["comparisons"]}
    assert found.keys() == theirs["tests"].keys()
    for name, p in theirs["tests"].items():
        assert abs(found[name]["p"] - p) < 1e-9, name
    for measure in MEASURES:
        family = sorted((one for one in found.values() if one["measure"] == measure), key=lambda one: one["p"])
        steps = [min(1.0, one["p"] * (len(family) - place)) for place, one in enumerate(family)]
        for place, one in enumerate(family):
            assert abs(one["p_corrected"] - max(steps[: place + 1])) < 1e-12, measure
        assert all(first["p_corrected"] <= second["p_corrected"] for first, second in pairwise(family))


def main() -> None:
    """Measure, check, print the ratio."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--topics", type=int, default=1000)
    parser.add_argument("--depth", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, options.topics, options.depth)
        measures = [part for measure in MEASURES for part in ("--measure", measure)]
        files = [str(folder / f"{run}.trec") for run in RUNS]
        ours = [sys.executable, "-c", "from clir_cli.cli.app import main; main()", "compare", *files, *measures]
        seconds, text = run([*ours, "--qrels", str(folder / "qrels.txt"), "--format", "json"])
        theirs, by_hand = run([sys.executable, "-c", BY_HAND, str(folder), ",".join(RUNS), ",".join(MEASURES)])
    check_equal(json.loads(text), json.loads(by_hand))
    lines = options.topics * options.depth
    print(f"three runs of {lines:,} lines: clir {seconds:.1f} CPU s, by hand {theirs:.1f} CPU s; equal values and p")
    print(f"compare: ratio {theirs / seconds:.2f} (target {TARGET:g})")


if __name__ == "__main__":
    main()
