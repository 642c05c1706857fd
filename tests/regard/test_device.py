"""`device=`: where a model computes."""

import subprocess
import sys
from typing import Any

import pytest

import regard


@pytest.mark.parametrize("name", ["cuda:99", "meta", "gpu", "", None])
def test_a_device_that_is_not_here_is_refused_with_those_that_are(name: Any) -> None:
    with pytest.raises(regard.InputError, match=r'device is .*; this machine has .*"cpu"'):
        regard.load("reverse-gru", device=name)


@pytest.mark.parametrize("name", ["en-fr-bahdanau", "en-fr-transformer"])
def test_a_model_on_another_device_makes_the_same_traces_as_numpy_arrays(name: str) -> None:
    command = [sys.executable, "-m", "tests.support.second_device", name]
    ran = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr[-2000:]
