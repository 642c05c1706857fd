"""Every cell of the picture is the number that NumPy computes anew from the weights file and the stored directions."""

from dataclasses import replace

import numpy as np
import pytest
from safetensors.numpy import load_file

from regard.app.components.stepper.payload import network
from regard.model.checkpoint import load, shipped
from regard.model.reference.recompute import load_parameters, recompute
from regard.model.trace import Trace
from regard.model.translate import translate

SENTENCE = "She bought a red car."


@pytest.fixture(scope="module", params=["en-fr-general", "en-fr-bahdanau", "en-fr-none", "en-fr-general-gru"])
def trace(request: pytest.FixtureRequest) -> Trace:
    (made,) = translate(load(shipped(request.param)), [SENTENCE])
    return made


def test_every_cell_is_recomputed_from_the_weights_and_the_stored_directions(trace: Trace) -> None:
    folder = shipped(trace.maker.name)
    run = recompute(load_parameters(folder, np.float64), trace.source_ids, trace.target_ids)
    axes = {name: array.astype(np.float64) for name, array in load_file(folder / "axes.safetensors").items()}
    vectors = {
        "forwards": run.forwards.states, "backwards": run.backwards.states, "annotation": run.annotations,
        "state": run.states, "cell": run.cells, "attentional": run.attentional, "embedding": run.embeddings,
        "fed_embedding": run.fed_embeddings,
    }  # fmt: skip
    vectors |= {f"initial_{name}": getattr(run, f"initial_{name}")[None] for name in ("state", "cell", "attentional")}
    known = {name: name.removeprefix("initial_") for name in vectors} | {"context": "annotation"}
    recomputed = {
        name: (rows - axes[f"{kind}.mean"]) @ axes[f"{kind}.directions"].T / axes[f"{kind}.deviations"]
        for name, rows in (vectors | {"context": run.contexts}).items()
        if f"{(kind := known[name])}.mean" in axes
    }
    drawn = network(trace)
    assert drawn
    assert drawn["coordinates"].keys() == recomputed.keys()
    for kind, own in recomputed.items():
        sent = np.frombuffer(drawn["coordinates"][kind]["data"], "<f4").reshape(own.shape)
        np.testing.assert_allclose(sent, own, atol=2e-4, err_msg=kind)
    np.testing.assert_allclose(recomputed["context"], run.weights @ recomputed["annotation"], atol=1e-10)


def test_a_model_without_axes_has_no_picture(trace: Trace) -> None:
    assert network(replace(trace, maker=replace(trace.maker, axes={}))) is None
