"""Spanish: the simple past, contracted articles, the personal a, plurals that move accents."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

# Nouns: word:gender:plural where it is irregular; after the gender, h for persons and a for words that take "el" though
# they are feminine. Verbs: infinitive:past (he, she) where it is irregular. Adjectives: word:short form before a
# singular noun:"pre" for those before the noun.
CORE = read_core("""
election=elección:f|votación:f; government=gobierno:m; president=presidente:mh; minister=ministro:mh
parliament=parlamento:m|congreso:m; party=partido:m; vote=voto:m|sufragio:m; war=guerra:f|conflicto:m
soldier=soldado:mh|militar:mh; army=ejército:m; weapon=arma:fa; attack=ataque:m|atentado:m; border=frontera:f
peace=paz:f; hospital=hospital:m|clínica:f; disease=enfermedad:f; doctor=médico:mh|doctor:mh
medicine=medicamento:m|fármaco:m; patient=paciente:mh|enfermo:mh; nurse=enfermero:mh; health=salud:f|sanidad:f
school=escuela:f|colegio:m; teacher=maestro:mh|profesor:mh; student=estudiante:mh|alumno:mh; book=libro:m
university=universidad:f; exam=examen:m:exámenes|prueba:f; class=clase:f; farm=granja:f|finca:f
farmer=agricultor:mh|campesino:mh; livestock=ganado:m; drought=sequía:f; harvest=cosecha:f; seed=semilla:f|simiente:f
grain=grano:m|cereal:m; bank=banco:m; money=dinero:m; market=mercado:m; company=empresa:f|compañía:f; trade=comercio:m
price=precio:m; tax=impuesto:m|tributo:m; worker=trabajador:mh|obrero:mh; wage=salario:m|sueldo:m; factory=fábrica:f
union=sindicato:m; job=empleo:m|puesto:m; employer=patrono:mh|empresario:mh; strike=huelga:f|paro:m
road=carretera:f|camino:m; car=coche:m|automóvil:m; train=tren:m; bridge=puente:m; airport=aeropuerto:m
driver=conductor:mh|chófer:mh; ticket=billete:m|boleto:m; ship=buque:m|navío:m; port=puerto:m; fisherman=pescador:mh
boat=barco:m|barca:f; sea=mar:m; coast=costa:f|litoral:m; sailor=marinero:mh|marino:mh; court=tribunal:m|juzgado:m
judge=juez:mh|magistrado:mh; law=ley:f|derecho:m; prison=cárcel:f|prisión:f; thief=ladrón:mh; police=policía:fh
lawyer=abogado:mh|letrado:mh; game=partido:m|juego:m; player=jugador:mh|futbolista:mh; team=equipo:m; cup=copa:f
victory=victoria:f|triunfo:m; coach=entrenador:mh; stadium=estadio:m; forest=bosque:m|selva:f; tree=árbol:m
animal=animal:m|bestia:f; river=río:m; rain=lluvia:f; flood=inundación:f|riada:f; climate=clima:m
oil=petróleo:m|crudo:m; gas=gas:m; electricity=electricidad:f; mine=mina:f; fuel=combustible:m|carburante:m
coal=carbón:m; power-station=central:f; song=canción:f|canto:m; singer=cantante:mh; film=película:f|filme:m
music=música:f; artist=artista:mh; theatre=teatro:m; dance=baile:m|danza:f; newspaper=periódico:m|diario:m
radio=radio:f; television=televisión:f; journalist=periodista:mh|reportero:mh; letter=carta:f|misiva:f
telephone=teléfono:m; computer=ordenador:m|computadora:f; mosque=mezquita:f; church=iglesia:f
prayer=oración:f|plegaria:f; religion=religión:f|fe:f; priest=sacerdote:mh|cura:mh; pilgrim=peregrino:mh; feast=fiesta:f
refugee=refugiado:mh; camp=campamento:m; aid=ayuda:f|socorro:m; tent=tienda:f|carpa:f; hunger=hambre:fa
family=familia:f; orphan=huérfano:mh; seal-stamp=sello:m; paragraph=párrafo:m; chair=silla:f; knife=cuchillo:m
horse=caballo:m; castle=castillo:m; malaria=malaria:f|paludismo:m; measles=sarampión:m; tuberculosis=tuberculosis:f
vaccine=vacuna:f; tooth=diente:m|muela:f; heart=corazón:m; blood=sangre:f; jaw=mandíbula:f; table=mesa:f; clock=reloj:m
bat-animal=murciélago:m; camel=camello:m; goat=cabra:f; sheep=oveja:f; donkey=burro:m|asno:m; maize=maíz:m
banana=plátano:m|banana:f; coffee=café:m; tea=té:m; sugar=azúcar:m; milk=leche:f; honey=miel:f; pear=pera:f
rooster=gallo:m; salt=sal:f; gold=oro:m; heel=tacón:m|talón:m; needle=aguja:f; clay=arcilla:f|barro:m
spring-coil=muelle:m|resorte:m; donkey-cart=carro:m|carreta:f; tunnel=túnel:m; island=isla:f; rope=cuerda:f|soga:f
crane-machine=grúa:f; seal-animal=foca:f; key=llave:f; door=puerta:f; lock=cerradura:f|candado:m; ball=pelota:f|balón:m
bat-club=bate:m; elephant=elefante:m; lion=león:m; snake=serpiente:f|culebra:f; bird=pájaro:m|ave:fa; bee=abeja:f
locust=langosta:f; mosquito=mosquito:m; mountain=montaña:f|monte:m; cave=cueva:f|caverna:f; well=pozo:m
crane-bird=grulla:f; pine=pino:m; spring-water=manantial:m; bulb=bombilla:f; wind=viento:m; sun=sol:m; mirror=espejo:m
hat=sombrero:m; sound=sonido:m; cable=cable:m; bench=banco:m; bell=campana:f; bread=pan:m; rice=arroz:m; meat=carne:f
bed=cama:f; tap=grifo:m; people=persona:fh; city=ciudad:f; village=pueblo:m|aldea:f; report=informe:m
problem=problema:m; agreement=acuerdo:m|pacto:m; meeting=reunión:f|encuentro:m; plan=plan:m|proyecto:m; group=grupo:m
decision=decisión:f; danger=peligro:m|riesgo:m; group-leader=líder:mh|jefe:mh; build=construir:construyó
destroy=destruir:destruyó; sell=vender; buy=comprar|adquirir; close=cerrar|clausurar; open=abrir
support=apoyar|respaldar; criticise=criticar|censurar; examine=examinar|revisar; visit=visitar; repair=reparar|arreglar
protect=proteger|defender; find=encontrar|hallar; lose=perder; send=enviar|mandar; bring=traer:trajo|entregar
stop=detener:detuvo|parar; need=necesitar|requerir:requirió; discuss=discutir|debatir; save=salvar|rescatar
show=mostrar|presentar; use=usar|utilizar; change=cambiar|modificar; follow=seguir:siguió; praise=elogiar|alabar
refuse=rechazar; count=contar; share=compartir; burn=quemar; steal=robar|hurtar; plant=plantar|sembrar
wash=lavar|limpiar; watch=observar|vigilar; new=nuevo::pre; old=viejo::pre|antiguo; big=grande:gran:pre; small=pequeño
important=importante; dangerous=peligroso; cheap=barato|económico; long=largo; short=corto|breve; strong=fuerte|potente
weak=débil; rich=rico|adinerado; poor=pobre; clean=limpio; dirty=sucio; quick=rápido|veloz; slow=lento; local=local
foreign=extranjero|foráneo; public=público; modern=moderno; heavy=pesado; beautiful=hermoso|bello; empty=vacío
""")
# Some words are shared, as in Spanish: "partido" (party, match), "banco" (bank, bench).

TEMPLATES = {
    "headline": ("{S} {V:past} {O:obj}", "{S} {S:want} {V} {O:obj}"),
    "headline_about": ("{X} {W:y}", "{W:bare}: las claves {X:de}"),
    "event": (
        "{S} {V:past} {O:obj}.",
        "{S} {V:past} {O:obj} en {P}.",
        "En {P}, {S} {V:past} {O:obj}.",
        "{S} {V:past} {O:obj} el {T}.",
        "El {T}, {S} {V:past} {O:obj}.",
        "El {T}, {S} {V:past} {O:obj} en {P}.",
        "{S} {V:past} {O:obj} el {T} en {P}.",
    ),
    "said": (
        "{N} dijo que {S} {V:past} {O:obj}.",
        "{S} {V:past} {O:obj}, señaló {N}.",
        "Según {N}, {S} {V:past} {O:obj}.",
    ),
    "because": (
        "{S} {V:past} {O:obj} porque {S2} {S2:be} demasiado {A}.",
        "Como {S2} {S2:be} demasiado {A}, {S} {V:past} {O:obj}.",
    ),
    "state": (
        "{S} {S:be} muy {A}.",
        "Muchos dijeron que {S} {S:be} {A}.",
        "Todos sabían que {S} {S:be} {A}.",
    ),
    "count": (
        "Había {K} {S:bare} en {P}.",
        "Según {N}, había {K} {S:bare} en {P}.",
        "Cerca de {K} {S:bare} estaban en {P}.",
    ),
    "plan": ("{S} {S:want} {V} {O:obj}.", "{S} {S:want} {V} pronto {O:obj}."),
    "concern": (
        "{N} habló {X:de}.",
        "Para {N} se trataba solo {X:de}.",
        "{N} tenía muchas preguntas sobre {X}.",
    ),
    "between": ("{X} {W:y} tienen mucho que ver.", "Se trata {X:de} y {W:de}."),
    "unlike": (
        "A diferencia {X:de}, {S} {V:past} {O:obj}.",
        "{S} {V:past} {O:obj}, pero no se trataba {X:de}.",
    ),
    "instead": ("{S} {V:past} {O:obj} en lugar {X:de}.", "En lugar {X:de}, {S} {V:past} {O:obj}."),
    "title": ("{X:bare} {W:y_bare}", "{X:bare} {W:y_bare} en {P}"),
    "title_event": ("{S:any} {V:past} {O:obj}", "{S:any} {V:past} {O:obj} en {P}"),
    "want_about": ("Encontrar documentos sobre {X} {W:y}.", "¿Qué noticias tratan {X:de} y {W:de}?"),
    "want_event": (
        "Encontrar documentos que expliquen cómo {S} {V:past} {O:obj}.",
        "¿Qué noticias dicen que {S} {V:past} {O:obj}?",
    ),
    "narrative": ("Un documento relevante debe hablar {X:de}.",),
}

UNACCENTED = str.maketrans("áéíóú", "aeiou")
PLURAL_PASTS = {"yó": "yeron", "ió": "ieron", "jo": "jeron", "vo": "vieron", "so": "sieron"}


def _plural(word: str) -> str:
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word[-1] == "z":
        return word[:-1] + "ces"
    if word[-2] in "áéíóú" and word[-1] in "ns":  # león, leones
        return word[:-2] + word[-2].translate(UNACCENTED) + word[-1] + "es"
    return word if word.endswith("s") and len(word) > 4 else word + "es"


def _agree(adjective: Lemma, gender: str, plural: bool) -> str:
    word = adjective.word
    if gender[0] == "f" and word.endswith("o"):
        word = word[:-1] + "a"
    return _plural(word) if plural else word


def _noun_phrase(parts: NounParts, form: str) -> str:
    plural, gender = parts.plural, parts.noun.gender
    if form == "be":
        return "eran" if plural else "era"
    if form == "want":
        return "quieren" if plural else "quiere"
    if form == "any":  # the subject of a title: several of them, or the stuff as such
        return _noun_phrase(parts._replace(definite=not plural), "")
    words = [(parts.noun.form or _plural(parts.noun.word)) if plural else parts.noun.word]
    if parts.modifier:
        words.append("de " + parts.modifier.word)
    before = parts.adjective is not None and parts.adjective.form == "pre"
    if parts.adjective:
        quality = _agree(parts.adjective, gender, plural)
        if before and not plural and parts.adjective.gender:
            quality = parts.adjective.gender  # the second field of an adjective is its short form
        words.insert(0 if before else len(words), quality)
    article = _article(parts, masculine=gender[0] == "m" or (gender[1:] == "a" and not plural and not before))
    phrase = " ".join(words) if form.endswith("bare") else f"{article} {' '.join(words)}"
    if form.startswith("y"):
        return ("e " if phrase.startswith(("i", "hi")) and not phrase.startswith("hie") else "y ") + phrase
    preposition = "de" if form == "de" else "a" if form == "obj" and gender.endswith("h") else ""
    if preposition and phrase.startswith("el "):
        return f"{preposition}l {phrase[3:]}"
    return f"{preposition} {phrase}" if preposition else phrase


def _article(parts: NounParts, masculine: bool) -> str:
    masculine = parts.noun.gender[0] == "m" if parts.plural else masculine
    if parts.definite:
        return ("los" if masculine else "las") if parts.plural else "el" if masculine else "la"
    return ("unos" if masculine else "unas") if parts.plural else "un" if masculine else "una"


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    if form != "past":
        return verb.word
    stem, regular = verb.word[:-2], verb.word.endswith("ar")
    past = verb.gender or stem + ("ó" if regular else "ió")  # the second field of a verb is its past
    if not plural:
        return past
    return stem + "aron" if regular else past[:-2] + PLURAL_PASTS[past[-2:]]


def _predicate(adjective: Lemma, bearer: NounParts | None) -> str:
    return _agree(adjective, bearer.noun.gender, bearer.plural) if bearer else adjective.word


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    if kind != "noun":
        return Lemma(word)
    return Lemma(word, "f" if word.endswith(("a", "ción", "dad")) else "m")


SPA = Language(
    code="spa",
    syllables=Syllables(
        onsets="b br c ch cr d f fr g gr h j l ll m n p pr r s t tr v z",
        nuclei="a e i o u a e i o ie ue ia",
        links="b d g l m n nd p r rt s st t v mp lt rr ñ",
        codas="n r l m t d ll ñ rr ch b z",
        endings={
            "noun": "o a ero illa ación idad amiento aje ura ón al ete",
            "verb": "ar ar ar ir",
            "adjective": "oso ivo al ante ado iento",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=_predicate,
    templates=TEMPLATES,
    weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    cognates=0.15,
)
