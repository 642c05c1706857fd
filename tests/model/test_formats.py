from pathlib import Path

import numpy as np
import plotly.graph_objects as go
import pytest

from regard.model import formats
from regard.model.archive import from_json, from_npz
from regard.model.input_error import InputError
from regard.model.trace import Trace


def test_what_is_saved_is_read_back_to_the_bit(before: Trace, tmp_path: Path) -> None:
    for name in ("trace.json", "trace.npz", "trace.html"):
        before.save(tmp_path / name)
    for again in (
        from_json((tmp_path / "trace.json").read_text(encoding="utf-8")),
        from_npz((tmp_path / "trace.npz").read_bytes()),
    ):
        assert again.text == before.text
        assert np.array_equal(again.weights, before.weights)
        assert np.array_equal(again.attentional, before.attentional)
    assert (tmp_path / "trace.html").read_text(encoding="utf-8") == before.to_html()
    with pytest.raises(InputError, match=r"'\.txt'.*\.json, \.npz or \.html"):
        before.save(tmp_path / "trace.txt")


def test_what_is_no_path_is_refused_with_what_would_be() -> None:
    with pytest.raises(InputError, match=r"^the path is 3; it must be a string or a pathlib\.Path$"):
        formats.destination(3, "a trace", ".json")


def test_a_plot_shows_the_weights_between_words(before: Trace) -> None:
    figure = before.plot()
    assert isinstance(figure, go.Figure)
    assert np.allclose(np.array(figure.data[0]["z"], float), 100 * before.alignment.by_words("output").weights)
