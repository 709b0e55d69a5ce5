"""Devices, precision and random numbers."""

import random

import numpy as np
import pytest
import torch

from clir_cli.errors import ClirError
from clir_cli.learning.devices import (
    autocast,
    choose_device,
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
