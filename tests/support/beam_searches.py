"""Models, settings and sentences to search with, drawn for property tests."""

from dataclasses import fields

from hypothesis import strategies as st
from numpy import ndarray

from regard.model.decoding.beam import DRAWN
from regard.model.decoding.beam_tree import BeamSettings, BeamTree
from tests.support.every_kind import ATTENTIONS
from tests.support.letter_models import make_speller

MODELS = [
    make_speller(12, seed, strength, cell=cell, **kind)
    for seed, kind in enumerate(ATTENTIONS)
    for cell, strength in (("lstm", 0.6), ("gru", 1.0))
]
models = st.sampled_from(MODELS)
choices = st.builds(BeamSettings, st.integers(1, DRAWN), st.floats(0, 2), st.floats(0, 2))
texts = st.text("abcdef", max_size=3)


def arrays(tree: BeamTree) -> dict[str, ndarray]:
    values = {field.name: getattr(tree, field.name) for field in fields(tree)}
    return {name: value for name, value in values.items() if isinstance(value, ndarray)}
