"""What every group of settings is built on."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, StringConstraints

Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{3}$")]
"""ISO 639-3 code, such as ``deu``."""

Pair = Annotated[str, StringConstraints(pattern=r"^[a-z]{3}-[a-z]{3}$")]
"""Query language - document language, such as ``deu-eng``."""

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")]


class Settings(BaseModel):
    """Base of every group of settings: typed, immutable, unknown keys refused, numbers finite."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


def as_list(value: Any) -> Any:
    """One path, or a list of them, as a list."""
    return value if isinstance(value, list) else [value]
