"""The tags and document numbers of the Los Angeles Times collection."""

from collections.abc import Iterable, Iterator

from clir_cli.records import Document

MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MONTHS = "January February March April May June July August September October November December"


def number_latimes(count: int) -> Iterator[str]:
    """Document numbers in the manner of the Los Angeles Times of 1994, spread over the days of the year."""
    per_day = -(-count // 365)
    days = ((month, day) for month, length in enumerate(MONTH_DAYS, 1) for day in range(1, length + 1))
    numbers = (f"LA{month:02d}{day:02d}94-{i:04d}" for month, day in days for i in range(1, per_day + 1))
    return (number for number, _ in zip(numbers, range(count), strict=False))


def latimes_sgml(documents: Iterable[Document], lines_per_paragraph: int = 3) -> Iterator[str]:
    """Documents in these tags; DOCID is a running number, not the identifier."""
    months = MONTHS.split()
    for number, document in enumerate(documents, 1):
        month, day = int(document.id[2:4]), int(document.id[4:6])
        lines = document.text.split("\n")
        paragraphs = (lines[i : i + lines_per_paragraph] for i in range(0, len(lines), lines_per_paragraph))
        text = " \n</P>\n<P>\n".join(map(" \n".join, paragraphs))
        yield (
            f"<DOC>\n<DOCNO> {document.id} </DOCNO>\n<DOCID> {number:06d} </DOCID>\n"
            f"<DATE>\n<P>\n{months[month - 1]} {day}, 1994 \n</P>\n</DATE>\n"
            f"<HEADLINE>\n<P>\n{document.title} \n</P>\n</HEADLINE>\n"
            f"<TEXT>\n<P>\n{text} \n</P>\n</TEXT>\n</DOC>\n"
        )
