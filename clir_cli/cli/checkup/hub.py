"""Whether the hub of checkpoints can be reached: one short question, and none where the user wants no network."""

import os
import threading
from collections.abc import Mapping
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

TIMEOUT = 3.0
"""Seconds."""


def is_offline(environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a variable says that the hub is not to be asked."""
    switches = (environ.get(name, "") for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"))
    return any(switch.upper() in ("1", "ON", "YES", "TRUE") for switch in switches)


def endpoint(environ: Mapping[str, str] = os.environ) -> str:
    """Address of the hub, or of the mirror that ``HF_ENDPOINT`` names."""
    return (environ.get("HF_ENDPOINT") or "https://huggingface.co").rstrip("/")


def why_unreachable(address: str, timeout: float = TIMEOUT) -> str | None:
    """Why nobody answers at ``address``; None where somebody does."""
    reasons: list[str | None] = []
    # In a thread of its own: the timeout of a connection does not cover the look-up of its name.
    asking = threading.Thread(target=lambda: reasons.append(_ask(address, timeout)), daemon=True)
    asking.start()
    asking.join(timeout + 0.5)
    return reasons[0] if reasons else f"no answer in {timeout:.0f} s"


def _ask(address: str, timeout: float) -> str | None:
    try:
        with urlopen(Request(address, method="HEAD"), timeout=timeout):
            return None
    except HTTPError as error:
        if error.code < 500:  # a mirror need not have a front page
            return None
        return f"it answers {error.code} {error.reason}".strip()
    except TimeoutError:
        return f"no answer in {timeout:.0f} s"
    except URLError as error:
        return str(getattr(error.reason, "strerror", None) or error.reason)
    except (OSError, ValueError) as error:
        return str(error)
