"""The newspapers and agencies of the backward collections: their files, document numbers and tags.

Fields that a reader has to leave out hold words that no text has, so that reading them shows.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from clir_cli.corpora.sample.latimes import MONTH_DAYS


class NewsItem(NamedTuple):
    """A document as it goes into its tags."""

    id: str
    date: str
    """Year, month and day, two digits each."""
    number: int
    """From 1, in its file."""
    title: str
    lines: list[str]


@dataclass(frozen=True, slots=True)
class Outlet:
    """A newspaper or agency."""

    name: str
    numbers: Mapping[int, str]
    """Year -> how its documents are numbered: by ``date``, ``running`` number, and number ``n`` of the day."""
    sgml: Callable[[NewsItem], str]


def number_items(outlet: Outlet, year: int, count: int) -> Iterator[tuple[str, str]]:
    """``(id, date)`` of ``count`` documents, spread over the days of the year."""
    days = [f"{year}{month:02d}{day:02d}" for month, length in enumerate(MONTH_DAYS, 1) for day in range(1, length + 1)]
    n, before = 0, ""
    for index in range(count):
        date = days[index * 365 // count]
        n, before = (n + 1 if date == before else 1), date
        yield outlet.numbers[year].format(date=date, running=index + 1, n=n), date


def _rundschau(item: NewsItem) -> str:
    week = item.number % 52 + 1
    return (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO>\n<DOCID>{item.id}</DOCID>\n<WEEK>Kalenderwoche {week}</WEEK>\n"
        f"<TITLE>{_escape(item.title)}</TITLE>\n<TEXT>\n{_text(item.lines)}\n</TEXT>\n</DOC>\n"
    )


def _sda(item: NewsItem) -> str:
    signed = [*item.lines[1:-1], f"{item.lines[-1]} (sda &amp; dpa)"] if item.number % 6 == 0 else item.lines[1:]
    return (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO> <DOCID>{item.id}</DOCID>\n<NO>{item.date}{item.number:05d}</NO>"
        f"<DATE>19{item.date} Ausgabetag</DATE>\n<KW>Stichwortliste Inlandredaktion</KW> <TI>{item.title}</TI>\n"
        f"<LD>{item.lines[0]}</LD>\n{_paragraphs(signed)}<ST>Depeschenende</ST>\n</DOC>\n"
    )


def _lemonde(item: NewsItem) -> str:
    lines = [_latin(line) for line in item.lines]
    return (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO>\n<DOCID>{item.id}</DOCID>\n<TITLE>{_latin(item.title)}</TITLE>\n"
        f"<LEAD1>{lines[0]}</LEAD1>\n<TEXT>{_text(lines[1:])}</TEXT>\n"
        f"<SUBJECTS>RUBRIQUE CHRONIQUE SOMMAIRE</SUBJECTS>\n</DOC>\n"
    )


def _ats(item: NewsItem) -> str:
    lines = [_latin(line) for line in item.lines]
    return (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO><DOCID>{item.id}</DOCID>\n<NO>{item.number:06d}</NO>\n"
        f"<DATE>19{item.date} parution</DATE>\n<KW>motsclefs dépêche</KW>\n<TI>{_latin(item.title)}</TI> "
        f"<LD>{lines[0]}</LD>\n{_paragraphs(lines[1:])}<ST>bouclage</ST>\n</DOC>\n"
    )


def _lastampa(item: NewsItem) -> str:
    return (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO>\n<DOCID>{item.id}</DOCID>\n<TITLE>{_ascii(item.title)}</TITLE>\n"
        f"<TEXT>\n{_text([_ascii(line) for line in item.lines])}\n</TEXT>\n</DOC>\n"
    )


def _agz(item: NewsItem) -> str:
    head = (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO>\n<DOCID>{item.id}</DOCID>\n<NO>{item.number:06d}</NO>\n"
        f"<DATE>19{item.date} edizione</DATE> <KW>parolachiave dispaccio</KW>\n"
    )
    if item.date.startswith("95") and item.number % 3 == 0:  # the whole body in the title, as some of that year have it
        return head + f"<TI>{item.title}. {_text(item.lines)}</TI>\n<ST>battuta</ST>\n</DOC>\n"
    lines = [*item.lines[1:-1], f"{item.lines[-1]} (ats & ansa)"] if item.number % 6 == 1 else item.lines[1:]
    return head + (f"<TI>{item.title}</TI>\n<LD>{item.lines[0]}</LD> {_paragraphs(lines)}<ST>battuta</ST>\n</DOC>\n")


def _efe(item: NewsItem) -> str:
    n = item.number
    return (
        f"<DOC>\n<DOCNO>{item.id}</DOCNO>\n<DOCID>{item.id}</DOCID>\n<DATE>19{item.date}</DATE>\n"
        f"<TIME>{n % 24:02d}.{n % 60:02d}</TIME>\n<SCATE>FOX</SCATE>\n<FICHEROS>94F.JPG</FICHEROS>\n"
        f"<DESTINO>ICX EXG</DESTINO>\n<CATEGORY>TELEDESPACHO</CATEGORY>\n<CLAVE>DP{n:04d}</CLAVE>\n"
        f"<NUM>{n}</NUM>\n<PRIORIDAD>ORDINARIA</PRIORIDAD>\n<TITLE>   {item.title.upper()}\n</TITLE>\n"
        f"<TEXT>   {_text(item.lines)}\n</TEXT>\n</DOC>\n"
    )


OUTLETS: dict[str, tuple[Outlet, ...]] = {
    "deu": (
        Outlet("rundschau", {94: "FR{date}-{running:06d}"}, _rundschau),
        Outlet("sda", {94: "SDA.{date}.{n:04d}"}, _sda),
    ),
    "fra": (
        Outlet("lemonde", {94: "LEMONDE94-{running:06d}-19{date}", 95: "LEMONDE95-{running:06d}"}, _lemonde),
        Outlet("ats", {94: "ATS.{date}.{n:04d}", 95: "ATS.{date}.{n:04d}"}, _ats),
    ),
    "ita": (
        Outlet("lastampa", {94: "LASTAMPA94-{running:06d}"}, _lastampa),
        Outlet("agz", {94: "AGZ.{date}.{n:04d}", 95: "AGZ.{date}.{n:04d}"}, _agz),
    ),
    "spa": (Outlet("efe", {94: "EFE19{date}-{n:05d}"}, _efe),),
}
"""Language -> the newspapers and agencies of its collection."""

_ACCENTS = str.maketrans({"à": "a'", "è": "e'", "é": "e'", "ì": "i'", "ò": "o'", "ù": "u'"})


def _ascii(text: str) -> str:
    """Italian as it was typed without accents: ``citta'``, ``e'``."""
    return text.translate(_ACCENTS)


def _latin(text: str) -> str:
    """French without the letter that ISO-8859-1 lacks."""
    return text.replace("œ", "oe")


def _escape(title: str) -> str:
    """Two words of a title joined by the sign instead of the word, as headlines have it now and then."""
    return re.sub(r"^(\S+) und (\S+)$", r"\1 &amp; \2", title)


def _text(lines: list[str]) -> str:
    """Running text, two sentences a line."""
    return "\n".join(" ".join(lines[i : i + 2]) for i in range(0, len(lines), 2))


def _paragraphs(lines: list[str]) -> str:
    """Several TX, two sentences each; every other one begins in the middle of a line."""
    parts = [f"<TX>{' '.join(lines[i : i + 2])}</TX>" for i in range(0, len(lines), 2)]
    return "".join(part + ("\n" if index % 2 else " ") for index, part in enumerate(parts, 1))
