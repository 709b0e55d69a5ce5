"""The claims: what the paper's text says of its results. The numbers of its tables and figures are not known here.

A claim about the *method* is judged on any data. One about the *data* speaks of certain languages or of CLEF's
collections, such as the size of a gain: on other texts it is not testable. One about the *encoder* speaks of the twelve
layers of multilingual BERT (figures 4 and 5): with another encoder it is not testable. Numbers are told all the same.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from clir_cli.report.paper.evidence import MAP, PRECISION, Data, Evidence, Judgement, not_testable
from clir_cli.report.paper.figures import (
    both_drop,
    grows,
    of_gap,
    of_layers,
    of_source,
    translated_above_random,
    translated_rise_random_drop,
)
from clir_cli.report.paper.judging import (
    Judge,
    above,
    both,
    compared,
    every,
    gain_of,
    named,
    on_par,
    significantly_above,
)

FORWARD = ("deu-eng", "fra-eng", "ita-eng", "spa-eng")
BACKWARD = ("eng-deu", "eng-fra", "eng-ita", "eng-spa")
LOW = ("som-eng", "swa-eng")
BOTH = (MAP, PRECISION)


@dataclass(frozen=True)
class Claim:
    """``sentence`` is in our own words.

    ``needs_clef``: it is about the paper's data; ``needs_encoder``: about the paper's encoder.
    """

    id: str
    sentence: str
    judge: Judge
    needs_clef: bool = False
    needs_encoder: bool = False

    @property
    def about(self) -> str:
        """What it is a claim about."""
        return "the paper's data" if self.needs_clef else "the paper's encoder" if self.needs_encoder else "the method"


CLAIMS: Sequence[Claim] = (
    Claim(
        "mart-forward",
        "Into English MART is above m2BERT in every pair, significantly, in MAP and P@10.",
        compared(every("forward"), "mart", ["m2bert"], significantly_above, BOTH),
    ),
    Claim(
        "mart-backward",
        "From English MART is above m2BERT in every pair, significantly, in MAP and P@10.",
        compared(every("backward"), "mart", ["m2bert"], significantly_above, BOTH),
    ),
    Claim(
        "gain-forward",
        "Into English the gain of MART over m2BERT in MAP is about 8 % (here: 6 to 10).",
        gain_of(named(*FORWARD), "mart", "m2bert", 0.08, 0.02),
        needs_clef=True,
    ),
    Claim(
        "gain-backward",
        "From English the gain of MART over m2BERT in MAP is about 7 % (here: 5 to 9).",
        gain_of(named(*BACKWARD), "mart", "m2bert", 0.07, 0.02),
        needs_clef=True,
    ),
    Claim(
        "placebo",
        "The placebo (identity in place of M^tr) is on par with m2BERT in every pair.",
        compared(every(), "mart-plb", ["m2bert"], on_par),
    ),
    Claim(
        "m2bert-smt-backward",
        "From English m2BERT is above SMT in all four pairs, significantly.",
        compared(named(*BACKWARD), "m2bert", ["smt"], significantly_above),
        needs_clef=True,
    ),
    Claim(
        "m2bert-smt-forward",
        "Into English m2BERT is above SMT for French and Spanish, significantly, and on par with it for German and "
        "Italian.",
        both(
            compared(named("fra-eng", "spa-eng"), "m2bert", ["smt"], significantly_above),
            compared(named("deu-eng", "ita-eng"), "m2bert", ["smt"], on_par),
        ),
        needs_clef=True,
    ),
    Claim(
        "m2bert-smt-low",
        "For Somali and Swahili m2BERT is mostly below SMT (here: in more than half of MAP and P@10 of both).",
        compared(named(*LOW), "smt", ["m2bert"], above, BOTH, share=0.51),
        needs_clef=True,
    ),
    Claim(
        "mart-best-low",
        "For Somali and Swahili MART has the best MAP of SMT and the re-rankers.",
        compared(named(*LOW), "mart", ["smt", "m2bert", "mart-plb"], above),
        needs_clef=True,
    ),
    Claim(
        "human-low",
        "For Somali and Swahili human translation is far ahead of all of them (here: significantly above each).",
        compared(named(*LOW), "human", ["smt", "m2bert", "mart-plb", "mart"], significantly_above),
        needs_clef=True,
    ),
    Claim(
        "human-forward",
        "Into English human translation has a higher MAP than MART.",
        compared(named(*FORWARD), "human", ["mart"], above),
        needs_clef=True,
    ),
    Claim(
        "human-backward",
        "From English MART is on par with human translation for French and Spanish, and above it for Italian and "
        "German.",
        both(
            compared(named("eng-fra", "eng-spa"), "mart", ["human"], on_par),
            compared(named("eng-ita", "eng-deu"), "mart", ["human"], above),
        ),
        needs_clef=True,
    ),
    Claim(
        "dictionary",
        "M^tr from a dictionary (PanLex) gives a lower MAP than from the table learned of parallel text.",
        of_source(("panlex", "dictionary"), lambda found: found.difference < 0),
    ),
    Claim(
        "embeddings",
        "M^tr from word embeddings (MUSE) gives a lower MAP than from the table learned of parallel text.",
        of_source(("muse", "embeddings"), lambda found: found.difference < 0),
    ),
    Claim(
        "one-layer",
        "With one MAT layer MAP is the higher the later the layer is: 9, 10, 11 of 12.",
        of_layers([((-3,), (-4,)), ((-2,), (-3,))], above),
        needs_encoder=True,
    ),
    Claim(
        "two-layers",
        "Layers 10 and 11 together are better than any of 9, 10 and 11 alone, in MAP.",
        of_layers([((-3, -2), (-4,)), ((-3, -2), (-3,)), ((-3, -2), (-2,))], above),
        needs_encoder=True,
    ),
    Claim(
        "three-layers",
        "Layer 9 beside 10 and 11 adds little or nothing (here: not significantly above).",
        of_layers([((-4, -3, -2), (-3, -2))], lambda found: not significantly_above(found)),
        needs_encoder=True,
    ),
    Claim(
        "gap-grows",
        "Words become more similar with depth, up to the layers that MAT's are put in.",
        of_gap(("m2bert",), grows),
        needs_encoder=True,
    ),
    Claim(
        "gap-translations",
        "Translations are more similar than pairs drawn at random, in every layer.",
        of_gap(None, translated_above_random),
        needs_encoder=True,
    ),
    Claim(
        "gap-m2bert",
        "Over layers 10 and 11 of 12 the similarity of both falls in m2BERT.",
        of_gap(("m2bert",), both_drop),
        needs_encoder=True,
    ),
    Claim(
        "gap-mart",
        "Over these layers the similarity of translations rises in MART, while that of random pairs falls.",
        of_gap(("mart",), translated_rise_random_drop),
        needs_encoder=True,
    ),
)  # fmt: skip

_WHY = {
    Data.sample: "synthetic sample: it says nothing of the languages and collections that this is about",
    Data.other: "other data: this is about the paper's languages on CLEF's collections",
}


def judge_claims(evidence: Evidence) -> list[tuple[Claim, Judgement]]:
    """Every claim in the paper's order, with what the experiment says of it."""
    found = []
    for claim in CLAIMS:
        judgement = claim.judge(evidence)
        if claim.needs_clef and evidence.data is not Data.clef:
            judgement = not_testable(_WHY[evidence.data], judgement.numbers)
        elif claim.needs_encoder and evidence.encoder:
            why = f"another encoder, {evidence.encoder}: this is about the twelve layers of multilingual BERT"
            judgement = not_testable(why, judgement.numbers)
        found.append((claim, judgement))
    return found
