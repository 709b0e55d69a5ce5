"""The file layouts of the sample, as the real collections have them."""

from collections.abc import Iterable, Iterator, Mapping

from clir_cli.records import Document, Topic

MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
MONTHS = "January February March April May June July August September October November December"
TOPIC_TAGS = {"deu": "DE", "eng": "EN", "fra": "FR", "ita": "IT", "spa": "ES"}


def number_latimes(count: int) -> Iterator[str]:
    """Document numbers in the manner of the Los Angeles Times of 1994, spread over the days of the year."""
    per_day = -(-count // 365)
    days = ((month, day) for month, length in enumerate(MONTH_DAYS, 1) for day in range(1, length + 1))
    numbers = (f"LA{month:02d}{day:02d}94-{i:04d}" for month, day in days for i in range(1, per_day + 1))
    return (number for number, _ in zip(numbers, range(count), strict=False))


def latimes_sgml(documents: Iterable[Document], lines_per_paragraph: int = 3) -> Iterator[str]:
    """Documents in the tags of the Los Angeles Times collection; DOCID is a running number, not the identifier."""
    for number, document in enumerate(documents, 1):
        month, day = int(document.id[2:4]), int(document.id[4:6])
        lines = document.text.split("\n")
        paragraphs = [lines[i : i + lines_per_paragraph] for i in range(0, len(lines), lines_per_paragraph)]
        yield f"<DOC>\n<DOCNO> {document.id} </DOCNO>\n<DOCID> {number:06d} </DOCID>\n"
        yield f"<DATE>\n<P>\n{MONTHS.split()[month - 1]} {day}, 1994 \n</P>\n</DATE>\n"
        yield f"<HEADLINE>\n<P>\n{document.title} \n</P>\n</HEADLINE>\n<TEXT>\n"
        for paragraph in paragraphs:
            yield "<P>\n" + "".join(f"{line} \n" for line in paragraph) + "</P>\n"
        yield "</TEXT>\n</DOC>\n"


def clef_topics(topics: Iterable[Topic], language: str) -> Iterator[str]:
    """Topics in the layout of CLEF 2001 to 2006: tags with the language in them, no root element."""
    tag = TOPIC_TAGS[language]
    for topic in topics:
        yield f"<top>\n<num> {topic.id} </num>\n<{tag}-title> {topic.title} </{tag}-title>\n"
        yield f"<{tag}-desc> {topic.description} </{tag}-desc>\n</top>\n\n"


def tsv_topics(topics: Iterable[Topic]) -> Iterator[str]:
    """One topic a line: id, title, description."""
    for topic in topics:
        yield f"{topic.id}\t{topic.title}\t{topic.description}\n"


def trec_qrels(qrels: Mapping[str, Mapping[str, int]]) -> Iterator[str]:
    """``topic 0 document grade``, by topic and document."""
    for topic in sorted(qrels):
        for document in sorted(qrels[topic]):
            yield f"{topic} 0 {document} {qrels[topic][document]}\n"
