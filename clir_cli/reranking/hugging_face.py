"""Re-rankers as transformers has its models: a configuration, a model, and the Auto classes that find them.

    import clir_cli.hugging_face
    model = AutoModelForSequenceClassification.from_pretrained(folder)

Reading and writing are ``load_reranker``'s and ``write_files``': one form on disk, whoever wrote it. Weights are
safetensors, no code is taken from a folder.
"""

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional
from transformers.modeling_outputs import SequenceClassifierOutput

from clir_cli.encoders.checkpoint import RERANKER, check_vocabulary, fetch_checkpoint
from clir_cli.encoders.encoder import Encoder
from clir_cli.encoders.folder import describe_encoder, write_files
from clir_cli.learning.devices import choose_device
from clir_cli.records import TopicLinks
from clir_cli.rerankers.batch import Batch
from clir_cli.rerankers.build import assemble_reranker, load_reranker
from clir_cli.rerankers.folder import about_reranker, read_use
from clir_cli.rerankers.mat import Knowledge
from clir_cli.rerankers.reranker import Reranker
from clir_cli.reranking.linking import LinkRule
from clir_cli.reranking.texts import score_texts
from clir_cli.translation.table import TranslationTable

# What the library says of its own types says nothing useful of what is made from them.
_transformers: Any = importlib.import_module("transformers")
_hub_config: Any = _transformers.PreTrainedConfig
_hub_model: Any = _transformers.PreTrainedModel

_HUB = ("cache_dir", "force_download", "local_files_only", "token")


class ClirRerankerConfig(_hub_config):  # type: ignore[misc]
    """``encoder``: the configuration of the encoder; ``reranker``: what else the model is (its ``description``);
    ``reading``: form and length of the texts it was trained on; ``links``: which translations it was given."""

    model_type = RERANKER

    def __init__(
        self,
        encoder: dict[str, Any] | None = None,
        reranker: dict[str, Any] | None = None,
        reading: dict[str, Any] | None = None,
        links: dict[str, Any] | None = None,
        **rest: Any,
    ) -> None:
        self.encoder = encoder or {}
        self.reranker = reranker or {}
        self.reading = reading
        self.links = links
        super().__init__(**({"num_labels": 1} if "id2label" not in rest else {}), **rest)


class ClirReranker(_hub_model):  # type: ignore[misc]
    """A re-ranker of any kind; ``reranker`` is the model itself, ``tokenizer`` what it was saved with."""

    config_class = ClirRerankerConfig
    base_model_prefix = "reranker"
    main_input_name = "input_ids"
    _supports_sdpa = True

    def __init__(self, config: ClirRerankerConfig, reranker: Reranker | None = None, tokenizer: Any = None) -> None:
        """Without ``reranker`` one with random weights is made, as ``config`` describes it."""
        super().__init__(config)
        self.reranker = reranker if reranker is not None else _new(config)
        self.tokenizer = tokenizer
        self.post_init()

    def _init_weights(self, module: Any) -> None:
        """Nothing: weights are there when a module is."""

    def forward(
        self,
        input_ids: Tensor | None = None,
        attention_mask: Tensor | None = None,
        token_type_ids: Tensor | None = None,
        slots: Tensor | None = None,
        sizes: Tensor | None = None,
        links: Tensor | None = None,
        labels: Tensor | None = None,
        batch: Any = None,
        **ignored: Any,
    ) -> SequenceClassifierOutput:
        """``logits`` [B, 1] of B inputs ``[CLS] query [SEP] passage [SEP]``, padded on the right.

        ``input_ids``, ``attention_mask``, ``token_type_ids`` [B, m]; ``slots`` [B, m], ``sizes`` [B, W] and ``links``
        [B, Q, D] as in ``Knowledge``, for models with M^tr. Or ``batch``, as ``PassageReader`` makes it for any kind.
        ``labels`` [B], 1 where relevant: then ``loss`` is the mean binary cross-entropy. Raises ``ValueError`` where
        the model needs what is not given.
        """
        if batch is None:
            batch = self._batch(input_ids, attention_mask, token_type_ids, slots, sizes, links)
        logits = self.reranker(batch).unsqueeze(-1)
        loss = None
        if labels is not None:
            loss = functional.binary_cross_entropy_with_logits(logits.squeeze(-1), labels.to(logits.dtype))
        return SequenceClassifierOutput(loss=loss, logits=logits)

    def _batch(
        self,
        pieces: Tensor | None,
        mask: Tensor | None,
        types: Tensor | None,
        slots: Tensor | None,
        sizes: Tensor | None,
        links: Tensor | None,
    ) -> Batch:
        arm = self.reranker.arm
        if self.reranker.apart or pieces is None:
            needed = "a `batch` of query and document apart" if self.reranker.apart else "`input_ids`"
            raise ValueError(f"this model reads {needed}; `score` makes what it needs of texts")
        knowledge = None
        if arm in ("translation", "blocks"):
            if slots is None or sizes is None or (arm == "translation") != (links is not None):
                raise ValueError(f"a model of the arm {arm} needs `slots`, `sizes`" + " and `links`" * (arm[0] == "t"))
            knowledge = Knowledge(slots, sizes, links)
        types = torch.zeros_like(pieces) if types is None else types
        return Batch(pieces, types, None if mask is None else mask.bool(), knowledge, arm)

    def score(
        self,
        query: str,
        documents: Sequence[str],
        *,
        table: TranslationTable | None = None,
        links: TopicLinks | None = None,
        rule: LinkRule | None = None,
        **reading: Any,
    ) -> list[float]:
        """The score of each document's text for a query, larger is better: as ``clir rerank`` scores.

        Models given translations need a ``table``, or ``links`` (query key -> document key -> p). ``rule``: which
        entries count; default: those of training, without stop words. ``reading``: ``text``, ``max_pieces``,
        ``document_pieces`` instead of what the folder says. The model is set to evaluation mode.
        Raises ``UsageError`` where translations are missing, ``ValueError`` where there is no tokenizer, ``TypeError``
        for a way of reading that there is not.
        """
        if unknown := set(reading) - {"text", "max_pieces", "document_pieces"}:
            raise TypeError(f"score() does not know {', '.join(sorted(unknown))}")
        if self.tokenizer is None:
            raise ValueError("the model has no tokenizer: load it with from_pretrained, or set `tokenizer`")
        if rule is None:
            rule = LinkRule.of(self.config.links or {})
        chosen = {**(self.config.reading or {}), **reading}
        return score_texts(
            self.reranker, self.tokenizer, query, documents, table=table, links=links, rule=rule, reading=chosen
        )

    @classmethod
    def from_pretrained(
        cls,
        pretrained_model_name_or_path: str | Path,
        *arguments: Any,
        config: ClirRerankerConfig | None = None,
        revision: str | None = None,
        dtype: str | torch.dtype | None = None,
        device_map: Any = None,
        output_loading_info: bool = False,
        **rest: Any,
    ) -> Any:
        """A model, in evaluation mode, of a folder or a hub name; ``DataError`` where it is not whole.

        ``device_map``: one device for all. Arguments of transformers that are about other kinds of files are ignored.
        """
        hub = {name: rest[name] for name in _HUB if rest.get(name) is not None}
        folder = fetch_checkpoint(pretrained_model_name_or_path, revision, **hub)
        reranker, tokenizer = load_reranker(folder)
        known = {part: read_use(folder, part) or None for part in ("reading", "links")}
        about = _about(reranker, known["reading"], known["links"])
        model = cls(config if config is not None else ClirRerankerConfig(**about), reranker, tokenizer)
        model.config.name_or_path = str(pretrained_model_name_or_path)
        if dtype not in (None, "auto"):
            model.to(getattr(torch, dtype) if isinstance(dtype, str) else dtype)
        if device_map is not None:
            model.to(choose_device() if device_map == "auto" else torch.device(device_map))
        model.eval()
        if output_loading_info:
            keys: dict[str, Any] = {name: set() for name in ("missing_keys", "unexpected_keys", "mismatched_keys")}
            return model, {**keys, "error_msgs": []}
        return model

    def save_pretrained(
        self, save_directory: str | Path, is_main_process: bool = True, push_to_hub: bool = False, **ignored: Any
    ) -> None:
        """Write configuration, weights and tokenizer into a folder; other files in it stay.

        To upload, call ``push_to_hub``, or ``clir push``. The weights are float32 on disk whatever they are here.
        """
        if push_to_hub:
            raise ValueError("save first, then call `push_to_hub` (or `clir push`)")
        if not is_main_process:
            return
        folder = Path(save_directory)
        if self.tokenizer is not None:
            check_vocabulary(self.tokenizer, self.reranker.encoder.config.vocab_size, folder)
        folder.mkdir(parents=True, exist_ok=True)
        about = about_reranker(asdict(self.reranker.description), self.config.reading, self.config.links)
        write_files(folder, self.reranker.encoder, self.tokenizer, self.reranker.own_weights(), about)


def _about(reranker: Reranker, reading: Mapping[str, Any] | None, links: Mapping[str, Any] | None) -> dict[str, Any]:
    about = about_reranker(asdict(reranker.description), reading, links) | {
        "encoder": describe_encoder(reranker.encoder)
    }
    del about["model_type"]
    return about


def _new(config: ClirRerankerConfig) -> Reranker:
    parts = dict(config.encoder)
    encoder = _transformers.AutoConfig.for_model(**parts)
    pooler = bool(config.reranker.get("pooler"))
    return assemble_reranker(
        Encoder(_transformers.AutoModel.from_config(encoder, add_pooling_layer=pooler)), config.reranker
    )


_transformers.AutoConfig.register(RERANKER, ClirRerankerConfig, exist_ok=True)
_transformers.AutoModel.register(ClirRerankerConfig, ClirReranker, exist_ok=True)
_transformers.AutoModelForSequenceClassification.register(ClirRerankerConfig, ClirReranker, exist_ok=True)
