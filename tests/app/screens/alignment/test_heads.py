import pytest

from regard.app.figures.measures import head_error_rates
from regard.app.figures.table import to_csv
from regard.app.models.registry import model_names, transforms
from regard.app.screens.alignment import heads
from regard.app.screens.alignment.heads import chosen_heads, told, transformers
from regard.model.word_alignment.alignment_error_rate import Agreement
from regard.model.word_alignment.from_attention import MEAN, head_scores

GOOD, BAD = Agreement(10, 10, 8, 9), Agreement(10, 10, 2, 3)
STORIES = {
    "One": {(rows, layer, head): BAD for rows in ("output", "input") for layer, head in ((0, 0), (0, 1), (0, MEAN))}
    | {("output", MEAN, MEAN): BAD, ("input", MEAN, MEAN): GOOD, ("input", 0, 1): GOOD},
    "Two": {(rows, layer, head): BAD for rows in ("output", "input") for layer, head in ((0, 0), (0, 1), (0, MEAN))}
    | {("output", MEAN, MEAN): BAD, ("input", MEAN, MEAN): BAD, ("output", 0, 0): GOOD},
}


def test_the_best_head_is_told_with_what_it_has_where_it_was_not_chosen() -> None:
    found = head_scores(STORIES)
    text = told("A <b>", found)
    assert f"AER **{found['best']['aer']:.3f}**" in text
    assert f"has **{found['elsewhere']['aer']:.3f}**" in text
    assert found["elsewhere"]["aer"] == pytest.approx(BAD.error_rate, abs=1e-3)  # no choice holds
    for story, each in found["chosen_on_the_others"].items():
        assert f"{story} {each['aer']:.3f}, head {each['head'] + 1} of layer 1" in text
    assert "<b>" not in text


def test_every_head_and_the_mean_are_drawn() -> None:
    found = head_scores(STORIES)["input"]
    lines = to_csv(head_error_rates(found["heads"], found["layers"])).splitlines()[1:]
    assert [line.split(",")[1:4] for line in lines] == [
        ["head 1", "layer 1", str(found["heads"][0][0])],
        ["head 2", "layer 1", str(found["heads"][0][1])],
        ["mean of heads", "layer 1", str(found["layers"][0])],
    ]


def test_only_transformers_of_the_same_languages_stand_beside_the_models(monkeypatch: pytest.MonkeyPatch) -> None:
    here = transformers("en-fr")
    assert all(transforms(name) for name in here)
    assert "reverse-transformer" in model_names()
    assert "reverse-transformer" not in here
    monkeypatch.setattr(heads, "transformers", lambda name: ["reverse-transformer"])
    monkeypatch.setattr(heads, "scores", lambda name: {"alignments": {"heads": head_scores(STORIES)}})
    [chosen] = chosen_heads("en-fr")
    assert chosen.aer == head_scores(STORIES)["elsewhere"]["aer"]
