from dataclasses import replace

import numpy as np
import pytest

from regard.model.checkpoint import Pretrained
from regard.model.trace import Trace, entropy
from regard.model.translate import translate


@pytest.fixture(scope="module")
def trace(tiny_model: Pretrained) -> Trace:
    return translate(tiny_model, ["The boy doesn't see Krzysztof."])[0]


def test_its_arrays_cannot_be_written_to(trace: Trace) -> None:
    assert len(trace.arrays()) == 20
    for array in trace.arrays():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_entropy_is_0_bits_for_one_token_and_2_for_four_alike() -> None:
    rows = np.array([[0, 1, 0, 0], [0.25] * 4, [0.5, 0.5, 0, 0], [0] * 4], dtype=np.float32)
    assert entropy(rows).tolist() == [0, 2, 1, 0]
    assert not np.signbit(entropy(rows)).any()


def test_another_reason_to_stop_is_refused(trace: Trace) -> None:
    with pytest.raises(ValueError, match="'bored'; it must be one of end, limit, forced"):
        replace(trace, stop="bored")
