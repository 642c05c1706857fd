import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast
from urllib.parse import parse_qs

import numpy as np
import pytest
from safetensors.torch import load_file, save_file
from streamlit.testing.v1 import AppTest

from regard.app.figures.token_sampling import small_percent
from regard.app.models.result_cache import forget_all
from regard.app.screens.why.text import (
    FOUND,
    NEAREST,
    OWN,
    TEXTS,
    compared,
    looks,
    price,
    shifts,
    target,
    verdict,
)
from regard.app.theme import component, percent
from regard.app.wording import MEAN_OF_HEADS
from regard.model.analysis.attention_search import PENALTY, AttentionSearch, search_attention
from regard.model.analysis.model_preference import preference
from regard.model.arithmetic.quantity import source_text
from regard.model.changes.intervention import Intervention
from regard.model.checkpoint import DEFAULT, WEIGHTS, Pretrained, load, shipped
from regard.model.trace import Trace
from regard.model.transformer.checkpoint import load_transformer
from regard.model.translate import force, translate
from tests.support.screens import on_screen, table

SENTENCE = "I love you."


@pytest.fixture(scope="module")
def model(make_model: Callable[..., Pretrained], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pretrained]:
    """A tiny model with clear preferences, alone on offer; what one test has searched for is there for the next."""
    models = tmp_path_factory.mktemp("models")
    shutil.copytree(make_model().folder, models / DEFAULT)
    arrays = load_file(models / DEFAULT / WEIGHTS)
    arrays["embedding.weight"] *= 6
    save_file(arrays, models / DEFAULT / WEIGHTS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("regard.app.models.registry.PRETRAINED", models)
        forget_all()
        yield load(models / DEFAULT)
    forget_all()


def opened(**link: str) -> AppTest:
    return on_screen("why", "attention-search", **{"sentence": SENTENCE, **link}).run()


def told(screen: AppTest) -> str:
    """Return the report of the search, as HTML."""
    return next(part.proto.body for part in screen.get("html") if "verdict" in part.proto.body)


def searched(model: Pretrained, step: int, place: int = 1, penalty: float = PENALTY) -> tuple[Trace, AttentionSearch]:
    """The search for the token at this place among the likeliest of a step."""
    trace = translate(model, [SENTENCE])[0]
    return trace, search_attention(model, trace, step, int(trace.top_ids[step, place]), penalty)


def test_the_first_view_looks_for_the_second_likeliest_token(model: Pretrained) -> None:
    screen = opened()
    assert not screen.exception
    trace, asked = searched(model, screen.session_state["token"])
    assert verdict(trace, asked) in told(screen)
    assert price(asked) in told(screen)
    assert table(screen, 0) == shifts(asked)
    assert table(screen, 1) == compared(asked)


def test_the_verdict_says_whether_and_where_and_its_price(model: Pretrained) -> None:
    trace, asked = searched(model, 1)
    reached, missed = replace(asked, first=asked.found), replace(asked, first=None)
    already = replace(reached, own=replace(reached.own, wanted=reached.own.wanted._replace(rank=1)))
    assert verdict(trace, reached).startswith("The model would write ")
    assert looks(trace, reached.best) in verdict(trace, reached)
    assert verdict(trace, missed).startswith("No attention was found that makes it write")
    assert f"{target(trace, missed.best.written)} is first with" in verdict(trace, missed)
    assert "here already" in verdict(trace, already)
    assert "is no proof that there is nothing" in price(missed)
    assert "no proof" not in price(reached)
    for one in (reached, missed):
        assert f"{component(one.best.cost)} nats" in price(one)
        assert percent(one.best.moved) in price(one)
    assert [row["Weights"] for row in compared(missed)] == [OWN, NEAREST]
    own, after = reached.shifts[0].before, reached.shifts[0].after
    assert shifts(reached)[0][OWN] == f"{small_percent(own.probability)} · #{own.rank}"
    assert shifts(reached)[0][FOUND] == f"{small_percent(after.probability)} · #{after.rank}"


def test_the_heaviest_tokens_are_named_and_the_rest_added_up(model: Pretrained) -> None:
    trace, asked = searched(model, 1)

    def told(weights: list[float]) -> str:
        rest = [0.0] * (len(trace.source) - len(weights))
        return re.sub("<[^>]+>", "", looks(trace, replace(asked.found, weights=np.array([*weights, *rest]))))

    first, second, third = (source_text(trace, place) for place in range(3))
    assert told([0, 1]) == f"100.0% at “{second}”"
    assert told([0.5, 0.03, 0.4, 0.07]).startswith(f"50.0% at “{first}”, 40.0% at “{third}”, 7.0% at ")
    assert told([0.5, 0.03, 0.4, 0.07]).endswith("and 3.0% elsewhere")


def test_a_link_restores_step_token_and_penalty(model: Pretrained) -> None:
    first = opened()
    step, token, penalty = (cast(Any, first.get_by_key(key)) for key in ("token", "wanted", "penalty"))
    there = opened(token=step.options[1])
    label = cast(Any, there.get_by_key("wanted")).options[2]
    screen = opened(token=step.options[1], wanted=label, penalty=penalty.options[-1])
    assert not screen.exception
    assert token is not None
    _, asked = searched(model, 1, 3, 10.0)
    assert price(asked) in told(screen)


def test_a_typed_word_is_looked_for_by_its_first_token(model: Pretrained) -> None:
    screen = opened(word="maison")
    trace = translate(model, [SENTENCE])[0]
    step = int(screen.session_state["token"])
    ids = model.tokenizer.encode("maison", "fr").ids
    assert len(ids) > 1
    assert f"takes {len(ids)} tokens" in " ".join(caption.value for caption in screen.caption)
    assert verdict(trace, search_attention(model, trace, step, ids[0])) in told(screen)
    assert screen.session_state["wanted"] is None


def following(screen: AppTest) -> dict[str, str]:
    """Return the parameters of the link to Translate."""
    link = next(link for link in screen.get("page_link") if link.proto.label == "See what follows")
    return {name: values[0] for name, values in parse_qs(link.proto.query_string).items()}


def test_of_a_given_translation_the_word_where_the_two_part_is_searched(model: Pretrained) -> None:
    given = "Je t'aime."
    screen = opened(given=given)
    trace, step = force(model, [(SENTENCE, given)])[0], int(screen.session_state["token"])
    own = preference(model, translate(model, [SENTENCE])[0], trace).parting
    assert (step, screen.session_state["wanted"]) == (own.step if own else -1, int(trace.target_ids[step]))
    asked, carried = search_attention(model, trace, step, int(trace.target_ids[step])), following(screen)
    forced = replace(asked.intervention, tokens=((step, asked.shifts[0].token),))
    assert Intervention.from_json(carried["change"]) == forced
    assert carried["given"] == given


def test_a_transformer_is_searched_and_the_screen_says_what_its_weights_are(monkeypatch: pytest.MonkeyPatch) -> None:
    model = load_transformer(shipped("reverse-transformer"))
    monkeypatch.setattr("regard.app.models.registry.PRETRAINED", model.folder.parent)  # and not only the tiny models
    screen = opened(model=model.name, sentence="2 5 9 1")
    assert not screen.exception
    assert not any("no attention" in info.value for info in screen.info)
    (trace,) = translate(model, ["2 5 9 1"])
    step = int(screen.session_state["token"])
    asked = search_attention(model, trace, step, int(trace.top_ids[step, 1]), PENALTY)
    assert verdict(trace, asked) in told(screen)
    assert f"{MEAN_OF_HEADS} {TEXTS['searched']}" in [caption.value for caption in screen.caption]
    assert any(TEXTS["heads_alike"] in markdown.value for markdown in screen.markdown)
    assert not any(TEXTS["mixture"] in markdown.value for markdown in screen.markdown)
