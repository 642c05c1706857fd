from dataclasses import replace
from typing import Any

import pytest

from regard.model.synthetic.setup import ATTENTIONS, Setup


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        ("task", "guess", "task is 'guess'; accepted are reverse, copy, sort, shift"),
        ("attention", "all", f"accepted are {', '.join(ATTENTIONS)}"),
        ("cell", "rnn", "accepted are lstm, gru"),
        ("network", "none", "network is 'none'; accepted are recurrent, transformer"),
        ("positions", "all", "positions is 'all'; accepted are sinusoids, none"),
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


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "A setup is JSON such as"),
        ("{", r"not JSON \(line 1\)"),
        ('{"longest": "9"}', "longest: Input should be a valid integer"),
        ('{"longest": 9.5}', "longest: Input should be a valid integer"),
        ('{"size": 1}', "unknown key size; known are task, longest, shortest,"),
        ('{"longest": 99}', "^longest is 99; accepted is a number from 2 to 20$"),
    ],
)
def test_a_setup_from_a_stranger_is_checked(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        Setup.from_json(text)


def test_a_transformer_s_width_is_a_multiple_of_twice_its_heads_and_its_options_are_its_own() -> None:
    for hidden in (20, 63):
        with pytest.raises(ValueError, match=f"hidden is {hidden}; accepted is a multiple of 8, twice the heads"):
            Setup(network="transformer", hidden=hidden)
    assert Setup(hidden=20).name == "reverse-gru-dot"  # a recurrent network has none
    setup = Setup(network="transformer", positions="none")
    assert setup.name == "reverse-transformer-nopos"
    assert not {"cell", "attention"} & setup.options().keys()
    assert not {"heads", "layers", "positions"} & Setup().options().keys()
