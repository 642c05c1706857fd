import json
from dataclasses import replace
from typing import Any

import numpy as np

from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.session import (
    EDITS_AT_ONCE,
    ChangeSession,
    EditedTranslation,
    History,
    NumberedEdit,
    Translator,
    edited,
)
from regard.model.input_error import InputError
from regard.model.tokenizer import Tokenizer
from regard.model.trace import AnyTrace
from tests.support.javascript import APP, evaluated
from tests.support.made_traces import SOURCE, TARGET, made_of

CHANGES = APP / "export" / "engine" / "changes"
TOO_WARM = "warmer than this sentence stands"
TRANSLATOR = f"""const translator = {{ translate(intervention) {{
  if (intervention.temperature > 5) throw new Error("{TOO_WARM}");
  return {{ intervention }};
}} }};
const plain = ({{ history: {{ present, past, future }}, refused, heard }}) => ({{ refused, heard,
  present: toJson(present), past: past.map(toJson), future: future.map(toJson) }});"""


def visits() -> list[list[list[NumberedEdit]]]:
    """For each of many visitors what the stepper sends, one list after the other; some edits come twice."""
    draw = np.random.default_rng(3)
    kinds: list[dict[str, Any]] = [
        {"kind": "undo"}, {"kind": "undo"}, {"kind": "redo"}, {"kind": "reset"}, {"kind": "nonsense"},
    ]  # fmt: skip
    kinds += [{"kind": "temperature", "value": value} for value in (0.5, 2.0, 7.5)]
    kinds += [{"kind": "mask", "positions": [place], "masked": masked} for place in (0, 1) for masked in (True, False)]
    kinds += [{"kind": "bonus", "step": 1, "position": 1, "value": value} for value in (0, 1.5, 2_000.5)]
    kinds += [{"kind": "weights", "step": 0, "row": row} for row in ([0.5, 0.25, 0.25], [], [0.5, 0.1])]
    found = []
    for _ in range(40):
        edits = [NumberedEdit(number, kinds[draw.integers(len(kinds))]) for number in range(1, 13)]
        cuts = sorted(draw.integers(0, 12, 3).tolist())
        found.append([edits[max(0, start - 2) : stop] for start, stop in zip([0, *cuts], [*cuts, 12], strict=True)])
    warm = [NumberedEdit(number, {"kind": "temperature", "value": 1 + number / 1000}) for number in range(1, 1_001)]
    return [*found, [warm], [warm[:EDITS_AT_ONCE], warm]]


def plain(session: ChangeSession) -> dict[str, Any]:
    def texts(all_: tuple[Intervention, ...]) -> list[str]:
        return [changes.to_json() for changes in all_]

    history: History = session.history
    return {
        "refused": session.refused, "heard": session.heard, "present": history.present.to_json(),
        "past": texts(history.past), "future": texts(history.future),
    }  # fmt: skip


def test_a_session_in_the_browser_goes_as_in_python(tokenizer: Tokenizer) -> None:
    trace = made_of(SOURCE, TARGET)

    def translate(changes: Intervention) -> AnyTrace:
        if changes.temperature > 5:
            raise InputError(TOO_WARM)
        return replace(trace, intervention=changes)

    translator, expected = Translator(tokenizer, "", translate), []
    for sent in visits():
        session = ChangeSession()
        for edits in sent:
            session = session.hear(edits, translator)
        expected.append(plain(session))
    messages = [[[{"number": one.number, **one.values} for one in edits] for edits in sent] for sent in visits()]
    found = evaluated(
        f"{json.dumps(messages)}.map((sent) => plain(sent.reduce((session, edits) => hear(session, edits, translator), "
        "NOTHING_CHANGED)))",
        {CHANGES / "session.js": "NOTHING_CHANGED, hear", CHANGES / "intervention.js": "toJson"},
        TRANSLATOR,
    )
    assert {one["refused"] for one in expected} > {"", TOO_WARM}
    for mine, theirs in zip(found, expected, strict=True):
        if "nonsense" not in mine["refused"]:  # pydantic's words are other ones
            assert mine["refused"] == theirs["refused"]
        assert {**mine, "refused": ""} == {**theirs, "refused": ""}
        assert bool(mine["refused"]) == bool(theirs["refused"])


EDITS = APP / "export" / "engine" / "changes" / "session.js"
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
