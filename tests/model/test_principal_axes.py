import shutil
from pathlib import Path

import numpy as np
import pytest

from regard.app.components.stepper.payload import coordinates
from regard.model.analysis.axes_measurement import measure_folder
from regard.model.checkpoint import WEIGHTS, Pretrained, load
from regard.model.principal_axes import AXES, KEPT, Moments, save_axes
from regard.model.translate import translate

SENTENCES = ["the red car", "a blue house and a dog", "I love you.", "What is it?", "two words", "she sleeps now"]


@pytest.fixture
def measured(tiny_model: Pretrained, tmp_path: Path) -> Pretrained:
    """A copy of the tiny model with axes beside its weights."""
    folder = Path(shutil.copytree(tiny_model.folder, tmp_path / "measured"))
    measure_folder(folder, SENTENCES)
    return load(folder)


def test_axes_are_the_leading_singular_vectors_of_what_was_counted() -> None:
    random, moments = np.random.default_rng(0), Moments(20)
    rows = random.normal(size=(400, 20)) @ random.normal(size=(20, 20)) + random.normal(size=20)
    for part in np.array_split(rows, 7):
        moments.add(part)
    axes = moments.axes()
    _, singular, right = np.linalg.svd(rows - rows.mean(0))
    variances = singular**2 / len(rows)
    assert axes.directions.shape == (KEPT, 20)
    np.testing.assert_allclose(np.abs(axes.directions @ right[:KEPT].T), np.eye(KEPT), atol=1e-4)
    np.testing.assert_allclose(axes.deviations**2, variances[:KEPT], rtol=1e-4)
    assert axes.share == pytest.approx(variances[:KEPT].sum() / variances.sum(), rel=1e-6)


def test_the_coordinates_of_a_context_are_the_weighted_sum_of_the_annotations(measured: Pretrained) -> None:
    (trace,) = translate(measured, ["the red car and the blue house"])
    axes = trace.maker.axes["annotation"]
    mixed = trace.weights @ axes.coordinates(trace.annotations)
    np.testing.assert_allclose(axes.coordinates(trace.contexts), mixed, atol=1e-4)


def test_axes_of_other_weights_are_left_out(measured: Pretrained, caplog: pytest.LogCaptureFixture) -> None:
    content = bytearray((measured.folder / WEIGHTS).read_bytes())
    content[-2:] = content[-4:-2]
    (measured.folder / WEIGHTS).write_bytes(content)
    assert load(measured.folder).axes == {}
    assert "it is of a model with the hash" in caplog.text


def test_axes_measured_before_embeddings_had_theirs_draw_all_but_embeddings(measured: Pretrained) -> None:
    old = {kind: axes for kind, axes in measured.axes.items() if "embedding" not in kind}
    save_axes(old, measured.fingerprint, len(SENTENCES), measured.folder)
    (trace,) = translate(load(measured.folder), ["the red car"])
    (now,) = translate(measured, ["the red car"])
    drawn, complete = (coordinates(one).keys() for one in (trace, now))
    assert complete - drawn == {"embedding", "fed_embedding"}


@pytest.mark.parametrize("keep", [0, 7, 100, 400, -1])
def test_a_file_that_is_cut_short_is_left_out(
    measured: Pretrained, keep: int, caplog: pytest.LogCaptureFixture
) -> None:
    file = measured.folder / AXES
    file.write_bytes(file.read_bytes()[:keep])
    assert load(measured.folder).axes == {}
    assert "left out" in caplog.text
