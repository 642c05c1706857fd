import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models import analyses
from regard.app.models.models import attends, scores, title
from regard.app.models.registry import model_names
from regard.app.screens.alignment.links import rate, story_title, sums
from regard.model.checkpoint import Pretrained, save
from regard.model.input_error import InputError
from regard.model.word_alignment.alignment_error_rate import STORIES, Agreement, GoldPair, read_story
from regard.model.word_alignment.from_attention import Aligned, aligned
from tests.support.alignment_screen import STORY, said
from tests.support.screens import on_screen

MEASURED = "All measured"
READINGS = ("output", "input", "posterior", "posterior_hmm")
LONGER = "LaBarbeBleue_BlueBeard"


def test_the_sums_are_written_with_their_numbers_and_nothing_is_divided_by_zero() -> None:
    error, precision, recall = sums(Agreement(10, 9, 8, 9))
    assert r"1 - \frac{8 + 9}{10 + 9} = \mathbf{0.105}" in error
    assert r"\frac{9}{10} = \mathbf{0.900}" in precision
    assert r"\frac{8}{9} = \mathbf{0.889}" in recall
    error, precision, recall = sums(Agreement())
    assert r"\mathbf{1.000}" in error
    assert r"\frac{0}{0} = " not in precision + recall


def test_the_total_of_a_story_is_that_of_scores_json(screen: AppTest, shipped: Pretrained) -> None:
    known = json.loads((shipped.folder / "scores.json").read_text(encoding="utf-8"))
    expected = known["alignments"]["stories"][STORY]["output"]["aer"]
    (shown,) = re.findall(r"AER (\d\.\d+)", said(screen.run()))
    assert float(shown) == pytest.approx(expected, abs=0.0006)  # three digits of what has four there


def test_the_pairs_are_sorted_by_their_error(screen: AppTest, measured: list[Aligned]) -> None:
    screen.query_params["pairs_order"] = "worst first"
    table = screen.run().dataframe[0].value
    errors = [each.output.agreement.error_rate for each in measured]
    assert [errors[number] for number in table["no."]] == table["AER"].tolist() == sorted(errors, reverse=True)


def test_a_story_that_cannot_be_read_is_told_and_the_others_go_on(
    screen: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path, languages: tuple[str, str]) -> Any:
        if folder.name == LONGER:
            raise InputError(f"{folder}/ali_w2w.txt, line 4: the link 9-99 is outside sentences of 10 and 12 words")
        return read_story(folder, languages)

    analyses.gold.clear()
    monkeypatch.setattr(analyses, "read_story", broken)
    screen.query_params["story"] = story_title(LONGER)
    told = said(screen.run()).replace("\\", "")
    assert "ali_w2w.txt, line 4" in told
    assert str(STORIES) not in told
    screen.selectbox(key="story").set_value(STORY).run()
    assert "Alignment error rate" in said(screen)
    analyses.gold.clear()


def test_the_set_has_a_row_for_each_model_in_every_reading_and_for_each_baseline(screen: AppTest) -> None:
    screen.query_params["view"] = MEASURED
    told = said(screen.run())
    table = screen.dataframe[0].value
    for name in model_names():
        if attends(name) and "alignments" in scores(name):
            lines = table[table["links of"] == title(name)]
            overall = scores(name)["alignments"]["overall"]
            read = [reading for reading in READINGS if reading in overall]
            assert lines["AER"].tolist() == [overall[reading]["aer"] for reading in read]
            shares = [100 * overall[reading]["mass_on_possible"] for reading in read]
            assert lines["on linked words"].tolist() == pytest.approx(shares)
            assert table[table["links of"] == "the diagonal"]["AER"].tolist() == [overall["diagonal"]["aer"]]
    assert "Published elsewhere" in told


@pytest.fixture
def unmeasured(make_model: Callable[..., Pretrained], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The screen with two models that have no scores, one of them without attention."""
    for name, score in (("unmeasured-dot", "dot"), ("unmeasured-none", "none")):
        made = make_model(score=score)
        save(made.network, made.tokenizer, tmp_path / name)
    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", tmp_path)
    return on_screen("alignment")


def test_models_that_were_never_measured_are_named_with_the_command(unmeasured: AppTest) -> None:
    unmeasured.query_params["view"] = MEASURED
    told = said(unmeasured.run())
    assert r"Not measured on these sentences: Luong\, dot score." in told
    assert "regard evaluate" in told
    assert "The model without attention is left out" in told


@pytest.mark.parametrize(("label", "reading"), [("posterior", "posterior"), ("posterior with jumps", "posterior_hmm")])
def test_the_posterior_of_a_pair_has_the_error_that_was_measured(
    screen: AppTest, shipped: Pretrained, short_story: list[GoldPair], label: str, reading: str
) -> None:
    (found,) = aligned(shipped, short_story[7:])
    screen.query_params.update({"read_from": label, "pair": "7"})
    told = said(screen.run())
    assert f"**Alignment error rate {rate(getattr(found, reading).agreement.error_rate)}**" in told
    assert "of the posterior of linked words lies on their links" in told
