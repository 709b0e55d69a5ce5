"""When memory runs out."""

import torch


def is_out_of_memory(error: BaseException) -> bool:
    """Whether ``error`` says that a device, or the machine, had no memory left for a tensor."""
    if isinstance(error, torch.OutOfMemoryError | MemoryError):
        return True
    text = str(error)
    return isinstance(error, RuntimeError) and ("can't allocate memory" in text or "not enough memory" in text)


def release_memory(device: torch.device) -> None:
    """Give back what the allocator holds and nobody uses."""
    if device.type == "cuda":
        torch.cuda.empty_cache()
