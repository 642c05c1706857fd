"""The picture's coordinates are those that NumPy makes of the trace's own vectors with the stored axes."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

from regard.app.components.network.payload import network
from regard.model.checkpoint import load, shipped
from regard.model.principal_axes_file import AXES
from regard.model.trace import Trace
from regard.model.translate import translate

SENTENCE = "She bought a red car."


@pytest.fixture(scope="module", params=["en-fr-general", "en-fr-bahdanau", "en-fr-none", "en-fr-general-gru"])
def trace(request: pytest.FixtureRequest) -> Trace:
    (made,) = translate(load(shipped(request.param)), [SENTENCE])
    return made


def test_coordinates_are_recomputed_from_the_file(trace: Trace) -> None:
    stored = load_file(shipped(trace.maker.name) / AXES)
    drawn = network(trace)
    assert drawn
    vectors = {
        "annotation": ("annotation", trace.annotations),
        "forwards": ("forwards", trace.annotations[:, :256]),
        "backwards": ("backwards", trace.annotations[:, 256:]),
        "context": ("annotation", trace.contexts),
        "state": ("state", trace.states),
        "initial_state": ("state", trace.initial_state[None]),
        "attentional": ("attentional", trace.attentional),
    }
    if len(trace.initial_cell):
        vectors |= {"cell": ("cell", trace.cells), "initial_cell": ("cell", trace.initial_cell[None])}
    assert drawn["coordinates"].keys() == vectors.keys()
    for kind, (of, rows) in vectors.items():
        mean, directions, deviations = (
            stored[f"{of}.{name}"].astype(np.float64) for name in ("mean", "directions", "deviations")
        )
        own = (rows - mean) @ directions.T / deviations
        sent = np.frombuffer(drawn["coordinates"][kind]["data"], "<f4").reshape(own.shape)
        np.testing.assert_allclose(sent, own, atol=2e-4)


def test_gates_are_told_by_their_mean_and_some_of_their_components(trace: Trace) -> None:
    drawn = network(trace)
    assert drawn
    gates = ["update", "reset"] if trace.maker.cell == "gru" else ["input", "forget", "output"]
    assert set(drawn["gates"]) == set(gates)
    for place, name in enumerate(drawn["gates"]):
        opening = trace.gates[:, trace.maker.gates.index(name)]
        mean, profile = (np.frombuffer(drawn[key]["data"], "<f4") for key in ("openness", "profile"))
        np.testing.assert_allclose(mean.reshape(len(opening), -1)[:, place], opening.mean(1), atol=1e-6)
        own = profile.reshape(len(opening), len(gates), -1)[:, place]
        np.testing.assert_array_equal(own, np.sort(opening, axis=1)[:, 16::32])


def test_a_model_without_axes_has_no_picture(trace: Trace) -> None:
    assert network(replace(trace, maker=replace(trace.maker, axes={}))) is None
