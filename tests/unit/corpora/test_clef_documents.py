"""The ten collections of CLEF ad hoc, each in its own layout, read whole and nothing else with them."""

import re
from pathlib import Path

import pytest

from clir_cli.corpora.clef_collections import CLEF_COLLECTIONS, clef_layout
from clir_cli.corpora.documents import read_documents
from clir_cli.errors import DataError, Faults
from clir_cli.records import Document

FILES = Path(__file__).parents[2] / "data" / "clef" / "documents"

EFE = [
    Document(
        "EFE19940102-00240",
        'Madrid, 2 ene (EFE).- El año empieza húmedo. "¿Hasta cuándo?", pregunta un vecino.',
        "OTOÑO-LLUVIA MADRID ESPERA TRES DÍAS DE LLUVIA",
    ),
    Document("EFE19940102-00241", "Se anula la información de las 9.34 horas.", "AVISO"),
    Document("EFE19950711-10000", "Sin título & sin fecha."),
]
COLLECTIONS = {
    "latimes": [
        Document(
            "LA010394-0001",
            "Forty lemon trees went into the ground beside the café on Pier 7, and R&D staff at the nursery say that "
            '3 < 4 of them will fail. "Shade is a fine thing," said one neighbor & friend.',
            "HARBOR TOWN PLANTS LEMON TREES; NEIGHBORS DISAGREE ABOUT SHADE",
        ),
        Document("LA010394-0002", "The ferry leaves at noon. It does not leave at ten.", "FOR THE RECORD"),
        Document("LA010494-0001", "A match report that has no headline – and ends early."),
    ],
    "glasgow_herald": [
        Document(
            "GH950103-000000",
            "The new footbridge cost £40,000, and Provost Màiri Rose cut the ribbon. Rain fell.",
            "Bridge over the burn opens at last",
        ),
        Document("GH950103-000001", "The shop shuts in May.", "Marks & Sons to close"),
        Document("GH950103-000002", "A letter without a headline."),
    ],
    "le_monde": [
        Document(
            "LEMONDE94-000001-19940101",
            "Le port est resté fermé toute la journée.\n"
            "Quarante bateaux sont à quai & la criée est vide. Le maire reçoit les pêcheurs mardi.",
            "Les pêcheurs de l'île refusent l'accord",
        ),
        Document("LEMONDE94-000002-19940101", "Une exposition ouvre à Noël.", "En bref"),
        Document("LEMONDE95-123456", "Trente hectares sont détruits.\nLes pompiers étaient douze.", "La forêt a brûlé"),
    ],
    "ats": [
        Document(
            "ATS.940520.0001",
            "Genève, 20 mai (ats) Personne n'est blessé.\nLe tram 12 a quitté la voie à 7h30.\n"
            "Le trafic a repris à midi.\nD'autres suivent.",
            "Genève: un tram déraille",
        ),
        Document("ATS.940520.0002", "Le litre coûte 1,50 franc.", "Berne: le lait plus cher"),
        Document("ATS.940520.0003", "Lausanne, 20 mai (ats) Rectificatif.\nIl fallait lire 1994."),
    ],
    "sda": [
        Document(
            "SDA.940520.0001",
            "Zürich, 20. Mai (sda) Am See sind die ersten Schwäne gesehen worden.\n"
            "Die Straße am Ufer bleibt gesperrt.\nIm März waren es keine.",
            "Zürich: Schwäne kehren zurück",
        ),
        # What looks like a tag goes.
        Document("SDA.940520.0002", "Bern, 20. Mai (sda) Nichts ist beschlossen.", "Bern: Bundesrat Entscheid"),
        Document("SDA.940520.0003", "Sie dauert drei Tage.\nDrei ganze Tage.", "Basel: Fasnacht"),
    ],
    "agz": [
        Document(
            "AGZ.940520.0001",
            "Lugano, 20 mag (ats) La funivia riapre sabato.\nIl biglietto costerà 12 franchi.\n"
            "I lavori sono durati un anno.",
            "Lugano: riapre la funivia",
        ),
        # The whole body is in TI.
        Document(
            "AGZ.940520.0002",
            "",
            "Bellinzona: perché il castello chiude. Il castello chiude per lavori che dureranno fino a maggio; "
            "la città offre visite nel parco.",
        ),
        Document("AGZ.940520.0003", "Chiasso, 20 mag (ats) Code.\nTutto è tornato normale.", "Chiasso: dogana"),
    ],
    "spiegel": [
        Document(
            "SPIEGEL9495-000003",
            "In der Kleinstadt spricht keiner über das Werk.\n"
            "Der Bürgermeister lächelt. Der Pförtner schweigt – wie immer.",
            "Das große Schweigen",
        ),
        Document("SPIEGEL9495-000004", "Ein Satz.", "Kurz"),
        Document("SPIEGEL9495-000005", "Nur ein Vorspann."),
    ],
    "frankfurter_rundschau": [
        Document("FR940123-000022", "Die Bäume blühen später. Das sagt A&B Wetter.", "Der März wird kühl"),
        Document("FR940123-000023", "", "Ohne Worte"),
        Document("FR940123-000024", "1:0 für die Gast\xadgeber.", "Fußball"),
    ],
    "la_stampa": [
        Document(
            "LASTAMPA94-000001",
            "La citta' si e' svegliata bianca. I tram sono fermi.",
            "TORINO, LA NEVE FERMA I TRAM",
        ),
        Document("LASTAMPA94-000002", "Costano di piu' le rose.", "IL MERCATO <DEI FIORI>"),
        Document("LASTAMPA94-000003", "Caro direttore, scrivo per la seconda volta.", "LETTERE"),
    ],
    "efe": EFE,
}


@pytest.mark.parametrize("name", COLLECTIONS)
def test_a_collection_is_read_whole(name: str) -> None:
    assert list(read_documents([FILES / name], "clef")) == COLLECTIONS[name]


@pytest.mark.parametrize("name", COLLECTIONS)
def test_other_trec_sgml_reads_it_the_same_way(name: str) -> None:
    assert list(read_documents([FILES / name], "trec", "iso-8859-1")) == COLLECTIONS[name]


def test_all_collections_at_once() -> None:
    documents = read_documents([FILES / name for name in COLLECTIONS], "clef")
    assert list(documents) == [document for documents in COLLECTIONS.values() for document in documents]


def test_another_encoding_is_obeyed_and_the_wrong_one_noticed() -> None:
    assert list(read_documents([FILES / "efe_utf8"], "clef", "utf-8")) == EFE
    with pytest.raises(DataError, match=r"efe_utf8/efe.sgml:1: this document is utf-8, not iso-8859-1."):
        list(read_documents([FILES / "efe_utf8"], "clef"))
    faults = Faults()
    assert list(read_documents([FILES / "efe_utf8"], "clef", on_fault=faults)) == []
    assert faults.count == 3
    # Who says iso-8859-1 gets it.
    assert "aÃ±o" in next(iter(read_documents([FILES / "efe_utf8"], "clef", "iso-8859-1"))).text


def test_the_files_hold_what_is_left_out() -> None:
    """Or the tests above would not show that it is."""
    for name, documents in COLLECTIONS.items():
        layout = clef_layout(documents[0].id)
        assert layout is not None
        tags = set()
        for path in (FILES / name).rglob("*"):
            if path.is_file() and path.suffix != ".gz":
                tags |= set(re.findall("<([A-Z0-9]+)>", path.read_text(encoding="iso-8859-1")))
        missing = {*layout.names, *layout.left_out} - tags
        assert missing <= ({"SOURCE", "LENGTH", "DATE", "BYLINE", "HEADLINE"} if name == "latimes" else set()), name


def test_each_collection_has_a_prefix() -> None:
    assert len(CLEF_COLLECTIONS) == len(COLLECTIONS)
    layouts = {name: clef_layout(documents[0].id) for name, documents in COLLECTIONS.items()}
    assert None not in layouts.values()
    assert layouts["ats"] == layouts["sda"] == layouts["agz"]
    for other in ("LAMP-1", "FT911-3", "FRANCE94", "ATS940101", "la010394-0001", "", "94"):
        assert clef_layout(other) is None


@pytest.mark.parametrize(
    ("content", "document"),
    [
        # A field that is left out, inside one that is read.
        (
            "<DOC><DOCNO>LA010394-0001</DOCNO><TEXT>a<byline >By <P>me</P>\n</BYLINE> b<DATE>never closed</TEXT></DOC>",
            Document("LA010394-0001", "a b never closed"),
        ),
        # DOCID first, and tags in the middle of lines.
        (
            "<DOC> <DOCID> 9 </DOCID> x <DOCNO>\nGH950103-000009\n</DOCNO> y <text>a</text> z <TEXT>b</TEXT> </DOC>",
            Document("GH950103-000009", "a\nb"),
        ),
        # Other collections' fields do not count.
        (
            "<DOC><DOCNO>EFE19940102-00001</DOCNO><TX>no</TX><LD>no</LD><HEADLINE>no</HEADLINE><TEXT>yes</TEXT></DOC>",
            Document("EFE19940102-00001", "yes"),
        ),
        # What is not closed where nothing is read does no harm.
        (
            "<DOC><DOCNO>SDA.940101.0001</DOCNO><KW>a<ST>b</KW></NO><TX>x</TX></DOC>",
            Document("SDA.940101.0001", "x"),
        ),
    ],
)  # fmt: skip
def test_rough_documents(tmp_path: Path, content: str, document: Document) -> None:
    path = tmp_path / "a"
    path.write_text(content, encoding="iso-8859-1")
    assert list(read_documents([path], "clef")) == [document]
