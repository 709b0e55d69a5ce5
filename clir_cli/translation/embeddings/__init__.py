"""Word vectors of two languages in one space as translation tables: ``vectors`` reads, ``neighbours`` searches."""
