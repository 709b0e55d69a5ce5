"""The claims of the MAT paper (Huang et al., CIKM 2021), judged by the results of an experiment."""
