"""Italian: articles by the sound that follows, joined to prepositions; plurals in -i and -e; the compound past."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

# Nouns: word:gender:plural where it is irregular. Verbs: infinitive:past participle where it is irregular.
# Adjectives: word:masculine plural where it is irregular:"pre" for those before the noun.
CORE = read_core("""
election=elezione:f|votazione:f; government=governo:m; president=presidente:m; minister=ministro:m
parliament=parlamento:m|camera:f; party=partito:m; vote=voto:m|suffragio:m; war=guerra:f|conflitto:m
soldier=soldato:m|militare:m; army=esercito:m; weapon=arma:f:armi; attack=attacco:m|attentato:m
border=confine:m|frontiera:f; peace=pace:f; hospital=ospedale:m|clinica:f; disease=malattia:f|morbo:m
doctor=medico:m:medici|dottore:m; medicine=farmaco:m:farmaci|medicina:f; patient=paziente:m|malato:m; nurse=infermiere:m
health=salute:f|sanità:f; school=scuola:f; teacher=insegnante:m|maestro:m; student=studente:m|allievo:m
book=libro:m|volume:m; university=università:f|ateneo:m; exam=esame:m|prova:f; class=classe:f; farm=fattoria:f|podere:m
farmer=agricoltore:m|contadino:m; livestock=bestiame:m; drought=siccità:f; harvest=raccolto:m|mietitura:f
seed=seme:m|semente:f; grain=grano:m|frumento:m; bank=banca:f|istituto:m; money=denaro:m; market=mercato:m
company=impresa:f|azienda:f; trade=commercio:m; price=prezzo:m; tax=tassa:f|imposta:f; worker=operaio:m|lavoratore:m
wage=salario:m|stipendio:m; factory=fabbrica:f|stabilimento:m; union=sindacato:m; job=posto:m|impiego:m
employer=imprenditore:m; strike=sciopero:m; road=strada:f|via:f; car=automobile:f|macchina:f; train=treno:m
bridge=ponte:m; airport=aeroporto:m|scalo:m; driver=autista:m|conducente:m; ticket=biglietto:m; ship=nave:f
port=porto:m; fisherman=pescatore:m; boat=barca:f|battello:m; sea=mare:m; coast=costa:f|litorale:m; sailor=marinaio:m
court=tribunale:m|corte:f; judge=giudice:m|magistrato:m; law=legge:f|diritto:m; prison=prigione:f|carcere:m
thief=ladro:m; police=polizia:f; lawyer=avvocato:m|legale:m; game=partita:f|gioco:m; player=giocatore:m|calciatore:m
team=squadra:f; cup=coppa:f; victory=vittoria:f; coach=allenatore:m; stadium=stadio:m; forest=foresta:f|bosco:m
tree=albero:m; animal=animale:m|bestia:f; river=fiume:m; rain=pioggia:f:piogge; flood=alluvione:f|inondazione:f
climate=clima:m; oil=petrolio:m; gas=gas:m; electricity=elettricità:f; mine=miniera:f; fuel=carburante:m|combustibile:m
coal=carbone:m; power-station=centrale:f; song=canzone:f|canto:m; singer=cantante:m; film=film:m|pellicola:f
music=musica:f; artist=artista:m; theatre=teatro:m; dance=danza:f|ballo:m; newspaper=giornale:m|quotidiano:m
radio=radio:f:radio; television=televisione:f; journalist=giornalista:m|cronista:m; letter=lettera:f|missiva:f
telephone=telefono:m; computer=computer:m|calcolatore:m; mosque=moschea:f; church=chiesa:f; prayer=preghiera:f
religion=religione:f|fede:f; priest=prete:m|sacerdote:m; pilgrim=pellegrino:m; feast=festa:f
refugee=profugo:m|rifugiato:m; camp=campo:m; aid=aiuto:m|soccorso:m; tent=tenda:f; hunger=fame:f; family=famiglia:f
orphan=orfano:m; seal-stamp=sigillo:m|timbro:m; paragraph=paragrafo:m|comma:m; chair=sedia:f; knife=coltello:m
horse=cavallo:m; castle=castello:m; malaria=malaria:f; measles=morbillo:m; tuberculosis=tubercolosi:f; vaccine=vaccino:m
tooth=dente:m; heart=cuore:m; blood=sangue:m; jaw=mascella:f|mandibola:f; table=tavolo:m; clock=orologio:m
bat-animal=pipistrello:m; camel=cammello:m|dromedario:m; goat=capra:f; sheep=pecora:f; donkey=asino:m
maize=mais:m|granturco:m; banana=banana:f; coffee=caffè:m; tea=tè:m; sugar=zucchero:m; milk=latte:m; honey=miele:m
pear=pera:f; rooster=gallo:m; salt=sale:m; gold=oro:m; heel=tacco:m; needle=ago:m; clay=argilla:f|creta:f
spring-coil=molla:f; donkey-cart=carro:m|carretto:m; tunnel=galleria:f|tunnel:m; island=isola:f; rope=corda:f|fune:f
crane-machine=gru:f; seal-animal=foca:f; key=chiave:f; door=porta:f; lock=serratura:f; ball=palla:f|pallone:m
bat-club=mazza:f; elephant=elefante:m; lion=leone:m; snake=serpente:m; bird=uccello:m; bee=ape:f
locust=locusta:f|cavalletta:f; mosquito=zanzara:f; mountain=montagna:f|monte:m; cave=grotta:f|caverna:f; well=pozzo:m
crane-bird=gru:f; pine=pino:m; spring-water=sorgente:f|fonte:f; bulb=lampadina:f; wind=vento:m; sun=sole:m
mirror=specchio:m; hat=cappello:m; sound=suono:m; cable=cavo:m; bench=panca:f; bell=campana:f; bread=pane:m; rice=riso:m
meat=carne:f; bed=letto:m; tap=rubinetto:m; people=persona:f; city=città:f; village=villaggio:m|paese:m
report=rapporto:m|relazione:f; problem=problema:m; agreement=accordo:m|patto:m; meeting=riunione:f|incontro:m
plan=piano:m|progetto:m; group=gruppo:m; decision=decisione:f; danger=pericolo:m|rischio:m
group-leader=capo:m|dirigente:m; build=costruire; destroy=distruggere:distrutto; sell=vendere; buy=comprare|acquistare
close=chiudere:chiuso; open=aprire:aperto; support=sostenere|appoggiare; criticise=criticare
examine=esaminare|verificare; visit=visitare; repair=riparare|aggiustare; protect=proteggere:protetto|difendere:difeso
find=trovare|scoprire:scoperto; lose=perdere:perso; send=mandare|inviare; bring=portare|consegnare
stop=fermare|bloccare; need=richiedere:richiesto; discuss=discutere:discusso|dibattere; save=salvare|soccorrere:soccorso
show=mostrare|presentare; use=usare|utilizzare; change=cambiare|modificare; follow=seguire; praise=lodare|elogiare
refuse=rifiutare|respingere:respinto; count=contare; share=condividere:condiviso; burn=bruciare
steal=rubare|sottrarre:sottratto; plant=piantare; wash=lavare|pulire; watch=osservare|sorvegliare; new=nuovo::pre
old=vecchio::pre|antico:antichi; big=grande::pre; small=piccolo::pre; important=importante|rilevante
dangerous=pericoloso; cheap=economico|conveniente; long=lungo::pre; short=breve|corto; strong=forte|robusto; weak=debole
rich=ricco; poor=povero; clean=pulito; dirty=sporco; quick=rapido|veloce; slow=lento; local=locale
foreign=straniero|estero; public=pubblico; modern=moderno; heavy=pesante; beautiful=splendido|meraviglioso; empty=vuoto
""")

TEMPLATES = {
    "headline": ("{S} {V:past} {O}", "{S} {S:want} {V} {O}"),
    "headline_about": ("{X} e {W}", "{W:bare}: il punto {X:su}"),
    "event": (
        "{S} {V:past} {O}.",
        "{S} {V:past} {O} a {P}.",
        "A {P} {S} {V:past} {O}.",
        "{S} {V:past} {O} {T}.",
        "{T} {S} {V:past} {O}.",
        "{T} {S} {V:past} {O} a {P}.",
        "{S} {V:past} {O} {T} a {P}.",
    ),
    "said": (
        "{N} ha detto che {S} {V:past} {O}.",
        "{S} {V:past} {O}, ha dichiarato {N}.",
        "Secondo {N}, {S} {V:past} {O}.",
    ),
    "because": (
        "{S} {V:past} {O} perché {S2} {S2:be} troppo {A}.",
        "Poiché {S2} {S2:be} troppo {A}, {S} {V:past} {O}.",
    ),
    "state": (
        "{S} {S:be} molto {A}.",
        "Molti hanno detto che {S} {S:be} {A}.",
        "Tutti sapevano che {S} {S:be} {A}.",
    ),
    "count": (
        "C'erano {K} {S:bare} a {P}.",
        "{N} ha visto {K} {S:bare} a {P}.",
        "A {P} c'erano circa {K} {S:bare}.",
    ),
    "plan": ("{S} {S:want} {V} {O}.", "{S} {S:want} {V} al più presto {O}."),
    "concern": (
        "{N} ha parlato {X:di}.",
        "Per {N} si trattava soltanto {X:di}.",
        "{N} aveva molte domande {X:su}.",
    ),
    "between": ("{X} e {W} hanno molto in comune.", "Si tratta {X:di} e {W:di}."),
    "unlike": (
        "A differenza {X:di}, {S} {V:past} {O}.",
        "{S} {V:past} {O}, ma non si trattava {X:di}.",
    ),
    "instead": ("{S} {V:past} {O} al posto {X:di}.", "Invece {X:di}, {S} {V:past} {O}."),
    "title": ("{X:bare} e {W:bare}", "{X:bare} e {W:bare} a {P}"),
    "title_event": ("{S:any} {V:past} {O}", "{S:any} {V:past} {O} a {P}"),
    "want_about": ("Trova documenti {X:su} e {W:su}.", "Quali notizie parlano {X:di} e {W:di}?"),
    "want_event": (
        "Trova documenti che spiegano come {S} {V:past} {O}.",
        "Quali notizie dicono che {S} {V:past} {O}?",
    ),
    "narrative": ("Un documento pertinente deve parlare {X:di}.",),
}

# The sound that follows: consonant, vowel, or one that takes "lo".
ARTICLES = {
    ("m", False): {"c": "il ", "v": "l'", "s": "lo "},
    ("m", True): {"c": "i ", "v": "gli ", "s": "gli "},
    ("f", False): {"c": "la ", "v": "l'", "s": "la "},
    ("f", True): {"c": "le ", "v": "le ", "s": "le "},
}
ONE = {"m": {"c": "un ", "v": "un ", "s": "uno "}, "f": {"c": "una ", "v": "un'", "s": "una "}}
JOINED = {"il ": "l ", "l'": "ll'", "lo ": "llo ", "la ": "lla ", "i ": "i ", "gli ": "gli ", "le ": "lle "}


def _sound(word: str) -> str:
    if word[0].lower() in "aeiouàèéìòùh":
        return "v"
    if word.startswith(("z", "gn", "ps", "x", "y")) or (word[0] == "s" and word[1:2] not in "aeiouàèéìòù"):
        return "s"
    return "c"


def _plural(word: str, gender: str) -> str:
    if word[-1] not in "aeo":
        return word
    stem = word[:-1]
    if word.endswith(("ca", "ga")) and gender == "f":
        return stem + "he"
    if word[-1] == "a" and gender == "f":
        return stem + "e"
    if word.endswith("io"):
        return stem
    return stem + ("hi" if stem.endswith(("c", "g")) and word[-1] != "e" else "i")


def _agree(adjective: Lemma, gender: str, plural: bool) -> str:
    word = adjective.word
    if word.endswith("o"):
        if gender == "f":
            return _plural(word[:-1] + "a", "f") if plural else word[:-1] + "a"
        if plural and (adjective.gender or word.endswith("ico")):  # the second field is the masculine plural
            return adjective.gender or word[:-1] + "i"
    return _plural(word, "m") if plural else word


def _noun_phrase(parts: NounParts, form: str) -> str:
    plural, gender = parts.plural, parts.noun.gender
    if form == "be":
        return "erano" if plural else "era"
    if form == "want":
        return "vogliono" if plural else "vuole"
    if form == "any":  # the subject of a title: several of them, or the stuff as such
        return _noun_phrase(parts._replace(definite=not plural), "")
    words = [(parts.noun.form or _plural(parts.noun.word, gender)) if plural else parts.noun.word]
    if parts.modifier:
        words.append("di " + parts.modifier.word)
    if parts.adjective:
        quality = _agree(parts.adjective, gender, plural)
        words.insert(0 if parts.adjective.form == "pre" else len(words), quality)
    core = " ".join(words)
    return core if form == "bare" else _with_article(core, gender, plural, parts.definite, form)


def _with_article(core: str, gender: str, plural: bool, definite: bool, form: str) -> str:
    sound = _sound(core)
    article = ARTICLES[gender, plural][sound]
    if not definite:
        if form:
            return f"{form} " + ("" if plural else ONE[gender][sound]) + core
        return ("de" + JOINED[article] if plural else ONE[gender][sound]) + core
    if form:  # di, su
        return {"di": "de", "su": "su"}[form] + JOINED[article] + core
    return article + core


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    if form != "past":
        return verb.word
    regular = {"are": "ato", "ere": "uto", "ire": "ito"}
    return ("hanno " if plural else "ha ") + (verb.gender or verb.word[:-3] + regular[verb.word[-3:]])


def _predicate(adjective: Lemma, bearer: NounParts | None) -> str:
    return _agree(adjective, bearer.noun.gender, bearer.plural) if bearer else adjective.word


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    if kind != "noun":
        return Lemma(word)
    return Lemma(word, "f" if word.endswith(("a", "tà", "zione")) else "m")


ITA = Language(
    code="ita",
    syllables=Syllables(
        onsets="b br c cr d f fr g gr l m n p pr qu r s sc sp st str t tr v z",
        nuclei="a e i o u a e i o ia io",
        links="b d g l m n nd p r rt s st t v mp lt ll tt",
        codas="n r l m t nn rr gn bb v d",
        endings={
            "noun": "o a ello etta azione aggio ura ino one iera ità",
            "verb": "are are ire",
            "adjective": "oso ivo ale ico ente ardo",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=_predicate,
    templates=TEMPLATES,
    weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    cognates=0.12,
)
