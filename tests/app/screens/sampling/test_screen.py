import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file
from streamlit.testing.v1 import AppTest

from regard.app.components.sample_list.mount import first_of_each, times
from regard.app.figures.token_sampling import ends
from regard.app.models.result_cache import forget_all
from regard.app.screens.sampling.settings import FIRST, PRESETS, diversity, step_told
from regard.app.theme import component, percent
from regard.app.visitor.pickers import as_markdown
from regard.app.wording import OPENINGS
from regard.model.checkpoint import DEFAULT, WEIGHTS, Pretrained, load, shipped
from regard.model.decoding.sampling import Sample, sample
from regard.model.decoding.token_sampling import SamplingSettings, seen
from regard.model.trace import AnyTrace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import translate
from tests.support.screens import FRAME, figures, opened, switch_page
from tests.support.sent import sent

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


@pytest.fixture
def screen(model: Pretrained) -> AppTest:
    return opened(
        switch_page(AppTest.from_file(FRAME, default_timeout=60), "screens/sampling/screen.py"), "sample-numbers"
    )


def listed(screen: AppTest) -> dict[str, Any]:
    """Return the rows sent to the list."""
    return next(data for element in screen.get("bidi_component") if "greedy" in (data := sent(element)))


def texts(shown: dict[str, Any]) -> list[str]:
    """The translations of the list; a missing piece is no part of one."""
    return ["".join(text for text, kind in row["pieces"] if kind != "missing") for row in shown["rows"]]


def once(drawn: Sequence[Sample]) -> list[Sample]:
    """The samples that no earlier one is equal to."""
    return [drawn[place] for place in first_of_each(drawn)]


def said(screen: AppTest) -> str:
    return "\n".join(element.value.replace("\\", "") for element in [*screen.markdown, *screen.caption])


def widget(screen: AppTest, key: str) -> Any:
    return screen.get_by_key(key)


def test_the_first_view_lists_the_samples_that_the_model_draws(screen: AppTest, model: Pretrained) -> None:
    screen.run()
    assert not screen.exception
    shown = listed(screen)
    drawn, greedy = sample(model, SENTENCE, SamplingSettings(*FIRST)), translate(model, [SENTENCE])[0]
    kept = first_of_each(drawn)
    different = [drawn[place] for place in kept]
    assert texts(shown) == [each.trace.text for each in different]
    assert [row["name"] for row in shown["rows"]] == [str(place + 1) for place in kept]
    assert [row["log_probability"] for row in shown["rows"]] == [
        component(each.trace.log_probability) for each in different
    ]
    assert [row["percent"] for row in shown["rows"]] == [percent(each.trace.mean_probability) for each in different]
    assert texts({"rows": [shown["greedy"]]}) == [greedy.text]
    assert diversity(drawn, greedy) in said(screen)


def test_it_opens_with_samples_that_differ() -> None:
    drawn = sample(load(shipped()), SENTENCE, SamplingSettings(*FIRST))
    assert len({each.trace.text for each in drawn}) > len(drawn) / 2


def label(one: Sample[AnyTrace], step: int) -> str:
    """Name a draw as a link does."""
    token = as_markdown(one.trace.target[step])
    return f"{step + 1} **{token}**" if one.draws[step].place else f"{step + 1} {token}"


def test_a_link_restores_settings_sample_draw_and_step(screen: AppTest, model: Pretrained) -> None:
    third = sample(model, SENTENCE, CUT)[2]
    asked = {"sampling_temperature": "1.5", "top_k": "20", "nucleus": "0.9", "samples": "4", "sampling_seed": "2"}
    screen.query_params.update({**asked, "sample": "3", "draw": label(third, 1), "step": "3"})
    screen.run()
    assert not screen.exception
    assert sent(screen.get("bidi_component")[-1])["step"] == 3
    assert texts(listed(screen))[listed(screen)["chosen"]] == third.trace.text
    assert f"Step 2 of {len(third.draws)} draws" in said(screen)
    look = seen(third.trace, 1, third.draws[1], CUT.temperature)
    assert step_told(look, third.draws[1], CUT, len(model.tokenizer) - 2).replace("\\", "") in said(screen)
    assert len(figures(screen)) == 2


def test_equal_samples_stand_in_one_row_that_says_how_often_they_were_drawn(screen: AppTest, model: Pretrained) -> None:
    screen.query_params.update({"top_k": "1", "samples": "12", "sample": "12"})  # so that all are the greedy one
    shown = listed(screen.run())
    assert texts(shown) == [translate(model, [SENTENCE])[0].text]
    assert [(row["name"], row["times"]) for row in [shown["greedy"], *shown["rows"]]] == [
        ("greedy", "12 times"),
        ("1", "12 times"),
    ]
    assert shown["chosen"] == 0
    assert [times(count) for count in (0, 1, 2, 3)] == ["never", "once", "twice", "3 times"]


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_sets_every_setting(name: str, screen: AppTest, model: Pretrained) -> None:
    widget(screen.run(), "preset").set_value(name).run()
    assert not screen.exception
    assert texts(listed(screen)) == [
        each.trace.text for each in once(sample(model, SENTENCE, SamplingSettings(*PRESETS[name])))
    ]
    assert screen.session_state["preset"] == name


def test_drawing_again_takes_the_next_seed(screen: AppTest, model: Pretrained) -> None:
    screen.run()
    next(button for button in screen.button if button.label == "Draw again").click().run()
    assert screen.number_input(key="sampling_seed").value == 1
    assert texts(listed(screen)) == [
        each.trace.text for each in once(sample(model, SENTENCE, SamplingSettings(*FIRST, seed=1)))
    ]


def test_a_chosen_token_tells_its_own_draw(screen: AppTest, model: Pretrained) -> None:
    screen.query_params.update({"sample": "1"})
    screen.run()
    first = sample(model, SENTENCE, SamplingSettings(*FIRST))[0]
    for step in (0, len(first.draws) - 1):
        widget(screen, "draw").set_value(step).run()
        assert f"The random number {ends(first.draws[step])[1]}**" in said(screen)
        assert sent(screen.get("bidi_component")[-1])["step"] == step + 1


@pytest.mark.parametrize("wrong", ["0", "99", "-1", "x", "²", "9" * 50])
def test_a_link_that_names_no_sample_opens_one_that_there_is(wrong: str, screen: AppTest, model: Pretrained) -> None:
    screen.query_params.update({"sample": wrong, "sampling_temperature": wrong, "top_k": wrong, "samples": wrong})
    screen.run()
    assert not screen.exception
    assert 0 <= listed(screen)["chosen"] < len(listed(screen)["rows"])


def test_a_transformer_is_sampled_and_its_link_opens_the_sample_the_step_and_the_head() -> None:
    model, hot = load_transformer(shipped("reverse-transformer")), SamplingSettings(temperature=2.0, samples=4)
    page = AppTest.from_file(FRAME, default_timeout=60)
    screen = opened(switch_page(page, "screens/sampling/screen.py"), "sample-numbers")
    link = {"model": model.name, "sentence": "2 5 9 1", "sampling_temperature": "2.0", "samples": "4"}
    second = sample(model, "2 5 9 1", hot)[1]
    screen.query_params.update({**link, "sample": "2", "draw": label(second, 2), "layer": "1", "head": "2"})
    screen.run()
    assert not screen.exception
    assert not screen.info
    shown = sent(screen.get("bidi_component")[-1])
    assert f"Step 3 of {len(second.draws)} draws" in said(screen)
    assert (shown["step"], shown["layer"], shown["head"]) == (3, 1, 2)
    assert shown["traces"][0]["target_ids"] == list(second.ids)
    assert shown["traces"][0]["heads"]


def test_hostile_text_is_shown_as_text(screen: AppTest) -> None:
    screen.query_params.update({"sentence": "<script>x</script> $a$ **b** :red[c]"})
    screen.run()
    assert not screen.exception
    assert not any("<script>" in element.proto.body for element in screen.get("html"))


def test_nothing_to_read_is_a_hint(screen: AppTest) -> None:
    screen.query_params.update({"sentence": " "})
    screen.run()
    assert not screen.exception
    assert any("Nothing to read yet" in info.value for info in screen.info)
