"""The screen of hand-made links keeps its promises, without a browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from streamlit.testing.v1 import AppTest

from app.components.link_grid.mount import NAME
from app.figures.error_rates import READINGS, rate
from app.models import aligned_sentences
from app.models.models import attends, scores, title
from app.models.registry import model_names
from app.models.result_cache import forget_all
from app.screens.alignment.stories import story_title
from app.visitor.head_picker import head_names
from benchmarks.server import ROOT
from model.checkpoint import Pretrained, save
from model.checkpoint import shipped as shipped_folder
from model.input_error import InputError
from model.transformer.checkpoint import load_transformer
from model.translate import translate
from model.word_alignment.alignment_error_rate import STORIES, GoldPair, agreement, read_story
from model.word_alignment.comparison import of_words
from model.word_alignment.from_attention import Aligned, aligned
from model.word_alignment.from_heads import MEAN, CrossHead, alignment_of
from tests.support.screens import switch_page

FRAME = ROOT / "app" / "frame.py"
OWN, MEASURED = "Your own sentence", "All measured"
STORY, LONGER = "ChatBotte_MasterCat", "LaBarbeBleue_BlueBeard"
SENTENCE = "She has a red car."
TRANSFORMER = "en-fr-transformer"


@pytest.fixture
def screen(shipped: Pretrained) -> AppTest:
    return switch_page(AppTest.from_file(FRAME, default_timeout=90), "screens/alignment/screen.py")


@pytest.fixture(scope="module")
def story(shipped: Pretrained) -> list[GoldPair]:
    return read_story(STORIES / STORY, shipped.tokenizer.languages)


@pytest.fixture
def short_story(story: list[GoldPair], monkeypatch: pytest.MonkeyPatch) -> Iterator[list[GoldPair]]:
    """Eight pairs in place of all, for posteriors of all of them take seconds."""
    pairs = story[:8]
    monkeypatch.setattr(aligned_sentences, "read_story", lambda folder, languages: pairs)
    aligned_sentences.gold.clear()
    forget_all()
    yield pairs
    aligned_sentences.gold.clear()
    forget_all()


@pytest.fixture(scope="module")
def measured(shipped: Pretrained, story: list[GoldPair]) -> list[Aligned]:
    """By the weights; posteriors take several times as long."""
    return list(aligned(shipped, story, posteriors=False))


def said(screen: AppTest) -> str:
    """All that stands on the screen in words."""
    assert not screen.exception
    kinds = (screen.markdown, screen.caption, screen.info, screen.error, screen.latex)
    texts = [element.value for kind in kinds for element in kind]
    return "\n".join([*texts, *(element.proto.body for element in screen.get("html"))])


def grid(screen: AppTest) -> dict[str, Any]:
    """What the browser is sent to draw."""
    found = [each for each in screen.get("bidi_component") if each.proto.component_name == NAME]
    return json.loads(found[0].proto.json)


def own(screen: AppTest, marks: str = "", sentence: str = SENTENCE) -> AppTest:
    screen.query_params.update({"view": OWN, "sentence": sentence} | ({"marks": marks} if marks else {}))
    return screen.run()


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
    assert f"AER {rate(expected)}" in said(screen.run())


def test_another_reading_of_rows_changes_the_error(screen: AppTest, measured: list[Aligned]) -> None:
    screen.query_params.update({"read_from": "weights, input word", "pair": "7"})
    assert f"**Alignment error rate {rate(measured[7].input.agreement.error_rate)}**" in said(screen.run())


@pytest.mark.parametrize(("label", "reading"), [("posterior", "posterior"), ("posterior with jumps", "posterior_hmm")])
def test_the_posterior_of_a_pair_has_the_error_that_was_measured(
    screen: AppTest, shipped: Pretrained, short_story: list[GoldPair], label: str, reading: str
) -> None:
    (found,) = aligned(shipped, short_story[7:])
    screen.query_params.update({"read_from": label, "pair": "7"})
    told = said(screen.run())
    assert f"**Alignment error rate {rate(getattr(found, reading).agreement.error_rate)}**" in told
    assert "of the posterior of linked words lies on their links" in told


def test_a_pair_that_another_story_does_not_have_is_brought_into_reach(screen: AppTest) -> None:
    screen.query_params.update({"story": story_title(LONGER), "pair": "60"})
    screen.run()
    assert screen.number_input(key="pair").value == 60
    screen.selectbox(key="story").set_value(STORY).run()
    assert not screen.exception
    assert screen.number_input(key="pair").value == len(screen.dataframe[0].value) - 1


def test_a_story_that_cannot_be_read_is_told_and_the_others_go_on(
    screen: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path, languages: tuple[str, str]) -> Any:
        if folder.name == LONGER:
            raise InputError(f"{folder}/ali_w2w.txt, line 4: the link 9-99 is outside sentences of 10 and 12 words")
        return read_story(folder, languages)

    aligned_sentences.gold.clear()
    monkeypatch.setattr(aligned_sentences, "read_story", broken)
    screen.query_params["story"] = story_title(LONGER)
    told = said(screen.run()).replace("\\", "")
    assert "ali_w2w.txt, line 4" in told
    assert str(STORIES) not in told
    screen.selectbox(key="story").set_value(STORY).run()
    assert "Alignment error rate" in said(screen)
    aligned_sentences.gold.clear()


def test_marks_are_measured_as_the_definition_says(screen: AppTest, shipped: Pretrained) -> None:
    alignment = translate(shipped, [SENTENCE])[0].alignment
    counts = agreement(alignment.links(), [(0, 0), (3, 2)], [(1, 1)])
    told = said(own(screen, "0-0 1p1 3-2"))
    assert f"**Alignment error rate {rate(counts.error_rate)}**" in told
    assert grid(screen)["marks"] == "0-0 1p1 3-2"
    assert screen.text_input(key="marks").value == "0-0 1p1 3-2"


def test_nothing_is_measured_before_the_first_link_and_the_weights_are_not_shown(screen: AppTest) -> None:
    told = said(own(screen))
    assert "Nothing is linked yet" in told
    assert "Alignment error rate" not in told
    assert (grid(screen)["weights"], grid(screen)["proposed"]) == ([], [])


@pytest.mark.parametrize("text", ["0-99", "hello", "0-0 1x1", "<b>$x$</b>"])
def test_a_wrong_link_is_told_and_the_last_right_ones_stay(screen: AppTest, text: str) -> None:
    own(screen, "0-0 1p1")
    screen.text_input(key="marks").set_value(text).run()
    assert "Your last links are kept" in screen.error[0].value
    assert grid(screen)["marks"] == "0-0 1p1"


def test_marks_belong_to_their_words_and_are_there_again_with_them(screen: AppTest) -> None:
    own(screen, "0-0 1p1").text_input(key="sentence").set_value("Where are you?").run()
    assert not screen.exception
    assert (grid(screen)["marks"], screen.text_input(key="marks").value) == ("", "")
    screen.text_input(key="sentence").set_value(SENTENCE).run()
    assert grid(screen)["marks"] == "0-0 1p1"


def test_marks_are_there_again_after_another_view(screen: AppTest) -> None:
    own(screen, "0-0 1p1")
    for view in ("set", "own"):
        cast(Any, screen.get_by_key("view")).set_value(view).run()
        mounted = [each.proto.component_name for each in screen.get("bidi_component")]
        assert (NAME in mounted) == (view == "own")
    assert grid(screen)["marks"] == "0-0 1p1"


@pytest.mark.usefixtures("short_story")
def test_a_reading_that_the_other_view_lacks_is_left_on_the_way_there(screen: AppTest) -> None:
    screen.query_params["read_from"] = "posterior with jumps"
    screen.run()
    assert screen.session_state["read_from"] == "posterior-hmm"
    cast(Any, screen.get_by_key("view")).set_value("own").run()
    assert not screen.exception
    assert screen.session_state["read_from"] == "output"


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
    assert "Closest to people's links comes the attention of" in told
    assert "Published elsewhere" in told


@pytest.fixture
def unmeasured(make_model: Callable[..., Pretrained], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The screen with two models that have no scores, one of them without attention."""
    for name, score in (("unmeasured-dot", "dot"), ("unmeasured-none", "none")):
        made = make_model(score=score)
        save(made.network, made.tokenizer, tmp_path / name)
    monkeypatch.setattr("app.models.registry.PRETRAINED", tmp_path)
    return switch_page(AppTest.from_file(FRAME, default_timeout=90), "screens/alignment/screen.py")


def test_models_that_were_never_measured_are_named_with_the_command(unmeasured: AppTest) -> None:
    unmeasured.query_params["view"] = MEASURED
    told = said(unmeasured.run())
    assert r"Not measured on these sentences: Luong\, dot score." in told
    assert "python -m model evaluate" in told
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
    assert "What may be concluded" in said(screen.run())


def test_a_title_is_no_markup(screen: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.models.models.title", lambda name: f"{name}*b* [x](y)")
    screen.query_params["view"] = MEASURED
    assert r"\*b\* \[x\]\(y\)**" in said(screen.run())


@pytest.mark.parametrize("rows", ["output", "input"])
def test_links_are_measured_against_the_head_that_is_chosen(screen: AppTest, rows: str) -> None:
    model = load_transformer(shipped_folder(TRANSFORMER))
    (trace,) = translate(model, [SENTENCE])
    screen.query_params["model"] = TRANSFORMER
    own(screen, "0-0 1p1 3-2")
    cast(Any, screen.get_by_key("read_from")).set_value(rows).run()
    names = head_names(model.config)
    picker = screen.selectbox(key="cross_head")
    assert picker.options == list(names.values())
    assert names[cast(CrossHead, picker.value)] == "layer 3, mean of the heads"  # what every other screen shows
    for place in (CrossHead(1, 2), CrossHead(2, MEAN), CrossHead(MEAN, MEAN)):
        screen.selectbox(key="cross_head").set_value(place).run()
        counts = agreement(alignment_of(trace, place).links(rows), [(0, 0), (3, 2)], [(1, 1)])
        assert f"**Alignment error rate {rate(counts.error_rate)}**" in said(screen)
    screen.toggle(key="seen").set_value(True).run()
    weights = of_words(frozenset(), frozenset(), alignment_of(trace, CrossHead(MEAN, MEAN)), rows).weights
    assert grid(screen)["weights"] == weights.tolist()


def test_the_total_of_a_story_by_a_head_is_that_of_scores_json(screen: AppTest) -> None:
    found = scores(TRANSFORMER)["alignments"]["heads"]["chosen_on_the_others"][STORY]
    names = head_names(load_transformer(shipped_folder(TRANSFORMER)).config)
    head = names[CrossHead(found["layer"], found["head"])]
    read_from = {"output": "weights, output word", "input": "weights, input word"}[found["rows"]]
    screen.query_params.update({"model": TRANSFORMER, "cross_head": head, "read_from": read_from})
    told = said(screen.run())
    assert names[cast(CrossHead, screen.selectbox(key="cross_head").value)] == head
    assert f"AER {rate(found['aer'])}" in told


def test_the_posterior_of_a_transformer_is_not_on_offer(screen: AppTest) -> None:
    screen.query_params.update({"model": TRANSFORMER, "read_from": "posterior"})
    own(screen, "0-0")
    switch = cast(Any, screen.get_by_key("read_from"))
    assert [option.content for option in switch.proto.options] == ["weights, output word", "weights, input word"]
    assert switch.value == "output"


def test_a_head_that_another_model_lacks_is_left_on_the_way_there(screen: AppTest) -> None:
    screen.query_params.update({"model": TRANSFORMER, "cross_head": "layer 3, head 4"})
    own(screen, "0-0")
    assert screen.selectbox(key="cross_head").value == CrossHead(2, 3)
    screen.selectbox(key="model").set_value("reverse-transformer").run()
    assert not screen.exception
    assert screen.selectbox(key="cross_head").value == CrossHead(1, MEAN)
