import re
from dataclasses import fields

import pytest

from regard.app.glossary.terms import DEFINITIONS, Definition
from regard.app.navigation import SCREENS
from regard.model.reference.recompute import Recomputation
from regard.model.trace import Trace

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
