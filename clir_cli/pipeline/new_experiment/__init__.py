"""An experiment of one's own: from the names of some files to the text in ``experiments.yaml``."""
