"""Devices, precision and random numbers."""

import random
import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.learning.devices import (
    autocast,
    check_compiler,
    choose_device,
    matrix_products,
    random_states,
    resolve_precision,
    restore_random_states,
    set_seed,
)


def draw() -> list[float]:
    random.gauss(0, 1)  # leaves a second number waiting inside Python's generator, and numpy's likewise
    np.random.normal()
    return [random.gauss(0, 1), float(np.random.normal()), float(torch.randn(())), random.random(), np.random.rand()]


def test_random_states_restore_every_generator() -> None:
    set_seed(5)
    draw()
    states = random_states()
    expected = draw()
    set_seed(6)
    assert draw() != expected
    restore_random_states(states)
    assert draw() == expected


def test_a_seed_decides_all_numbers() -> None:
    set_seed(7)
    first = draw()
    set_seed(7)
    assert draw() == first


def test_auto_precision_on_a_cpu_is_float32() -> None:
    cpu = torch.device("cpu")
    assert resolve_precision("auto", cpu) == "float32"
    with autocast(cpu, "auto"):
        assert (torch.ones(2, 3) @ torch.ones(3, 2)).dtype == torch.float32
    with autocast(cpu, "bf16"):
        assert (torch.ones(2, 3) @ torch.ones(3, 2)).dtype == torch.bfloat16
    with pytest.raises(ClirError, match="float16"):
        resolve_precision("float16", cpu)


def test_device_is_one_that_is_there() -> None:
    assert torch.zeros(1, device=choose_device()).device.type == ("cuda" if torch.cuda.is_available() else "cpu")


def test_tf32_is_for_cards_and_for_the_whole_run() -> None:
    cpu, card = torch.device("cpu"), torch.device("cuda")  # no card is needed to look at the switch
    assert resolve_precision("tf32", cpu) == "float32"
    with matrix_products(cpu, "tf32"):
        assert torch.get_float32_matmul_precision() == "highest"
    with matrix_products(card, "tf32"), autocast(card, "tf32"):
        assert torch.get_float32_matmul_precision() == "high"
    assert torch.get_float32_matmul_precision() == "highest"


@pytest.mark.skipif(not (shutil.which("g++") or shutil.which("clang++")), reason="there is no C++ compiler")
def test_the_compiler_makes_code() -> None:
    check_compiler(torch.device("cpu"))


def test_a_compiler_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from torch._inductor import config

    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path))
    torch._dynamo.reset()
    with config.patch({"cpp.cxx": (None, "no-such-compiler"), "fx_graph_cache": False}), pytest.raises(ClirError) as e:
        check_compiler(torch.device("cpu"))
    assert e.value.problem.startswith("torch.compile does not work here: ")
    assert "training.compile: false" in e.value.hint
    torch._dynamo.reset()
