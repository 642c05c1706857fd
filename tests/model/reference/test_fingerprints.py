from pathlib import Path

import numpy as np
import pytest

from regard.model.input_error import InputError
from regard.model.reference.fingerprints import fingerprint, load_axes


def test_a_cell_is_the_distance_from_the_mean_along_its_axis_in_standard_deviations() -> None:
    axes = {
        "state.mean": np.array([1.0, 1.0]),
        "state.directions": np.array([[0.6, 0.8], [0.8, -0.6]]),
        "state.deviations": np.array([2.0, 0.5]),
    }
    # (6, 11) − (1, 1) = (5, 10): 0.6 · 5 + 0.8 · 10 = 11, over 2; 0.8 · 5 − 0.6 · 10 = −2, over 0.5
    np.testing.assert_allclose(fingerprint(axes, "state", np.array([[6.0, 11.0], [1.0, 1.0]])), [[5.5, -4], [0, 0]])


def test_a_folder_without_axes_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"{tmp_path} has no principal axes"):
        load_axes(tmp_path)
