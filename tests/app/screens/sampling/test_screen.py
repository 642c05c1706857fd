import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest
from safetensors.torch import load_file, save_file
from streamlit.testing.v1 import AppTest

from regard.app.figures.token_sampling import ends
from regard.app.models.result_cache import forget_all
from regard.app.screens.sampling.settings import FIRST, PRESETS, compared, step_told
from regard.app.theme import component
from regard.app.visitor.pickers import as_markdown
from regard.app.wording import OPENINGS, plain_markdown
from regard.model.checkpoint import DEFAULT, WEIGHTS, Pretrained, load, shipped
from regard.model.decoding.sampling import Sample, sample
from regard.model.decoding.token_sampling import SamplingSettings, seen
from regard.model.trace import AnyTrace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from tests.support.screens import figures, on_screen
from tests.support.sent import sent

OPENED = ("sample-numbers",)

SENTENCE = OPENINGS["sampling"]["en", "fr"]
CUT = SamplingSettings(temperature=1.5, top_k=20, top_p=0.9, samples=4, seed=2)


@pytest.fixture(scope="module")
def folder(make_model: Callable[..., Pretrained], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a tiny model of clear preferences in place of the shipped one."""
    target = tmp_path_factory.mktemp("models") / DEFAULT
    shutil.copytree(make_model().folder, target)
    arrays = load_file(target / WEIGHTS)
    arrays["embedding.weight"] *= 6
    save_file(arrays, target / WEIGHTS)
    return target


@pytest.fixture
def model(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pretrained]:
    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", folder.parent)
    forget_all()
    yield load(folder)
    forget_all()


def listed(screen: AppTest) -> list[str]:
    """The translations of the list, each after its number."""
    assert not screen.exception
    return screen.radio(key="listing").options


def once(drawn: list[Sample]) -> list[str]:
    """The samples that no earlier one is equal to, as the list has them."""
    firsts = {each.ids: place for place, each in reversed([*enumerate(drawn)])}
    return [f"{place + 1} {plain_markdown(drawn[place].trace.text) or '—'}" for place in sorted(firsts.values())]


def said(screen: AppTest) -> str:
    return "\n".join(element.value for element in screen.markdown)


def label(one: Sample[AnyTrace], step: int) -> str:
    """Name a draw as a link does."""
    token = as_markdown(one.trace.target[step])
    return f"{step + 1} **{token}**" if one.draws[step].place else f"{step + 1} {token}"


def test_the_first_view_lists_the_samples_that_the_model_draws(screen: AppTest, model: Pretrained) -> None:
    screen.run()
    drawn, greedy = sample(model, SENTENCE, SamplingSettings(*FIRST)), translate(model, [SENTENCE])[0]
    assert listed(screen) == once(drawn)
    first = screen.radio(key="listing").proto.captions[0]
    assert first.startswith(f"log-probability {component(drawn[0].trace.log_probability)} · ")
    assert compared(drawn, greedy) in said(screen)


def test_a_link_restores_settings_sample_draw_and_step(screen: AppTest, model: Pretrained) -> None:
    third = sample(model, SENTENCE, CUT)[2]
    asked = {"sampling_temperature": "1.5", "top_k": "20", "nucleus": "0.9", "samples": "4", "sampling_seed": "2"}
    screen.query_params.update({**asked, "sample": "3", "draw": label(third, 1), "step": "3"})
    screen.run()
    assert not screen.exception
    assert sent(screen.get("bidi_component")[-1])["step"] == 3
    assert screen.radio(key="listing").value == 2
    look = seen(third.trace, 1, third.draws[1], CUT.temperature)
    assert step_told(look, third.draws[1], CUT, len(model.tokenizer) - 2) in said(screen)
    assert len(figures(screen)) == 2
    (there,) = [link.proto.query_string for link in screen.get("page_link") if link.proto.label == "Open in Translate"]
    assert parse_qs(there)["given"] == [third.trace.text]


def test_equal_samples_stand_in_one_row_that_says_how_often_they_were_drawn(screen: AppTest, model: Pretrained) -> None:
    screen.query_params.update({"top_k": "1", "samples": "12", "sample": "12"})  # so that all are the greedy one
    assert listed(screen.run()) == [f"1 {plain_markdown(translate(model, [SENTENCE])[0].text)}"]
    assert "drawn 12×" in screen.radio(key="listing").proto.captions[0]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_every_setting(name: str, screen: AppTest, model: Pretrained) -> None:
    preset: Any = screen.run().get_by_key("preset")
    preset.set_value(name).run()
    assert listed(screen) == once(sample(model, SENTENCE, SamplingSettings(*PRESETS[name])))
    assert screen.session_state["preset"] == name


def test_drawing_again_takes_the_next_seed(screen: AppTest, model: Pretrained) -> None:
    screen.run()
    next(button for button in screen.button if button.label == "Draw again").click().run()
    assert screen.number_input(key="sampling_seed").value == 1
    assert listed(screen) == once(sample(model, SENTENCE, SamplingSettings(*FIRST, seed=1)))


def test_a_chosen_sample_and_token_tell_their_own_draw(screen: AppTest, model: Pretrained) -> None:
    drawn = sample(model, SENTENCE, SamplingSettings(*FIRST))
    screen.run().radio(key="listing").set_value(1).run()
    assert screen.query_params["sample"] == "2"
    for step in (0, len(drawn[1].draws) - 1):
        draw: Any = screen.get_by_key("draw")
        draw.set_value(step).run()
        assert f"The random number {ends(drawn[1].draws[step])[1]}**" in said(screen)
        assert sent(screen.get("bidi_component")[-1])["step"] == step + 1


def test_a_transformer_is_sampled_and_its_link_opens_the_sample_the_step_and_the_head() -> None:
    model, hot = load_transformer(shipped("reverse-transformer")), SamplingSettings(temperature=2.0, samples=4)
    screen = on_screen("sampling", *OPENED)
    link = {"model": model.name, "sentence": "2 5 9 1", "sampling_temperature": "2.0", "samples": "4"}
    second = sample(model, "2 5 9 1", hot)[1]
    screen.query_params.update({**link, "sample": "2", "draw": label(second, 2), "layer": "1", "head": "2"})
    screen.run()
    assert not screen.exception
    shown = sent(screen.get("bidi_component")[-1])
    assert (shown["step"], shown["layer"], shown["head"]) == (3, 1, 2)
    assert shown["traces"][0]["target_ids"] == list(second.ids)
