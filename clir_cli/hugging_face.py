"""Import this, and transformers' Auto classes read the folders of our re-rankers.

    import clir_cli.hugging_face
    from transformers import AutoModelForSequenceClassification

    model = AutoModelForSequenceClassification.from_pretrained("FOLDER")
    model.score("Wetter im Winter", ["Snow and ice.", "A cat."])

``clir_cli`` itself stays light: torch and transformers are imported here, not there.
"""

from clir_cli.reranking.hugging_face import ClirReranker, ClirRerankerConfig

__all__ = ["ClirReranker", "ClirRerankerConfig"]
