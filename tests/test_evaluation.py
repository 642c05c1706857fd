"""What evaluation measures: against sacrebleu, against sums done by hand and against the shipped model's record."""

import json
import math
from collections.abc import Callable

import numpy as np
import pytest
import sacrebleu
import torch

from model.beam import write
from model.checkpoint import Pretrained
from model.corpus import Pair
from model.evaluation import Aligned, EndMass, aligned, by_length, forced, forced_scores, grade
from model.joining import between, join, links
from model.links import GoldPair, agreement
from model.translate import force

PAIRS = (
    Pair("I love you.", "Je t'aime."),
    Pair("The cat sat on the mat.", "Le chat était assis sur le tapis."),
    Pair("Where is the train station?", "Où est la gare ?"),
)


def test_grades_are_those_of_sacrebleu_with_its_signatures() -> None:
    references = [pair.target for pair in PAIRS]
    perfect = grade(references, references)
    assert perfect["bleu"]["score"] == perfect["chrf"]["score"] == 100
    translations = ["Je t'aime.", "Le chat est assis sur un tapis.", "Où est le train ?"]
    found = grade(translations, references)
    assert found["bleu"]["score"] == pytest.approx(sacrebleu.corpus_bleu(translations, [references]).score, abs=0.005)
    assert found["chrf"]["score"] == pytest.approx(sacrebleu.corpus_chrf(translations, [references]).score, abs=0.005)
    assert "tok:13a" in found["bleu"]["signature"]
    assert f"version:{sacrebleu.__version__}" in found["chrf"]["signature"]


def test_every_pair_is_in_one_bucket_by_its_source_words() -> None:
    pairs = [Pair(" ".join(["word"] * length), "x") for length in (1, 5, 6, 10, 11, 15, 16, 31, 80)]
    rows = by_length(pairs, ["x"] * len(pairs), "en")
    assert [(row["words"], row["pairs"]) for row in rows] == [
        ([1, 5], 2), ([6, 10], 2), ([11, 15], 2), ([16, 16], 1), ([31, 80], 2)
    ]  # fmt: skip
    assert by_length([Pair("Don't go, please!", "x")], ["x"], "en")[0]["words"] == [6, 6]  # Do n't go , please !


def test_the_weight_on_the_end_is_a_mean_over_first_words_and_over_all() -> None:
    one = EndMass.of(np.array([[0.1, 0.9], [0.5, 0.5], [1.0, 0.0]]))
    other = EndMass.of(np.array([[0.7, 0.3]]))
    assert (one + other).shares() == {"first_word": 0.6, "all_words": 0.425}
    assert EndMass.of(np.zeros((0, 3))).shares() == {"first_word": 0, "all_words": 0}


def test_perplexity_is_that_of_the_forced_references(tiny_model: Pretrained) -> None:
    traces = force(tiny_model, PAIRS)
    logs = np.concatenate([trace.log_probabilities for trace in traces])
    found = forced_scores(list(forced(tiny_model, PAIRS)))
    assert found["perplexity"] == pytest.approx(math.exp(-logs.mean()), abs=1e-3)
    first = [trace.alignment.by_words().weights[0, -1] for trace in traces]
    assert found["weight_on_end"]["first_word"] == pytest.approx(np.mean(first), abs=1e-4)


def test_alignment_scores_count_the_links_that_the_align_command_prints(
    make_model: Callable[..., Pretrained],
) -> None:
    model = make_model()
    with torch.no_grad():
        for parameter in model.network.parameters():
            parameter.mul_(8)  # attention that moves from word to word
    gold, fed, ends = [], Aligned().input, EndMass()
    for number, (source_line, target_line) in enumerate(
        [("I do n't go .", "Je n' y vais pas ."), ("The cat sat on a mat", "Le chat")]
    ):
        source, target = join(source_line, "en"), join(target_line, "fr")
        alignment = force(model, [(source.text, target.text)])[0].alignment
        produced, sure = between(alignment, source, target), frozenset(links(between(alignment, source, target)))
        gold.append(GoldPair(str(number), source_line, target_line, sure, sure))
        fed += agreement(links(between(alignment, source, target, "input")), sure, sure)
        ends += EndMass.of(produced)
    found = sum(aligned(model, gold), Aligned())
    assert found.output.proposed == found.output.proposed_and_sure > 0
    assert found.scores()["output"] == {"aer": 0, "precision": 1, "recall": 1}
    assert found.input == fed
    assert fed.error_rate > 0
    assert found.diagonal.proposed == 8
    assert found.scores()["pairs"] == 2
    assert found.end.shares() == pytest.approx(ends.shares(), abs=1e-4)


def test_the_shipped_model_translates_as_its_scores_record(shipped: Pretrained) -> None:
    scores = json.loads((shipped.folder / "scores.json").read_text(encoding="utf-8"))
    assert scores["model"]["fingerprint"] == shipped.fingerprint
    assert scores["model"]["bytes"] == (shipped.folder / "model.safetensors").stat().st_size
    examples = scores["tests"]["held_out"]["examples"]
    for search, width in (("greedy", 1), ("beam_5", 5)):
        translations = list(write(shipped, [example["source"] for example in examples], width))
        same = [text == example[search] for text, example in zip(translations, examples, strict=True)]
        assert sum(same) >= len(examples) - 1  # another processor may break a tie the other way
