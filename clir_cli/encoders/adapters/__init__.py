"""Adapters (MAD-X, Pfeiffer et al., EMNLP 2020): a few weights put into an encoder that itself stays as it is.

Read in this order: bottleneck, invertible, adapter (one language's, or one task's), places (where they are put).
"""
