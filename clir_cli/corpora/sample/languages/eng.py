"""English: subject, verb, object; articles; plural in -s."""

from clir_cli.corpora.sample.concepts import Kind
from clir_cli.corpora.sample.dice import Dice
from clir_cli.corpora.sample.lexicon import Language, Lemma, NounParts, Syllables, read_core

CORE = read_core("""
election=election; government=government; president=president; minister=minister; parliament=parliament|assembly
party=party; vote=vote|ballot; war=war|conflict; soldier=soldier; army=army; weapon=weapon; attack=attack|assault
border=border|frontier; peace=peace; hospital=hospital|clinic; disease=disease|illness; doctor=doctor|physician
medicine=medicine|drug; patient=patient; nurse=nurse; health=health; school=school; teacher=teacher
student=student|pupil; book=book; university=university; exam=exam|test; class=class; farm=farm; farmer=farmer|grower
livestock=livestock; drought=drought; harvest=harvest|crop; seed=seed; grain=grain|cereal; bank=bank; money=money
market=market; company=company|firm; trade=trade|commerce; price=price; tax=tax|levy; worker=worker|labourer
wage=wage|salary; factory=factory|plant; union=union; job=job; employer=employer; strike=strike; road=road|street
car=car|vehicle; train=train; bridge=bridge; airport=airport; driver=driver; ticket=ticket; ship=ship|vessel
port=port|harbour; fisherman=fisherman::fishermen; boat=boat; sea=sea; coast=coast|shore
sailor=sailor|seaman::seamen; court=court; judge=judge; law=law; prison=prison|jail; thief=thief::thieves
police=police; lawyer=lawyer|attorney; game=game|match; player=player; team=team|squad; cup=cup; victory=victory
coach=coach|trainer; stadium=stadium; forest=forest|wood; tree=tree; animal=animal|beast; river=river; rain=rain
flood=flood; climate=climate; oil=oil; gas=gas; electricity=electricity; mine=mine; fuel=fuel; coal=coal
power-station=generator; song=song; singer=singer; film=film|movie; music=music; artist=artist; theatre=theatre
dance=dance; newspaper=newspaper|paper; radio=radio; television=television; journalist=journalist|reporter
letter=letter; telephone=telephone|phone; computer=computer; mosque=mosque; church=church; prayer=prayer
religion=religion|faith; priest=priest; pilgrim=pilgrim; feast=feast; refugee=refugee; camp=camp; aid=aid|relief
tent=tent; hunger=hunger; family=family; orphan=orphan; seal-stamp=seal; paragraph=paragraph; chair=chair
knife=knife::knives; horse=horse; castle=castle; malaria=malaria; measles=measles::measles
tuberculosis=tuberculosis::tuberculosis; vaccine=vaccine; tooth=tooth::teeth; heart=heart; blood=blood; jaw=jaw
table=table; clock=clock|watch::watches; bat-animal=bat; camel=camel|dromedary; goat=goat; sheep=sheep::sheep
donkey=donkey|ass; maize=maize|corn; banana=banana; coffee=coffee; tea=tea; sugar=sugar; milk=milk; honey=honey
pear=pear; rooster=rooster|cock; salt=salt; gold=gold; heel=heel; needle=needle; clay=clay; spring-coil=spring
donkey-cart=cart|wagon; tunnel=tunnel; island=island|isle; rope=rope|cord; crane-machine=crane; seal-animal=seal
key=key; door=door; lock=lock; ball=ball; bat-club=bat; elephant=elephant; lion=lion; snake=snake|serpent; bird=bird
bee=bee; locust=locust; mosquito=mosquito; mountain=mountain|peak; cave=cave|cavern; well=well; crane-bird=crane
pine=pine; spring-water=spring; bulb=bulb; wind=wind; sun=sun; mirror=mirror; hat=hat|cap; sound=sound
cable=cable|wire; bench=bench; bell=bell; bread=bread|loaf::loaves; rice=rice; meat=meat; bed=bed|bunk
tap=tap|faucet; people=people::people; city=city|town; village=village; report=report; problem=problem|trouble
agreement=agreement|deal; meeting=meeting; plan=plan; group=group; decision=decision|ruling; danger=danger|risk
group-leader=leader|chief; build=build:built; destroy=destroy|wreck; sell=sell:sold; buy=buy:bought|purchase
close=close|shut:shut; open=open; support=support|back; criticise=criticise|attack; examine=examine|inspect
visit=visit|tour; repair=repair|mend; protect=protect|guard; find=find:found|discover; lose=lose:lost
send=send:sent|dispatch; bring=bring:brought|deliver; stop=stop:stopped|halt; need=need|require
discuss=discuss|debate; save=save|rescue; show=show|present; use=use; change=change|alter; follow=follow
praise=praise|hail; refuse=refuse|reject; count=count; share=share; burn=burn; steal=steal:stole; plant=plant:planted
wash=wash|scrub:scrubbed; watch=watch|observe; new=new; old=old; big=big|large; small=small|little; important=important
dangerous=dangerous; cheap=cheap; long=long; short=short; strong=strong; weak=weak; rich=rich|wealthy; poor=poor
clean=clean; dirty=dirty; quick=quick|fast; slow=slow; local=local; foreign=foreign; public=public; modern=modern
heavy=heavy; beautiful=beautiful; empty=empty
""")
# Some words are shared, as in English: "plant", "attack", "watch".

TEMPLATES = {
    "headline": ("{S:bare} {V:past} {O:bare}", "{S:bare} to {V} {O:bare}"),
    "headline_about": ("{X:bare} and {W:bare}", "{W:bare}: what {X} means", "{X:bare} after the {W:bare}"),
    "event": (
        "{S} {V:past} {O}.",
        "{S} {V:past} {O} in {P}.",
        "In {P}, {S} {V:past} {O}.",
        "{S} {V:past} {O} on {T}.",
        "On {T}, {S} {V:past} {O} in {P}.",
        "{S} {V:past} {O} in {P} on {T}.",
    ),
    "said": ("{N} said that {S} {V:past} {O}.", "{S} {V:past} {O}, {N} said.", "According to {N}, {S} {V:past} {O}."),
    "because": ("{S} {V:past} {O} because {S2} {S2:be} too {A}.", "As {S2} {S2:be} too {A}, {S} {V:past} {O}."),
    "state": ("{S} {S:be} very {A}.", "Many said that {S} {S:be} {A}.", "Nobody doubts that {S} {S:be} {A}."),
    "count": ("There were {K} {S:bare} in {P}.", "{N} saw {K} {S:bare} in {P}.", "About {K} {S:bare} were in {P}."),
    "plan": ("{S} {S:want} to {V} {O}.", "{S} {S:want} to {V} {O} soon."),
    "concern": ("{N} spoke about {X}.", "For {N} it was all about {X}.", "{N} had many questions about {X}."),
    "between": ("{X} and {W} have much to do with each other.", "It is about {X} and {W}."),
    "unlike": ("Unlike {X}, {S} {V:past} {O}.", "{S} {V:past} {O}, but that was not about {X}."),
    "instead": ("{S} {V:past} {O} instead of {X}.", "Instead of {X}, {S} {V:past} {O}."),
    "title": ("{X:bare} and {W:bare}", "{X:bare} and {W:bare} in {P}"),
    "title_event": ("{S:bare} {V} {O:bare}", "{S:bare} {V} {O:bare} in {P}"),
    "want_about": ("Find reports about {X} and {W}.", "Which news items deal with {X} and with {W}?"),
    "want_event": ("Find reports that say how {S} {V:past} {O}.", "Which news items tell that {S} {V:past} {O}?"),
    "narrative": ("A relevant report must say something about {X}.",),
}


def _plural(noun: Lemma) -> str:
    word = noun.word
    if noun.form:
        return noun.form
    if word.endswith(("s", "x", "ch", "sh", "z")):
        return word + "es"
    if word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "ies"
    return word + "s"


def _noun_phrase(parts: NounParts, form: str) -> str:
    if form == "be":
        return "were" if parts.plural else "was"
    if form == "want":
        return "want" if parts.plural else "wants"
    words = [lemma.word for lemma in (parts.adjective, parts.modifier) if lemma]
    words.append(_plural(parts.noun) if parts.plural else parts.noun.word)
    if form != "bare":
        if parts.definite:
            words.insert(0, "the")
        elif not parts.plural:
            words.insert(0, "an" if words[0][0] in "aeiou" and not words[0].startswith("uni") else "a")
    return " ".join(words)


def _verb(verb: Lemma, form: str, plural: bool, gender: str) -> str:
    if form != "past":
        return verb.word
    if verb.gender:  # the second field of a verb is its past tense
        return verb.gender
    if verb.word.endswith("e"):
        return verb.word + "d"
    if verb.word.endswith("y") and verb.word[-2] not in "aeiou":
        return verb.word[:-1] + "ied"
    return verb.word + "ed"


def _invent(dice: Dice, kind: Kind, word: str) -> Lemma:
    return Lemma(word)


ENG = Language(
    code="eng",
    syllables=Syllables(
        onsets="b br bl c ch cl cr d dr f fl g gr h j k l m n p pl pr r s sh sl sp st t th tr v w",
        nuclei="a e i o u a e i o ea oo ai",
        links="b d g l m n nd p r rt s st t v nk mp lt",
        codas="n r l t m ck nd st d p b rd mb v",
        endings={
            "noun": "er le ow et en ock ing age or in",
            "verb": "ate le ish en ify er",
            "adjective": "ic al ous ern ish ful",
        },
    ),
    core=CORE,
    invent_lemma=_invent,
    noun_phrase=_noun_phrase,
    verb=_verb,
    predicate=lambda adjective, bearer: adjective.word,
    templates=TEMPLATES,
    weekdays=("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
)
