"""The stop list that a stage's settings name."""

from clir_cli.corpora.normalise import stop_words
from clir_cli.pipeline.stage import Inputs


def stop_list(inputs: Inputs, stop: dict[str, str]) -> frozenset[str]:
    """``stop`` is ``{language, spec}`` as ``Graph.stop`` wrote it; a list of the user's own lies in the hints' file."""
    files = inputs.hints.get("stop_files", {})
    return stop_words(files.get(stop["language"], stop["spec"]), stop["language"])
