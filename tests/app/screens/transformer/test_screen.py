"""The Transformer screen keeps its promises, without a browser."""

import base64
import json
from collections.abc import Mapping
from html import unescape
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.screens.transformer.comparison import QUESTION, attentions, learned
from app.screens.transformer.ideas import IDEAS
from app.screens.transformer.projection import (
    MASKS,
    SEEDS,
    Projected,
    asked_by_decoder,
    asking_itself,
    masked,
    of_trace,
    seed_of,
)
from app.visitor.question import EXAMPLE
from app.worked_example.markdown import prose
from benchmarks.server import ROOT
from model.checkpoint import Pretrained
from model.examples.multi_head import HEADS
from model.examples.self_attention import SCALED, SELF_ATTENTION
from model.translate import translate
from tests.support.screens import switch_page

FRAME = ROOT / "app" / "frame.py"
LONG = "The boy who is wearing a blue shirt is playing football."


@pytest.fixture
def screen(shipped: Pretrained) -> AppTest:
    return switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/transformer/screen.py")


@pytest.fixture(scope="module")
def found(shipped: Pretrained) -> Projected:
    return of_trace(translate(shipped, [EXAMPLE])[0])


def drawn(screen: AppTest) -> dict[str, np.ndarray]:
    """What the heatmaps draw, by their description."""
    specs = {element.proto.alt: json.loads(element.proto.spec) for element in screen.get("plotly_chart")}
    return {alt: _array(spec["data"][0]["z"]) for alt, spec in specs.items() if spec["data"][0]["type"] == "heatmap"}


def _array(packed: Mapping[str, Any]) -> np.ndarray:
    shape = tuple(int(size) for size in packed["shape"].split(","))
    return np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).reshape(shape)


def control(screen: AppTest, key: str) -> Any:
    """A row of choices; AppTest's own types tell nothing of it."""
    return screen.get_by_key(key)


def choose(screen: AppTest, name: str) -> AppTest:
    return control(screen, "part").set_value(name).run()


def html(screen: AppTest) -> str:
    return "".join(unescape(element.proto.body) for element in screen.get("html"))


def origin(screen: AppTest) -> str:
    """What is said of where the numbers are from."""
    return next(text.value for text in screen.caption if "no trained Transformer" in text.value)


def said(screen: AppTest) -> str:
    return "".join(element.value for element in (*screen.markdown, *screen.caption))


def test_the_first_view_is_the_decoder_asking_the_example(screen: AppTest, found: Projected) -> None:
    screen.run()
    assert not screen.exception
    [weights] = drawn(screen).values()
    assert weights == pytest.approx(100 * asked_by_decoder(found).run()["weights"])
    assert "hold the same scores" in said(screen)


@pytest.mark.parametrize("name", list(IDEAS))
def test_every_idea_draws_its_weights_and_says_what_was_drawn_by_chance(
    name: str, screen: AppTest, found: Projected
) -> None:
    choose(screen.run(), name)
    assert not screen.exception
    examples = {
        "cross": asked_by_decoder(found),
        "self": asking_itself(SELF_ATTENTION, found),
        "scaling": asking_itself(SCALED, found),
        "masks": masked(found, "causal"),
        "heads": asking_itself(HEADS, found),
    }
    values, pictures = examples[name].run(), drawn(screen)
    assert list(pictures) == list(IDEAS[name].pictures.values())
    for step, title in IDEAS[name].pictures.items():
        assert pictures[title] == pytest.approx(100 * values[step])
    projections = (SEEDS["annotations"], SEEDS["states"]) if name == "cross" else (SEEDS["embeddings"],)
    for seed in projections:
        assert f"(seed {seed})" in origin(screen)
    assert f"Drawn by chance with seed {seed_of(examples[name])}: $W_" in origin(screen)
    assert [note for note in examples[name].notes if prose(note) not in said(screen)] == []
    assert IDEAS[name].finding(values) in said(screen)


def randomise(screen: AppTest) -> None:
    next(button for button in screen.button if button.label == "Randomise").click().run()


def test_what_the_visitor_drew_or_changed_is_said_to_be_so(screen: AppTest) -> None:
    choose(screen.run(), "scaling")
    assert origin(screen).startswith("The rows of X are the model's embeddings")
    randomise(screen)
    assert origin(screen).startswith("Drawn with seed 1: $X$, $W_Q$, $W_K$, $W_V$. This is no trained")
    next(toggle for toggle in screen.toggle if toggle.label.startswith("Divide")).set_value(False).run()
    assert "Drawn with seed 1: $X$, $W_Q$, $W_K$, $W_V$. Changed by hand: $r$. This" in origin(screen)


def test_other_sizes_are_no_longer_the_examples(screen: AppTest) -> None:
    choose(screen.run(), "self")
    screen.number_input(key="self-size-K").set_value(3).run()
    assert origin(screen).startswith("The rows of X are the model's embeddings")
    assert "Drawn by chance with seed 2: $W_V$. Of another size, where new numbers are drawn with seed 0: $W_Q$" in (
        origin(screen)
    )


def test_the_words_are_those_of_the_sentence(screen: AppTest, shipped: Pretrained) -> None:
    screen.run().text_input(key="sentence").set_value("She has a red car.").run()
    choose(screen, "self")
    spec = json.loads(screen.get("plotly_chart")[0].proto.spec)
    assert spec["layout"]["xaxis"]["ticktext"] == ["She", "has", "a", "red", "car", "."]


def test_of_a_long_sentence_the_first_eight_tokens_are_shown_and_it_says_so(
    screen: AppTest, shipped: Pretrained
) -> None:
    screen.query_params["sentence"] = LONG
    choose(screen.run(), "self")
    tokens = len(translate(shipped, [LONG])[0].source) - 1
    assert next(iter(drawn(screen).values())).shape == (8, 8)
    assert f"The sentence has {tokens} tokens. The first 8 are shown" in said(screen)


def test_what_is_hidden_has_no_weight(screen: AppTest, found: Projected) -> None:
    choose(screen.run(), "masks")
    for kind in MASKS:
        control(screen, "hide").set_value(kind).run()
        assert not screen.exception
        weights = next(iter(drawn(screen).values())) / 100
        words, count = len(found.words), len(weights)
        assert count == words + 2
        assert weights.sum(axis=1) == pytest.approx(np.ones(count))
        later = np.triu(np.ones((count, count)), 1) == 1
        assert (weights[later] == 0).all() == (kind in ("causal", "both"))
        assert (weights[:, words:] == 0).all() == (kind in ("padding", "both"))


@pytest.mark.parametrize("kind", MASKS)
def test_random_matrices_leave_hidden_what_is_hidden(kind: str, screen: AppTest) -> None:
    choose(screen.run(), "masks")
    control(screen, "hide").set_value(kind).run()
    before = next(iter(drawn(screen).values()))
    randomise(screen)
    after = next(iter(drawn(screen).values()))
    assert not np.allclose(after, before)
    assert np.array_equal(after == 0, before == 0)


def test_random_matrices_change_the_picture_with_the_steps(screen: AppTest) -> None:
    choose(screen.run(), "self")
    before = next(iter(drawn(screen).values()))
    randomise(screen)
    assert not screen.exception
    after = next(iter(drawn(screen).values()))
    assert after.shape == before.shape
    assert not np.allclose(after, before)
    assert f"it gives {np.diagonal(after).mean():.1f} % to itself" in said(screen)


def test_the_table_counts_what_the_examples_have(screen: AppTest, found: Projected) -> None:
    choose(screen.run(), "summary")
    assert not screen.exception
    rows = {row[QUESTION]: list(row.values())[1:] for row in attentions(found)}
    steps, words = len(found.made), len(found.words)
    assert [cell.split("= ")[1] for cell in rows["Scores for these tokens"]] == [
        str(steps * words),
        str(words**2),
        str(2 * words**2),
    ]
    assert [cell.split()[0] for cell in rows["Numbers to learn, at this size"]] == ["16", "48", "64"]
    assert learned(HEADS) == 6 * 8 + 16
    longest = found.annotation
    assert [cell.split("= ")[1] for cell in rows["At the model's size"]] == [
        f"{count:,}" for count in (found.state * longest, 3 * longest**2, 4 * longest**2)
    ]
    assert all(cell in html(screen) for row in rows.values() for cell in row)


@pytest.mark.parametrize("wrong", ["", "<script>alert(1)</script>", "9" * 500])
def test_a_link_that_means_nothing_shows_the_first_idea(wrong: str, screen: AppTest) -> None:
    screen.query_params.update({"part": wrong, "hide": wrong, "cross": wrong, "sentence": "I love you."})
    screen.run()
    assert not screen.exception
    assert list(drawn(screen)) == list(IDEAS["cross"].pictures.values())


def test_a_sentence_without_words_is_shown_too(screen: AppTest, shipped: Pretrained) -> None:
    screen.query_params["sentence"] = "."
    choose(screen.run(), "masks")
    assert not screen.exception
    count = len(translate(shipped, ["."])[0].source) - 1 + 2
    assert next(iter(drawn(screen).values())).shape == (count, count)


def test_a_mask_that_hides_a_whole_row_is_refused_with_the_row_and_the_last_picture_stays(screen: AppTest) -> None:
    choose(screen.run(), "masks")
    before = next(iter(drawn(screen).values()))
    field = next(area for area in screen.text_area if str(area.key).startswith("masks-causal-text"))
    assert field.value is not None
    lines = field.value.splitlines()
    mask = np.tril(np.ones(before.shape))
    mask[1] = 0
    wrong = "mask = " + "; ".join(" ".join(f"{number:.0f}" for number in row) for row in mask)
    field.set_value("\n".join([*lines[:-1], wrong])).run()
    assert not screen.exception
    assert any("hides every position of row 2" in error.value.replace("\\", "") for error in screen.error)
    assert np.array_equal(next(iter(drawn(screen).values())), before)
