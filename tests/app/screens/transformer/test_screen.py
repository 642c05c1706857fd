import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models import registry, settings
from regard.app.models.result_cache import forget_all
from regard.app.models.traces import REVERSER, transformer_beside, transformer_trace
from regard.app.screens.transformer.ideas import EXAMPLE, IDEAS, MASKS, QUESTION, attentions
from regard.app.visitor.question import EXAMPLE as SENTENCE
from regard.model.checkpoint import COMPARED, PRETRAINED, load, save
from regard.model.transformer.trace import TransformerTrace
from tests.support.sent import numbers
from tests.support.small_transformer import small_transformer

OPENED = ("trained-steps",)


@pytest.fixture
def translator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The only Transformer of English and French here; nobody trained it."""
    folder = tmp_path / "models" / "small"
    small = small_transformer()
    save(small.network, small.tokenizer, folder)
    monkeypatch.setenv(settings.MODELS_SETTING, str(folder))
    monkeypatch.setattr(registry, "PRETRAINED", _recurrent(tmp_path / "shipped"))
    forget_all()
    yield "small"
    forget_all()


def _recurrent(folder: Path) -> Path:
    """The recurrent models that ship, alone."""
    folder.mkdir()
    for name in ("en-fr", COMPARED):
        (folder / name).symlink_to(PRETRAINED / name)
    return folder


@pytest.fixture
def shown() -> TransformerTrace:
    """Return the trace that the screen opens with."""
    name = transformer_beside("en-fr")
    return transformer_trace(name, EXAMPLE if name == REVERSER else SENTENCE)


def drawn(screen: AppTest) -> dict[str, np.ndarray]:
    """Return the numbers of the heatmaps, by description."""
    specs = {element.proto.alt: json.loads(element.proto.spec) for element in screen.get("plotly_chart")}
    return {alt: numbers(spec["data"][0]["z"]) for alt, spec in specs.items() if spec["data"][0]["type"] == "heatmap"}


def control(screen: AppTest, key: str) -> Any:
    """A row of choices; AppTest's own types tell nothing of it."""
    return screen.get_by_key(key)


def said(screen: AppTest) -> str:
    return "".join(element.value for element in (*screen.markdown, *screen.caption, *screen.info))


def test_every_idea_draws_the_trained_models_own_weights(screen: AppTest, shown: TransformerTrace) -> None:
    screen.run()
    for name in IDEAS:
        control(screen, "part").set_value(name).run()
        assert not screen.exception, name
        assert "No tra" not in said(screen)
        pictures = drawn(screen)
        layers = {"self": shown.encoder_attention, "masks": shown.decoder_attention}
        last = layers.get(name, shown.cross_attention).weights[-1]
        if name == "heads":
            assert len(pictures) == len(last)
            for head, weights in enumerate(last, 1):
                assert pictures[f"Head {head}"] == pytest.approx(100 * weights, abs=1e-4)
        elif IDEAS[name].pictures:
            picture = pictures[IDEAS[name].pictures["weights"]]
            assert picture == pytest.approx(100 * last[0][:8], abs=1e-3), name
        told = said(screen)
        assert f"layer {len(shown.cross_attention.weights)}" in told
        assert (", head 1: its own" in told) == ("a matrix R" in told) == (name != "residual"), name
        assert screen.selectbox(key="trained_head").disabled == (name == "residual")


def test_another_head_and_other_components_are_drawn_as_they_are(screen: AppTest, shown: TransformerTrace) -> None:
    screen.query_params.update({"trained_layer": "1", "trained_head": "2", "components": "5 to 8"})
    screen.run()
    assert not screen.exception
    [weights] = drawn(screen).values()
    assert weights == pytest.approx(100 * shown.cross_attention.weights[0, 1][:8], abs=1e-3)
    assert "layer 1, head 2" in said(screen)


def test_what_is_hidden_has_no_weight(screen: AppTest) -> None:
    control(screen.run(), "part").set_value("masks").run()
    for kind in MASKS:
        control(screen, "hide").set_value(kind).run()
        assert not screen.exception
        weights = next(iter(drawn(screen).values())) / 100
        assert weights.sum(axis=1) == pytest.approx(np.ones(len(weights)))
        later = np.triu(np.ones(weights.shape), 1) == 1
        assert (weights[later] == 0).all() == (kind == "causal")
        assert (weights[:, -2:] == 0).all() == (kind == "padding")


def test_with_a_transformer_of_the_visitors_languages_the_steps_are_of_their_sentence(
    screen: AppTest, translator: str
) -> None:
    screen.query_params.update({"sentence": "She has a red car.", "given": "Elle a une voiture rouge."})
    screen.run()
    assert not screen.exception
    assert screen.text_input(key="sentence").value == "She has a red car."
    spec = json.loads(screen.get("plotly_chart")[0].proto.spec)
    assert spec["layout"]["xaxis"]["ticktext"][:6] == ["She", "has", "a", "red", "car", "."]
    screen.text_input(key="sentence").set_value(" ".join(["She has a red car."] * 4)).run()
    assert not screen.exception
    assert "Type a shorter sentence" in said(screen)


def test_the_table_counts_what_the_models_have(screen: AppTest, shown: TransformerTrace) -> None:
    control(screen.run(), "part").set_value("summary").run()
    assert not screen.exception
    rows = {row[QUESTION]: list(row.values())[1:] for row in attentions(shown, load(PRETRAINED / COMPARED).config)}
    luong, alone, heads = rows["Learned parameters"]
    whole = shown.annotations.shape[1]
    size = shown.cross_attention.queries.shape[3]
    assert f"= {load(PRETRAINED / COMPARED).network.state_dict()['decoder.score.W_a.weight'].numel():,} " in luong
    assert f"= {3 * whole * size:,} " in alone
    assert f"= {4 * whole**2:,} " in heads
    html = "".join(unescape(element.proto.body) for element in screen.get("html"))
    assert all(cell in html for row in rows.values() for cell in row)
