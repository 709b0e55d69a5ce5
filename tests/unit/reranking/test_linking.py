"""The rule by which a model's folder says its links are made."""

import pytest

from clir_cli.errors import UsageError
from clir_cli.reranking.linking import LinkRule

SAID = {"copy": "oov", "threshold": 0.1, "stop_words": "skip", "stop": [{"language": "deu", "spec": "none"}] * 2}


def test_a_folder_says_its_rule() -> None:
    assert LinkRule.of(SAID) == LinkRule("oov", 0.1)


@pytest.mark.parametrize("arm", ["shuffled", "transposed", "copies"])
def test_links_of_an_ablation_are_not_made_from_a_table(arm: str) -> None:
    with pytest.raises(UsageError, match=f"links of the arm {arm}: a table does not give them") as caught:
        LinkRule.of(SAID | {"arm": arm})
    assert "--links" in caught.value.hint
