"""Ablations: experiments made from an experiment, in which one part of one model is another, all else being equal.

    make       the experiment with its variants, and its plan
    variants   what the variants of a model are, part by part: layers, translations, languages

They are experiments like any other: what they share with the one they come from (first stage, m2BERT, the model that
is varied) is the same stage by its key, so only the variants are trained.
"""
