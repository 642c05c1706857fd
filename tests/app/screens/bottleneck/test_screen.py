import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from regard.app.models.models import title
from regard.app.ui.growing_sentence import sentence
from regard.model.cards.record_files import SCORES_FILE
from regard.model.checkpoint import WEIGHTS, Pretrained
from regard.model.checkpoint import shipped as shipped_folder
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from tests.support.screens import figures, html

OPENED = ("on-test-sets",)

BUCKETS = [
    {"words": [1, 5], "pairs": 100, "bleu": 40.0, "interval": [39.0, 41.0]},
    {"words": [6, 30], "pairs": 60, "bleu": 30.0, "interval": [28.0, 32.0]},
]


def write_scores(folder: Path, less: float) -> None:
    rows = [row | {"bleu": row["bleu"] - less, "interval": [end - less for end in row["interval"]]} for row in BUCKETS]
    found = {"format": 1, "tests": {"held_out": {"searches": {"greedy": {"by_length": rows}}}}}
    (folder / SCORES_FILE).write_text(json.dumps(found), encoding="utf-8")


@pytest.fixture
def two(offer: Callable[..., Pretrained], tmp_path: Path) -> tuple[Pretrained, Pretrained]:
    """A tiny model with attention and one without, where the app looks for them."""
    models = offer("en-fr-general"), offer("en-fr-none", score="none", initial_state="encoder")
    write_scores(tmp_path / "en-fr-general", 0)
    write_scores(tmp_path / "en-fr-none", 10)
    return models


def test_a_clause_is_added_and_taken_away(screen: AppTest, two: tuple[Pretrained, Pretrained]) -> None:
    before = "There is a boy.\nin the park"
    screen.run().text_area(key="clauses").set_value(before).run()
    next(button for button in screen.button if button.label == "under a big tree").click().run()
    assert screen.text_area(key="clauses").value == f"{before}\nunder a big tree"
    assert "<strong>under a big tree</strong>." in html(screen)
    assert screen.session_state.visit.question.sentence.endswith("in the park under a big tree.")
    next(button for button in screen.button if button.label == "Remove the last").click().run()
    assert screen.text_area(key="clauses").value == before
    assert "under a big tree</strong>" not in html(screen)


def test_a_link_restores_the_clauses_and_another_opens_both_models_in_compare(
    screen: AppTest, two: tuple[Pretrained, Pretrained]
) -> None:
    screen.query_params.update({"clauses": "I love you.\nand the cat"})
    screen.run()
    assert screen.text_area(key="clauses").value == "I love you.\nand the cat"
    assert "I love you <strong>and the cat</strong>." in html(screen)
    (there,) = [link.proto.query_string for link in screen.get("page_link") if link.proto.label == "Open in Compare"]
    asked = {"sentence": ["I love you and the cat."], "models": ["Luong, general score", "no attention"]}
    assert parse_qs(there) == asked


def test_nothing_typed_is_a_hint_and_the_measurements_stay(screen: AppTest, two: tuple[Pretrained, Pretrained]) -> None:
    screen.query_params.update({"clauses": "The cat."})
    screen.run()
    for typed in ("", "   \n\n", "..."):
        assert not any("first line" in info.value for info in screen.info)
        screen.text_area(key="clauses").set_value(typed).run()
        assert not screen.exception
        assert any("first line" in info.value for info in screen.info)
        assert any("BLEU" in alt for alt in figures(screen))
        screen.text_area(key="clauses").set_value("The cat.").run()


def test_the_sentence_and_the_figure_say_what_scores_say(screen: AppTest, two: tuple[Pretrained, Pretrained]) -> None:
    screen.run()
    said = "".join(element.value for element in screen.markdown)
    assert "With attention BLEU is higher by 10.0 at 1 to 5 words and 10.0 at 6 to 30 words." in said
    drawn = next(spec for alt, spec in figures(screen).items() if "BLEU" in alt)["data"]
    assert [line["name"] for line in drawn] == ["Luong, general score", "no attention"]
    assert [list(line["y"]) for line in drawn] == [[40.0, 30.0], [30.0, 20.0]]


def test_unreadable_weights_are_named_broken_scores_count_as_missing_and_the_rest_stays(
    screen: AppTest, two: tuple[Pretrained, Pretrained], tmp_path: Path
) -> None:
    (tmp_path / "en-fr-none" / SCORES_FILE).write_text("{", encoding="utf-8")
    (tmp_path / "en-fr-none" / WEIGHTS).write_bytes(b"short")
    screen.run()
    assert not screen.exception
    told = "".join(error.value for error in screen.error).replace("\\", "")
    assert f"en-fr-none/{WEIGHTS}" in told
    assert "I love" not in html(screen)
    assert len(figures(screen)) == 3  # how sure, one model's contexts, BLEU of the other


def test_a_transformer_stands_beside_the_model_without_attention(screen: AppTest) -> None:
    screen.query_params.update({"model": "reverse-transformer", "attending": title("reverse-transformer")})
    screen.run()
    assert not screen.exception
    assert screen.selectbox(key="attending").value == "reverse-transformer"
    assert any("cross-attention, all heads joined." in markdown.value for markdown in screen.markdown)
    assert "WMT 2014" not in html(screen)  # of models that translate languages
    whole = sentence(screen.text_area(key="clauses").value or "")
    trace = translate(load_transformer(shipped_folder("reverse-transformer")), [whole])[0]
    drawn = next(figure for alt, figure in figures(screen).items() if alt.startswith("The context of each step"))
    assert len(drawn["layout"]["yaxis"]["ticktext"]) == len(trace.attention_output)
    assert "Page (HTML)" in [button.proto.label for button in screen.get("download_button")]
