"""Measures of a sentence are those of its trace, of sacrebleu and of the published formulas."""

import numpy as np
import pytest
import sacrebleu

from regard.model.checkpoint import Pretrained
from regard.model.doubt.chance import coverage
from regard.model.text_report.sentence_measures import SentenceMeasures, found, within
from regard.model.text_report.text_input import read
from regard.model.text_report.text_measures import (
    differences,
    least_covered,
    measured,
    most_different,
    pairings,
    significance,
    text_scores,
    weakest_words,
    wins,
)
from regard.model.translate import translate
from regard.model.word_alignment.from_attention import aligned

TEXT = "the cat sat\tle chat\n\nthe mat 日\tle tapis\t0-0 1-1\nthe cat\nI love you.\tJe t'aime."


@pytest.fixture(scope="module")
def rows(tiny_model: Pretrained) -> list[SentenceMeasures]:
    return list(measured(tiny_model, read(TEXT.encode(), ("en", "fr")).lines, None, batch_size=2))


def test_a_batch_measures_what_one_by_one_does(rows: list[SentenceMeasures], tiny_model: Pretrained) -> None:
    for row in rows:
        if not row.source:
            continue
        (trace,) = translate(tiny_model, [row.source])
        assert row.translation == trace.text
        assert row.mean_probability == pytest.approx(trace.mean_probability, abs=1e-5)
        written = trace.log_probabilities[: -1 if row.stop == "end" else None]  # without </s>
        assert row.weakest_probability == pytest.approx(np.exp(written.min()), abs=1e-4)
        assert row.least_coverage == pytest.approx(coverage(trace)[: trace.alignment.source.spoken].min(), abs=1e-4)
        assert row.links == trace.alignment.links()


def test_bleu_chrf_and_aer_are_those_of_sacrebleu_and_of_the_forced_pair(
    rows: list[SentenceMeasures], tiny_model: Pretrained
) -> None:
    row, line = rows[0], read(TEXT.encode(), ("en", "fr")).lines[2]
    assert row.bleu == sacrebleu.sentence_bleu(row.translation, ["le chat"]).score
    assert row.chrf == sacrebleu.sentence_chrf(row.translation, ["le chat"]).score
    assert rows[3].bleu is rows[3].aer is None
    assert line.gold is not None
    (agreed,) = aligned(tiny_model, [line.gold], posteriors=False)
    assert rows[2].aer == pytest.approx(agreed.output.agreement.error_rate)
    assert rows[2].unknown == "日"


def test_the_two_sides_are_compared_in_one_normal_form(tiny_model: Pretrained) -> None:
    (trace,) = translate(tiny_model, ["the cat"])
    reference = f" {trace.text.replace(' ', chr(0xA0))}’  "
    (row,) = measured(tiny_model, read(f"the cat\t{reference}".encode(), ("en", "fr")).lines, None)
    assert row.reference == f"{trace.text}'"
    assert row.differences == differences(trace.text, f"{trace.text}'")
    assert row.chrf == sacrebleu.sentence_chrf(trace.text, [f"{trace.text}'"]).score


def test_differences_search_and_ranges_say_what_a_person_would() -> None:
    assert differences("le chat noir", "un chat") == (("le", "un"), ("noir", ""))
    row = SentenceMeasures(1, "The Cat", "Le chat", "", "end", mean_probability=0.5)
    assert found(row, "CAT")
    assert not found(row, "dog")
    assert within(row, {"mean_probability": (0.4, 0.6)})
    assert not within(row, {"bleu": (0.0, 100.0)})


def row(number: int, translation: str, reference: str = "", **more: object) -> SentenceMeasures:
    values = {"chrf": sacrebleu.sentence_chrf(translation, [reference]).score if reference else None, **more}
    return SentenceMeasures(number, "source", translation, reference, "end", **values)  # type: ignore[arg-type]


def test_the_scores_of_a_text_are_sacrebleus() -> None:
    references = [f"le chat numéro {number} est assis ici" for number in range(12)]
    some = [
        row(number, text.replace("assis", "là" if number % 3 else "assis"), text)
        for number, text in enumerate(references)
    ]
    bleu, chrf = text_scores([*some, row(12, "x")])
    assert bleu.score == sacrebleu.corpus_bleu([each.translation for each in some], [references]).score
    assert chrf.score == sacrebleu.corpus_chrf([each.translation for each in some], [references]).score
    assert bleu.interval is not None
    assert bleu.interval[0] <= bleu.score <= bleu.interval[1]
    assert "version" in bleu.signature
    assert text_scores([row(1, "x")]) == []


def test_bleu_is_undefined_for_translations_without_four_tokens() -> None:
    bleu, chrf = text_scores([row(1, "le chat", "le chat"), row(2, "oui", "oui")])
    assert bleu.text.startswith("BLEU undefined (no translation has 4 tokens), nrefs:1|")
    assert chrf.text.startswith("chrF 100.0, nrefs:1|")
    assert text_scores([row(1, "le chat est là", "un chien")])[0].text.startswith("BLEU 0.0, ")


def test_the_words_a_text_fails_with_are_counted() -> None:
    some = [
        row(1, "x", covered=(("The", 0.2), ("cat", 1.0), (".", 0.0)), weakest_word="Chat"),
        row(2, "x", covered=(("the", 0.4), ("cat", 1.2)), weakest_word="chat"),
    ]
    assert least_covered(some) == [("the", 2, pytest.approx(0.3), 0.2), ("cat", 2, pytest.approx(1.1), 1.0)]
    assert weakest_words(some) == [("chat", 2)]


def test_two_models_are_compared_sentence_by_sentence_and_by_bootstrap() -> None:
    good = [row(number, f"le chat {number} est assis ici", f"le chat {number} est assis ici") for number in range(20)]
    bad = [row(number, f"le chat {number} dort", each.reference) for number, each in enumerate(good)]
    bad[3] = good[3]
    pairs = pairings(good, bad)
    assert wins(pairs) == (19, 0, 1)
    bleu, chrf = significance(pairs).values()
    assert (bleu.first, chrf.first) == (pytest.approx(100), pytest.approx(100))
    assert bleu.second < 50
    assert max(bleu.p_value, chrf.p_value) < 0.01
    assert bleu.interval[0] > 0 < chrf.interval[0]
    assert len(most_different(pairs)) == 10
    assert 3 not in [one.number for one, _ in most_different(pairs, 20)]
