"""German: verb second in main clauses and last in subordinate ones; three genders, four cases, compounds."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

# Nouns: word:gender:plural (whole, or an ending after -). Verbs: infinitive:past. Adjectives: stem.
CORE = read_core("""
election=Wahl:f:-en|Abstimmung:f:-en; government=Regierung:f:-en; president=Präsident:m:-en; minister=Minister:m:-
parliament=Parlament:n:-e; party=Partei:f:-en; vote=Stimme:f:-n; war=Krieg:m:-e; soldier=Soldat:m:-en
army=Armee:f:-n|Heer:n:-e; weapon=Waffe:f:-n; attack=Angriff:m:-e|Anschlag:m:Anschläge; border=Grenze:f:-n
peace=Frieden:m:-; hospital=Krankenhaus:n:Krankenhäuser|Klinik:f:-en; disease=Krankheit:f:-en
doctor=Arzt:m:Ärzte|Doktor:m:-en; medicine=Medikament:n:-e|Arznei:f:-en; patient=Patient:m:-en; nurse=Pfleger:m:-
health=Gesundheit:f:-en; school=Schule:f:-n; teacher=Lehrer:m:-; student=Schüler:m:-; book=Buch:n:Bücher
university=Universität:f:-en|Hochschule:f:-n; exam=Prüfung:f:-en|Examen:n:-; class=Klasse:f:-n
farm=Hof:m:Höfe|Bauernhof:m:Bauernhöfe; farmer=Bauer:m:-n|Landwirt:m:-e; livestock=Vieh:n:-
drought=Dürre:f:-n|Trockenheit:f:-en; harvest=Ernte:f:-n; seed=Saat:f:-en; grain=Getreide:n:-; bank=Bank:f:-en
money=Geld:n:-er; market=Markt:m:Märkte; company=Firma:f:Firmen|Unternehmen:n:-; trade=Handel:m:-; price=Preis:m:-e
tax=Steuer:f:-n|Abgabe:f:-n; worker=Arbeiter:m:-; wage=Lohn:m:Löhne|Gehalt:n:Gehälter; factory=Fabrik:f:-en|Werk:n:-e
union=Gewerkschaft:f:-en; job=Stelle:f:-n|Arbeitsplatz:m:Arbeitsplätze; employer=Arbeitgeber:m:-
strike=Streik:m:-s|Ausstand:m:Ausstände; road=Straße:f:-n|Weg:m:-e; car=Auto:n:-s|Wagen:m:-
train=Zug:m:Züge|Bahn:f:-en; bridge=Brücke:f:-n; airport=Flughafen:m:Flughäfen; driver=Fahrer:m:-
ticket=Fahrkarte:f:-n|Karte:f:-n; ship=Schiff:n:-e; port=Hafen:m:Häfen; fisherman=Fischer:m:-
boat=Boot:n:-e|Kahn:m:Kähne; sea=Meer:n:-e|See:f:-n; coast=Küste:f:-n; sailor=Matrose:m:-n|Seemann:m:Seeleute
court=Gericht:n:-e; judge=Richter:m:-; law=Gesetz:n:-e|Recht:n:-e; prison=Gefängnis:n:-se; thief=Dieb:m:-e
police=Polizei:f:-en; lawyer=Anwalt:m:Anwälte; game=Spiel:n:-e; player=Spieler:m:-; team=Mannschaft:f:-en
cup=Pokal:m:-e; victory=Sieg:m:-e; coach=Trainer:m:-; stadium=Stadion:n:Stadien; forest=Wald:m:Wälder
tree=Baum:m:Bäume; animal=Tier:n:-e; river=Fluss:m:Flüsse|Strom:m:Ströme; rain=Regen:m:-
flood=Flut:f:-en|Hochwasser:n:-; climate=Klima:n:-s; oil=Öl:n:-e; gas=Gas:n:-e
electricity=Strom:m:Ströme|Elektrizität:f:-en; mine=Bergwerk:n:-e|Mine:f:-n; fuel=Treibstoff:m:-e; coal=Kohle:f:-n
power-station=Kraftwerk:n:-e; song=Lied:n:-er; singer=Sänger:m:-; film=Film:m:-e; music=Musik:f:-en
artist=Künstler:m:-; theatre=Theater:n:-|Bühne:f:-n; dance=Tanz:m:Tänze; newspaper=Zeitung:f:-en|Blatt:n:Blätter
radio=Rundfunk:m:-e|Radio:n:-s; television=Fernsehen:n:-; journalist=Journalist:m:-en|Reporter:m:-; letter=Brief:m:-e
telephone=Telefon:n:-e; computer=Rechner:m:-|Computer:m:-; mosque=Moschee:f:-n; church=Kirche:f:-n; prayer=Gebet:n:-e
religion=Religion:f:-en|Glaube:m:-n; priest=Priester:m:-; pilgrim=Pilger:m:-; feast=Fest:n:-e
refugee=Flüchtling:m:-e; camp=Lager:n:-; aid=Hilfe:f:-n; tent=Zelt:n:-e; hunger=Hunger:m:-; family=Familie:f:-n
orphan=Waise:f:-n; seal-stamp=Siegel:n:-; paragraph=Absatz:m:Absätze; chair=Stuhl:m:Stühle; knife=Messer:n:-
horse=Pferd:n:-e|Ross:n:-e; castle=Schloss:n:Schlösser; malaria=Malaria:f:-; measles=Masern:p:-
tuberculosis=Tuberkulose:f:-n; vaccine=Impfstoff:m:-e; tooth=Zahn:m:Zähne; heart=Herz:n:-en; blood=Blut:n:-
jaw=Kiefer:m:-; table=Tisch:m:-e; clock=Uhr:f:-en; bat-animal=Fledermaus:f:Fledermäuse; camel=Kamel:n:-e
goat=Ziege:f:-n; sheep=Schaf:n:-e; donkey=Esel:m:-; maize=Mais:m:-; banana=Banane:f:-n; coffee=Kaffee:m:-s
tea=Tee:m:-s; sugar=Zucker:m:-; milk=Milch:f:-; honey=Honig:m:-e; pear=Birne:f:-n; rooster=Hahn:m:Hähne
salt=Salz:n:-e; gold=Gold:n:-; heel=Absatz:m:Absätze; needle=Nadel:f:-n; clay=Ton:m:Töne; spring-coil=Feder:f:-n
donkey-cart=Karren:m:-; tunnel=Tunnel:m:-; island=Insel:f:-n|Eiland:n:-e; rope=Seil:n:-e|Tau:n:-e
crane-machine=Kran:m:Kräne; seal-animal=Robbe:f:-n; key=Schlüssel:m:-; door=Tür:f:-en|Pforte:f:-n
lock=Schloss:n:Schlösser; ball=Ball:m:Bälle; bat-club=Schläger:m:-; elephant=Elefant:m:-en; lion=Löwe:m:-n
snake=Schlange:f:-n; bird=Vogel:m:Vögel; bee=Biene:f:-n; locust=Heuschrecke:f:-n; mosquito=Mücke:f:-n|Moskito:m:-s
mountain=Berg:m:-e|Gebirge:n:-; cave=Höhle:f:-n; well=Brunnen:m:-; crane-bird=Kranich:m:-e; pine=Kiefer:f:-n
spring-water=Quelle:f:-n; bulb=Birne:f:-n; wind=Wind:m:-e; sun=Sonne:f:-n; mirror=Spiegel:m:-; hat=Hut:m:Hüte
sound=Ton:m:Töne|Klang:m:Klänge; cable=Kabel:n:-; bench=Bank:f:Bänke; bell=Glocke:f:-n; bread=Brot:n:-e
rice=Reis:m:-; meat=Fleisch:n:-; bed=Bett:n:-en; tap=Hahn:m:Hähne; people=Leute:p:-|Menschen:p:-; city=Stadt:f:Städte
village=Dorf:n:Dörfer; report=Bericht:m:-e; problem=Problem:n:-e; agreement=Abkommen:n:-|Vertrag:m:Verträge
meeting=Treffen:n:-|Sitzung:f:-en; plan=Plan:m:Pläne; group=Gruppe:f:-n
decision=Entscheidung:f:-en|Beschluss:m:Beschlüsse; danger=Gefahr:f:-en; group-leader=Leiter:m:-|Führer:m:-
build=bauen:baute|errichten:errichtete; destroy=zerstören:zerstörte; sell=verkaufen:verkaufte; buy=kaufen:kaufte
close=schließen:schloss|sperren:sperrte; open=öffnen:öffnete; support=unterstützen:unterstützte
criticise=kritisieren:kritisierte; examine=prüfen:prüfte|untersuchen:untersuchte; visit=besuchen:besuchte
repair=reparieren:reparierte|flicken:flickte; protect=schützen:schützte; find=finden:fand|entdecken:entdeckte
lose=verlieren:verlor; send=schicken:schickte|senden:sandte; bring=bringen:brachte|liefern:lieferte
stop=stoppen:stoppte; need=brauchen:brauchte|benötigen:benötigte; discuss=besprechen:besprach|erörtern:erörterte
save=retten:rettete; show=zeigen:zeigte; use=benutzen:benutzte|nutzen:nutzte; change=ändern:änderte
follow=verfolgen:verfolgte; praise=loben:lobte; refuse=verweigern:verweigerte; count=zählen:zählte
share=teilen:teilte; burn=verbrennen:verbrannte; steal=stehlen:stahl; plant=pflanzen:pflanzte
wash=waschen:wusch|reinigen:reinigte; watch=beobachten:beobachtete; new=neu; old=alt; big=groß; small=klein
important=wichtig; dangerous=gefährlich; cheap=billig|günstig; long=lang; short=kurz; strong=stark; weak=schwach
rich=reich; poor=arm; clean=sauber; dirty=schmutzig; quick=schnell|rasch; slow=langsam; local=örtlich
foreign=fremd|ausländisch; public=öffentlich; modern=modern; heavy=schwer; beautiful=schön; empty=leer
""")

TEMPLATES = {
    "headline": ("{S:bare} {V:past} {O:bare_acc}", "{S:bare} {S:want} {O:bare_acc} {V}"),
    "headline_about": ("{X:bare} und {W:bare}", "{W:bare}: Fragen zu {X:dat}"),
    "event": (
        "{S:nom} {V:past} {O:acc}.",
        "{S:nom} {V:past} {O:acc} in {P}.",
        "In {P} {V:past} {S:nom} {O:acc}.",
        "Am {T} {V:past} {S:nom} {O:acc}.",
        "{O:acc} {V:past} {S:nom} am {T}.",
        "Am {T} {V:past} {S:nom} in {P} {O:acc}.",
    ),
    "said": (
        "{N} sagte, dass {S:nom} {O:acc} {V:past}.",
        "{S:nom} {V:past} {O:acc}, wie {N} sagte.",
        "Nach Angaben von {N} {V:past} {S:nom} {O:acc}.",
    ),
    "because": (
        "{S:nom} {V:past} {O:acc}, weil {S2:nom} zu {A} {S2:be}.",
        "Da {S2:nom} zu {A} {S2:be}, {V:past} {S:nom} {O:acc}.",
    ),
    "state": (
        "{S:nom} {S:be} sehr {A}.",
        "Viele sagten, dass {S:nom} {A} {S:be}.",
        "Niemand bezweifelt, dass {S:nom} {A} {S:be}.",
    ),
    "count": ("In {P} gab es {K} {S:bare}.", "{N} sah {K} {S:bare_acc} in {P}.", "Etwa {K} {S:bare} waren in {P}."),
    "plan": ("{S:nom} {S:want} {O:acc} {V}.", "Bald {S:want} {S:nom} {O:acc} {V}."),
    "concern": ("{N} sprach über {X:acc}.", "Für {N} ging es nur um {X:acc}.", "{N} hatte viele Fragen zu {X:dat}."),
    "between": ("{X:nom} und {W:nom} haben viel miteinander zu tun.", "Es geht um {X:acc} und {W:acc}."),
    "unlike": (
        "Anders als {X:nom} {V:past} {S:nom} {O:acc}.",
        "{S:nom} {V:past} {O:acc}, aber dabei ging es nicht um {X:acc}.",
    ),
    "instead": ("{S:nom} {V:past} {O:acc} anstelle von {X:dat}.", "Statt mit {X:dat} {V:past} {S:nom} {O:acc}."),
    "title": ("{X:bare} und {W:bare}", "{X:bare} und {W:bare} in {P}"),
    "title_event": ("{S:bare} {V:past} {O:bare_acc}", "{S:bare} {V:past} {O:bare_acc} in {P}"),
    "want_about": (
        "Gesucht sind Berichte über {X:acc} und {W:acc}.",
        "Welche Meldungen handeln von {X:dat} und von {W:dat}?",
    ),
    "want_event": (
        "Gesucht sind Berichte, wie {S:nom} {O:acc} {V:past}.",
        "Welche Meldungen sagen, dass {S:nom} {O:acc} {V:past}?",
    ),
    "narrative": ("Ein relevanter Bericht sagt etwas über {X:acc}.",),
}

DEFINITE = {
    "nom": {"m": "der", "f": "die", "n": "das", "p": "die"},
    "acc": {"m": "den", "f": "die", "n": "das", "p": "die"},
    "dat": {"m": "dem", "f": "der", "n": "dem", "p": "den"},
}
INDEFINITE = {
    "nom": {"m": "ein", "f": "eine", "n": "ein", "p": ""},
    "acc": {"m": "einen", "f": "eine", "n": "ein", "p": ""},
    "dat": {"m": "einem", "f": "einer", "n": "einem", "p": ""},
}
STRONG = {  # adjective endings without an article that shows the gender
    "nom": {"m": "er", "f": "e", "n": "es", "p": "e"},
    "acc": {"m": "en", "f": "e", "n": "es", "p": "e"},
    "dat": {"m": "en", "f": "en", "n": "en", "p": "en"},
}


def _noun_phrase(parts: NounParts, form: str) -> str:
    kind = "p" if parts.plural or parts.noun.gender == "p" else parts.noun.gender
    if form == "be":
        return "waren" if kind == "p" else "war"
    if form == "want":
        return "wollen" if kind == "p" else "will"
    case = {"bare": "nom", "bare_acc": "acc"}.get(form, form)
    bare = form.startswith("bare")
    article = "" if bare else (DEFINITE if parts.definite else INDEFINITE)[case][kind]
    words = [article] if article else []
    if parts.adjective:
        weak = "e" if (case == "nom" and kind != "p") or (case == "acc" and kind in "fn") else "en"
        words.append(parts.adjective.word + (weak if article and parts.definite else STRONG[case][kind]))
    words.append(_noun(parts, kind, case))
    return " ".join(words)


def _noun(parts: NounParts, kind: str, case: str) -> str:
    noun = parts.noun
    word = noun.word
    if kind == "p":
        word = noun.word + noun.form[1:] if noun.form.startswith("-") else noun.form or noun.word
        if case == "dat" and not word.endswith(("n", "s")):
            word += "n"
    elif noun.gender == "m" and noun.form in ("-en", "-n") and case != "nom" and not word.endswith("or"):
        word += noun.form[1:]
    if parts.modifier:
        first = parts.modifier.word
        link = "s" if first.endswith(("ung", "heit", "keit", "schaft", "ing")) else "n" if first.endswith("e") else ""
        word = first + link + word[0].lower() + word[1:]
    return word


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    if form != "past":
        return verb.word
    past = verb.gender or verb.word.removesuffix("en") + "te"  # the second field of a verb is its past tense
    if plural or gender == "p":
        return past + ("n" if past.endswith("e") else "en")
    return past


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    if kind != "noun":
        return Lemma(word)
    if word.endswith(("e", "ung", "heit")):
        return Lemma(word.capitalize(), "f", "-n" if word.endswith("e") else "-en")
    if word.endswith("er"):
        return Lemma(word.capitalize(), "m", "-")
    if word.endswith(("ling", "ich")):
        return Lemma(word.capitalize(), "m", "-e")
    if word.endswith("nis"):
        return Lemma(word.capitalize(), "n", "-se")
    gender, plural = dice.weigh((("m", "-e"), ("n", "-e"), ("f", "-en"), ("n", "-er")), (4, 3, 2, 1))
    return Lemma(word.capitalize(), gender, plural)


DEU = Language(
    code="deu",
    syllables=Syllables(
        onsets="b br d dr f fl g gr h j k kl kn kr l m n p pf r s sch schl schw st str t tr w z zw",
        nuclei="a e i o u a e i o au ei ie ä ö ü",
        links="b d g l m n nd p r rt s st t f nk mp lt",
        codas="n r l m t ck ch ß rt ng ff b g lm st",
        endings={
            "noun": "e e er ung heit ling sal ich nis",
            "verb": "en eln ern",
            "adjective": "ig lich isch sam bar",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=lambda adjective, bearer: adjective.word,
    templates=TEMPLATES,
    weekdays=("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
    cognates=0.1,
)
