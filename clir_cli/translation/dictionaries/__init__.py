"""Bilingual dictionaries as translation tables, one module a format.

``reading`` makes the table and is what others call; every other module turns one format into ``DictionaryEntry``s,
one for each pair of a word (or phrase) and a translation, as they stand in the file.
"""
