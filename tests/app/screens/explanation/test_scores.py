from regard.app.screens.explanation.scores import UNDEFINED, measured, sample
from regard.model.checkpoint import Pretrained
from regard.model.evaluation.attention_faithfulness import faithfulness, faithfulness_scores

KEPT = {"function": {"words": 1200, "kept": 0.5}, "content": {"words": 80, "kept": 0.125}}
SCORES = {
    "attention": {
        "sentences": 200,
        "steps": 2500,
        "counterfactuals": {"uniform": KEPT, "permuted": {"content": KEPT["content"]}},
        "tau": {
            "gradient_by_input": {"steps": 2400, "mean": -0.25, "deviation": 0.1},
            "leave_one_out": {"steps": 0, "mean": None, "deviation": None},
        },
    },
    "alignments": {"overall": {"output": {"aer": 0.42, "mass_on_sure": 0.5}, "diagonal": {"aer": 0.6}}},
}


def test_words_that_stay_are_told_by_kind() -> None:
    assert measured("kept", SCORES) == (
        "- uniform: 50.0% of 1,200 function words, 12.5% of 80 content words\n"
        "- permuted: – function words, 12.5% of 80 content words"
    )


def test_a_tau_that_is_undefined_everywhere_is_no_number() -> None:
    assert measured("tau", SCORES).splitlines() == [
        "- attention and gradient × input: mean τ −0.25, over 2,400 steps",
        f"- attention and leaving one out: {UNDEFINED}",
    ]


def test_agreement_with_links_is_told_where_it_was_measured() -> None:
    assert measured("mass", SCORES) == "- 50.0% on sure links, over the words that have one"
    assert measured("aer", SCORES) == "- AER 0.42, rows as the word produced\n- AER 0.60, the diagonal"


def test_what_evaluation_writes_is_what_is_read(tiny_model: Pretrained) -> None:
    written = {"attention": faithfulness_scores(list(faithfulness(tiny_model, ["I love the cat.", "We see."])), 1)}
    assert sample(written).startswith("2 held-out sentences")
    assert measured("kept", written).count("\n") == 4
    assert measured("tau", written).count("mean τ") == 2
