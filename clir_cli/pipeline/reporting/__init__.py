"""From the finished stages of an experiment to the data of its figures and of its report. Nothing is computed anew."""
