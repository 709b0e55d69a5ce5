"""Small tokenizers of both families and a small encoder, made on the spot."""

import string

import pytest
import torch

from clir_cli.encoders.encoder import create_encoder

torch.set_num_threads(1)  # models are tiny here: more threads only wait for each other, long on a busy machine


def _wrap(tokenizer, **pieces):
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(tokenizer_object=tokenizer, **pieces)


@pytest.fixture(scope="session")
def word_pieces():
    """Uncased WordPiece: every letter is a piece, some words are whole, `katze` is `kat ##ze`."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "cat", "kat", "##ze", "haus", "house", "der", "the"]
    letters = string.ascii_lowercase
    pieces += [*letters, *("##" + letter for letter in letters), *string.digits, *".,'-[]"]
    vocabulary = {piece: number for number, piece in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True, strip_accents=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])],
    )
    return _wrap(
        tokenizer, pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]"
    )


@pytest.fixture(scope="session")
def sentence_pieces():
    """A SentencePiece unigram model in XLM-R's arrangement: cased, a piece may begin with a space (`▁`)."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    pieces = ["<s>", "<pad>", "</s>", "<unk>", "▁", "▁l'", "eau", "▁die", "▁katze", '."', "▁haus", "ße"]
    pieces += [*string.ascii_letters, *string.digits, *".,'\"-<>/éß"]
    tokenizer = Tokenizer(models.Unigram([(piece, -float(10 - len(piece))) for piece in pieces], unk_id=3))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    ends = {"cls_token": "<s>", "sep_token": "</s>", "bos_token": "<s>", "eos_token": "</s>"}
    return _wrap(tokenizer, pad_token="<pad>", unk_token="<unk>", **ends)


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory, word_pieces):
    """A BERT of 5 layers, 12 wide, 3 heads, 20 inner units, 48 positions."""
    folder = tmp_path_factory.mktemp("encoder") / "tiny"
    create_encoder(folder, word_pieces, layers=5, width=12, heads=3, inner=20, positions=48, seed=1)
    return folder


@pytest.fixture(scope="session")
def xlm_roberta_folder(tmp_path_factory, sentence_pieces):
    """An XLM-RoBERTa (positions from 2, one token type) with a pooler, saved by transformers itself."""
    from transformers import XLMRobertaConfig, XLMRobertaModel

    folder = tmp_path_factory.mktemp("encoder") / "xlmr"
    config = XLMRobertaConfig(
        vocab_size=len(sentence_pieces),
        hidden_size=12,
        num_hidden_layers=3,
        num_attention_heads=3,
        intermediate_size=20,
        max_position_embeddings=42,
        type_vocab_size=1,
        pad_token_id=1,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(3)
        XLMRobertaModel(config).save_pretrained(folder)
    sentence_pieces.save_pretrained(folder)
    return folder
