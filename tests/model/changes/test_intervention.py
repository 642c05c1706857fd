import json
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from numpy import ndarray

from benchmarks.server import ROOT
from regard.model.changes.intervention import Intervention
from tests.support.interventions import VALUES, head_edits
from tests.support.soon import soon

VOCABULARY = range(2, 50)
EVERYWHERE, ENDS = np.ones(4, dtype=bool), np.array([True, False, False, True])
HALVES = (0.5, 0.5, 0.0, 0.0)


@given(VALUES, head_edits())
def test_an_intervention_survives_its_json(values: dict[str, Any], of_heads: dict[str, Any]) -> None:
    intervention = Intervention(**values, **of_heads)
    assert Intervention.from_json(intervention.to_json()) == intervention
    assert intervention.changes_heads == any(of_heads.values())


# In a process of its own, where no type checker of the tests stands in front of it.
FROM_PYTHON = """
import numpy as np
from regard import Intervention

half = np.array([0.25, 0.75], dtype=np.float32)
for values in (
    {"weights": [[np.int64(0), tuple(half)]]}, {"hidden": np.array([1])}, {"tokens": ((0, np.int64(7)),)},
    {"vectors": [("context", 1, half)], "heads_off": [["cross", 2, 0]]},
):
    intervention = Intervention(**values)
    assert Intervention.from_json(intervention.to_json()) == intervention
for values in ({"hidden": 1}, {"hidden": (1.5,)}, {"temperature": "1"}, {"tokens": ((0, 500, 3),)}):
    try:
        Intervention(**values)
    except ValueError as error:
        print(str(error).partition(". Accepted are fields")[0])
"""


def test_from_python_arrays_become_a_value_and_other_types_are_refused_by_their_field() -> None:
    done = subprocess.run([sys.executable, "-c", FROM_PYTHON], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.splitlines() == [
        "hidden: 1 is not a list",
        "hidden: 0: Input should be a valid integer",
        "temperature: Input should be a valid number",
        "tokens: 0: Tuple should have at most 2 items after validation, not 3",
    ]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON (line 1). An intervention is JSON such as"),
        ("[]", "An intervention is JSON such as"),
        ('{"tokens":\n x}', "not JSON (line 2)"),
        ('{"token": []}', "unknown key token; known are words, tokens, weights, hidden, bonus,"),
        ('{"tokens": [[1, true]]}', "tokens.0.1: Input should be a valid integer"),
        ('{"tokens": [[1, 2, 3]]}', "tokens.0: "),
        ('{"tokens": [[1, 2], [1, 3]]}', "tokens: 1 is named more than once"),
        ('{"tokens": [[-1, 3]]}', "tokens: -1 is below 0"),
        ('{"weights": [[2, [0.5, 0.6]]]}', "step 2: the weights add up to 1.1; they must add up to 1"),
        ('{"weights": [[2, []]]}', "step 2: the weights add up to 0"),
        (
            '{"weights": [[2, [1.5, -0.5]]]}',
            "step 2, source token 0: the weight is 1.5; accepted is a number from 0 to 1",
        ),
        ('{"weights": [[2, [1.0, -0.0001]]]}', "step 2, source token 1: the weight is -0.0001"),
        ('{"weights": [[0, [NaN, 1]]]}', "step 0, source token 0: the weight is nan"),
        ('{"bonus": [[0, 1, Infinity]]}', "step 0, source token 1: the bonus is inf"),
        ('{"bonus": [[0, 1, NaN]]}', "step 0, source token 1: the bonus is nan"),
        ('{"temperature": 0}', "the temperature is 0.0; accepted is a number from 0.05 to 20"),
        ('{"temperature": NaN}', "the temperature is nan"),
        ('{"words": [[1, "  "]]}', "source word 1: what stands in its place is “  ”"),
        (r'{"words": [[1, "\u200b\u001f"]]}', "accepted are 1 to 200 characters that are not all blank"),
        ('{"hidden": [0, 0]}', "hidden: 0 is named more than once"),
        ('{"heads_off": [["both", 0, 0]]}', "attention is 'both'; accepted are encoder, decoder, cross"),
        ('{"heads_off": [["cross", 0, 1], ["cross", 0, 1]]}', "heads_off, cross: 0, 1 is named more than once"),
        ('{"heads_off": [["cross", 0, -1]]}', "heads_off, cross: -1 is below 0"),
        (
            '{"heads_off": [["cross", 0, 1]], "head_weights": [["cross", 0, 1, 0, [1.0]]]}',
            "cross attention, layer 0, head 1 is switched off and given weights",
        ),
        ('{"head_weights": [["cross", 0, 1, 0, [0.5]]]}', "layer 0, head 1, row 0: the weights add up"),
    ],
)
def test_what_is_none_is_refused_with_its_place_and_what_is_accepted(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        Intervention.from_json(text)


@pytest.mark.parametrize(
    ("mask", "changed", "reason"),
    [
        (EVERYWHERE, {"hidden": (4,)}, "source token 4 is past the end: the source has 4 tokens"),
        (EVERYWHERE, {"hidden": (10**30,)}, "is past the end"),
        (EVERYWHERE, {"bonus": ((0, 7, 1.0),)}, "source token 7 is past the end"),
        (EVERYWHERE, {"hidden": (0, 1, 2, 3)}, "every source token is masked"),
        (ENDS, {"hidden": (0, 3)}, "every source token is masked"),
        (EVERYWHERE, {"tokens": ((1, 1),)}, "step 1: token 1 cannot be written; accepted are 2 to 49"),
        (EVERYWHERE, {"tokens": ((1, 50),)}, "step 1: token 50 cannot be written"),
        (EVERYWHERE, {"weights": ((1, (0.5, 0.5)),)}, "step 1: there are 2 weights; the source has 4 tokens"),
        (EVERYWHERE, {"weights": ((1, HALVES),), "hidden": (1,)}, "step 1, source token 1: it has a weight"),
        (ENDS, {"weights": ((0, HALVES),)}, "token 1: it has a weight and is masked; its weight must be 0"),
    ],
)
def test_what_does_not_fit_a_sentence_is_refused_with_its_place(
    mask: ndarray, changed: dict[str, Any], reason: str
) -> None:
    with pytest.raises(ValueError, match=reason):
        Intervention(**changed).check(mask, VOCABULARY)


def test_changes_become_a_row_of_arrays_for_each_step() -> None:
    changed = Intervention(
        weights=((1, (0.25, 0.75, 0.0)),), hidden=(2,), bonus=((0, 1, 3.0),), temperature=0.5
    ).steering(3, 3)
    assert changed.bonus.tolist() == [[0, 3, 0], [0, 0, 0], [0, 0, 0]]
    assert changed.weights.tolist() == [[0, 0, 0], [0.25, 0.75, 0], [0, 0, 0]]
    assert changed.replaced.tolist() == [[False], [True], [False]]
    assert changed.hidden.tolist() == [[False, False, True]]
    assert changed.temperature.tolist() == [[0.5]]


def test_20000_changes_are_read_in_linear_time() -> None:
    text = json.dumps({"hidden": list(range(20_000)), "tokens": [[step, 3] for step in range(20_000)]})
    with soon():
        assert len(Intervention.from_json(text).hidden) == 20_000
