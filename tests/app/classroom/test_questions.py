import csv
import io

import pytest

from regard.app.classroom.questions import KINDS, Asked, ask
from regard.app.classroom.results import bars, counts, own_words, summary, table
from regard.app.classroom.store import State
from regard.app.models.traces import any_trace
from regard.model.alignment import STEP, token_label
from regard.model.changes.intervention import Intervention
from regard.model.changes.what_if import translate
from regard.model.checkpoint import load
from regard.model.input_error import InputError

MODEL, SENTENCE = "en-fr", "She bought a red car and a black dress."


def asked(kind: str, step: int = 5, aside: int = 0, model: str = MODEL) -> Asked:
    return ask(kind, model, SENTENCE, step, aside)


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_has_one_right_option_among_different_ones(kind: str) -> None:
    one = asked(kind, aside=3)
    assert 0 <= one.right < len(one.options) == len(set(one.options))
    assert one.sentence == SENTENCE
    assert not {"*", "\\"} & set("".join((one.prompt, *one.options))), "a question is text, not Markdown"
    assert one.fingerprint == load(f"pretrained/{MODEL}").fingerprint
    assert Asked.of(vars(one)) == one
    assert one.vote(one.options[one.right].upper()) == one.right
    assert one.vote("nothing of the kind") == -1


def test_where_it_looks_is_where_the_weights_are() -> None:
    trace = any_trace(MODEL, SENTENCE, "")
    row = trace.alignment.by_words(STEP).weights[4]
    one = asked("look")
    assert one.shares == pytest.approx(row.tolist())
    assert one.options[one.right] == "car"
    assert one.options[2] == "a (1)"
    assert "98" in one.answer


def test_a_drag_is_answered_by_the_intervention() -> None:
    trace, one = any_trace(MODEL, SENTENCE, ""), asked("drag", aside=8)
    row = [float(word == 8) for word in trace.alignment.source.word_of]
    changed = translate(load(f"pretrained/{MODEL}"), SENTENCE, Intervention(weights=((4, tuple(row)),)))
    assert one.options[one.right] == token_label(changed.target[4]) != "voiture"


@pytest.mark.parametrize(
    ("kind", "model", "aside"),
    [
        ("look", "en-fr-none", 0),
        ("without", "en-fr-none", 0),
        ("drag", "en-fr-transformer", 0),
        ("lesson", "en-fr-transformer", 3),
        ("lesson", "en-fr", 10),
    ],
)
def test_what_cannot_be_asked_is_refused(kind: str, model: str, aside: int) -> None:
    with pytest.raises(InputError, match=r"\.$"):
        asked(kind, aside=aside, model=model)


def test_votes_are_counted_drawn_and_saved_without_names() -> None:
    one = asked("write")
    right, wrong = one.options[one.right], next(option for option in one.options if option != "voiture")
    first, second = {"a": right, "b": wrong, "c": "<b>&"}, {"a": right, "b": right.upper(), "c": "=1+1"}
    assert sum(counts(one, first)) == 3
    assert counts(one, second)[one.right] == 2
    assert own_words(one, second) == [("=1+1", 1)]
    drawn = bars(one, [first, second], revealed=True)
    assert drawn.count('class="right"') == 1
    assert "<b>&" not in bars(one, [first], revealed=False)
    assert "model " not in bars(one, [first], revealed=False)
    votes = {"1.1": first, "1.2": second}
    state = State(phase="revealed", questions=(one,), round=2)
    rows = list(csv.DictReader(io.StringIO(table(state, lambda vote: votes.get(vote, {})))))
    assert [row["count"] for row in rows if row["right"]] == ["1", "2"]
    assert {row["fingerprint"] for row in rows} == {one.fingerprint}
    assert summary(state, {"1.1": wrong, "1.2": right})[0][""] == "as the model"
    assert summary(state, {"1.1": wrong})[0][""] == "otherwise"
