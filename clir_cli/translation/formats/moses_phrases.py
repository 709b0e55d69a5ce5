"""Moses' phrase tables: ``f ||| e ||| p(f|e) lex(f|e) p(e|f) lex(e|f) ... ||| ...``; entries of one word a side count.

Queries are taken to be in f, the source of the Moses system: the number is then p(e|f), the third. Swapped, queries are
in e, and it is p(f|e), the first. What a word passes on to phrases is missing from its row, so that rows may sum to
much less than 1.
"""

from clir_cli.errors import DataError
from clir_cli.lines import read_lines
from clir_cli.translation.formats.columns import read_number
from clir_cli.translation.formats.entries import Entries, EntryCollector
from clir_cli.translation.formats.format import Request, TableFormat

SCORES = "Scores are p(f|e), lex(f|e), p(e|f) and lex(e|f), in this order."
LEAST = 4
SIDES = ("the first field", "the second field")


def read_entries(request: Request) -> Entries:
    """Entries of one word a side; the others are counted as ``several_words``.

    Faults with file and line: fewer than three fields, fewer than four scores (with fewer, which is which cannot be
    told), a score that is no probability.
    """
    path, swapped = request.path, request.is_swapped
    collector = EntryCollector(path, int(swapped), SIDES)
    for number, line in read_lines(path, request.encoding, request.on_fault):
        if not line or line.isspace():
            continue
        fields = line.split("|||", 3)
        if len(fields) < 3:
            problem = f"{path}:{number}: {len(fields)} fields, not 3 or more."
            request.on_fault(DataError(problem, "Fields of a phrase table are parted by |||."))
            continue
        f, e = fields[0].strip(), fields[1].strip()
        scores = fields[2].split()
        if len(scores) < LEAST:
            request.on_fault(DataError(f"{path}:{number}: {len(scores)} scores, not {LEAST}.", SCORES))
            continue
        if " " in f or " " in e or not f or not e:
            collector.several_words += 1
            continue
        try:
            p = read_number(f"{path}:{number}", scores[0 if swapped else 2], SCORES)
        except DataError as fault:
            request.on_fault(fault)
            continue
        collector.add(f, e, p, number)
    return collector.entries()


MOSES_PHRASES = TableFormat(
    "moses-phrases", read_entries, f"{SCORES} If these are in another order, put them right first.",
    names=("phrase-table",),
)  # fmt: skip
