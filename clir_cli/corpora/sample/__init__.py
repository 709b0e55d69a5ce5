"""The sample: a synthetic newswire in several languages that ships with the project.

Read in this order: ``concepts`` (what the world holds), ``lexicon`` and ``languages`` (how each language says it),
``sentences`` (plans and templates), ``stories`` (documents, topics, judgements), ``collection`` and ``backward`` (who
is relevant to what), ``newswire`` (the English collection at any size), ``bitext``, ``dictionary``, ``vectors``; the
layouts ``latimes``, ``outlets`` and ``topic_layouts``; ``writing``, ``generate``.
"""

from clir_cli.corpora.sample.generate import SampleReport, generate_sample

__all__ = ["SampleReport", "generate_sample"]
