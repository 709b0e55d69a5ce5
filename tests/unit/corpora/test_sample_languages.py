"""The languages of the sample are grammatical as far as they claim: order, agreement, endings, joined words."""

import re

import pytest

from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.languages import LANGUAGES
from clir_cli.corpora.sample.lexicon import Lemma, Lexicon, NounParts
from clir_cli.corpora.sample.sentences import SLOT, Phrase, Sentence, Writer
from tests.unit.corpora.sample_files import COMMITTED, content_of, documents_of, topics_of

CONCEPTS = ("judge", "party", "flood", "report", "praise", "old", "road", "weapon", "school")


def _lexicon(language: str) -> Lexicon:
    """The usual word of each concept, as the module has it."""
    usual = {concept: LANGUAGES[language].core[concept].split("|")[0] for concept in CONCEPTS}
    return {concept: (Lemma(*word.split(":")),) for concept, word in usual.items()}


JUDGE, REPORT = Phrase("judge", adjective="old"), Phrase("report", modifier="flood", definite=False)
SAID = Sentence("said", {"N": "Nuvar Volisin", "S": JUDGE, "V": "praise", "O": REPORT})
EVENT = Sentence("event", {"S": Phrase("party", plural=True), "V": "praise", "O": JUDGE, "P": "Kezes"})
STATE = Sentence("state", {"S": Phrase("road", plural=True), "A": "old"})
ABOUT = Sentence("want_about", {"X": Phrase("weapon"), "W": Phrase("judge", plural=True, definite=False)})
HOW = Sentence("want_event", {"S": Phrase("school"), "V": "praise", "O": Phrase("weapon", plural=True)})
COUNT = Sentence("count", {"K": "18", "S": Phrase("judge", plural=True, definite=False), "P": "Kezes"})


@pytest.mark.parametrize(
    ("language", "sentence", "expected"),
    [
        ("eng", SAID, "Nuvar Volisin said that the old judge praised a flood report."),
        ("deu", SAID, "Nuvar Volisin sagte, dass der alte Richter einen Flutbericht lobte."),
        ("som", SAID, "Nuvar Volisin wuxuu sheegay in garsooraha duug warbixin daadka ammaanay."),
        ("fra", SAID, "Nuvar Volisin a déclaré que le vieux juge a salué un rapport d'inondation."),
        ("ita", SAID, "Nuvar Volisin ha detto che il vecchio giudice ha lodato un rapporto di alluvione."),
        ("spa", SAID, "Nuvar Volisin dijo que el viejo juez elogió un informe de inundación."),
        ("swa", SAID, "Nuvar Volisin alisema kwamba hakimu wa zamani alisifu ripoti ya mafuriko."),
        ("eng", EVENT, "The parties praised the old judge in Kezes."),
        ("deu", EVENT, "In Kezes lobten die Parteien den alten Richter."),
        ("som", EVENT, "Xisbiyadu garsooraha duug ayay Kezes ku ammaaneen."),
        ("fra", EVENT, "À Kezes, les partis ont salué le vieux juge."),
        ("ita", EVENT, "A Kezes i partiti hanno lodato il vecchio giudice."),
        ("spa", EVENT, "En Kezes, los partidos elogiaron al viejo juez."),
        ("swa", EVENT, "Mjini Kezes, vyama vilisifu hakimu wa zamani."),
        ("fra", STATE, "Les routes étaient très vieilles."),
        ("ita", STATE, "Le strade erano molto vecchie."),
        ("spa", STATE, "Las carreteras eran muy viejas."),
        ("swa", STATE, "Barabara zilikuwa za zamani sana."),
        ("fra", ABOUT, "Quels articles traitent de l'arme et de juges ?"),
        ("ita", ABOUT, "Trova documenti sull'arma e su giudici."),
        ("spa", ABOUT, "¿Qué noticias tratan del arma y de unos jueces?"),
        ("swa", ABOUT, "Ni habari gani zinazozungumzia silaha na mahakimu?"),
        ("fra", HOW, "Trouver des documents qui expliquent comment l'école a salué les armes."),
        ("ita", HOW, "Quali notizie dicono che la scuola ha lodato le armi?"),
        ("spa", HOW, "Encontrar documentos que expliquen cómo la escuela elogió las armas."),
        ("swa", HOW, "Tafuta habari zinazoeleza jinsi shule ilivyosifu silaha."),
        ("fra", COUNT, "Il y avait 18 juges à Kezes."),
        ("ita", COUNT, "C'erano 18 giudici a Kezes."),
        ("spa", COUNT, "Había 18 jueces en Kezes."),
        ("swa", COUNT, "Kulikuwa na mahakimu 18 mjini Kezes."),
    ],
)
def test_word_order_agreement_and_endings(language: str, sentence: Sentence, expected: str) -> None:
    """Each language puts a plan in its own order; templates are drawn, the expected one among them."""
    writer = Writer(LANGUAGES[language], _lexicon(language), Dice(1, "order"))
    assert expected in {writer.write(sentence) for _ in range(60)}


@pytest.mark.parametrize(
    ("language", "noun", "plural", "definite", "adjective", "form", "expected"),
    [
        ("eng", Lemma("city"), True, True, None, "", "the cities"),
        ("eng", Lemma("box"), True, True, None, "bare", "boxes"),
        ("eng", Lemma("tooth", "", "teeth"), True, True, None, "", "the teeth"),
        ("deu", Lemma("Baum", "m", "Bäume"), True, True, None, "dat", "den Bäumen"),
        ("deu", Lemma("Soldat", "m", "-en"), False, True, None, "acc", "den Soldaten"),
        ("deu", Lemma("Brücke", "f", "-n"), False, True, None, "dat", "der Brücke"),
        ("som", Lemma("buug", "m"), False, True, None, "obj", "buugga"),
        ("som", Lemma("dawlad", "f"), False, True, None, "sub", "dawladdu"),
        ("som", Lemma("doorasho", "f"), False, True, None, "obj", "doorashada"),
        ("som", Lemma("garsoore", "m"), True, True, None, "obj", "garsoorayaasha"),
        ("som", Lemma("kayn", "f"), False, True, None, "bare", "kayn"),
        ("fra", Lemma("arbre", "m"), False, True, Lemma("vieux", "vieille", "vieil"), "", "le vieil arbre"),
        ("fra", Lemma("arbre", "m"), True, False, Lemma("vieux", "vieille", "vieil"), "", "de vieux arbres"),
        ("fra", Lemma("journal", "m"), True, True, Lemma("local"), "de", "des journaux locaux"),
        ("fra", Lemma("île", "f"), False, True, Lemma("public", "publique"), "de", "de l'île publique"),
        ("fra", Lemma("bateau", "m"), True, False, Lemma("dangereux"), "que", "que des bateaux dangereux"),
        ("fra", Lemma("usine", "f"), False, False, None, "que", "qu'une usine"),
        ("ita", Lemma("sciopero", "m"), True, True, Lemma("lungo", "", "pre"), "su", "sui lunghi scioperi"),
        ("ita", Lemma("sciopero", "m"), False, True, None, "di", "dello sciopero"),
        ("ita", Lemma("isola", "f"), False, False, None, "", "un'isola"),
        ("ita", Lemma("banca", "f"), True, False, Lemma("pubblico"), "", "delle banche pubbliche"),
        ("ita", Lemma("medico", "m", "medici"), True, True, Lemma("antico", "antichi"), "", "i medici antichi"),
        ("ita", Lemma("città", "f"), True, True, Lemma("grande", "", "pre"), "di", "delle grandi città"),
        ("spa", Lemma("arma", "fa"), False, True, Lemma("moderno"), "", "el arma moderna"),
        ("spa", Lemma("arma", "fa"), False, True, Lemma("nuevo", "", "pre"), "", "la nueva arma"),
        ("spa", Lemma("avión", "m"), True, False, Lemma("veloz"), "", "unos aviones veloces"),
        ("spa", Lemma("huelga", "f"), False, False, Lemma("grande", "gran", "pre"), "de", "de una gran huelga"),
        ("spa", Lemma("iglesia", "f"), True, False, None, "y_bare", "e iglesias"),
        ("spa", Lemma("juez", "mh"), True, True, None, "obj", "a los jueces"),
        ("spa", Lemma("tren", "m"), False, True, None, "obj", "el tren"),
        ("swa", Lemma("kitabu", "7.8", "vitabu"), True, True, Lemma("-pya"), "", "vitabu vipya"),
        ("swa", Lemma("mti", "3.4", "miti"), True, True, Lemma("-refu"), "", "miti mirefu"),
        ("swa", Lemma("meza", "9.10"), False, True, Lemma("-refu"), "", "meza ndefu"),
        ("swa", Lemma("gari", "5.6", "magari"), False, True, Lemma("-pya"), "", "gari jipya"),
        ("swa", Lemma("simba", "1.2"), True, True, Lemma("-dogo"), "", "simba wadogo"),
        ("swa", Lemma("chama", "7.8", "vyama"), True, True, Lemma("-a kigeni"), "", "vyama vya kigeni"),
        ("swa", Lemma("wimbo", "11.10", "nyimbo"), True, True, Lemma("-zuri"), "be", "zilikuwa"),
    ],
)
def test_noun_phrases(
    language: str, noun: Lemma, plural: bool, definite: bool, adjective: Lemma | None, form: str, expected: str
) -> None:
    assert LANGUAGES[language].noun_phrase(NounParts(noun, plural, definite, adjective, None), form) == expected


@pytest.mark.parametrize(
    ("language", "verb", "plural", "gender", "expected"),
    [
        ("fra", Lemma("vendre"), True, "m", "ont vendu"),
        ("fra", Lemma("ouvrir", "ouvert"), False, "f", "a ouvert"),
        ("ita", Lemma("chiudere", "chiuso"), True, "f", "hanno chiuso"),
        ("ita", Lemma("seguire"), False, "m", "ha seguito"),
        ("spa", Lemma("construir", "construyó"), True, "m", "construyeron"),
        ("spa", Lemma("traer", "trajo"), True, "m", "trajeron"),
        ("spa", Lemma("detener", "detuvo"), True, "m", "detuvieron"),
        ("spa", Lemma("vender"), False, "m", "vendió"),
        ("swa", Lemma("jenga"), False, "5.6", "lilijenga"),
        ("swa", Lemma("jenga"), True, "11.10", "zilijenga"),
    ],
)
def test_past_of_verbs(language: str, verb: Lemma, plural: bool, gender: str, expected: str) -> None:
    assert LANGUAGES[language].verb(verb, "past", plural, gender) == expected


@pytest.mark.parametrize(
    ("language", "fault"),
    [
        ("fra", r"\b(le|la|de|que|du) [aeiouéèêâîô]\w*"),
        ("fra", r"\bde (le|les) |\bà (le|les) |\b[ld]'[bcdfgjklmnpqrstvwxz]"),
        ("ita", r"\b(il|la|lo|del|della|dello|sul|sulla|una) [aeiouàèéìòù]"),
        (
            "ita",
            r"\b(il|del|sul|un) (z|gn|s[bcdfglmnpqrtv])|\blo (?!z|gn|ps|x|y|s[^aeiou])|\bdi (il|lo|la|i|gli|le|l') ",
        ),
        ("spa", r"\b(de|a) el |\by (i|hi[^e])\w*|\bla (arma|hambre|ave)\b|\belas\b"),
        ("swa", r"(^| )-\w|\b(li|zi|vi|ki)li(li|zi|vi|ki)|\bkuku\b"),
    ],
)
def test_words_are_joined_as_the_language_joins_them(language: str, fault: str) -> None:
    texts = [content_of(COMMITTED / f"bitext.{language}-eng.{language}.gz").decode()]
    texts += [topic.text() for topic in topics_of(language)]
    # words that were dropped from a line of the parallel text leave neighbours that never met: whole lines only
    lines = [line for text in texts for line in text.split("\n") if line.endswith((".", "?"))]
    assert len(lines) > 1000
    found = [line for line in lines if re.search(fault, line)]
    assert len(found) / len(lines) < 0.004, found[:5]


@pytest.mark.parametrize("language", ["eng", "deu", "fra", "ita", "spa"])
def test_documents_hold_no_slots_and_no_notes_of_the_lexicon(language: str) -> None:
    for id, text in documents_of(language).items():
        assert not re.search(r"[{}]|\b\d+\.\d+\b|:\w+:|\||(^| )-", text.replace("(ats & ansa)", "")), id


@pytest.mark.parametrize("language", ["som", "swa", "fra", "ita", "spa"])
def test_parallel_text_holds_no_slots_and_no_notes_of_the_lexicon(language: str) -> None:
    text = content_of(COMMITTED / f"bitext.{language}-eng.{language}.gz").decode()
    assert not re.search(r"[{}|]|\b\d+\.\d+\b|:\w+:| -", text)


def test_slots_of_all_languages_are_those_of_the_plans() -> None:
    """A template that needs what no plan of its frame has would never be drawn."""
    english = LANGUAGES["eng"].templates
    for code, language in LANGUAGES.items():
        for frame, templates in language.templates.items():
            needed = {frozenset(slot for slot, _ in SLOT.findall(text)) for text in templates}
            known = {frozenset(slot for slot, _ in SLOT.findall(text)) for text in english[frame]}
            assert needed >= known, (code, frame)
            assert needed <= known | {frozenset("SVOT"), frozenset("SVOPT")}, (code, frame)


@pytest.mark.parametrize(("language", "letters"), [("fra", "éèêçôœ"), ("ita", "àèùì"), ("spa", "áéíóúñ")])
def test_diacritics_are_there(language: str, letters: str) -> None:
    text = content_of(COMMITTED / f"bitext.{language}-eng.{language}.gz").decode()
    assert [letter for letter in letters if letter not in text] == []
