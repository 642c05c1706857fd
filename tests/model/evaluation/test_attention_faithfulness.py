from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from numpy import nan

from regard.model.analysis.attention_statistics import soft_alignment_scores
from regard.model.analysis.faithfulness import COUNTERFACTUALS, counterfactual
from regard.model.checkpoint import Pretrained
from regard.model.evaluation.attention_faithfulness import (
    FUNCTION_WORDS,
    KINDS,
    AttentionFaithfulness,
    faithfulness_scores,
    kind,
    measured,
)
from regard.model.translate import force
from regard.model.words import words

ONE = AttentionFaithfulness(
    "I love you.",
    "Je t'aime.",
    ("function", "function", "content", "", "punctuation", ""),
    dict.fromkeys(COUNTERFACTUALS, (True, False, True, False, True, False)),
    {"gradient_by_input": np.array([0.5, nan, 0.1, 0, 0, 0]), "leave_one_out": np.full(6, nan)},
    entropy=0.5,
    uncovered=0.25,
    confidence=0.75,
)


def test_shares_are_taken_over_the_words_of_a_kind_in_all_sentences() -> None:
    other = replace(ONE, kept=dict.fromkeys(COUNTERFACTUALS, (True,) * 6), entropy=0.7)
    found = faithfulness_scores([ONE, other], examples=1)
    assert (found["sentences"], found["steps"]) == (2, 12)
    for counted in found["counterfactuals"].values():
        assert counted == {
            "function": {"words": 4, "kept": 0.75},
            "content": {"words": 2, "kept": 1},
            "punctuation": {"words": 2, "kept": 1},
        }
    assert (found["entropy"], found["uncovered"], found["confidence"]) == (0.6, 0.25, 0.75)
    assert len(found["examples"]) == 1


def test_tau_is_averaged_where_it_is_defined() -> None:
    found = faithfulness_scores([ONE], examples=1)["tau"]
    assert found["gradient_by_input"] == {"steps": 5, "mean": 0.12, "deviation": 0.1939}  # of .5, .1, 0, 0, 0
    assert found["leave_one_out"] == {"steps": 0, "mean": None, "deviation": None}


def test_a_word_counts_at_its_first_token_and_the_end_does_not(make_model: Callable[..., Pretrained]) -> None:
    model = make_model(score="concat", wiring="bahdanau")
    trace = force(model, [("I love you.", "Je n'aime pas la voiture rouge.")])[0]
    found, target = measured(model, trace, seed=3), trace.alignment.target
    begun = [word for step, word in enumerate(target.word_of) if word != ([-1, *target.word_of])[step]]
    assert len(begun) < len(target.tokens)
    assert [kind for kind in found.kinds if kind] == [
        "function", "function", "content", "function", "function", "content", "content", "punctuation"
    ]  # fmt: skip
    assert len(found.kinds) == len(target.tokens)
    assert found.kinds[-1] == ""
    for name in COUNTERFACTUALS:
        assert list(found.kept[name]) == counterfactual(model, trace, name, 3).stays.tolist()
    assert found.confidence == pytest.approx(soft_alignment_scores(trace.weights).confidence)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Le garçon qui porte un T-shirt bleu joue.", "f c f c f c c c p"),
        ("J'aime l'histoire d'aujourd'hui !", "f c f c f c p"),
        ("Ne les as-tu pas vus ? Y a-t-il", "f f f f f c p f f f"),
        ("« Quelqu'un est 3 fois À la gare »", "p f f c c f f c p"),
    ],
)
def test_words_of_a_french_sentence_have_their_kind(text: str, kinds: str) -> None:
    found = [kind(text[word.start : word.stop], "fr") for word in words(text, "fr")]
    assert [name[0] for name in found] == kinds.split()


def test_every_function_word_is_one_word_as_texts_are_divided() -> None:
    for word in FUNCTION_WORDS["fr"]:
        follower = "a" if word.endswith("'") else ""
        assert next(text.stop for text in words(word + follower, "fr")) == len(word), word
        assert kind(word, "fr") == "function"
    assert {kind(word, language) for word in ("le", "chat", ".") for language in ("fr", "xx")} == {*KINDS}
