import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from regard.app.export.translator.document import spelling
from regard.model.changes.intervention import Intervention
from regard.model.changes.what_if import translate
from regard.model.checkpoint import Pretrained
from regard.model.truecasing import read_as
from regard.model.word_alignment.posterior import posterior
from regard.pretrained.recipe.lists import FILES, read_typed
from tests.model.test_truecasing import FOREIGN
from tests.support.engine import NEAR, PACKED, compared, disconnected, open_page

SENTENCE = "I don't love the red car."
CHANGES = Intervention(hidden=(1,), temperature=0.7)
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
    trace = translate(model, SENTENCE, CHANGES)
    with disconnected(browser) as page:
        open_page(page, [model], tmp_path)
        drawn = page.evaluate(DRAWN, [SENTENCE, json.loads(CHANGES.to_json())])
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
