import json
from dataclasses import replace
from typing import Any

import numpy as np

from regard.model.changes.history import History
from regard.model.changes.intervention import Intervention
from regard.model.changes.session import EDITS_AT_ONCE, ChangeSession, NumberedEdit, Translator
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
