"""Facts above a column."""

from dataclasses import replace

from regard.app.components.stepper.labels import gain
from regard.app.theme import component
from regard.model.trace import Trace


def test_a_gain_is_told_by_its_sign_and_none_as_nothing(before: Trace) -> None:
    likelier = replace(before, logits=before.logits + 1)
    amount = component(likelier.log_probability - before.log_probability)
    assert gain(before, likelier) == ("gained", amount)
    assert gain(likelier, before) == ("lost", amount)
    assert gain(before, before) == ("gained", "nothing")
