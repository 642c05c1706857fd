import json
from dataclasses import replace
from typing import Any

import numpy as np

from regard.model.changes.edits import EditedTranslation, edited
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.tokenizer import Tokenizer
from tests.support.javascript import APP, evaluated
from tests.support.made_traces import SOURCE, TARGET, made_of

EDITS = APP / "export" / "engine" / "changes" / "edits.js"
ROW = (0.1, 0.2, 0.4, 0.3)
HEAD = {"attention": "cross", "layer": 0, "head": 1}
Case = tuple[dict[str, Any], Intervention]


def rows() -> list[tuple[float, ...]]:
    """Rows of weights whose last digits have to be rounded."""
    draw = np.random.default_rng(7)
    drawn = [tuple(draw.dirichlet(np.full(size, 0.3)).tolist()) for size in range(1, 40)]
    return [ROW, (1 / 3,) * 3, (1 / 7,) * 7, *drawn]


def cases() -> list[Case]:
    """Every edit that needs no tokenizer, and masks over each row of weights."""
    given = Intervention(weights=((1, ROW),), head_weights=(("cross", 0, 1, 2, ROW), ("decoder", 0, 1, 2, ROW)))
    plain: list[Case] = [
        ({"kind": "mask", "positions": [2], "masked": True}, given),
        ({"kind": "mask", "positions": [2], "masked": False}, replace(given, hidden=(1, 2))),
        ({"kind": "weights", "step": 1, "row": []}, given),
        ({"kind": "head_weights", **HEAD, "step": 2, "row": []}, given),
        ({"kind": "head", **HEAD, "off": True}, given),
        ({"kind": "head", **HEAD, "off": False}, Intervention(heads_off=(("cross", 0, 1), ("encoder", 0, 0)))),
        ({"kind": "bonus", "step": 1, "position": 2, "value": 1.5}, Intervention(bonus=((1, 3, 0.5), (0, 0, 1.0)))),
        ({"kind": "bonus", "step": 1, "position": 3, "value": 0}, Intervention(bonus=((1, 3, 0.5),))),
        ({"kind": "temperature", "value": 2.5}, given),
    ]
    by_hand: list[Case] = [({"kind": "weights", "step": 3, "row": list(row)}, UNTOUCHED) for row in rows()]
    in_head: list[Case] = [({"kind": "head_weights", **HEAD, "step": 0, "row": list(row)}, UNTOUCHED) for row in rows()]
    masked: list[Case] = [
        ({"kind": "mask", "positions": [0, len(row) // 2], "masked": True}, Intervention(weights=((0, row),)))
        for row in rows()
    ]
    return [*plain, *by_hand, *in_head, *masked]


def test_an_edit_in_the_browser_makes_the_change_that_the_app_makes(tokenizer: Tokenizer) -> None:
    trace, edits = made_of(SOURCE, TARGET), cases()
    asked = [EditedTranslation(tokenizer, "", replace(trace, intervention=changes)) for _, changes in edits]
    expected = [json.loads(edited(edit, one).to_json()) for (edit, _), one in zip(edits, asked, strict=True)]
    sent = json.dumps([[edit, json.loads(changes.to_json())] for edit, changes in edits])
    found = evaluated(
        f"{sent}.map(([edit, changes]) => JSON.parse(toJson(edited(edit, {{ shown: "
        "{ intervention: interventionOf(changes) } }))))",
        {EDITS: "edited", EDITS.with_name("intervention.js"): "interventionOf, toJson"},
    )
    assert found == expected


def test_masking_one_of_four_leaves_the_others_in_whole_parts_of_ten_thousand() -> None:
    mask = {"kind": "mask", "positions": [2], "masked": True}
    changes = {"weights": [[0, list(ROW)]]}
    found = evaluated(
        f"edited({json.dumps(mask)}, {{ shown: {{ intervention: interventionOf({json.dumps(changes)}) }} }})",
        {EDITS: "edited", EDITS.with_name("intervention.js"): "interventionOf"},
    )
    assert found["weights"] == [[0, [0.1667, 0.3333, 0, 0.5]]]
