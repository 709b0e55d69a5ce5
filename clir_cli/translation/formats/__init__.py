"""Translation tables as other programs write them: a module a format, with its columns and what the number means.

``reading`` reads any of them as P(document word | query word); ``direction`` checks that against the numbers.
"""
