import json

from regard.model.changes.intervention import Intervention
from regard.model.input_error import InputError, on_screen
from tests.support.javascript import APP, evaluated

INTERVENTION = APP / "export" / "engine" / "changes" / "intervention.js"
WORDS = ["", " ", "\u00a0", "\u200b", "\ufeff\u2060", "\x1f\x7f", "\u200bx", "x" * 200, "x" * 201, "é"]
REFUSAL = """function refusal(values) {
  try { interventionOf(values); } catch (error) { return error.message; }
  return "";
}"""


def test_the_same_words_are_refused_as_blank_or_too_long() -> None:
    found = evaluated(
        f"{json.dumps(WORDS)}.map((text) => refusal({{ words: [[2, text]] }}))",
        {INTERVENTION: "interventionOf"},
        REFUSAL,
    )
    assert found == [refusal(text) for text in WORDS]
    assert [text for text, told in zip(WORDS, found, strict=True) if not told] == ["\u200bx", "x" * 200, "é"]


def refusal(text: str) -> str:
    try:
        Intervention(words=((2, text),))
    except InputError as error:
        return on_screen(error)
    return ""
