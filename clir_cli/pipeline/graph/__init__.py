"""An experiment as a graph of stages: who needs what. One method builds one kind of stage.

Each module here goes on from the one before: base, corpora, knowledge, encoders, dense, first_stage, languages,
neural, interpolation, results, analyses.
"""

from clir_cli.pipeline.graph.analyses import Analyses as Graph

__all__ = ["Graph"]
