import random
from collections.abc import Iterator

import pytest

from regard.app.arithmetic.equations import agreement, formula, numbers, shapes
from regard.model.arithmetic.kinds import KINDS, SHARED, TRANSFORMER
from regard.model.arithmetic.quantity import Quantity, accepted
from regard.model.arithmetic.terms import Derivation
from regard.model.arithmetic.transformer import work_out_transformer
from regard.model.changes import what_if
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import shipped
from regard.model.input_error import InputError
from regard.model.reference.transformer import load_transformer_parameters, recompute_transformer
from regard.model.transformer.checkpoint import load_transformer
from regard.model.transformer.trace import TransformerTrace

NAME = "reverse-transformer"
CHANGED = Intervention(
    hidden=(1,),
    bonus=((1, 2, 0.5),),
    heads_off=(("cross", 1, 2), ("encoder", 0, 1)),
    head_weights=(("cross", 0, 3, 1, (0.25, 0.0, 0.5, 0.25)), ("decoder", 1, 0, 2, (0.5, 0.25, 0.25))),
)


def places(kind: str, trace: TransformerTrace, count: int) -> Iterator[Quantity]:
    """Some numbers of a kind, wherever it has them."""
    chance = random.Random(kind)
    for _ in range(count):
        quantity = Quantity(kind)
        for name in KINDS[kind].indices:
            if kind in TRANSFORMER:
                values = accepted(quantity, name, trace)
            else:
                steps, positions = trace.weights.shape
                choices = {"step": range(steps), "position": range(positions), "component": range(64)}
                values = choices.get(name) or trace.top_ids[quantity.step].tolist()
            quantity = Quantity(**{**vars(quantity), name: chance.choice(list(values))})
        yield quantity


@pytest.mark.parametrize("changes", [Intervention(), CHANGED], ids=["plain", "changed"])
def test_every_kind_of_number_agrees_and_leads_on_to_numbers_that_agree(changes: Intervention) -> None:
    model = load_transformer(shipped(NAME))
    trace = what_if.translate(model, "2 5 9", changes)
    parameters = load_transformer_parameters(shipped(NAME))
    sizes = trace.weights.shape
    recomputed = recompute_transformer(
        parameters, trace.source_ids, trace.target_ids, changes.steering(*sizes), changes.all_heads(sizes[1], sizes[0])
    )

    def check(quantity: Quantity) -> Derivation:
        working = work_out_transformer(quantity, trace, recomputed, parameters)
        assert working.agrees, (working.name, working.shown, working.recomputed, working.tolerance)
        if working.terms:
            assert working.combined == pytest.approx(working.recomputed, rel=1e-4, abs=working.tolerance), working.name
        return working

    for kind in (*TRANSFORMER, *SHARED):
        for quantity in places(kind, trace, 8):
            working = check(quantity)
            assert all(text for text in (formula(working, "latex"), numbers(working), agreement(working)))
            assert "W_o" not in formula(working, "latex") + shapes(working)  # beside W_O, which joins heads
            for opened in working.opens[:3]:
                assert (
                    Quantity.parse(
                        {name: getattr(opened, name) for name in ("kind", "trace", *KINDS[opened.kind].indices)}
                    )
                    == opened
                )
                check(opened)


def test_what_a_model_has_not_is_refused_by_name() -> None:
    trace = what_if.translate(load_transformer(shipped(NAME)), "2 5", Intervention())
    for wrong, told in (
        (Quantity("state"), "a Transformer has no such number"),
        (Quantity("head_score", attention="sideways"), "attention"),
        (Quantity("head_score", attention="cross", layer=2), "layer"),
        (Quantity("head_query", attention="cross", head=-1), "head"),
        (Quantity("head_score", attention="decoder", row=0, column=1), "column"),
        (Quantity("hidden", attention="cross"), "attention"),
    ):
        with pytest.raises(InputError, match=told):
            wrong.check(trace)
