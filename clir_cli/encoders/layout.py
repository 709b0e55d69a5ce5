"""Where a tokenizer puts its special pieces."""

from typing import Any, NamedTuple

from clir_cli.errors import DataError


class Layout(NamedTuple):
    """Where a tokenizer puts its special pieces around a query and a document, and which token types it gives.

    Together they are one input, ``[CLS] query [SEP] document [SEP]``; apart they are two, each as the tokenizer wraps a
    single text: then ``between`` holds the end of the query's input and the beginning of the document's.
    """

    before: tuple[int, ...]
    between: tuple[int, ...]
    after: tuple[int, ...]
    types: tuple[int, int, int, int, int]
    """Token types of: before, query, between, document, after."""
    pad: int
    cut: int | None = None
    """Apart: so many pieces of ``between`` end the query's input. None: query and document are one input."""

    @property
    def specials(self) -> int:
        """Number of special pieces around both texts."""
        return len(self.before) + len(self.between) + len(self.after)

    @property
    def query_specials(self) -> int:
        """Special pieces of the input that the query is in."""
        return self.specials if self.cut is None else len(self.before) + self.cut

    @property
    def document_specials(self) -> int:
        """Special pieces of the input that the document is in."""
        return self.specials if self.cut is None else self.specials - self.query_specials


def read_layout(tokenizer: Any, *, apart: bool = False) -> Layout:
    """See where ``tokenizer`` puts special pieces, by giving it a pair of texts, or (``apart``) a single one.

    Raises ``DataError`` where it puts none before, between or after them.
    """
    if tokenizer.pad_token_id is None:
        raise DataError("The tokenizer has no piece for padding.", "Use a checkpoint's own tokenizer.")
    return _layout_of_one(tokenizer) if apart else _layout_of_two(tokenizer)


def _layout_of_two(tokenizer: Any) -> Layout:
    encoded = tokenizer("a", "a", return_token_type_ids=True)
    pieces, types, sides = encoded["input_ids"], encoded["token_type_ids"], encoded.sequence_ids(0)
    query = [position for position, side in enumerate(sides) if side == 0]
    document = [position for position, side in enumerate(sides) if side == 1]
    if not query or not document:
        raise DataError("The tokenizer gives no pieces for plain text.", "Check the tokenizer files of the checkpoint.")
    parts = slice(0, query[0]), slice(query[-1] + 1, document[0]), slice(document[-1] + 1, None)
    before, between, after = (tuple(pieces[part]) for part in parts)
    if not (before and between and after):
        raise DataError(
            "The tokenizer puts no special pieces around a pair of texts.",
            "The encoder needs [CLS] query [SEP] document [SEP]: use a tokenizer with a post-processor for pairs.",
        )
    kinds = types[0], types[query[0]], types[query[-1] + 1], types[document[0]], types[-1]
    return Layout(before, between, after, kinds, tokenizer.pad_token_id)


def _layout_of_one(tokenizer: Any) -> Layout:
    encoded = tokenizer("a", return_token_type_ids=True)
    pieces, types, sides = encoded["input_ids"], encoded["token_type_ids"], encoded.sequence_ids(0)
    text = [position for position, side in enumerate(sides) if side == 0]
    before, after = (tuple(pieces[: text[0]]), tuple(pieces[text[-1] + 1 :])) if text else ((), ())
    if not (before and after):
        raise DataError(
            "The tokenizer puts no special pieces around a text.",
            "The encoder needs [CLS] text [SEP]: use a tokenizer with a post-processor.",
        )
    kind = types[text[0]]
    return Layout(before, after + before, after, (kind,) * 5, tokenizer.pad_token_id, cut=len(after))
