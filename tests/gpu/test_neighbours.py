"""Nearest neighbours of word vectors on a CUDA card: the same table as on the processor."""

import numpy as np
import pytest
import torch

from clir_cli.translation.embeddings.neighbours import weigh_nearest
from clir_cli.translation.embeddings.vectors import WordVectors

pytestmark = [
    pytest.mark.gpu,
    pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no CUDA card on this machine"),
]


@pytest.mark.parametrize("csls", [False, True])
def test_the_device_changes_nothing(csls: bool) -> None:
    random = np.random.default_rng(5)
    source, target = (
        WordVectors([f"{letter}{n:04}" for n in range(2000)], random.normal(size=(2000, 50)).astype(np.float32), 0, 0)
        for letter in "st"
    )
    tables = [weigh_nearest(source, target, csls=csls, device=device) for device in ("cpu", "cuda")]
    assert tables[0].source_words == tables[1].source_words
    assert tables[0].target_words == tables[1].target_words
    assert (tables[0].probabilities != tables[1].probabilities).nnz == 0
