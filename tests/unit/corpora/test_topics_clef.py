"""Topics and judgements in the layouts of CLEF's disks, read whole; the files were made for these tests."""

from pathlib import Path

import pytest

from clir_cli.corpora.topic_formats.languages import language_of_2000, language_of_code, language_of_tag
from clir_cli.corpora.topics import FoundTopic, read_topics, scan_topics, topic_key
from clir_cli.records import Topic
from clir_cli.trec import read_qrels

TOPICS = Path(__file__).parents[2] / "data" / "clef" / "topics"
QRELS = TOPICS.parent / "qrels"

# File -> format, encoding, language, and the topics with the lines they begin in.
FILES: dict[str, tuple[str, str | None, str, list[tuple[int, Topic]]]] = {
    "TOP-E.txt": (
        "clef2000", None, "eng",
        [
            (1, Topic(
                "C001", "Lighthouses without keepers", "Which countries run their lighthouses without keepers?",
                "Relevant reports name a lighthouse and what replaced its keeper. Radio masts are not relevant.",
            )),
            (17, Topic(
                "C002", "Prices of honey & wax", "Find reports on what honey costs.",
                "Only prices paid to beekeepers count.",
            )),
            (30, Topic(
                "C003", "Night trains", "Which night trains cross a border?",
                "Trains of < 3 carriages are relevant too.",
            )),
        ],
    ),
    "TOP-G.txt": (
        "clef2000", None, "deu",
        [
            (1, Topic(
                "C001", "Leuchttürme ohne Wärter", "Welche Länder betreiben ihre Leuchttürme ohne Wärter?",
                "Relevante Berichte nennen einen Leuchtturm und was den Wärter ersetzt. Funkmasten zählen nicht.",
            )),
            (17, Topic(
                "C002", "Preise für Honig & Wachs", "Gesucht sind Berichte darüber, was Honig kostet.",
                "Nur Preise, die Imker erhalten, zählen.",
            )),
            (30, Topic(
                "C003", "Nachtzüge", "Welche Nachtzüge fahren über eine Grenze?",
                "Auch Züge mit < 3 Wagen sind relevant.",
            )),
        ],
    ),
    "TOP-D.txt": (
        "clef2000", None, "nld",
        [
            (1, Topic(
                "C001", "Vuurtorens zonder wachter", "Welke landen hebben vuurtorens zonder wachter?",
                "Relevante berichten noemen een vuurtoren en wat de wachter vervangt. Zendmasten tellen niet.",
            )),
            (17, Topic(
                "C002", "Prijzen van honing & was", "Zoek berichten over wat honing kost.",
                "Alleen prijzen voor imkers tellen.",
            )),
            (30, Topic(
                "C003", "Nachttreinen", "Welke nachttreinen gaan over een grens?",
                "Ook treinen met < 3 rijtuigen zijn relevant, zoals naar België.",
            )),
        ],
    ),
    "Top-de01.txt": (
        "clef", None, "deu",
        [
            (1, Topic(
                "C041", "Vereiste Brücken", "Welche Brücken wurden im Winter wegen Eis gesperrt?",
                "Berichte über Straßen ohne Brücke zählen nicht.",
            )),
            (10, Topic(
                "C042", "Schulgärten", "Gesucht sind Schulen mit eigenem Garten.",
                "Der Garten muss von Schülern gepflegt werden.",
            )),
            (18, Topic(
                "C043", "Rock & Roll auf dem Land", "Welche Feste haben < 1000 Gäste?", "Ort und Jahr sind nötig."
            )),
        ],
    ),
    "Top-en01.txt": (
        "clef", None, "eng",
        [
            (1, Topic(
                "C041", "Ice on bridges", "Which bridges were closed in winter because of ice?",
                "Reports on roads without a bridge do not count.",
            )),
            (10, Topic(
                "C042", "School gardens", "Find schools with a garden of their own.", "Pupils must tend the garden."
            )),
            (18, Topic(
                "C043", "Rock & roll in the country", "Which festivals have < 1000 guests?",
                "Place and year are needed.",
            )),
        ],
    ),
    "Top-fr01.txt": (
        "clef", None, "fra",
        [
            (1, Topic(
                "C041", "Ponts gelés", "Quels ponts ont été fermés l'hiver à cause du gel ?",
                "Les routes sans pont ne comptent pas.",
            )),
            (10, Topic(
                "C042", "Jardins d'école", "Trouver des écoles qui ont leur jardin.",
                "Les élèves doivent le cultiver.",
            )),
            (18, Topic(
                "C043", "Rock & roll à la campagne", "Quelles fêtes ont < 1000 invités ?",
                "Le lieu et l'année sont nécessaires.",
            )),
        ],
    ),
    "Top-ru03.txt": (
        "clef", "utf-8", "rus",
        [
            (1, Topic(
                "C041", "Обледенелые мосты", "Какие мосты закрывали зимой из-за льда?",
                "Дороги без мостов не подходят.",
            )),
            (9, Topic(
                "C142", "Школьные сады", "Найти школы, у которых есть сад.", "За садом ухаживают ученики."
            )),
            (16, Topic(
                "C143", "Рок & ролл в деревне", "На каких праздниках < 1000 гостей?", "Нужны место и год."
            )),
        ],
    ),
    "de_topics.xml": (
        "direct", None, "deu",
        [
            (3, Topic(
                "41-AH", "Vereiste Brücken", "Welche Brücken wurden im Winter wegen Eis gesperrt?",
                "Berichte über Straßen ohne Brücke zählen nicht.",
            )),
            (10, Topic(
                "43-AH", "Rock & Roll auf dem Land", "Welche Feste haben < 1000 Gäste?", "Ort und Jahr sind nötig."
            )),
            (16, Topic("10.2452/401-AH", "Fähren", "Wo ersetzen Fähren eine Brücke?")),
        ],
    ),
    "xx_topics.xml": (
        "direct", None, "",
        [
            (3, Topic(
                "41-AH", "Ponti ghiacciati", "Quali ponti sono stati chiusi per il ghiaccio?",
                "Le strade senza ponte non contano.",
            )),
            (9, Topic("10.2452/401-AH", "Traghetti", "Dove un traghetto sostituisce un ponte?")),
            (15, Topic(
                "451-AH", "Città e biciclette", "Quante biciclette ci sono in città?",
                '"Città" ha più di 1000 abitanti.',
            )),
        ],
    ),
    "clef-wo-narrative_SOMALI.txt": (
        "blocks", None, "",
        [
            (1, Topic(
                "C001", "Nalalka badda ee aan ilaaliye lahayn",
                "Waddamadee ayaa leh nalal badda oo aan ilaaliye lahayn?",
            )),
            (6, Topic(
                "C041", "Baraf: buundooyinka", "Buundooyinkee ayaa la xiray jiilaalka baraf dartiis?"
            )),
            (12, Topic("C042", "Beeraha dugsiga", "Raadi dugsiyo leh beer.")),
        ],
    ),
    "clef-wo-narrative_SWAHILI.txt": (
        "blocks", None, "",
        [
            (1, Topic(
                "C001", "Minara ya taa bila walinzi", "Ni nchi zipi zina minara ya taa bila walinzi?"
            )),
            (6, Topic(
                "C041", "Barafu: madaraja",
                "Ni madaraja yapi yalifungwa wakati wa baridi kwa sababu ya barafu?",
            )),
            (11, Topic("C042", "Bustani za shule", "Tafuta shule zenye bustani yake.")),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_topic_with_every_field(name: str) -> None:
    path = TOPICS / name
    format, encoding, language, topics = FILES[name]
    expected = [FoundTopic(f"{path}:{line}", topic, language) for line, topic in topics]
    assert list(scan_topics([path], encoding=encoding)) == expected
    assert list(scan_topics([path], format, encoding)) == expected


def test_every_file_is_tested() -> None:
    assert sorted(path.name for path in TOPICS.iterdir()) == sorted(FILES)


def test_german_of_three_layouts_is_one_set() -> None:
    paths = [TOPICS / "TOP-G.txt", TOPICS / "Top-de01.txt", TOPICS / "de_topics.xml"]
    read = read_topics(paths, numbers=[(1, 40), (42, 42), (401, 401)])
    assert [topic.id for topic in read] == ["C001", "C002", "C003", "C042", "10.2452/401-AH"]


def test_one_topic_joins_over_all_layouts_and_with_the_judgements() -> None:
    titles: dict[str, dict[str, str]] = {}
    for name, (_, encoding, _, _) in FILES.items():
        for topic in read_topics([TOPICS / name], encoding=encoding):
            titles.setdefault(topic_key(topic.id), {})[name] = topic.title
    sgml = ["Top-de01.txt", "Top-en01.txt", "Top-fr01.txt", "Top-ru03.txt"]
    direct = ["de_topics.xml", "xx_topics.xml"]
    blocks = ["clef-wo-narrative_SOMALI.txt", "clef-wo-narrative_SWAHILI.txt"]
    assert list(titles["1"]) == ["TOP-E.txt", "TOP-G.txt", "TOP-D.txt", *blocks]
    assert list(titles["41"]) == [*sgml, *direct, *blocks]
    assert list(titles["401"]) == direct

    judged: dict[str, list[str]] = {}
    for name in ("bare.txt", "direct.txt", "tabs.txt"):
        for topic in read_qrels(QRELS / name):
            judged.setdefault(topic_key(topic), []).append(topic)
    assert judged == {"41": ["41", "41-AH", "C041"], "42": ["42", "42-AH"], "43": ["43"], "1": ["C001"],
                      "401": ["10.2452/401-AH"]}  # fmt: skip
    assert judged.keys() <= titles.keys()


@pytest.mark.parametrize(
    ("name", "qrels"),
    [
        (
            "bare.txt",
            {
                "41": {"LA010194-0001": 1, "LA010194-0002": 0},
                "42": {"LA020194-0001": 0, "LA020194-0003": 0},
                "43": {"LA030194-0007": 1},
            },
        ),
        (
            "direct.txt",
            {
                "41-AH": {"FR940101-000001": 1, "SDA.940101.0001": 0},
                "42-AH": {"FR940102-000003": 0},
                "10.2452/401-AH": {"FR940103-000009": 1},
            },
        ),
        ("tabs.txt", {"C001": {"GH950103-000000": 1, "LA010194-0001": 0}, "C041": {"LA010194-0003": 1}}),
    ],
)
def test_judgements_of_every_spelling(name: str, qrels: dict[str, dict[str, int]]) -> None:
    assert read_qrels(QRELS / name) == qrels


@pytest.mark.parametrize(
    ("tag", "of_2000", "later", "attribute"),
    [
        ("D", "nld", "nld", ""), ("G", "deu", "deu", ""), ("E", "eng", "eng", ""), ("F", "fra", "fra", ""),
        ("I", "ita", "ita", ""), ("SP", "spa", "spa", ""), ("FI", "fin", "fin", "fin"),
        ("SW", "swe", "", "swa"), ("sv", "swe", "swe", "swe"), ("DE", "deu", "deu", "deu"), ("bg", "bul", "bul", "bul"),
        ("cs", "ces", "ces", "ces"), ("fa", "fas", "fas", "fas"), ("hu", "hun", "hun", "hun"),
        ("nl", "nld", "nld", "nld"), ("pt-BR", "por", "por", "por"), ("ru", "rus", "rus", "rus"),
        ("deu", "deu", "deu", "deu"), ("en_GB", "eng", "eng", "eng"), ("XX", "", "", ""), ("", "", "", ""),
    ],
)  # fmt: skip
def test_languages_of_tags(tag: str, of_2000: str, later: str, attribute: str) -> None:
    assert (language_of_2000(tag), language_of_tag(tag), language_of_code(tag)) == (of_2000, later, attribute)


def test_swedish_of_2000_is_not_swahili(tmp_path: Path) -> None:
    path = tmp_path / "TOP-SW.txt"
    path.write_bytes("<top>\n<num> C001\n<SW-title> Fyrar utan väktare\n\n<SW-narr>\nx\n</top>\n".encode("iso-8859-1"))
    (found,) = scan_topics([path])
    assert found == FoundTopic(f"{path}:1", Topic("C001", "Fyrar utan väktare", "", "x"), "swe")
