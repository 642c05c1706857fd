import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.figures.measures import READINGS, rate
from regard.app.models import analyses
from regard.app.models.models import attends, scores, title
from regard.app.models.registry import model_names
from regard.app.screens.alignment.error_rate import story_title
from regard.model.checkpoint import Pretrained, save
from regard.model.input_error import InputError
from regard.model.word_alignment.alignment_error_rate import STORIES, GoldPair, read_story
from regard.model.word_alignment.from_attention import Aligned, aligned
from tests.support.alignment_screen import OWN, STORY, opened, own, said

MEASURED = "All measured"
LONGER = "LaBarbeBleue_BlueBeard"


def test_the_first_view_is_a_pair_with_its_sums(screen: AppTest, measured: list[Aligned]) -> None:
    told = said(screen.run())
    counts = measured[int(screen.number_input(key="pair").value or 0)].output.agreement
    assert f"**Alignment error rate {rate(counts.error_rate)}**" in told
    assert rf"\frac{{{counts.proposed_and_sure} + {counts.proposed_and_possible}}}" in told
    assert "CC BY-SA 4.0" in told
    assert "Xu and Yvon (2016)" in told


@pytest.mark.parametrize(("order", "reverse"), [("best first", False), ("worst first", True)])
def test_the_pairs_are_sorted_by_their_error(
    screen: AppTest, measured: list[Aligned], order: str, reverse: bool
) -> None:
    screen.query_params["pairs_order"] = order
    table = screen.run().dataframe[0].value
    errors = [each.output.agreement.error_rate for each in measured]
    assert table["AER"].tolist() == pytest.approx(sorted(errors, reverse=reverse))
    assert [errors[number] for number in table["no."]] == table["AER"].tolist()


def test_the_total_of_a_story_is_that_of_scores_json(screen: AppTest, shipped: Pretrained) -> None:
    known = json.loads((shipped.folder / "scores.json").read_text(encoding="utf-8"))
    expected = known["alignments"]["stories"][STORY]["output"]["aer"]
    (shown,) = re.findall(r"AER (\d\.\d+)", said(screen.run()))
    assert float(shown) == pytest.approx(expected, abs=0.0006)  # three digits of what has four there


def test_another_reading_of_rows_changes_the_error(screen: AppTest, measured: list[Aligned]) -> None:
    screen.query_params.update({"read_from": "weights, input word", "pair": "7"})
    assert f"**Alignment error rate {rate(measured[7].input.agreement.error_rate)}**" in said(screen.run())


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


def test_the_set_has_a_line_for_each_model_in_every_reading(screen: AppTest) -> None:
    screen.query_params["view"] = MEASURED
    told = said(screen.run())
    table = screen.dataframe[0].value
    for name in model_names():
        if attends(name) and "alignments" in scores(name):
            lines = table[table["links of"] == title(name)]
            overall = scores(name)["alignments"]["overall"]
            read = [reading for reading in READINGS if reading in overall]
            assert {"output", "input"} <= {*read}
            assert lines["AER"].tolist() == [overall[reading]["aer"] for reading in read]
            shares = [100 * overall[reading]["mass_on_possible"] for reading in read]
            assert lines["on linked words"].tolist() == pytest.approx(shares)
    assert "has the lowest alignment error rate" in told
    assert "Published elsewhere" in told


@pytest.fixture
def unmeasured(make_model: Callable[..., Pretrained], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The screen with two models that have no scores, one of them without attention."""
    for name, score in (("unmeasured-dot", "dot"), ("unmeasured-none", "none")):
        made = make_model(score=score)
        save(made.network, made.tokenizer, tmp_path / name)
    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", tmp_path)
    return opened()


def test_models_that_were_never_measured_are_named_with_the_command(unmeasured: AppTest) -> None:
    unmeasured.query_params["view"] = MEASURED
    told = said(unmeasured.run())
    assert r"Not measured on these sentences: Luong\, dot score." in told
    assert "regard evaluate" in told
    assert "The model without attention is left out" in told


def test_a_model_without_attention_says_that_its_links_mean_nothing(unmeasured: AppTest) -> None:
    unmeasured.query_params["model"] = "unmeasured-none"
    assert "This model has no attention" in said(own(unmeasured, "0-0"))


@pytest.mark.parametrize(
    "link",
    [
        {"pair": "99999", "read_from": "<b>", "story": "../../etc", "pairs_order": "x", "view": "x"},
        {"pair": "-1"},
        {"pair": "NaN"},
        {"view": OWN, "marks": "\x00<script>" * 900, "seen": "7", "sentence": "</s>"},
    ],
)
def test_a_hostile_link_opens_the_screen(screen: AppTest, link: dict[str, str]) -> None:
    screen.query_params.update(link)
    assert "What this shows" in said(screen.run())


def test_a_title_is_no_markup(screen: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("regard.app.models.models.title", lambda name: f"{name}*b* [x](y)")
    screen.query_params["view"] = MEASURED
    assert r"\*b\* \[x\]\(y\)**" in said(screen.run())


def test_a_pair_that_another_story_does_not_have_is_brought_into_reach(
    screen: AppTest, short_story: list[GoldPair], monkeypatch: pytest.MonkeyPatch
) -> None:
    lengths = {LONGER: len(short_story), STORY: 3}
    monkeypatch.setattr(analyses, "read_story", lambda folder, languages: short_story[: lengths[folder.name]])
    screen.query_params.update({"story": story_title(LONGER), "pair": "7"})
    screen.run()
    assert screen.number_input(key="pair").value == 7
    screen.selectbox(key="story").set_value(STORY).run()
    assert not screen.exception
    assert screen.number_input(key="pair").value == len(screen.dataframe[0].value) - 1 == 2


@pytest.mark.usefixtures("short_story")
def test_a_reading_that_the_other_view_lacks_is_left_on_the_way_there(screen: AppTest) -> None:
    screen.query_params["read_from"] = "posterior with jumps"
    screen.run()
    assert screen.session_state["read_from"] == "posterior-hmm"
    cast(Any, screen.get_by_key("view")).set_value("own").run()
    assert not screen.exception
    assert screen.session_state["read_from"] == "output"


@pytest.mark.parametrize(("label", "reading"), [("posterior", "posterior"), ("posterior with jumps", "posterior_hmm")])
def test_the_posterior_of_a_pair_has_the_error_that_was_measured(
    screen: AppTest, shipped: Pretrained, short_story: list[GoldPair], label: str, reading: str
) -> None:
    (found,) = aligned(shipped, short_story[7:])
    screen.query_params.update({"read_from": label, "pair": "7"})
    told = said(screen.run())
    assert f"**Alignment error rate {rate(getattr(found, reading).agreement.error_rate)}**" in told
    assert "of the posterior of linked words lies on their links" in told
