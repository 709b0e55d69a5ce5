"""Why a document scores as it does, from the finished stages of an experiment."""
