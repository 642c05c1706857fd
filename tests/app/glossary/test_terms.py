import re
from dataclasses import fields

import pytest
import sacrebleu

from regard.app.glossary.terms import DEFINITIONS, THEMES, Definition, close, matching
from regard.app.navigation import SCREENS
from regard.app.wording import ACCEPTABLE
from regard.model.reference.recompute import Recomputation
from regard.model.trace import Trace
from regard.pretrained.recipe.doubt import ENOUGH

SMALL = {
    "state": Definition("State", "What the decoder carries.", also="hidden state of the decoder"),
    "cell": Definition("Cell state", "The memory of an *LSTM*."),
    "gate": Definition("Gate", "Says what enters the state.", source="Somebody (1999)"),
    "score": Definition("Score", "A number.", also="energy"),
}


@pytest.mark.parametrize(
    ("typed", "names"),
    [
        ("state", ["state", "cell", "gate"]),
        ("STATE", ["state", "cell", "gate"]),
        ("hidden state", ["state"]),
        ("energy", ["score"]),
        ("lstm", ["cell"]),
        ("somebody", ["gate"]),
        ("state memory", ["cell"]),
        ("[(*", []),
        ("nothing like it", []),
    ],
)
def test_terms_are_found_best_first(typed: str, names: list[str]) -> None:
    assert matching(typed, SMALL) == names


@pytest.mark.parametrize(("typed", "name"), [("scoer", "score"), ("Enrgy", "score"), ("gaet", "gate")])
def test_a_slip_of_the_keyboard_is_understood(typed: str, name: str) -> None:
    assert matching(typed, SMALL) == []
    assert close(typed, SMALL)[0] == name


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("hidden state", "state"),
        ("encoder output", "annotation"),
        ("additive", "concat"),
        ("attention matrix", "heatmap"),
    ],
)
def test_the_names_that_others_use_lead_to_ours(typed: str, name: str) -> None:
    assert matching(typed, DEFINITIONS)[0] == name


def test_every_term_belongs_to_one_theme() -> None:
    assert sum(map(len, THEMES.values())) == len(DEFINITIONS)
    assert len({known.term for known in DEFINITIONS.values()}) == len(DEFINITIONS)


NEEDED = (
    "perplexity", "chrF", "dropout", "learning rate", "backpropagation", "positional encoding",
    "scaled dot-product attention", "local attention", "hard attention", "residual connection", "convex hull",
)  # fmt: skip


@pytest.mark.parametrize("term", NEEDED)
def test_a_term_that_readers_look_for_is_there(term: str) -> None:
    assert DEFINITIONS[matching(term, DEFINITIONS)[0]].term.casefold() == term.casefold()


def test_what_is_acceptable_is_said_with_the_limit_and_an_example_that_is_wrong() -> None:
    text = DEFINITIONS["acceptable"].text
    assert f"at least {ENOUGH:g}" in text
    assert ENOUGH == ACCEPTABLE
    wrong, reference = re.findall("“(.+?)”", text)
    assert f"chrF of {sacrebleu.CHRF().sentence_score(wrong, [reference]).score:.1f}" in text


ARRAYS = {  # terms, and the fields of a recomputation or a trace that hold them
    "annotation": "annotations",
    "attentional": "attentional",
    "cell_state": "cells",
    "context": "contexts",
    "embedding": "embeddings",
    "gate": "gates",
    "initial_state": "initial_state",
    "key": "keys",
    "log_normaliser": "log_normaliser",
    "logit": "logits",
    "mask": "mask",
    "score": "scores",
    "state": "states",
    "weight": "weights",
}


@pytest.mark.parametrize("known", DEFINITIONS.values(), ids=lambda known: known.term)
def test_a_definition_is_a_sentence_or_more_with_a_whole_formula_other_names_and_a_screen(known: Definition) -> None:
    assert known.term[0].isupper() or known.term[0].isdigit() or known.term in ("chrF", "eflomal")
    assert known.text.endswith(".")
    assert 1 <= len(re.findall(r"[.?](?= |$)", known.text)) <= 5
    braces = re.sub(r"\\[{}]", "", known.formula)
    assert braces.count("{") == braces.count("}")
    assert all(len(name.split()) <= 5 and not name.startswith("which ") for name in known.also.split(", "))
    assert not known.seen or known.seen in SCREENS


def shapes(kind: type[Trace] | type[Recomputation]) -> dict[str, list[str]]:
    """The letters of every field that is an array."""
    annotations = {field.name: getattr(field.type, "dim_str", None) for field in fields(kind)}
    return {name: letters.split() for name, letters in annotations.items() if letters is not None}


def test_a_term_has_the_shape_of_its_array() -> None:
    recomputed, traced = shapes(Recomputation), shapes(Trace)
    for name, array in ARRAYS.items():
        assert DEFINITIONS[name].shape.split() == recomputed[array], name
        assert array in ("keys", "logits", "weights") or traced[array] == recomputed[array], name
