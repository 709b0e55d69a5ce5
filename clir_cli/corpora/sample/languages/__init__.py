"""The languages of the sample: a module each, with words, grammar and templates.

A new language is a new module with one ``Language`` and a line here; concepts without a real word get invented ones.
The grammars are simplified: enough for word order, agreement and inflection to differ as they do in the language.
"""

from clir_cli.corpora.sample.languages.deu import DEU
from clir_cli.corpora.sample.languages.eng import ENG
from clir_cli.corpora.sample.languages.fra import FRA
from clir_cli.corpora.sample.languages.ita import ITA
from clir_cli.corpora.sample.languages.som import SOM
from clir_cli.corpora.sample.languages.spa import SPA
from clir_cli.corpora.sample.languages.swa import SWA
from clir_cli.corpora.sample.lexicon import Language

LANGUAGES: dict[str, Language] = {language.code: language for language in (ENG, DEU, FRA, ITA, SPA, SWA, SOM)}

__all__ = ["LANGUAGES"]
