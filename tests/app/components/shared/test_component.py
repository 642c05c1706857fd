"""Components: every message that one of ours sends has a type, and nothing else is heard."""

import re

import pytest

from benchmarks.server import ROOT
from regard.app.components.shared.component import FOLDERS, MESSAGES, SentLinks, SentPreview, read
from regard.app.components.stepper.mount import MESSAGES as STEPPER
from tests.support.hostile_values import FITTING, wrong_messages


def test_every_message_that_python_listens_to_has_a_type() -> None:
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "app").rglob("*.py")]
    listened = {name for text in texts for name in re.findall(r"\bon_(\w+)_change(?==|\":)", text)}
    listened |= {name for _, name in STEPPER}
    assert {"inspect", "edit", "preview", "add", "drawn"} <= listened
    assert {name for _, name in MESSAGES} == listened


def test_every_component_with_messages_is_one_of_ours() -> None:
    assert {name for name, _ in MESSAGES} <= {f"regard_{folder}" for folder in FOLDERS}


@pytest.mark.parametrize("component", sorted({name for name, _ in MESSAGES}))
def test_what_is_of_another_type_is_not_heard(component: str) -> None:
    heard = [(name, value) for name, value in wrong_messages() if read(component, name, value) is not None]
    assert all((name, value) in (("edit", []), ("rows", "x")) for name, value in heard)
    assert any(read(component, name, value) is not None for name, value in FITTING[component])


def test_what_is_heard_has_its_type() -> None:
    assert read("regard_stepper", "preview", {"nonce": 1, "step": 2, "row": [0, 1.0]}) == SentPreview(
        nonce=1, step=2, row=(0, 1)
    )
    assert read("regard_link_grid", "drawn", {"text": "0-0", "number": 3}) == SentLinks(text="0-0", number=3)
    (edit,) = read("regard_stepper", "edit", [{"kind": "mask", "positions": [1], "masked": True, "number": 4}])
    assert (edit.number, edit.values) == (4, {"kind": "mask", "positions": [1], "masked": True})
