"""French: elision, contracted articles, agreement in gender and number, the compound past."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

# Nouns: word:gender:plural where it is irregular. Verbs: infinitive:past participle where it is irregular.
# Adjectives: word:feminine where it is irregular:place, which is "pre" for those before the noun; those with a form of
# their own before a vowel have that instead.
CORE = read_core("""
election=élection:f|scrutin:m; government=gouvernement:m; president=président:m; minister=ministre:m
parliament=parlement:m|assemblée:f; party=parti:m; vote=vote:m|suffrage:m; war=guerre:f|conflit:m
soldier=soldat:m|militaire:m; army=armée:f; weapon=arme:f; attack=attaque:f|attentat:m; border=frontière:f; peace=paix:f
hospital=hôpital:m|clinique:f; disease=maladie:f; doctor=médecin:m|docteur:m; medicine=médicament:m|remède:m
patient=patient:m|malade:m; nurse=infirmier:m; health=santé:f; school=école:f; teacher=enseignant:m|professeur:m
student=élève:m|étudiant:m; book=livre:m|œuvre:f; university=université:f; exam=examen:m|épreuve:f
class=classe:f|leçon:f; farm=ferme:f|exploitation:f; farmer=agriculteur:m|paysan:m; livestock=bétail:m
drought=sécheresse:f; harvest=récolte:f|moisson:f; seed=semence:f|graine:f; grain=blé:m; bank=banque:f; money=argent:m
market=marché:m; company=entreprise:f|société:f; trade=commerce:m; price=prix:m; tax=impôt:m|taxe:f
worker=ouvrier:m|travailleur:m; wage=salaire:m; factory=usine:f|fabrique:f; union=syndicat:m; job=emploi:m|poste:m
employer=employeur:m|patron:m; strike=grève:f; road=route:f|rue:f; car=voiture:f|automobile:f; train=train:m
bridge=pont:m; airport=aéroport:m; driver=conducteur:m|chauffeur:m; ticket=billet:m; ship=navire:m|vaisseau:m
port=port:m; fisherman=pêcheur:m; boat=bateau:m|barque:f; sea=mer:f; coast=côte:f|littoral:m; sailor=marin:m|matelot:m
court=tribunal:m|cour:f; judge=juge:m|magistrat:m; law=loi:f|droit:m; prison=prison:f; thief=voleur:m; police=police:f
lawyer=avocat:m; game=match:m|jeu:m; player=joueur:m; team=équipe:f; cup=coupe:f; victory=victoire:f; coach=entraîneur:m
stadium=stade:m; forest=forêt:f|bois:m; tree=arbre:m; animal=animal:m|bête:f; river=fleuve:m|rivière:f; rain=pluie:f
flood=inondation:f|crue:f; climate=climat:m; oil=pétrole:m; gas=gaz:m; electricity=électricité:f; mine=mine:f
fuel=carburant:m|combustible:m; coal=charbon:m; power-station=centrale:f; song=chanson:f|chant:m; singer=chanteur:m
film=film:m; music=musique:f; artist=artiste:m; theatre=théâtre:m; dance=danse:f; newspaper=journal:m|quotidien:m
radio=radio:f; television=télévision:f; journalist=journaliste:m|reporter:m; letter=lettre:f|courrier:m
telephone=téléphone:m; computer=ordinateur:m; mosque=mosquée:f; church=église:f; prayer=prière:f
religion=religion:f|foi:f; priest=prêtre:m|curé:m; pilgrim=pèlerin:m; feast=fête:f; refugee=réfugié:m; camp=camp:m
aid=aide:f; tent=tente:f; hunger=faim:f; family=famille:f; orphan=orphelin:m; seal-stamp=sceau:m|cachet:m
paragraph=paragraphe:m|alinéa:m; chair=chaise:f; knife=couteau:m; horse=cheval:m; castle=château:m
malaria=paludisme:m|malaria:f; measles=rougeole:f; tuberculosis=tuberculose:f; vaccine=vaccin:m; tooth=dent:f
heart=cœur:m; blood=sang:m; jaw=mâchoire:f; table=table:f; clock=horloge:f|pendule:f
bat-animal=chauve-souris:f:chauves-souris; camel=chameau:m|dromadaire:m; goat=chèvre:f; sheep=mouton:m|brebis:f
donkey=âne:m; maize=maïs:m; banana=banane:f; coffee=café:m; tea=thé:m; sugar=sucre:m; milk=lait:m; honey=miel:m
pear=poire:f; rooster=coq:m; salt=sel:m; gold=or:m; heel=talon:m; needle=aiguille:f; clay=argile:f|glaise:f
spring-coil=ressort:m; donkey-cart=charrette:f; tunnel=tunnel:m; island=île:f|îlot:m; rope=corde:f|cordage:m
crane-machine=grue:f; seal-animal=phoque:m; key=clé:f; door=porte:f; lock=serrure:f; ball=ballon:m|balle:f
bat-club=batte:f; elephant=éléphant:m; lion=lion:m; snake=serpent:m; bird=oiseau:m; bee=abeille:f
locust=criquet:m|sauterelle:f; mosquito=moustique:m; mountain=montagne:f|mont:m; cave=grotte:f|caverne:f; well=puits:m
crane-bird=grue:f; pine=pin:m; spring-water=source:f; bulb=ampoule:f; wind=vent:m; sun=soleil:m; mirror=miroir:m|glace:f
hat=chapeau:m; sound=son:m; cable=câble:m; bench=banc:m; bell=cloche:f; bread=pain:m; rice=riz:m; meat=viande:f
bed=lit:m; tap=robinet:m; people=personne:f|habitant:m; city=ville:f|cité:f; village=village:m|bourg:m; report=rapport:m
problem=problème:m; agreement=accord:m|traité:m; meeting=réunion:f|rencontre:f; plan=plan:m|projet:m; group=groupe:m
decision=décision:f; danger=danger:m|péril:m; group-leader=chef:m|dirigeant:m; build=construire:construit|bâtir
destroy=détruire:détruit; sell=vendre; buy=acheter|acquérir:acquis; close=fermer; open=ouvrir:ouvert
support=soutenir:soutenu|appuyer; criticise=critiquer; examine=examiner|étudier; visit=visiter; repair=réparer
protect=protéger; find=trouver|découvrir:découvert; lose=perdre; send=envoyer|expédier; bring=apporter|livrer
stop=arrêter|stopper; need=réclamer|demander; discuss=discuter|évoquer; save=sauver|secourir:secouru
show=montrer|présenter; use=utiliser|employer; change=changer|modifier; follow=suivre:suivi; praise=saluer|vanter
refuse=refuser|rejeter; count=compter; share=partager; burn=brûler; steal=voler|dérober; plant=planter
wash=laver|nettoyer; watch=observer|surveiller; new=nouveau:nouvelle:nouvel; old=vieux:vieille:vieil|ancien:ancienne:pre
big=grand::pre; small=petit::pre; important=important; dangerous=dangereux; cheap=abordable|économique
long=long:longue:pre; short=court|bref:brève; strong=fort|puissant; weak=faible; rich=riche|fortuné; poor=pauvre
clean=propre; dirty=sale; quick=rapide; slow=lent; local=local; foreign=étranger:étrangère; public=public:publique
modern=moderne; heavy=lourd; beautiful=beau:belle:bel; empty=vide
""")

TEMPLATES = {
    "headline": ("{S} {V:past} {O}", "{S} {S:want} {V} {O}"),
    "headline_about": ("{X} et {W}", "{W:bare} : le point sur {X}"),
    "event": (
        "{S} {V:past} {O}.",
        "{S} {V:past} {O} à {P}.",
        "À {P}, {S} {V:past} {O}.",
        "{S} {V:past} {O} {T}.",
        "{T}, {S} {V:past} {O}.",
        "{T}, {S} {V:past} {O} à {P}.",
        "{S} {V:past} {O} {T} à {P}.",
    ),
    "said": ("{N} a déclaré {S:que} {V:past} {O}.", "{S} {V:past} {O}, a dit {N}.", "Selon {N}, {S} {V:past} {O}."),
    "because": (
        "{S} {V:past} {O} parce {S2:que} {S2:be} trop {A}.",
        "Comme {S2} {S2:be} trop {A}, {S} {V:past} {O}.",
    ),
    "state": (
        "{S} {S:be} très {A}.",
        "Beaucoup ont dit {S:que} {S:be} {A}.",
        "Tout le monde savait {S:que} {S:be} {A}.",
    ),
    "count": (
        "Il y avait {K} {S:bare} à {P}.",
        "{N} a vu {K} {S:bare} à {P}.",
        "Environ {K} {S:bare} se trouvaient à {P}.",
    ),
    "plan": ("{S} {S:want} {V} {O}.", "{S} {S:want} bientôt {V} {O}."),
    "concern": (
        "{N} a parlé {X:de}.",
        "Pour {N}, il s'agissait seulement {X:de}.",
        "{N} avait beaucoup de questions sur {X}.",
    ),
    "between": ("{X} et {W} ont beaucoup en commun.", "Il s'agit {X:de} et {W:de}."),
    "unlike": (
        "À la différence {X:de}, {S} {V:past} {O}.",
        "{S} {V:past} {O}, mais il ne s'agissait pas {X:de}.",
    ),
    "instead": ("{S} {V:past} {O} au lieu {X:de}.", "Au lieu {X:de}, {S} {V:past} {O}."),
    "title": ("{X:bare} et {W:bare}", "{X:bare} et {W:bare} à {P}"),
    "title_event": ("{S:any} {V:past} {O}", "{S:any} {V:past} {O} à {P}"),
    "want_about": (
        "Trouver des documents sur {X} et {W}.",
        "Quels articles traitent {X:de} et {W:de} ?",
    ),
    "want_event": (
        "Trouver des documents qui expliquent comment {S} {V:past} {O}.",
        "Quels articles disent {S:que} {V:past} {O} ?",
    ),
    "narrative": ("Un document pertinent doit parler {X:de}.",),
}

VOWELS = frozenset("aeiouàâéèêëîïôöùûœ")


def _elides(word: str) -> bool:
    """Does ``le`` become ``l'`` before it? (No word here has an aspirated h.)"""
    return word[0].lower() in VOWELS or word[0] in "hH"


def _plural(word: str) -> str:
    if word.endswith(("s", "x", "z")):
        return word
    if word.endswith(("eau", "eu")):
        return word + "x"
    return word[:-2] + "aux" if word.endswith("al") else word + "s"


def _feminine(adjective: Lemma) -> str:
    word = adjective.word
    if adjective.gender or word.endswith("e"):  # the second field of an adjective is its feminine
        return adjective.gender or word
    for ending, feminine in (("eux", "euse"), ("if", "ive"), ("el", "elle")):
        if word.endswith(ending):
            return word.removesuffix(ending) + feminine
    return word + "e"


def _agree(adjective: Lemma, gender: str, plural: bool) -> str:
    word = _feminine(adjective) if gender == "f" else adjective.word
    return _plural(word) if plural else word


def _noun_phrase(parts: NounParts, form: str) -> str:
    plural, gender = parts.plural, parts.noun.gender
    if form == "be":
        return "étaient" if plural else "était"
    if form == "want":
        return "veulent" if plural else "veut"
    if form == "any":  # the subject of a title: several of them, or the stuff as such
        return _noun_phrase(parts._replace(definite=not plural), "")
    words = [(parts.noun.form or _plural(parts.noun.word)) if plural else parts.noun.word]
    before = False
    if parts.adjective:
        quality, place = _agree(parts.adjective, gender, plural), parts.adjective.form
        before = bool(place)
        if place not in ("", "pre") and gender == "m" and not plural and _elides(words[0]):
            quality = place
        words.insert(0 if before else 1, quality)
    if parts.modifier:  # "rapport d'inondation"; an adjective after the noun follows the two
        owner = ("d'" if _elides(parts.modifier.word) else "de ") + parts.modifier.word
        words.insert(2 if before else 1, owner)
    core = " ".join(words)
    return core if form == "bare" else _with_article(core, gender, plural, parts.definite, before, form)


def _with_article(core: str, gender: str, plural: bool, definite: bool, before: bool, form: str) -> str:
    vowel = _elides(core)
    if definite:
        article = "les " if plural else "l'" if vowel else "le " if gender == "m" else "la "
    elif plural:
        article = ("d'" if vowel else "de ") if before else "des "
    else:
        article = "un " if gender == "m" else "une "
    if form == "que":
        return ("qu'" if article[0] == "u" else "que ") + article + core
    if form == "de":
        if plural and not definite:
            return ("d'" if vowel else "de ") + core
        contracted = {"le ": "du ", "les ": "des ", "un ": "d'un ", "une ": "d'une "}
        return contracted.get(article, "de " + article) + core
    return article + core


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    if form != "past":
        return verb.word
    regular = {"er": "é", "ir": "i", "re": "u"}[verb.word[-2:]]
    return ("ont " if plural else "a ") + (verb.gender or verb.word[:-2] + regular)


def _predicate(adjective: Lemma, bearer: NounParts | None) -> str:
    return _agree(adjective, bearer.noun.gender, bearer.plural) if bearer else adjective.word


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    if kind != "noun":
        return Lemma(word)
    return Lemma(word, "f" if word.endswith(("ette", "tion", "ure", "ence", "ille")) else "m")


FRA = Language(
    code="fra",
    syllables=Syllables(
        onsets="b br c ch cl cr d dr f fl fr g gl gr j l m n p pl pr r s t tr v",
        nuclei="a e i o u ou ai an on in é oi eu a i o",
        links="b d g l m n p r t ss rd nt v",
        codas="l n r t d m ch gn ll ss v b",
        endings={
            "noun": "eau age ette ation ier oir ure ence isme ille ement",
            "verb": "er er er ir",
            "adjective": "eux ique able if el",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=_predicate,
    templates=TEMPLATES,
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    cognates=0.2,
)
