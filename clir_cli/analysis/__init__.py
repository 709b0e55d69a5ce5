"""What a model makes of translations, looked at from within."""
