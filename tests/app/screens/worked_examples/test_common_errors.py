import json
import re
from itertools import chain
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.models import scores
from regard.app.navigation import TITLES
from regard.app.screens.worked_examples import corrections as measured
from regard.app.screens.worked_examples.common_errors import (
    ADDITIVE,
    CLAIMS,
    CONCAT,
    DOT,
    ERRORS,
    MULTIPLICATIVE,
    NONE,
    SHEET,
    SHOWN,
    attention_parameters,
    better,
    larger_score,
    row,
    slower,
)
from regard.app.screens.worked_examples.trainings import convergence, gap_verdict
from regard.app.theme import component, percent
from regard.model.analysis.claims import at_once_difference, gradient_paths
from regard.model.checkpoint import DEFAULT, PRETRAINED, load
from regard.model.examples.documents import DOCUMENTS
from regard.model.synthetic import small_trainings
from regard.model.synthetic.setup import Setup
from regard.model.synthetic.small_trainings import Gap
from regard.model.synthetic.trainer import Note
from regard.model.training.snapshots import SNAPSHOTS, Snapshots
from regard.model.translate import translate
from tests.support.screens import FRAME, switch_page

GENERAL = PRETRAINED / "en-fr-general"


@pytest.mark.parametrize("error", [*chain(*ERRORS.values())], ids=lambda error: error.said[:30])
def test_an_error_says_what_holds_and_where_to_check_it(error: Any) -> None:
    assert error.screen in TITLES
    assert error.holds().endswith(".")
    assert error.screen != "translate" or error.link["sentence"]  # the one whose numbers are told
    assert error.parameters.get("model", SHOWN) in (*error.models, SHOWN)


def test_every_document_that_makes_claims_has_its_errors() -> None:
    assert list(ERRORS) == ["i-love-you", "from-scratch", "module", "query"]
    assert set(ERRORS) <= {document.name for document in DOCUMENTS}


def test_one_source_word_may_be_looked_at_most_for_several_words() -> None:
    trace = translate(load(GENERAL), [measured.BOY])[0]
    looked = trace.weights.argmax(1)
    assert (
        f"Its {len(looked)} steps look most at {len(set(looked.tolist()))} different tokens" in measured.shared_words()
    )
    assert len(set(looked.tolist())) < len(looked)


def test_all_steps_at_once_give_what_one_after_another_gives() -> None:
    assert at_once_difference(load(GENERAL), measured.BOY) < 1e-5


def test_the_work_of_attention_is_counted_at_several_lengths() -> None:
    network = load(GENERAL).network
    per_step = 2048 * (256 + 512) + 256 * 1024 + network.config.vocabulary * 256

    def share(steps: int, positions: int) -> float:
        attention = positions * 512 * 512 + steps * 2 * positions * 512
        return attention / (attention + steps * per_step)

    told = measured.cost()
    own = translate(load(GENERAL), [measured.BOY])[0].weights.shape
    for shape in (own, (100, 100), (1_000, 1_000), (10_000, 10_000)):
        assert percent(share(*shape)) in told
    half = int(told.rsplit(" ", 1)[1].rstrip(".").replace(",", ""))
    assert share(half - 1, half - 1) < 0.5 <= share(half, half)


@pytest.mark.parametrize(("lowest", "said"), [(40.0, "they overlap"), (46.0, "it falls")])
def test_a_fall_is_told_where_intervals_lie_apart(lowest: float, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [
        {"words": [12, 14], "bleu": 47.0, "interval": [lowest, 50.0]},
        {"words": [15, 22], "bleu": 39.0, "interval": [32.0, 45.0]},
    ]
    monkeypatch.setattr(measured, "greedy", lambda *_: {"by_length": rows})
    assert f"47.0 [{lowest}, 50.0] at 12 to 14 words" in measured.long_sentences()
    assert said in measured.long_sentences()
    assert said in measured.degraded()


def test_the_way_of_most_gradient_follows_from_the_lengths() -> None:
    assert measured.main_way(0.8, 0.1, 0.2) == "most of it takes the direct path."
    assert measured.main_way(0.2, 0.1, 0.2) == "the direct path does not carry most of it."
    told, trace = measured.direct_path(), translate(load(PRETRAINED / DEFAULT), [measured.LOVE])[0]
    ways = [gradient_paths(load(PRETRAINED / DEFAULT), trace, step) for step in range(len(trace.target))]
    for way in zip(*ways, strict=True):
        assert f"{np.mean([np.linalg.norm(each) for each in way]):.3f}" in told
    assert "the greatest component through the recurrence is 0." in told  # the state of that model reads no source
    assert measured.small(2.5e-6) == "0.00025%"


@pytest.mark.parametrize(
    ("tokens", "steps", "says"), [(12, 12, ", which supports it."), (11, 12, "all but 1:"), (6, 12, "does not support")]
)
def test_a_different_word_each_is_supported_by_the_count(tokens: int, steps: int, says: str) -> None:
    assert says in measured.different(tokens, steps)


@pytest.mark.parametrize(
    ("first", "last", "says"),
    [(0.1, 0.2, "keep less"), (0.2, 0.1, "keeps more"), (0.1, 0.11, "no difference")],
)
def test_what_a_reader_forgets_follows_from_the_intervals(first: float, last: float, says: str) -> None:
    thirds = np.array([[middle, middle - 0.02, middle + 0.02] for middle in (first, 0.15, last)]).T
    assert says in measured.forgets(thirds)


def test_where_the_pattern_tells_least_many_steps_are_on_the_line_and_few_numbers_right() -> None:
    watched = Snapshots.load(PRETRAINED / "reverse-gru" / SNAPSHOTS)
    update, length, on, right = measured.widest_gap(watched)
    moment = next(each for each in watched.moments if each.update == update)
    place = next(place for place, pair in enumerate(watched.pairs) if len(pair.target.split()) == length)
    assert on == np.mean(moment.weights[place][:length].argmax(1) == length - 1 - np.arange(length))
    assert on > 0.8 > 0.5 > right


def test_doubling_both_vectors_multiplies_a_bilinear_score_by_four() -> None:
    assert "every general score is 4.00 times as large" in measured.bilinear()
    ((low, high),) = re.findall(r"factors from (.*) to (.*)\.", measured.bilinear())
    assert float(low) < float(high) < 4


def gaps(*values: float) -> list[Gap]:
    kinds = [kind for kind in ("none", "general") for _ in range(len(values) // 2)]
    return [Gap(kind, 8, 100, 1.0, 1.0 + value) for kind, value in zip(kinds, values, strict=True)]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ((0.1, 0.2, 0.1, 0.3), "with and without attention. Of the largest two, with nearly"),
        ((0.1, 0.2, 0.1, 0.3), "the one with attention has the greater gap: 0.30 beside 0.20"),
        ((0.1, 0.2, 0.3, 0.1), "without attention only"),
        ((0.1, 0.2, 0.3, 0.1), "the one with attention has the smaller gap"),
        ((0.2, 0.1, 0.1, 0.3), "with attention only"),
        ((0.2, 0.1, 0.3, 0.1), "does not grow"),
    ],
)
def test_the_gap_is_judged_by_its_sizes(values: tuple[float, ...], says: str) -> None:
    assert says in gap_verdict(gaps(*values))


@pytest.mark.parametrize(("losses", "says"), [((1.0, 0.4), "it did speed"), ((2.0, 1.9), "it did not speed")])
def test_convergence_is_judged_by_the_losses_on_held_out_sequences(losses: tuple[float, ...], says: str) -> None:
    truth, own = (
        [Note(1, 9.0, 0.0, 9.0), *(Note(50 * place, 1.0, 0.5, loss) for place, loss in enumerate(run, 1))]
        for run in (losses, (1.5, 0.9))
    )
    assert says in convergence(truth, own)


def test_a_button_trains_the_networks_and_shows_what_came_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_trainings, "WIDTHS", (8, 16))
    monkeypatch.setattr(small_trainings, "SHORT", 2)
    pair = tuple(Setup(task="sort", hidden=8, updates=3, teacher_forcing=forcing) for forcing in (1.0, 0.0))
    monkeypatch.setattr(small_trainings, "PAIR", pair)
    screen = switch_page(AppTest.from_file(FRAME, default_timeout=90), "screens/worked_examples/screen.py")
    screen.query_params["example"] = SHEET.name
    screen.run().button(key="train-overfitting").click().run()
    screen.button(key="train-convergence").click().run()
    assert not screen.exception
    told = " ".join(element.value for element in screen.markdown)
    assert "One run each, in nats per token." in told
    assert "speed training up" in told
    assert screen.get("plotly_chart")


def test_the_scores_of_the_models_are_quoted() -> None:
    model_scores = json.loads((GENERAL / "scores.json").read_text(encoding="utf-8"))
    tau = model_scores["attention"]["tau"]["leave_one_out"]["mean"]
    kept = model_scores["attention"]["counterfactuals"]["all but the maximum"]["function"]["kept"]
    assert f"mean τ of {component(tau)}" in measured.order_of_importance()
    assert percent(kept) in measured.heaviest_removed()
    assert percent(model_scores["attention"]["counterfactuals"]["permuted"]["content"]["kept"]) in (
        measured.annotation_is_no_word()
    )


def test_the_sheet_opens_from_its_link_and_lists_every_error() -> None:
    screen = switch_page(AppTest.from_file(FRAME, default_timeout=90), "screens/worked_examples/screen.py")
    screen.query_params["example"] = SHEET.name
    screen.run()
    assert not screen.exception
    told = " ".join(element.value for element in screen.markdown)
    errors = [*chain(*ERRORS.values())]
    assert told.count("“") >= len(errors)
    assert len(screen.get("page_link")) >= len(errors)
    captions = " ".join(caption.value for caption in screen.caption)
    assert captions.count("Measured with `en-fr-general`, “Luong, general score”") > 5


def made_scores(*intervals: tuple[float, float], speed: float = 10.0) -> dict[str, Any]:
    """Scores of the general model whose difference from each other model has these intervals, on as many tests."""
    tests = {
        str(test): {"difference": sum(ends) / 2, "interval": ends, "pairs": 9, "longest": {"interval": ends[::-1]}}
        for test, ends in enumerate(intervals)
    }
    against = {name: {"tests": tests} for name in (CONCAT, ADDITIVE)}
    return {
        "against": against,
        "speed": {"milliseconds_a_sentence": speed, "sentences": 50},
        "model": {"name": MULTIPLICATIVE},
    }


def named_scores(name: str, speed: float = 10.0) -> dict[str, Any]:
    return made_scores(speed=speed) | {"model": {"name": name}}


@pytest.mark.parametrize(
    ("intervals", "says"),
    [
        ([(0.1, 2.0), (0.2, 3.0)], "Luong, general is better on 0 and 1."),
        ([(-2.0, -0.1), (0.2, 3.0)], "Luong, general is better on 1; Luong, concat is better on 0."),
        (
            [(0.1, 2.0), (-0.1, 3.0)],
            "Luong, general is better on 0. The other interval includes 0: no difference is shown there.",
        ),
        ([(-0.1, 2.0), (-0.1, 3.0)], "Every interval includes 0: no difference is shown."),
    ],
)
def test_a_verdict_follows_from_the_intervals_of_the_difference(
    intervals: list[tuple[float, float]], says: str
) -> None:
    assert better(made_scores(*intervals), named_scores(CONCAT)) == says  # concat and general differ in the score alone
    told = better(made_scores(*intervals), named_scores(ADDITIVE))
    assert told.endswith(
        "They differ in score (general, concat) and wiring (Luong, Bahdanau), and either may be the cause."
    )


def test_which_is_slower_follows_from_the_times() -> None:
    fast, slow = named_scores(MULTIPLICATIVE), named_scores(ADDITIVE, speed=15.0)
    assert slower(slow, fast).startswith("It takes 1.50 times as long, by the median of 50 sentences")
    assert slower(fast, slow).startswith("It does not: it takes 0.67 times as long")


def test_the_models_that_are_compared_are_those_that_ship() -> None:
    for name, found in scores(MULTIPLICATIVE)["against"].items():
        assert found["fingerprint"] == load(PRETRAINED / name).fingerprint
        for test, each in found["tests"].items():
            greedy = [scores(model)["tests"][test]["searches"]["greedy"] for model in (MULTIPLICATIVE, name)]
            assert each["bleu"] == [one["bleu"]["score"] for one in greedy]
            assert each["longest"]["bleu"] == [one["by_length"][-1]["bleu"] for one in greedy]


def parameters(name: str, within: str) -> int:
    network = load(PRETRAINED / name).network
    return sum(each.numel() for key, each in network.named_parameters() if key.startswith(within))


def test_what_the_additive_score_adds_is_told_apart_from_what_its_wiring_adds() -> None:
    score = parameters(CONCAT, "decoder.score") - parameters(MULTIPLICATIVE, "decoder.score")
    cell = parameters(ADDITIVE, "decoder.cell") - parameters(CONCAT, "decoder.cell")
    told = larger_score(scores(ADDITIVE), scores(CONCAT), scores(MULTIPLICATIVE))
    assert f"The score itself has {score:,} more" in told
    assert f"Bahdanau's wiring has {cell:,} more" in told


def test_the_bridge_is_not_counted_as_attention() -> None:
    learned, bridge = parameters(MULTIPLICATIVE, "decoder.score"), parameters(NONE, "bridge")
    assert parameters(DOT, "decoder.score") == 0
    told = attention_parameters(scores(MULTIPLICATIVE), scores(DOT), scores(NONE))
    assert f"The dot score has no parameters; general has {learned:,}." in told
    assert f"{bridge:,} more than with dot: the bridge" in told


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.said[:30])
def test_every_claim_has_the_numbers_of_the_models_that_ship(claim: Any) -> None:
    told = row(claim, {name: scores(name) for name in claim.models})
    assert told["So"]
    assert "FLORES-200 (general text)" in told["Measured here"] or told["Measured here"].count("; ") > 0
