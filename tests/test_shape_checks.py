"""The test run checks the shapes and types that the package's annotations give."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from regard.model.alignment import Alignment, Sentence
from regard.model.attention import contexts
from regard.model.reference.formulas import log_sum_exp
from regard.model.trace import Maker

ONE = Sentence("a", "en", (), (), (), ())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: contexts(torch.zeros(1, 2, 3), torch.zeros(1, 4, 5)),  # one letter, two sizes
        lambda: log_sum_exp(np.zeros(3)),  # a dimension less
        lambda: log_sum_exp(np.zeros((2, 3), dtype=int)),
        lambda: Alignment(ONE, ONE, np.zeros(3)),  # a field of a value
        lambda: Maker(1, "", "", "", "", ()),  # type: ignore[arg-type]
    ],
)
def test_what_disagrees_with_an_annotation_is_an_error(wrong: Callable[[], object]) -> None:
    with pytest.raises(TypeError, match=r"violates|Type-check error"):
        wrong()
