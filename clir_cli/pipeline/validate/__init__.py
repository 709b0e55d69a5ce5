"""`clir validate`: everything that an experiment names is read once and looked at; nothing is made."""
