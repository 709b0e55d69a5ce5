"""Somali: the verb last, particles that mark focus, articles as endings, adjectives after the noun."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

# Nouns: word:gender. Verbs: the stem before the personal endings. Adjectives: word.
CORE = read_core("""
election=doorasho:f; government=dawlad:f|xukuumad:f; president=madaxweyne:m; minister=wasiir:m
parliament=baarlamaan:m; party=xisbi:m; vote=cod:m; war=dagaal:m|colaad:f; soldier=askari:m; army=ciidan:m
weapon=hub:m; attack=weerar:m; border=xuduud:f|soohdin:f; peace=nabad:f; hospital=isbitaal:m; disease=cudur:m
doctor=dhakhtar:m; medicine=daawo:f|dawo:f; patient=bukaan:m; nurse=kalkaaliye:m; health=caafimaad:m
school=dugsi:m|iskuul:m; teacher=macallin:m|bare:m; student=arday:m; book=buug:m; university=jaamacad:f
exam=imtixaan:m; class=fasal:m; farm=beer:f; farmer=beeraley:f; livestock=xoolo:m; drought=abaar:f
harvest=goosasho:f; seed=abuur:m; bank=bangi:m; money=lacag:f; market=suuq:m; company=shirkad:f; trade=ganacsi:m
price=qiimo:m; tax=canshuur:f|cashuur:f; worker=shaqaale:m; wage=mushahar:m; factory=warshad:f; union=urur:m
job=shaqo:f; road=waddo:f|jid:m; car=baabuur:m|gaari:m; train=tareen:m; bridge=buundo:f; airport=garoon:m
driver=darawal:m; ticket=tigidh:m; ship=markab:m; port=dekad:f|marso:f; fisherman=kalluumeyste:m; boat=doon:f
sea=bad:f; coast=xeeb:f; sailor=badmaax:m; court=maxkamad:f; judge=garsoore:m|xaakin:m; law=sharci:m|xeer:m
prison=xabsi:m; thief=tuug:m; police=booliis:m; lawyer=qareen:m; game=ciyaar:f; player=ciyaartoy:m; team=koox:f
cup=koob:m; victory=guul:f; coach=tababare:m; stadium=garoon:m; forest=kayn:f; tree=geed:m; animal=xayawaan:m
river=wabi:m; rain=roob:m; flood=daad:m; climate=cimilo:f; oil=saliid:f; gas=gaas:m; electricity=koronto:f
fuel=shidaal:m; coal=dhuxul:f; song=hees:f; singer=fannaan:m; film=filim:m; music=muusig:m; artist=fannaan:m
theatre=masrax:m; newspaper=wargeys:m|jariidad:f; radio=idaacad:f|raadiyow:m; television=telefishin:m
journalist=weriye:m|suxufi:m; letter=warqad:f; telephone=telefoon:m; computer=kombiyuutar:m
mosque=masjid:m|masaajid:m; church=kaniisad:f; prayer=salaad:f; religion=diin:f; priest=wadaad:m; pilgrim=xaaji:m
feast=ciid:f; refugee=qaxooti:m; camp=xero:f; aid=gargaar:m|caawimo:f; tent=teendho:f; hunger=gaajo:f; family=qoys:m
orphan=agoon:m; chair=kursi:m; knife=mindi:f; horse=faras:m; malaria=duumo:f; measles=jadeeco:f; tuberculosis=qaaxo:f
vaccine=tallaal:m; tooth=ilig:m; heart=wadne:m|qalbi:m; blood=dhiig:m; jaw=daan:m; table=miis:m; clock=saacad:f
bat-animal=fiidmeer:f; camel=geel:m; goat=ri:f; sheep=ido:m; donkey=dameer:m; maize=galley:f; banana=muus:m
coffee=qaxwo:f|bun:m; tea=shaah:m; sugar=sonkor:f; milk=caano:m; honey=malab:m; rooster=diiq:m; salt=cusbo:f|milix:f
gold=dahab:m; needle=irbad:f; clay=dhoobo:f; island=jasiirad:f; rope=xadhig:m; key=fure:m; door=albaab:m|irrid:f
lock=quful:m; ball=kubbad:f; elephant=maroodi:m; lion=libaax:m; snake=mas:m|abeeso:f; bird=shimbir:f; bee=shinni:f
locust=ayax:m; mosquito=kaneeco:f; mountain=buur:f; cave=god:m; well=ceel:m; wind=dabayl:f; sun=qorrax:f|cadceed:f
mirror=muraayad:f; hat=koofi:f; sound=cod:m; bell=dawan:m; bread=rooti:m; rice=bariis:m; meat=hilib:m; bed=sariir:f
people=dad:m; city=magaalo:f; village=tuulo:f; report=warbixin:f; problem=dhibaato:f; agreement=heshiis:m
meeting=shir:m|kulan:m; plan=qorshe:m; group=koox:f; decision=goaan:m; danger=khatar:f
group-leader=hoggaamiye:m|madax:m; build=dhis; destroy=burburi; sell=iibi|gad; buy=iibs; close=xidh|xir; open=fur
support=taageer; criticise=dhaliil; examine=baadh; visit=booq; repair=dayactir; protect=ilaali; find=hel; lose=lumi
send=dir; bring=keen; stop=jooji; need=baah; discuss=wadahadl; save=badbaadi; show=tus; use=isticmaal; change=beddel
follow=raac; praise=ammaan; refuse=diid; count=tiri; share=qaybi; burn=gub; steal=xad; plant=beer; wash=dhaq
watch=daawad; new=cusub; old=duug; big=weyn; small=yar; important=muhiim; dangerous=khatarsan; cheap=jaban
long=dheer; short=gaaban; strong=xooggan; weak=daciif; rich=taajir; poor=faqiir; clean=nadiif; dirty=wasakhaysan
quick=degdeg; foreign=shisheeye; modern=casri; heavy=culus; beautiful=qurxoon; empty=madhan
""")

TEMPLATES = {
    "headline": ("{S:sub} {O:obj} {V:past}", "{S:bare} oo {O:obj} {V:past}"),
    "headline_about": ("{X:bare} iyo {W:bare}", "{W:bare}: maxay tahay {X:obj}"),
    "event": (
        "{S:obj} ayaa {O:obj} {V:past}.",
        "{S:sub} {O:obj} ayay {P} ku {V:past}.",
        "Magaalada {P} waxaa {O:obj} ku {V:past} {S:sub}.",
        "{T} {S:sub} waxay {V:past} {O:obj}.",
        "{T} {S:obj} ayaa {P} {O:obj} ku {V:past}.",
        "{P} {S:sub} {S:foc} {T} ku {V:past} {O:obj}.",
    ),
    "said": (
        "{N} wuxuu sheegay in {S:sub} {O:obj} {V:past}.",
        "Sida uu sheegay {N}, {S:sub} {S:foc} {V:past} {O:obj}.",
    ),
    "because": (
        "{S:sub} {S:foc} {V:past} {O:obj}, waayo {S2:sub} aad ayay u {A} {S2:be}.",
        "Maadaama {S2:sub} {A} {S2:be}, {S:obj} ayaa {O:obj} {V:past}.",
    ),
    "state": (
        "{S:sub} waa {A}.",
        "Dad badan ayaa sheegay in {S:sub} {A} {S:be}.",
        "Cidna kama shakiyo in {S:sub} {A} {S:be}.",
    ),
    "count": (
        "{P} waxaa jiray {K} {S:bare}.",
        "{N} ayaa {P} ku arkay {K} {S:bare}.",
        "Ilaa {K} {S:bare} ayaa {P} joogay.",
    ),
    "plan": (
        "{S:sub} {S:foc} {S:want} in la {V:inf} {O:obj}.",
        "Dhowaan {S:sub} {O:obj} ayay {S:want} in la {V:inf}.",
    ),
    "concern": (
        "{N} ayaa ka hadlay {X:obj}.",
        "{N} wuxuu ka hadlay {X:obj} oo keliya.",
        "{N} su'aalo badan ayuu ka qabay {X:obj}.",
    ),
    "between": ("{X:obj} iyo {W:sub} aad bay isugu xidhan yihiin.", "Waxay ku saabsan tahay {X:obj} iyo {W:obj}."),
    "unlike": (
        "Si ka duwan {X:obj}, {S:sub} {S:foc} {V:past} {O:obj}.",
        "{S:sub} {S:foc} {V:past} {O:obj}, laakiin kuma saabsanayn {X:obj}.",
    ),
    "instead": ("Halkii {X:obj}, {S:sub} {S:foc} {V:past} {O:obj}.", "{S:obj} ayaa {O:obj} {V:past} halkii {X:obj}."),
    "title": ("{X:bare} iyo {W:bare}", "{X:obj} iyo {W:obj} ee {P}"),
    "title_event": ("{S:sub} oo {O:obj} {V:past}", "{S:sub} oo {O:obj} ku {V:past} {P}"),
    "want_about": (
        "Raadi warbixinno ku saabsan {X:obj} iyo {W:obj}.",
        "Wararkee ayaa ka hadlaya {X:obj} iyo {W:obj}?",
    ),
    "want_event": (
        "Raadi warbixinno sheegaya sida {S:sub} {O:obj} u {V:past}.",
        "Wararkee ayaa sheegaya in {S:sub} {O:obj} {V:past}?",
    ),
    "narrative": ("Warbixinta ku habboon waa inay ka hadashaa {X:obj}.",),
}


def _definite(word: str, gender: str) -> str:
    """The noun with its article, as an object."""
    if gender == "f":
        if word.endswith("l"):
            return word[:-1] + "sha"
        if word.endswith("dh"):
            return word + "a"
        if word.endswith("o"):
            return word[:-1] + "ada"
        return word + ("da" if word.endswith(("d", "c", "x", "h", "q", "y", "i")) else "ta")
    if word.endswith(("e", "o")):
        return word[:-1] + "aha"
    if word.endswith(("q", "x", "kh", "h", "c")):
        return word + "a"
    return word + ("ga" if word.endswith(("g", "i", "y", "w", "a")) else "ka")


def _plural(word: str, definite: bool) -> str:
    if word.endswith("e"):
        return word[:-1] + ("ayaasha" if definite else "ayaal")
    if word.endswith("o"):
        return word[:-1] + ("ooyinka" if definite else "ooyin")
    stem = word + "y" if word.endswith(("i", "d", "c", "x", "q", "y")) else word
    return stem + ("ada" if definite else "o")


def _noun_phrase(parts: NounParts, form: str) -> str:
    feminine = parts.plural or parts.noun.gender == "f"
    if form == "foc":
        return "waxay" if feminine else "wuxuu"
    if form == "be":
        return "yihiin" if parts.plural else "tahay" if feminine else "yahay"
    if form == "want":
        return "doonayaan" if parts.plural else "doonaysaa" if feminine else "doonayaa"
    definite = form != "bare" and parts.definite
    if parts.plural:
        word = _plural(parts.noun.word, definite)
    else:
        word = _definite(parts.noun.word, parts.noun.gender) if definite else parts.noun.word
    words = [word]
    if parts.modifier:  # the owner follows
        words.append(_definite(parts.modifier.word, parts.modifier.gender))
    if parts.adjective:
        words.append(("ee " if parts.modifier else "") + parts.adjective.word)
    elif form == "sub" and definite and not parts.modifier:
        words[-1] = words[-1][:-1] + "u"
    return " ".join(words)


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    stem = verb.word
    glide = "y" if stem.endswith("i") else ""
    if form == "inf":
        return stem + ("n" if glide else "o")
    if plural:
        return stem + glide + "een"
    if gender == "f":
        return stem + ("say" if glide else "tay")
    return stem + glide + "ay"


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    if kind != "noun":
        return Lemma(word)
    return Lemma(word, "f" if word.endswith(("o", "ad", "sho")) or dice.chance(0.3) else "m")


SOM = Language(
    code="som",
    syllables=Syllables(
        onsets="b c d dh f g h j k l m n q r s sh t w x y",
        nuclei="a a aa e ee i i ii o oo u uu",
        links="b d dh g l m n r s nt rb ll y w q",
        codas="n r l b d q s m g sh x f",
        endings={
            "noun": "o ad aan is sho ar in e i",
            "verb": "i ad an",
            "adjective": "an san oon a",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=lambda adjective, bearer: adjective.word,
    templates=TEMPLATES,
    weekdays=("Isniin", "Talaado", "Arbaco", "Khamiis", "Jimce", "Sabti", "Axad"),
    cognates=0.05,
)
