"""The sample: a synthetic newswire in several languages that ships with the project.

Read in this order: ``concepts`` (what the world holds), ``lexicon`` and ``languages`` (how each language says it),
``sentences`` (plans and templates), ``stories`` (documents, topics, judgements), ``bitext``, ``layouts``, ``generate``.
"""

from clir_cli.corpora.sample.generate import SampleReport, generate_sample

__all__ = ["SampleReport", "generate_sample"]
