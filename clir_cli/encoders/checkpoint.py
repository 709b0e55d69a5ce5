"""What a checkpoint must be to be read: of BERT's architecture, with a tokenizer of its own that gives offsets.

Nothing is unpickled and no code of a checkpoint is run.
"""

import contextlib
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clir_cli.errors import DataError

ARCHITECTURES = ("bert", "roberta", "xlm-roberta")
"""The ``model_type`` of checkpoints whose layers are BERT's."""

SPARE_ROWS = 256
"""Embedding rows beyond the tokenizer's pieces that pass as padding of the table (multilingual E5 has 35)."""

RERANKER = "clir-reranker"
"""The ``model_type`` of our re-rankers. Their ``config.json`` holds the encoder's configuration as ``encoder``."""

TOKENIZER_FILES = ("tokenizer.json", "vocab.txt", "sentencepiece.bpe.model", "spiece.model", "vocab.json")


FETCHED = (
    "*.json", "*.txt", "*.model", "model*.safetensors", "README.md",
    "parts.safetensors", "adapters/*/adapter.safetensors",
)  # fmt: skip
"""What is fetched of a repository: whole models, and parts with the adapters that came with them."""


def is_local(source: str | Path) -> bool:
    """Whether ``source`` is a folder here; otherwise it is a hub name, and loading it may download."""
    return Path(source).is_dir()


def fetch_checkpoint(source: str | Path, revision: str | None = None, **hub: Any) -> Path:
    """The folder of a checkpoint: ``source`` itself where it is one, else what the hub has under that name.

    Configuration, tokenizer and safetensors are fetched, no pickles and no code. ``hub``: more arguments of
    ``snapshot_download``. Raises ``DataError`` where it cannot be fetched.
    """
    if is_local(source):
        return Path(source)
    from huggingface_hub import snapshot_download

    try:
        with quiet():
            found = snapshot_download(str(source), revision=revision, allow_patterns=list(FETCHED), **hub)
    except (OSError, ValueError) as error:
        raise DataError(
            f"{source} is no folder here, and cannot be fetched from the hub: {first_line(error)}",
            "Check the name; without a network, name a folder.",
        ) from error
    return Path(found)


def load_config(source: str | Path, revision: str | None = None) -> Any:
    """The Hugging Face configuration of a checkpoint; ``DataError`` where it is none of BERT's architecture."""
    from huggingface_hub.errors import StrictDataclassError
    from transformers import AutoConfig

    try:
        with quiet():
            found = read_config(source, revision)
            if found.get("model_type") == RERANKER:
                config = AutoConfig.for_model(**found["encoder"])
            else:
                config = AutoConfig.from_pretrained(str(source), revision=revision, trust_remote_code=False)
    except (KeyError, TypeError, StrictDataclassError) as error:
        raise DataError(f"The config.json of {source} describes no encoder.", "Get the whole checkpoint.") from error
    except (OSError, ValueError) as error:
        raise DataError(
            f"There is no encoder at {source}: {first_line(error)}",
            "Give a local folder with config.json and model.safetensors, or the name of a checkpoint on the hub.",
        ) from error
    absolute = getattr(config, "position_embedding_type", None) in (None, "absolute")
    if config.model_type not in ARCHITECTURES or not absolute or getattr(config, "is_decoder", False):
        raise DataError(
            f"{source} is a {config.model_type} model, not an encoder of BERT's architecture.",
            f"Use a checkpoint of one of these types: {', '.join(ARCHITECTURES)}.",
        )
    return config


def read_config(source: str | Path, revision: str | None = None) -> dict[str, Any]:
    """``config.json`` of a checkpoint as it stands. Raises ``OSError`` or ``ValueError`` where there is none."""
    from transformers import PreTrainedConfig

    found: dict[str, Any] = PreTrainedConfig.get_config_dict(str(source), revision=revision)[0]
    return found


def load_tokenizer(source: str | Path, revision: str | None = None) -> Any:
    """The fast tokenizer of a checkpoint.

    Raises ``DataError`` where there is none, where it gives no offsets, or where its vocabulary is not the encoder's.
    """
    from transformers import AutoTokenizer

    config = load_config(source, revision)
    # Without files transformers makes up an empty tokenizer of the model's type.
    if is_local(source) and not any((Path(source) / name).is_file() for name in TOKENIZER_FILES):
        raise DataError(f"{source} holds no tokenizer.", f"Put one of these beside it: {', '.join(TOKENIZER_FILES)}.")
    try:
        with quiet():
            tokenizer = AutoTokenizer.from_pretrained(
                str(source), revision=revision, use_fast=True, trust_remote_code=False
            )
    except (OSError, ValueError, KeyError) as error:
        raise DataError(
            f"The tokenizer of {source} cannot be read: {first_line(error)}",
            "The checkpoint needs tokenizer.json or a vocabulary file.",
        ) from error
    if not tokenizer.is_fast:
        raise DataError(
            f"The tokenizer of {source} gives no offsets.", "Words need them: add a tokenizer.json to the checkpoint."
        )
    check_vocabulary(tokenizer, config.vocab_size, source)
    return tokenizer


def check_vocabulary(tokenizer: Any, rows: int, source: str | Path) -> None:
    """Refuse a tokenizer that was not made for an encoder with ``rows`` embeddings.

    A few rows too many are padding of the table; a tokenizer with more pieces than rows, or with far fewer, is another
    model's (an early revision of the public m2BERT shipped such a vocabulary).
    """
    pieces = len(tokenizer)
    if pieces > rows or rows - pieces > SPARE_ROWS:
        raise DataError(
            f"The tokenizer of {source} has {pieces} pieces, its encoder {rows} embeddings.",
            "They are not from the same model: pin another revision, or repair the folder.",
        )


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Keep transformers' reports of unused weights off the terminal; what matters of them is raised as an error."""
    from transformers import utils

    logging: Any = utils.logging

    before, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(before)
        if bars:
            logging.enable_progress_bar()


def first_line(error: BaseException) -> str:
    """What a library says, without what it lists."""
    return textwrap.shorten((str(error).strip() or type(error).__name__).splitlines()[0], 240, placeholder=" ...")
