"""Settings of what is looked at after training."""

from pydantic import Field

from clir_cli.config.settings import Settings


class GapSettings(Settings):
    """The translation gap (MAT, figure 4)."""

    documents: int = Field(10, ge=1, description="Of each test topic, the first stage's best.")
    threshold: float = Field(
        0.1, ge=0, lt=1, description="A query word and a document word are translations where p is above this."
    )
    random_pairs: int = Field(10, ge=1, description="Pairs an input that are no translations, drawn (paper: 10).")
    seed: int = Field(42, ge=0, description="Of the drawing.")


class AnalysisSettings(Settings):
    """What is looked at in trained models."""

    gap: GapSettings = Field(GapSettings(), description="`clir gap`.")
