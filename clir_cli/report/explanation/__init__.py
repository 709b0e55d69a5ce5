"""An explanation in words, and as a page."""
