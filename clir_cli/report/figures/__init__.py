"""Figures for a paper, one module each: plain data in, a matplotlib figure of column width out."""
