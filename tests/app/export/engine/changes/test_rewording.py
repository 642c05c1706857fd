import json

import pytest

from regard.model.changes.intervention import Intervention
from regard.model.changes.rewording import reword
from regard.model.tokenizer import Tokenizer
from tests.support.javascript import APP, evaluated

ENGINE = APP / "export" / "engine"
SENTENCE = "I have a blue car."
REPLACEMENTS = [(3, "x"), (3, "extraordinarily red"), (0, "We"), (5, "!")]


def test_a_word_is_replaced_in_the_browser_with_the_changes_that_the_app_keeps(tokenizer: Tokenizer) -> None:
    tokens = len(tokenizer.encode(SENTENCE, "en").ids) + 1
    row, first = (1 / tokens,) * tokens, (1.0,) + (0.0,) * (tokens - 1)
    changes = Intervention(
        weights=((1, row), (2, first)),
        hidden=(tokens - 1,),
        bonus=((0, 0, 1.0), (1, tokens - 1, 2.0)),
        head_weights=(
            *(("cross", 0, 1, step, row) for step in range(3)),
            ("decoder", 0, 1, 2, (0.5, 0.25, 0.25)),
            *(("encoder", 1, 0, place, first) for place in range(tokens)),
        ),
    )
    found = evaluated(
        f"{json.dumps(REPLACEMENTS)}.map(([word, text]) => "
        f"reword(tokenizer, {json.dumps(SENTENCE)}, interventionOf({changes.to_json()}), word, text))",
        {
            ENGINE / "changes" / "rewording.js": "reword",
            ENGINE / "changes" / "intervention.js": "interventionOf",
            ENGINE / "tokenizer.js": "tokenizerOf",
        },
        f"const tokenizer = tokenizerOf({tokenizer.to_json()}, {json.dumps(tokenizer.languages)});",
    )
    for kept, (word, text) in zip(found, REPLACEMENTS, strict=True):
        expected = json.loads(reword(tokenizer, SENTENCE, changes, word, text).to_json())
        for name in ("words", "hidden", "bonus"):
            assert kept[name] == expected[name]
        for name in ("weights", "head_weights"):
            assert [place for *place, _ in kept[name]] == [place for *place, _ in expected[name]]
            assert [row for *_, row in kept[name]] == [pytest.approx(row) for *_, row in expected[name]]


def test_a_mark_joins_the_word_put_before_it_as_in_the_app(tokenizer: Tokenizer) -> None:
    found = evaluated(
        r'spansWith(tokenizer.encode("x\u0302 I", "en"), [[0, "a"]])',
        {ENGINE / "changes" / "rewording.js": "spansWith", ENGINE / "tokenizer.js": "tokenizerOf"},
        f"const tokenizer = tokenizerOf({tokenizer.to_json()}, {json.dumps(tokenizer.languages)});",
    )
    assert [tuple(span.values()) for span in found] == [(0, 1), (1, 1), (2, 3)]
