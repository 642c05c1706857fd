import json
from typing import Any, cast

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.registry import model_names
from regard.app.screens.explanation.scores import tau
from regard.app.theme import percent
from regard.app.wording import MEAN, MEAN_OF_HEADS
from regard.model.analysis.faithfulness import COUNTERFACTUALS, counterfactual, kendall, replaced
from regard.model.checkpoint import Pretrained
from regard.model.checkpoint import shipped as shipped_folder
from regard.model.evaluation.attention_faithfulness import IMPORTANCE, faithfulness_scores, measured, tau_summary
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from regard.model.word_alignment.from_attention import MEAN as MEAN_OF
from regard.model.word_alignment.from_attention import CrossHead, alignment_of
from tests.support.screens import on_screen, table
from tests.support.sent import numbers

SENTENCE = "The boy is wearing a blue shirt."


def opened(**link: str) -> AppTest:
    return on_screen("explanation", **{"sentence": SENTENCE, **link}).run()


def figure(screen: AppTest, index: int) -> dict[str, Any]:
    return json.loads(screen.get("plotly_chart")[index].proto.spec)


def text(screen: AppTest) -> str:
    return " ".join(str(part.value) for part in (*screen.markdown, *screen.info, *screen.header))


def test_every_number_of_the_table_is_the_python_apis(shipped: Pretrained) -> None:
    screen = opened(seed="5")
    assert not screen.exception
    trace = translate(shipped, [SENTENCE])[0]
    step = int(screen.session_state["token"])
    faithfulness = measured(shipped, trace, 5)
    counted, kinds = faithfulness.scores(), faithfulness_scores([faithfulness], 1)["counterfactuals"]
    rows = {row["Weights"]: row for row in table(screen, 1)}
    assert list(rows) == ["the model's own", *COUNTERFACTUALS]
    probability = next(name for name in rows["uniform"] if name.startswith("Probability"))
    for kind in COUNTERFACTUALS:
        found = counterfactual(shipped, trace, kind, 5)
        assert rows[kind][probability] == percent(found.probabilities[step])
        assert rows[kind]["Next token"].startswith("=" if found.stays[step] else "≠")
        assert rows[kind]["Words that stay"] == f"{counted['kept'][kind]} of {counted['words']}"
        content = kinds[kind]["content"]
        assert rows[kind]["Content words"] == f"{percent(content['kept'])} of {content['words']}"
    assert rows["the model's own"][probability] == percent(np.exp(trace.log_probabilities[step]))


@pytest.mark.parametrize("name", model_names())
def test_each_model_that_ships_opens(name: str) -> None:
    screen = opened(model=name)
    assert not screen.exception
    assert len(screen.get("plotly_chart")) == 3


def test_a_link_restores_step_and_seed_and_buttons_go_on_from_there() -> None:
    second = cast(Any, opened().get_by_key("token")).options[1]
    screen = opened(token=second, seed="7")
    assert screen.session_state["token"] == 1
    assert screen.number_input(key="seed").value == 7
    next(button for button in screen.button if button.label == "Next step").click().run()
    assert screen.session_state["token"] == 2
    next(button for button in screen.button if button.label == "Draw again").click().run()
    assert screen.number_input(key="seed").value == 8


def test_a_translation_of_ones_own_is_looked_at_too(shipped: Pretrained) -> None:
    screen = opened(given="Le garçon porte une chemise <b> $x$ *bleue*.")
    assert not screen.exception
    assert any("your word" in caption.value for caption in screen.caption)


def test_what_the_state_knows_of_the_source_is_computed_and_told() -> None:
    assert "its states differ by **exactly 0.0**" in text(opened(model="en-fr-general"))
    started = text(opened(model="en-fr-none"))
    assert "0.0**" not in started
    assert "knows something of the whole sentence" in started


def test_a_transformers_exchanges_stand_beside_the_mean_of_its_heads_in_every_head() -> None:
    model = load_transformer(shipped_folder("reverse-transformer"))
    screen = opened(model=model.name, sentence="2 5 9 1")
    assert not screen.exception
    assert not screen.info
    (trace,) = translate(model, ["2 5 9 1"])
    step, rows = int(screen.session_state["token"]), {row["Weights"]: row for row in table(screen, 1)}
    assert list(rows) == ["the model's own", MEAN, *COUNTERFACTUALS]
    alike = replaced(model, trace, trace.weights)
    probability = next(name for name in rows[MEAN] if name.startswith("Probability"))
    assert rows["the model's own"][probability] == percent(np.exp(trace.log_probabilities[step]))
    assert rows[MEAN][probability] == percent(alike.probabilities[step])
    assert any(caption.value.startswith(MEAN_OF_HEADS) for caption in screen.caption)
    assert "States are here the vectors of which the last layer makes its queries" in text(screen)


def test_the_measures_stand_beside_the_head_that_is_chosen() -> None:
    model = load_transformer(shipped_folder("reverse-transformer"))
    (trace,) = translate(model, ["2 5 9 1"])
    measures = {kind: measure(model, trace) for kind, measure in IMPORTANCE.items()}
    screen = opened(model=model.name, sentence="2 5 9 1")
    step = int(screen.session_state["token"])
    usual = CrossHead(model.config.decoder_layers - 1, MEAN_OF)
    assert screen.selectbox(key="cross_head").value == usual
    assert np.array_equal(alignment_of(trace, usual).weights, trace.weights)
    exchanged = table(screen, 1)
    for head in (CrossHead(0, 1), CrossHead(1, 3), CrossHead(MEAN_OF, MEAN_OF)):
        screen.selectbox(key="cross_head").set_value(head).run()
        weights = alignment_of(trace, head).weights
        bars = figure(screen, 2)["data"][0]
        assert bars["name"] == "weight"
        assert numbers(bars["y"]) == pytest.approx(100 * weights[step], abs=1e-4)
        for row, (kind, values) in zip(table(screen, 2), measures.items(), strict=False):
            taus = kendall(weights, values, trace.reach)
            assert row["This step"] == tau(taus[step]), kind
            assert row["Mean over steps"] == tau(tau_summary(taus)["mean"]), kind
        assert table(screen, 1) == exchanged  # which is of all heads
