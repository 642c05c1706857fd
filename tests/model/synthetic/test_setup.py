from dataclasses import replace
from typing import Any

import pytest

from regard.model.synthetic.setup import ATTENTIONS, Setup


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("task", "guess", "task is 'guess'; it must be one of reverse, copy, sort, shift"),
        ("attention", "all", f"it must be one of {', '.join(ATTENTIONS)}"),
        ("cell", "rnn", "it must be one of lstm, gru"),
        ("network", "none", "network is 'none'; it must be one of recurrent, transformer"),
        ("positions", "all", "positions is 'all'; it must be one of sinusoids, none"),
        ("heads", 9, "heads is 9; accepted is a number from 1 to 8"),
        ("longest", 21, "longest is 21; accepted is a number from 2 to 20"),
        ("shortest", 9, "shortest is 9; accepted is at most longest, which is 8"),
        ("hidden", 33, "hidden is 33; accepted is an even number"),
        ("teacher_forcing", -0.1, "accepted is a number from 0 to 1"),
        ("rate", float("nan"), "rate is nan"),
        ("seed", 2**31, "accepted is a number from 0 to 2147483647"),
    ],
)
def test_a_setup_that_cannot_be_is_refused_by_name(field: str, value: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        replace(Setup(), **{field: value})


def test_a_transformer_s_width_is_a_multiple_of_twice_its_heads_and_its_options_are_its_own() -> None:
    for hidden in (20, 63):
        with pytest.raises(ValueError, match=f"hidden is {hidden}; accepted is a multiple of 8, twice the heads"):
            Setup(network="transformer", hidden=hidden)
    assert Setup(hidden=20).name == "reverse-gru-dot"  # a recurrent network has none
    setup = Setup(network="transformer", positions="none")
    assert setup.name == "reverse-transformer-nopos"
    assert not {"cell", "attention"} & setup.options().keys()
    assert not {"heads", "layers", "positions"} & Setup().options().keys()
