"""A model's folder to the hub of Hugging Face, or to the mirror that HF_ENDPOINT names."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from clir_cli.encoders.checkpoint import first_line
from clir_cli.errors import ClirError, DataError, UsageError
from clir_cli.rerankers.build import load_reranker

_KINDS = ("*.json", "*.txt", "*.model", "*.safetensors", "README.md")


def check_name(name: str) -> None:
    """Raises ``UsageError`` where ``name`` cannot be a repository's."""
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils._validators import validate_repo_id

    try:
        validate_repo_id(name)
        is_whole = name.count("/") == 1
    except HFValidationError:
        is_whole = False
    if not is_whole:
        raise UsageError(f"{name!r} is no name on the hub.", "Write user/name: letters, digits, `-`, `_` and `.`.")


def files_to_upload(folder: Path) -> list[Path]:
    """The files of a re-ranker, by name; the model is loaded, to see that it is whole.

    Raises ``DataError`` where it is not, or is no re-ranker.
    """
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder.", "Name the folder of a trained model.")
    load_reranker(folder)
    return sorted({file for pattern in _KINDS for file in folder.glob(pattern) if file.is_file()})


def upload_model(
    folder: Path,
    files: Sequence[Path],
    name: str,
    *,
    is_private: bool = False,
    updates: bool = False,
    reach: Callable[[], str | None] = lambda: None,
) -> str:
    """Make the repository ``name`` and upload ``files`` of ``folder`` in one commit; the address of the model.

    ``updates``: the repository may be there already. ``reach`` says why the hub cannot be reached, or None.
    Raises ``UsageError`` without a token, offline, and where the name is taken; ``ClirError`` where the hub refuses.
    """
    from huggingface_hub import HfApi, get_token
    from huggingface_hub.errors import HfHubHTTPError

    if get_token() is None:
        raise UsageError(
            "There is no token for the hub.", "Run `hf auth login`, or set HF_TOKEN to one that may write."
        )
    if why := reach():
        raise UsageError(f"The hub cannot be reached ({why}).", "Call again where there is a network.")
    api = HfApi(library_name="clir")
    broken: Any = HfHubHTTPError.__bases__  # errors of the system, and of whatever library the client speaks with
    try:
        if not updates and api.repo_exists(name):
            raise UsageError(f"There is a model {name} already.", "Take another name, or add --update if it is yours.")
        api.create_repo(name, private=is_private, exist_ok=updates)
        commit: Any = api.upload_folder(
            repo_id=name,
            folder_path=folder,
            allow_patterns=[file.name for file in files],
            commit_message="Model trained with clir",
        )
    except HfHubHTTPError as error:
        status = getattr(error.response, "status_code", None)
        hint = {
            401: "The token is not valid: run `hf auth login` again.",
            403: "The token may not write there: is it a write token, and the name yours?",
            409: "Take another name, or add --update if it is yours.",
        }.get(status or 0, "Call again later; nothing is half there, files come in one commit.")
        raise ClirError(f"The hub refused {name}: {first_line(error)}", hint) from error
    except broken as error:
        raise ClirError(f"The upload of {name} broke off: {first_line(error)}", "Call again with --update.") from error
    return str(getattr(commit, "repo_url", None) or f"{api.endpoint}/{name}")
