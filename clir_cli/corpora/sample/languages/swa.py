"""Swahili: noun classes, and everything that agrees with them: verbs, adjectives, the connective -a. No articles."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

# Nouns: word:classes of singular and plural:plural where it is another word. Animals and persons agree as classes 1 and
# 2 whatever they look like. Verbs: the stem after the prefixes. Adjectives: "-kubwa" takes the prefix of the class,
# "-a zamani" the connective, others nothing.
CORE = read_core("""
election=uchaguzi:11.10:chaguzi; government=serikali:9.10; president=rais:1.2:marais; minister=waziri:1.2:mawaziri
parliament=bunge:5.6:mabunge; party=chama:7.8:vyama; vote=kura:9.10; war=vita:9.10|mapigano:6.6
soldier=askari:1.2|mwanajeshi:1.2:wanajeshi; army=jeshi:5.6:majeshi; weapon=silaha:9.10
attack=shambulio:5.6:mashambulio|shambulizi:5.6:mashambulizi; border=mpaka:3.4:mipaka; peace=amani:9.10
hospital=hospitali:9.10; disease=ugonjwa:11.6:magonjwa|maradhi:6.6; doctor=daktari:1.2:madaktari|tabibu:1.2:matabibu
medicine=dawa:9.10; patient=mgonjwa:1.2:wagonjwa; nurse=muuguzi:1.2:wauguzi; health=afya:9.10; school=shule:9.10
teacher=mwalimu:1.2:walimu; student=mwanafunzi:1.2:wanafunzi; book=kitabu:7.8:vitabu
university=chuo kikuu:7.8:vyuo vikuu; exam=mtihani:3.4:mitihani; class=darasa:5.6:madarasa; farm=shamba:5.6:mashamba
farmer=mkulima:1.2:wakulima; livestock=mifugo:4.4; drought=ukame:11.11; harvest=mavuno:6.6; seed=mbegu:9.10
grain=nafaka:9.10; bank=benki:9.10; money=pesa:9.10|fedha:9.10; market=soko:5.6:masoko
company=kampuni:9.10|shirika:5.6:mashirika; trade=biashara:9.10; price=bei:9.10; tax=kodi:9.10|ushuru:11.11
worker=mfanyakazi:1.2:wafanyakazi; wage=mshahara:3.4:mishahara|ujira:11.11; factory=kiwanda:7.8:viwanda
union=chama cha wafanyakazi:7.8:vyama vya wafanyakazi; job=kazi:9.10|ajira:9.10; employer=mwajiri:1.2:waajiri
strike=mgomo:3.4:migomo; road=barabara:9.10|njia:9.10; car=gari:5.6:magari|motokaa:9.10
train=treni:9.10|garimoshi:5.6:magarimoshi; bridge=daraja:5.6:madaraja; airport=uwanja wa ndege:11.8:viwanja vya ndege
driver=dereva:1.2:madereva; ticket=tiketi:9.10; ship=meli:9.10|jahazi:5.6:majahazi; port=bandari:9.10
fisherman=mvuvi:1.2:wavuvi; boat=mashua:9.10|boti:9.10; sea=bahari:9.10; coast=pwani:9.10; sailor=baharia:1.2:mabaharia
court=mahakama:9.10|korti:9.10; judge=hakimu:1.2:mahakimu|jaji:1.2:majaji; law=sheria:9.10
prison=gereza:5.6:magereza|jela:9.10; thief=mwizi:1.2:wezi; police=polisi:2.2
lawyer=wakili:1.2:mawakili|mwanasheria:1.2:wanasheria; game=mchezo:3.4:michezo|mechi:9.10; player=mchezaji:1.2:wachezaji
team=timu:9.10; cup=kombe:5.6:makombe; victory=ushindi:11.11; coach=kocha:1.2:makocha; stadium=uwanja:11.8:viwanja
forest=msitu:3.4:misitu; tree=mti:3.4:miti; animal=mnyama:1.2:wanyama; river=mto:3.4:mito; rain=mvua:9.10
flood=mafuriko:6.6|gharika:9.10; climate=hali ya hewa:9.10; oil=mafuta:6.6; gas=gesi:9.10
electricity=umeme:11.11|stima:9.10; mine=mgodi:3.4:migodi; fuel=petroli:9.10; coal=makaa:6.6
power-station=mtambo:3.4:mitambo; song=wimbo:11.10:nyimbo; singer=mwimbaji:1.2:waimbaji; film=filamu:9.10|sinema:9.10
music=muziki:3.4; artist=msanii:1.2:wasanii; theatre=ukumbi:11.10:kumbi; dance=ngoma:9.10|densi:9.10
newspaper=gazeti:5.6:magazeti; radio=redio:9.10; television=televisheni:9.10|runinga:9.10
journalist=mwandishi:1.2:waandishi|mwanahabari:1.2:wanahabari; letter=barua:9.10; telephone=simu:9.10
computer=kompyuta:9.10|tarakilishi:9.10; mosque=msikiti:3.4:misikiti; church=kanisa:5.6:makanisa
prayer=sala:9.10|dua:9.10; religion=dini:9.10; priest=kasisi:1.2:makasisi|padri:1.2:mapadri; pilgrim=hujaji:1.2:mahujaji
feast=sikukuu:9.10|karamu:9.10; refugee=mkimbizi:1.2:wakimbizi; camp=kambi:9.10; aid=msaada:3.4; tent=hema:5.6:mahema
hunger=njaa:9.10; family=familia:9.10; orphan=yatima:1.2:mayatima; seal-stamp=muhuri:3.4:mihuri; paragraph=aya:9.10
chair=kiti:7.8:viti; knife=kisu:7.8:visu; horse=farasi:1.2; castle=ngome:9.10; malaria=malaria:9.10; measles=surua:9.10
tuberculosis=kifua kikuu:7.7; vaccine=chanjo:9.10; tooth=jino:5.6:meno; heart=moyo:3.4:mioyo; blood=damu:9.10
jaw=taya:5.6:mataya; table=meza:9.10; clock=saa:9.10; bat-animal=popo:1.2; camel=ngamia:1.2; goat=mbuzi:1.2
sheep=kondoo:1.2; donkey=punda:1.2; maize=mahindi:6.6; banana=ndizi:9.10; coffee=kahawa:9.10; tea=chai:9.10
sugar=sukari:9.10; milk=maziwa:6.6; honey=asali:9.10; pear=peasi:5.6:mapeasi; rooster=jogoo:1.2:majogoo
salt=chumvi:9.10; gold=dhahabu:9.10; heel=kisigino:7.8:visigino; needle=sindano:9.10; clay=udongo:11.11
spring-coil=springi:9.10; donkey-cart=mkokoteni:3.4:mikokoteni; tunnel=handaki:5.6:mahandaki; island=kisiwa:7.8:visiwa
rope=kamba:9.10; crane-machine=winchi:9.10; key=ufunguo:11.10:funguo; door=mlango:3.4:milango; lock=kufuli:9.10
ball=mpira:3.4:mipira; elephant=tembo:1.2|ndovu:1.2; lion=simba:1.2; snake=nyoka:1.2; bird=ndege:1.2; bee=nyuki:1.2
locust=nzige:1.2; mosquito=mbu:1.2; mountain=mlima:3.4:milima; cave=pango:5.6:mapango; well=kisima:7.8:visima
crane-bird=korongo:1.2; pine=msonobari:3.4:misonobari; spring-water=chemchemi:9.10; bulb=balbu:9.10; wind=upepo:11.11
sun=jua:5.5; mirror=kioo:7.8:vioo; hat=kofia:9.10; sound=sauti:9.10; cable=kebo:9.10|waya:9.10
bench=benchi:5.6:mabenchi; bell=kengele:9.10; bread=mkate:3.4; rice=mchele:3.4; meat=nyama:9.10; bed=kitanda:7.8:vitanda
tap=bomba:5.6:mabomba; people=mtu:1.2:watu; city=mji:3.4:miji|jiji:5.6:majiji; village=kijiji:7.8:vijiji
report=ripoti:9.10|taarifa:9.10; problem=tatizo:5.6:matatizo|shida:9.10; agreement=makubaliano:6.6|mkataba:3.4:mikataba
meeting=mkutano:3.4:mikutano|kikao:7.8:vikao; plan=mpango:3.4:mipango; group=kundi:5.6:makundi|kikundi:7.8:vikundi
decision=uamuzi:11.6:maamuzi; danger=hatari:9.10; group-leader=kiongozi:1.2:viongozi|mkuu:1.2:wakuu; build=jenga
destroy=haribu|bomoa; sell=uza; buy=nunua; close=funga; open=fungua; support=unga mkono; criticise=kosoa|laumu
examine=chunguza|kagua; visit=tembelea|zuru; repair=tengeneza|karabati; protect=linda|hifadhi; find=pata|gundua
lose=poteza; send=tuma|peleka; bring=leta; stop=simamisha|zuia; need=hitaji; discuss=jadili; save=okoa; show=onyesha
use=tumia; change=badilisha; follow=fuata; praise=sifu; refuse=kataa; count=hesabu; share=gawana; burn=choma|teketeza
steal=iba; plant=panda; wash=osha|safisha; watch=tazama|angalia; new=-pya; old=-a zamani; big=-kubwa; small=-dogo
important=muhimu; dangerous=-a hatari; cheap=rahisi; long=-refu; short=-fupi; strong=imara; weak=dhaifu; rich=tajiri
poor=maskini|fukara; clean=safi; dirty=-chafu; quick=-a haraka; slow=-a polepole; local=-a kienyeji; foreign=-a kigeni
public=-a umma; modern=-a kisasa; heavy=-zito; beautiful=-zuri; empty=-tupu
""")
# Some words are shared, as in Swahili: "ndege" also flies in "uwanja wa ndege" (airport).

TEMPLATES = {
    "headline": ("{S} {V:past} {O}", "{S} {S:want} {V} {O}"),
    "headline_about": ("{X} na {W}", "{W}: maana yake kwa {X}"),
    "event": (
        "{S} {V:past} {O}.",
        "{S} {V:past} {O} mjini {P}.",
        "Mjini {P}, {S} {V:past} {O}.",
        "{S} {V:past} {O} siku ya {T}.",
        "Siku ya {T}, {S} {V:past} {O} mjini {P}.",
        "{S} {V:past} {O} mjini {P} siku ya {T}.",
    ),
    "said": (
        "{N} alisema kwamba {S} {V:past} {O}.",
        "{S} {V:past} {O}, alisema {N}.",
        "Kwa mujibu wa {N}, {S} {V:past} {O}.",
    ),
    "because": (
        "{S} {V:past} {O} kwa sababu {S2} {S2:be} {A} mno.",
        "Kwa kuwa {S2} {S2:be} {A} mno, {S} {V:past} {O}.",
    ),
    "state": (
        "{S} {S:be} {A} sana.",
        "Wengi walisema kwamba {S} {S:be} {A}.",
        "Hakuna aliyekataa kwamba {S} {S:be} {A}.",
    ),
    "count": (
        "Kulikuwa na {S:bare} {K} mjini {P}.",
        "{N} aliona {S:bare} {K} mjini {P}.",
        "Takriban {S:bare} {K} {S:be} mjini {P}.",
    ),
    "plan": ("{S} {S:want} {V} {O}.", "Hivi karibuni {S} {S:want} {V} {O}."),
    "concern": (
        "{N} alizungumza kuhusu {X}.",
        "Kwa {N}, jambo kuu lilikuwa {X}.",
        "{N} alikuwa na maswali mengi kuhusu {X}.",
    ),
    "between": ("{X} na {W} vina uhusiano mkubwa.", "Habari hii inahusu {X} na {W}."),
    "unlike": (
        "Tofauti na {X}, {S} {V:past} {O}.",
        "{S} {V:past} {O}, lakini jambo hilo halikuhusu {X}.",
    ),
    "instead": ("{S} {V:past} {O} badala ya {X}.", "Badala ya {X}, {S} {V:past} {O}."),
    "title": ("{X} na {W}", "{X} na {W} mjini {P}"),
    "title_event": ("{S} {V:past} {O}", "{S} {V:past} {O} mjini {P}"),
    "want_about": ("Tafuta habari kuhusu {X} na {W}.", "Ni habari gani zinazozungumzia {X} na {W}?"),
    "want_event": (
        "Tafuta habari zinazoeleza jinsi {S} {V:how} {O}.",
        "Ni habari gani zinazosema kwamba {S} {V:past} {O}?",
    ),
    "narrative": ("Habari inayofaa lazima izungumzie {X}.",),
}

# Noun class -> prefix of the verb, connective, prefix of the adjective.
CLASSES = {
    "1": ("a", "wa", "m"),
    "2": ("wa", "wa", "wa"),
    "3": ("u", "wa", "m"),
    "4": ("i", "ya", "mi"),
    "5": ("li", "la", ""),
    "6": ("ya", "ya", "ma"),
    "7": ("ki", "cha", "ki"),
    "8": ("vi", "vya", "vi"),
    "9": ("i", "ya", "n"),
    "10": ("zi", "za", "n"),
    "11": ("u", "wa", "m"),
}


def _class(gender: str, plural: bool) -> str:
    singular, _, many = gender.partition(".")
    return many if plural else singular


def _agree(adjective: Lemma, noun_class: str) -> str:
    word = adjective.word
    _, connective, prefix = CLASSES[noun_class]
    if word.startswith("-a "):
        return connective[:-1] + word[1:]
    if not word.startswith("-"):
        return word
    stem = word[1:]
    if noun_class == "5":
        return "ji" + stem if stem == "pya" else stem
    if prefix == "n":
        return _after_n(stem)
    return prefix + stem


def _after_n(stem: str) -> str:
    """The adjective of classes 9 and 10: n- before d, g, j and z, m- before b and v, nothing before others."""
    if stem == "pya":
        return "mpya"
    if stem[0] in "dgjz":
        return "n" + stem
    if stem[0] in "rl":
        return "nd" + stem[1:]
    return "m" + stem if stem[0] in "bv" else stem


def _noun_phrase(parts: NounParts, form: str) -> str:
    noun_class = _class(parts.noun.gender, parts.plural)
    subject, connective, _ = CLASSES[noun_class]
    if form == "be":
        return subject + "likuwa"
    if form == "want":
        return subject + "nataka"
    words = [parts.noun.form if parts.plural and parts.noun.form else parts.noun.word]
    if parts.adjective:
        words.append(_agree(parts.adjective, noun_class))
    if parts.modifier:
        words += [connective, parts.modifier.word]
    return " ".join(words)


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    if not form:
        return "ku" + verb.word
    subject = CLASSES[_class(gender, plural)][0]
    # "how" is the relative of manner: "jinsi wakulima walivyojenga".
    tense = "li" if form == "past" else "livyo"
    return subject + tense + verb.word


def _predicate(adjective: Lemma, bearer: NounParts | None) -> str:
    return _agree(adjective, _class(bearer.noun.gender, bearer.plural)) if bearer else adjective.word


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    if kind == "adjective":
        return Lemma("-" + word if dice.chance(0.4) else word)
    if kind == "verb":
        return Lemma(word)
    classes = dice.weigh(("9.10", "5.6", "7.8", "3.4"), (4, 2, 2, 2))
    singular, plural = {"9.10": ("", ""), "5.6": ("", "ma"), "7.8": ("ki", "vi"), "3.4": ("m", "mi")}[classes]
    return Lemma(singular + word, classes, plural + word)


SWA = Language(
    code="swa",
    syllables=Syllables(
        onsets="b ch d f g j k l m n p r s sh t v w z nd ng",
        nuclei="a e i o u a a i u",
        links="b d g k l m n r s t z mb nd ng ny sh",
        codas="b d g k l m n p r s t z ny sh mb nd w",
        endings={
            "noun": "a o i u e a i",
            "verb": "a a isha ia",
            "adjective": "ivu ufu u i",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=_predicate,
    templates=TEMPLATES,
    weekdays=("Jumatatu", "Jumanne", "Jumatano", "Alhamisi", "Ijumaa", "Jumamosi", "Jumapili"),
    cite=lambda lemma, kind: "ku" + lemma.word if kind == "verb" else lemma.word,
)
