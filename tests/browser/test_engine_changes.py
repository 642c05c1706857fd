"""A person's changes, beam search and opened numbers in the page that holds a model, beside PyTorch and Python."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from regard.app.export.translator.document import spelling
from regard.model.changes.intervention import UNTOUCHED, Intervention
from regard.model.changes.marks import change_texts
from regard.model.changes.rewording import tokens_of
from regard.model.changes.session import offered
from regard.model.changes.what_if import translate
from regard.model.checkpoint import AnyModel, Pretrained, shipped
from regard.model.decoding import beam
from regard.model.decoding.beam_tree import BeamSettings
from regard.model.input_error import InputError, on_screen
from regard.model.transformer.checkpoint import load_transformer
from regard.model.truecasing import read_as
from regard.model.word_alignment.posterior import posterior
from regard.pretrained.recipe.lists import FILES, read_typed
from tests.model.test_truecasing import FOREIGN
from tests.support.engine import (
    CHANGES_TOLD,
    NEAR,
    PACKED,
    Asked,
    apart,
    compared,
    disconnected,
    open_page,
)

RECURRENT = "I don't love the red car."
NUMBERS = "2 5 9"  # four tokens with the end
GIVEN = {RECURRENT: "Je n'aime pas la voiture rouge.", NUMBERS: "9 5 2"}
CHANGES = {
    RECURRENT: (
        Intervention(tokens=((1, 300),)),
        Intervention(hidden=(0, 2)),
        Intervention(temperature=3.0, bonus=((0, 1, 2.5), (2, 0, -1.0))),
        Intervention(words=((1, "really do not"), (4, "x"))),
    ),
    NUMBERS: (
        Intervention(hidden=(1,), temperature=2.0, bonus=((1, 2, 0.5),)),
        Intervention(tokens=((1, 264),), weights=((2, (0.25, 0.0, 0.5, 0.25)),)),
        Intervention(words=((0, "7 7"),)),
        Intervention(heads_off=(("cross", 1, 2), ("encoder", 0, 1))),
        Intervention(heads_off=tuple(("cross", 1, head) for head in range(4))),
        Intervention(
            hidden=(1,),
            head_weights=(
                ("cross", 0, 3, 1, (0.25, 0.0, 0.5, 0.25)),
                ("decoder", 1, 0, 2, (0.5, 0.25, 0.25)),
                ("encoder", 0, 1, 0, (0.25, 0.25, 0.25, 0.25)),
            ),
        ),
    ),
}
REFUSED: dict[str, tuple[dict[str, Any], ...]] = {  # the first ones in the same words, for a page can bring them about
    RECURRENT: (
        {"hidden": [*range(18)]},
        {"tokens": [[500, 300]]},
        {"words": [[77, "x"]]},
        {"words": [[0, "z" * 200], [2, "no " * 60]]},
        {"hidden": [99]},
        {"tokens": [[0, 99_999]]},
        {"weights": [[0, [1.0]]]},
        {"weights": [[0, [1.0] + [0.0] * 9], [0, [1.0] + [0.0] * 9]]},
        {"bonus": [[0, 0, 1000.5]]},
        {"temperature": 0.01},
        {"heads_off": [["cross", 0, 0]]},
    ),
    NUMBERS: (
        {"heads_off": [["cross", 0, 0]], "head_weights": [["cross", 0, 0, 1, [0.5, 0.5, 0.0, 0.0]]]},
        {"heads_off": [["cross", 9, 0]]},
        {"heads_off": [["cross", 0, 0], ["cross", 0, 0]]},
        {"heads_off": [["sideways", 0, 0]]},
        {"head_weights": [["decoder", 0, 0, 1, [1.0]]]},
        {"head_weights": [["encoder", 0, 0, 9, [1.0, 0.0, 0.0, 0.0]]]},
        {"head_weights": [["cross", 0, 0, 1, [0.5, 0.0, 0.0, 0.0]]]},
        {"head_weights": [["cross", 0, 0, 1, [0.5, 0.5, 0.0, 0.0]]], "hidden": [0]},
    ),
}
ALIKE = {RECURRENT: 4, NUMBERS: 1}


class Case(NamedTuple):
    page: Page
    model: AnyModel
    sentence: str


@pytest.fixture(scope="module", params=[RECURRENT, NUMBERS], ids=["recurrent", "transformer"])
def case(
    request: pytest.FixtureRequest, browser: Browser, tiny_model: Pretrained, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Case]:
    model = tiny_model if request.param == RECURRENT else load_transformer(shipped("reverse-transformer"))
    with disconnected(browser) as page:
        open_page(page, [model], tmp_path_factory.mktemp("page"))
        yield Case(page, model, request.param)


def values(changes: Intervention) -> dict[str, Any]:
    return json.loads(changes.to_json())


def test_what_is_changed_changes_what_it_changes_in_pytorch(case: Case) -> None:
    both = ("", GIVEN[case.sentence])
    asked = [Asked(case.sentence, changes, given) for changes in CHANGES[case.sentence] for given in both]
    for (farthest, unequal), one in zip(apart(case.page, case.model, asked), asked, strict=True):
        assert (unequal, farthest < NEAR) == ((), True), (one, farthest)


def test_it_is_told_and_offered_as_the_app_does(case: Case) -> None:
    page, model, sentence = case
    for changes, given in [(changes, given) for given in ("", GIVEN[sentence]) for changes in CHANGES[sentence]]:
        before, after = (translate(model, sentence, some, given) for some in (UNTOUCHED, changes))
        found = page.evaluate(CHANGES_TOLD, [sentence, values(changes), given])
        expected = offered(before, after, None)
        for name in ("forced", "fed", "weights", "hidden", "temperature", "heads_off", "head_weights", "words"):
            assert found["offered"][name] == json.loads(json.dumps(expected[name])), name
        texts = change_texts(model.tokenizer, sentence, before, after)
        assert found["told"] == [change.text for change in texts]
        assert list(map(json.loads, found["without"])) == [values(change.without) for change in texts]


def test_what_cannot_be_changed_is_refused_as_in_python(case: Case) -> None:
    for place, changes in enumerate(REFUSED[case.sentence]):
        with pytest.raises(InputError) as expected:
            translate(case.model, case.sentence, Intervention.from_json(json.dumps(changes)))
        refused = case.page.evaluate(
            """([sentence, changes]) => Promise.resolve().then(() => regard.translate(sentence, changes))
              .then(() => "", (error) => error.message)""",
            [case.sentence, changes],
        )
        assert refused, changes
        if place < ALIKE[case.sentence]:
            assert refused == on_screen(expected.value)


@pytest.mark.parametrize("width", [5, 1])
def test_beam_search_ends_with_the_same_translations(case: Case, width: int) -> None:
    expected = beam.search(case.model, beam.encode(case.model, case.sentence), BeamSettings(width))
    found = case.page.evaluate(
        """async ([sentence, width]) =>
          regard.engine.search(await regard.modelCalled(regard.names[0]), sentence, width)""",
        [case.sentence, width],
    )
    assert [(one["ids"], one["stop"]) for one in found] == [(list(one.ids), one.stop) for one in expected]
    for name, field in (("logProbability", "log_probability"), ("score", "score")):
        assert [one[name] for one in found] == pytest.approx([getattr(one, field) for one in expected], abs=NEAR)


@pytest.mark.parametrize("case", [RECURRENT], indirect=True)
@pytest.mark.parametrize("step", [0, 2])
def test_typed_text_is_read_as_the_same_tokens(case: Case, tiny_model: Pretrained, step: int) -> None:
    given = GIVEN[RECURRENT]
    before = translate(tiny_model, RECURRENT, UNTOUCHED, given).target_ids[:step].tolist()
    for text in ("l'", "qu'", "l'eau", "'", "rouge", "·s", ", et", "aujourd'hui"):
        changed = case.page.evaluate(
            """async ([sentence, given, step, text]) => {
              const { engine } = regard, model = await regard.modelCalled(regard.names[0]);
              const translated = (changes) => engine.translate(model, sentence, changes, given);
              const translator = { tokenizer: model.tokenizer, sentence, translate: translated };
              const { make, NOTHING_CHANGED } = engine.changes;
              return make(NOTHING_CHANGED, { kind: "text", step, text }, translator).history.present.tokens;
            }""",
            [RECURRENT, given, step, text],
        )
        assert [token for _, token in changed] == list(tokens_of(tiny_model.tokenizer, before, text, step)), text


@pytest.mark.parametrize("case", [NUMBERS], indirect=True)
def test_heads_are_chosen_switched_off_opened_and_a_link_brings_them_back(case: Case) -> None:
    page, model, sentence = case
    page.get_by_label("Sequence").fill(sentence)
    page.keyboard.press("Enter")
    expect(page.locator("#translation")).to_have_text(translate(model, sentence).text)
    page.get_by_role("button", name="layer 1, head 2").click()
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2")
    page.get_by_test_id("view").click()
    page.get_by_test_id("units-tokens").click()
    page.get_by_test_id("heat-cell").first.click()
    panel = page.get_by_role("region", name="The number that was clicked")
    expect(panel).to_contain_text("Weight of “2” at step 1, head 2, layer 1 of the cross-attention")
    panel.locator("button.number").first.click()
    expect(panel).to_contain_text("Score of “2” at step 1")
    expect(panel).not_to_contain_text("do not agree")
    panel.get_by_role("button", name="Back").click()
    expect(panel).to_contain_text("Weight of “2”")
    page.get_by_test_id("head-off").click()
    expect(page.locator("#changes")).to_contain_text("cross attention, layer 1, head 2 is switched off")
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2, switched off")
    page.wait_for_url(lambda url: "heads_off" in url and "head=2" in url)
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    expect(page.get_by_test_id("head-name")).to_have_text("layer 1, head 2, switched off")
    expect(page.get_by_test_id("reading-posterior")).to_have_count(0)
    page.locator("#changes").get_by_test_id("undo").click()
    expect(page.locator("#changes")).to_contain_text("Nothing is changed.")


# Posteriors, and casual spelling


COOLED = Intervention(hidden=(1,), temperature=0.7)
NETWORKS = (
    {},
    {"score": "concat", "cell": "gru", "wiring": "bahdanau"},
    {"score": "dot", "wiring": "bahdanau", "initial_state": "encoder"},
    {"cell": "gru", "input_feeding": True},
)
CASUAL = (
    "Ⅳ ① 12:30", "① Ⅳ Ⅸ", "“THE CAT IS BLACK”", "12 CATS", "ǅ CATS", *FOREIGN,
    "", "OK", "USA", "THE CAT", "I.", "IS IT I. OR I?", "i", "DONT", "Dont", "dONT", "dont't", "IM", "ÇA VA", "ß ẞ ΑΣ",
    "ǅ ISNT", "1ST PRIZE", "²ND ½ ⅧTH", "İSTANBUL IS IN TURKEY", "MONDAYS IN PARIS", "WHATS UP", "thats all", "_im_ im",
    "𝐀𝐁𝐂𝐃", "😀 HELLO THERE", "I’M TIRED", "it's Johns", "Ⓐ ⓐ ⒶⒷⒸⒹ",
    "teh freind recieved beautifull febuary",
    "jsut@exmaple.com a.teh teh.b a-teh teh-a teh/ isn’t isnʼt éteh teh's", "qqqq teeh",
)  # fmt: skip


@pytest.mark.parametrize("network", NETWORKS)
def test_every_number_of_a_posterior_is_pytorchs(
    browser: Browser, make_model: Callable[..., Pretrained], network: dict[str, Any], tmp_path: Path
) -> None:
    model = make_model(**network)
    trace = translate(model, RECURRENT, COOLED)
    with disconnected(browser) as page:
        open_page(page, [model], tmp_path)
        drawn = page.evaluate(DRAWN, [RECURRENT, json.loads(COOLED.to_json())])
    farthest, unequal = compared(json.loads(drawn), trace, [posterior(model, trace)])
    assert (unequal, farthest < NEAR) == ((), True), farthest


def test_a_sentence_in_casual_spelling_is_read_as_in_the_app(
    browser: Browser, tiny_model: Pretrained, tmp_path: Path
) -> None:
    sentences = [*CASUAL, *(entry.sentence for listed in FILES.values() for entry in read_typed(listed))]
    sentences += [sentence.upper() for sentence in sentences]
    with disconnected(browser) as page:
        open_page(page, [tiny_model], tmp_path)
        for language in ("en", "fr"):
            found = page.evaluate(READ, [sentences, language, spelling()])
            assert found == [read_as(sentence, language) for sentence in sentences]


DRAWN = f"""async ([sentence, changes]) => {{
  const {{engine, names, modelCalled}} = regard;
  const model = await modelCalled(names[0]);
  const plain = engine.translate(model, sentence, engine.interventionOf(changes));
  const work = engine.posterior(model, plain);
  let made;
  do made = work.next(); while (!made.done);
  return ({PACKED})(engine.payloadOf([{{...plain, posterior: made.value}}])[0]);
}}"""
READ = "([sentences, language, spelling]) => sentences.map((one) => regard.engine.readAs(one, language, spelling))"
