"""A model's folder to the hub of Hugging Face, or to the mirror that HF_ENDPOINT names."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from clir_cli.encoders.adapters.config import ADAPTER_CONFIG
from clir_cli.encoders.adapters.files import SAFE, read_adapter
from clir_cli.encoders.checkpoint import first_line
from clir_cli.errors import ClirError, DataError, UsageError
from clir_cli.rerankers.about_parts import ABOUT, ADAPTERS, find_adapters, find_base, holds_parts, read_about
from clir_cli.rerankers.adapter_card import write_adapter_card
from clir_cli.rerankers.build import load_reranker
from clir_cli.rerankers.parts import WEIGHTS, load_parts, read_parts

Upload = dict[str, Path | bytes]
"""Name in the repository -> the file, or its bytes."""

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


def files_to_upload(folder: Path) -> Upload:
    """Name in the repository -> file, or what is written there: of a re-ranker, of parts of one, or of an adapter.

    What is loaded is loaded, to see that it is whole. Parts go with the adapters of languages that were learned with
    them, and without what says where they lie here. Raises ``DataError`` where the folder holds none of the three, or
    not all of it.
    """
    if not folder.is_dir():
        raise DataError(f"{folder} is no folder.", "Name the folder of a trained model.")
    if holds_parts(folder):
        return _of_parts(folder)
    if (folder / ADAPTER_CONFIG).is_file():
        return _of_adapter(folder) | {"README.md": _adapter_card(folder)}
    load_reranker(folder)
    return {file.name: file for pattern in _KINDS for file in sorted(folder.glob(pattern)) if file.is_file()}


def _of_parts(folder: Path) -> Upload:
    about = read_about(folder)
    about.check_told(folder)
    read_parts(folder)
    base = find_base(folder, about)
    if base is not None and Path(base.place).is_dir():
        load_parts(base.place, folder)
    found: Upload = {name: folder / name for name in (ABOUT, WEIGHTS)}
    if (folder / "README.md").is_file():
        found["README.md"] = folder / "README.md"
    for code, source in find_adapters(folder, about).items():
        if source.is_own:
            files = _of_adapter(Path(source.place))
            found |= {f"{ADAPTERS}/{code}/{name}": file for name, file in files.items()}
    return found


def _of_adapter(folder: Path) -> Upload:
    """The adapter is read once, and not uploaded as a pickle."""
    read_adapter(folder)
    if not (folder / SAFE).is_file():
        raise DataError(f"{folder} has no {SAFE}.", "Pickles are not uploaded: write the adapter as safetensors.")
    return {name: folder / name for name in (ADAPTER_CONFIG, SAFE)}


def _adapter_card(folder: Path) -> Path | bytes:
    """Its own, or one of what the adapter and the report of its training beside it say."""
    if (folder / "README.md").is_file():
        return folder / "README.md"
    report: Any = {}
    with suppress(OSError, ValueError):
        report = json.loads((folder.parent / "report.json").read_text("utf-8"))
    about = json.loads((folder / ADAPTER_CONFIG).read_text("utf-8"))
    return write_adapter_card(about, report if isinstance(report, dict) else {}).encode()


def upload_model(
    files: Upload,
    name: str,
    *,
    is_private: bool = False,
    updates: bool = False,
    reach: Callable[[], str | None] = lambda: None,
) -> str:
    """Make the repository ``name`` and upload ``files`` in one commit; the address of the model.

    ``updates``: the repository may be there already. ``reach`` says why the hub cannot be reached, or None.
    Raises ``UsageError`` without a token, offline, and where the name is taken; ``ClirError`` where the hub refuses.
    """
    from huggingface_hub import CommitOperationAdd, HfApi, get_token
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
        commit: Any = api.create_commit(
            repo_id=name,
            operations=[
                CommitOperationAdd(path, file if isinstance(file, bytes) else str(file)) for path, file in files.items()
            ],
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
