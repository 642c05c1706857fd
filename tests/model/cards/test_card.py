"""The card and the table say what the records say."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from model.cards.card import MARKERS, TASK_MARKERS, card, model_table, read_scores, update_table
from model.data.provenance import KNOWN, MULTI30K, TATOEBA, Recorded, notices, recorded
from tests.support.run_command import call

TATOEBA_HASH = next(hash_ for hash_, source in KNOWN.items() if source is TATOEBA)
CONFIG = {"vocabulary": 340, "languages": ["en", "fr"], "score": "general", "wiring": "luong", "cell": "lstm"}
MEASURED = (
    "interval", "mass", "ibm1", "counterfactuals", "tau", "entropy", "uncovered", "confidence", "speed", "by_width",
    "typed_first"
)  # fmt: skip


def search(bleu: float) -> dict[str, Any]:
    by_length = [{"words": [1, 5], "pairs": 7, "bleu": bleu}]
    bleu_score = {"score": bleu, "signature": "nrefs:1|tok:13a"}
    return {"bleu": bleu_score, "chrf": {"score": 60.0, "signature": "nc:6"}, "by_length": by_length, "seconds": 3.2}


def rates(aer: float) -> dict[str, float]:
    return {"aer": aer, "precision": 0.6, "recall": 0.5}


def newer() -> dict[str, Any]:
    """Scores with everything that is measured today."""
    found = scores()
    found["how"] |= {name: f"how {name} is measured" for name in MEASURED}
    widths = [{"width": 1, "bleu": 41.2, "chrf": 60.1}, {"width": 10, "bleu": 42.96, "chrf": 61.0}]
    found["tests"]["held_out"]["by_width"] = {"pairs": 500, "sources": 450, "widths": widths, "examples": []}
    for one in found["tests"]["held_out"]["searches"].values():
        one["by_length"][0]["interval"] = [40.11, 42.46]
    aligned = found["alignments"]["overall"]
    aligned["output"] |= {"mass_on_sure": 0.5412, "mass_on_possible": 0.5234}
    aligned |= {"ibm1": rates(0.401), "posterior": rates(0.203)}
    found["typed_first"] = {"as_read": {"all": {"sentences": 4, "accepted": 3}}}
    found["typed_first"]["as_typed"] = found["typed_first"]["as_read"]
    found["alignments"]["ibm1"] = {"iterations": 5, "pairs": 191436, "seconds": 254.7}
    kept = {"function": {"words": 81, "kept": 0.58}, "content": {"words": 56, "kept": 0.125}}
    more = {"function": {"words": 81, "kept": 0.9}, "content": {"words": 56, "kept": 0.95}}
    found["attention"] = {
        "test": "held_out",
        "sentences": 200,
        "steps": 2060,
        "counterfactuals": {"uniform": kept, "only the maximum": more},
        "tau": {
            "gradient_by_input": {"steps": 2060, "mean": 0.3313, "deviation": 0.1967},
            "leave_one_out": {"steps": 0, "mean": None, "deviation": None},
        },
        "entropy": 0.4089,
        "uncovered": 0.3543,
        "confidence": 0.9217,
        "examples": [],
    }
    found["speed"] = {"milliseconds_a_sentence": 28.9, "sentences": 50, "threads": 1, "training_tokens_a_second": 8783}
    return found


def scores() -> dict[str, Any]:
    end = {"first_word": 0.0123, "all_words": 0.0456}
    aligned = {"pairs": 175, "left_out": 0.1745, "weight_on_end": end}
    aligned |= {"output": rates(0.4321), "input": rates(0.8), "diagonal": rates(0.5966)}
    files = [{"name": "fra.txt.gz", "sha256": TATOEBA_HASH}, {"name": "mine.en", "sha256": "0" * 64}]
    test = {
        "pairs": 2320,
        "perplexity": 3.456,
        "files": files,
        "searches": {"greedy": search(41.23), "beam_5": search(43.0)},
    }
    how = {"text": "normal form", "lengths": "words", "held_out": "unseen", "beam": "alpha 0.6", "aer": "och and Ney"}
    return {
        "format": 1,
        "model": {"name": "m", "fingerprint": "abc", "parameters": 7_240_000, "bytes": 14_500_000},
        "how": how,
        "tests": {"held_out": test},
        "alignments": {"files": [], "overall": aligned, "stories": {"Chat": aligned}},
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "scores.json").write_text(json.dumps(scores()))
    (folder / "training.json").write_text(
        json.dumps(
            {
                "format": 1,
                "command": "python -m model train --table fra.txt.gz",
                "files": [{"name": "fra.txt.gz", "sha256": TATOEBA_HASH}],
                "pairs": {"for training": 162000, "held out": 2320},
                "versions": {"torch": "2.13.0"},
            }
        )
    )
    (folder / "history.csv").write_text(
        "update,epoch,tokens,seconds,rate,loss,validation_loss\n500,0,1000,60,0.1,3,2\n1000,1,2000000,7200,0.1,2,1.0986\n"
    )
    return folder


def test_a_card_states_what_the_records_hold(folder: Path) -> None:
    text = card(folder)
    for stated in (
        "# one\n",
        "python -m model train --table fra.txt.gz",
        "162,000 for training",
        "1,000 updates, 2,000,000 tokens, 2.0 hours; validation perplexity 3.00",
        "| held-out | greedy | 2,320 | 41.2 | 60.0 | 3.46 | 3 |",
        "| held-out | beam 5 | 2,320 | 43.0 |",
        "| held-out | greedy | 1–5 | 7 | 41.2 |",
        "| overall | 175 | word produced | 0.432 | 0.600 | 0.500 |",
        "17.4% of the pairs",
        "lie 1.2% of the weight of first words and 4.6%",
        "7.2 M",
        "14.5 MB",
        "CC BY 2.0 FR",
        "tatoeba.org",
        "It is not for translations that anybody relies on",
        "`mine.en`",
    ):
        assert stated in text
    assert text.count("CC BY 2.0 FR") == 1


def test_a_card_names_every_model_that_a_run_goes_back_to(folder: Path) -> None:
    first = {"name": "first", "fingerprint": "f1", "updates": 8000}
    second = {"name": "second", "fingerprint": "f2", "updates": 17500, "began_with": first}
    record = json.loads((folder / "training.json").read_text())
    (folder / "training.json").write_text(json.dumps({**record, "began_with": second}))
    assert (
        "It began with the parameters of `second`, 17,500 updates old (fingerprint `f2`), "
        "which had begun with those of `first`, 8,000 updates old (fingerprint `f1`)."
    ) in card(folder)


def test_a_card_shows_the_posterior_and_eflomal_where_they_were_measured(folder: Path) -> None:
    plain = card(folder)
    assert "posterior" not in plain
    assert "eflomal" not in plain
    found = newer()
    found["how"] |= {name: f"how {name} is measured" for name in ("posterior", "posterior_hmm", "eflomal")}
    found["alignments"]["overall"] |= {"posterior_hmm": rates(0.147), "eflomal_grow_diag_final_and": rates(0.203)}
    found["alignments"]["eflomal"] = {"version": "2.0.0", "command": "Aligner()", "pairs": 191648, "seconds": 61.2}
    (folder / "scores.json").write_text(json.dumps(found))
    text = card(folder)
    assert "| overall | 175 | posterior with jumps | 0.147 | 0.600 | 0.500 |" in text
    assert "| overall | 175 | eflomal, grow-diag-final-and | 0.203 | 0.600 | 0.500 |" in text
    assert "How posterior_hmm is measured." in text
    assert "How eflomal is measured. It learned from 191,648 pairs by `Aligner()` of version 2.0.0, 61 seconds." in text


def test_a_card_says_which_way_the_measurements_fell(folder: Path) -> None:
    (folder / "scores.json").write_text(json.dumps(newer()))
    text = card(folder)
    for stated in (
        "| held-out | greedy | 1–5 | 7 | 41.2 [40.1, 42.5] |",
        "By the width of the beam; 1 is greedy decoding (how by_width is measured).",
        "| held-out | 10 | 500 | 43.0 | 61.0 |",
        "29 ms of processor time per sentence (50 sentences, threads: 1); 8,783 training tokens per second.",
        "| overall | 175 | word produced | 0.432 | 0.600 | 0.500 | 54.1% | 52.3% |",
        "| overall | 175 | IBM Model 1 | 0.401 | 0.600 | 0.500 |  |  |",
        "is 0.165 lower than that of the diagonal and 0.031 higher than that of IBM Model 1.",
        "It learned from 191,436 pairs in 5 iterations, 255 seconds.",
        "Greedy translations of 200 sentences of the held-out test, 2,060 steps.",
        "| weights replaced by | function (81) | content (56) |",
        "| uniform | 58.0% | 12.5% |",
        "Function words stay more often than content words with 1 of 2.",
        "| gradient × input | 0.33 | 0.20 | 2,060 |",
        "| leaving one token out | undefined | undefined | 0 |",
        "confidence 0.922 (how confidence is measured)",
    ):
        assert stated in text


def test_a_card_tells_whether_the_model_has_attention(folder: Path) -> None:
    assert "decoder with attention" in card(folder)
    assert "where the decoder looked" in card(folder)
    (folder / "config.json").write_text(json.dumps({**CONFIG, "score": "none"}))
    assert "decoder without attention" in card(folder)
    assert "It has no attention" in card(folder)


def test_a_card_leaves_out_what_was_not_recorded(folder: Path) -> None:
    for name in ("scores.json", "training.json", "history.csv"):
        (folder / name).unlink()
    text = card(folder)
    assert "## Network" in text
    assert "## Scores" not in text
    assert "## Training" not in text


def test_the_table_has_a_row_for_each_model(folder: Path) -> None:
    other = folder.with_name("other")
    other.mkdir()
    (other / "config.json").write_text(json.dumps({**CONFIG, "score": "dot"}))
    untested = scores()
    untested["tests"] = {}
    del untested["alignments"]
    (folder / "scores.json").write_text(json.dumps(newer()))
    (other / "scores.json").write_text(json.dumps(untested))
    assert model_table([folder, other]).splitlines() == [
        "| model | score | wiring | cell | parameters | size | ms per sentence | typed first | BLEU held-out | "
        "AER: weights / posterior / with jumps |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        "| [one](pretrained/one/README.md) | general | luong | lstm | 7.2 M | 14.5 MB | 29 | 75% | 41.2 / 43.0 | "
        "0.432 / 0.203 |",
        "| [other](pretrained/other/README.md) | dot | luong | lstm | 7.2 M | 14.5 MB |  |  |  |  |",
        "",
        "AER of baselines without attention: the diagonal 0.597, IBM Model 1 0.401.",
    ]


def test_the_table_is_put_between_its_markers_and_nothing_else_changes(folder: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{MARKERS[0]}\nold\n{MARKERS[1]}\nafter é\n", encoding="utf-8")
    update_table(readme, [folder])
    first = readme.read_text(encoding="utf-8")
    assert first == f"before\n{MARKERS[0]}\n{model_table([folder])}\n{MARKERS[1]}\nafter é\n"
    update_table(readme, [folder])
    assert readme.read_text(encoding="utf-8") == first


def test_models_that_practised_have_a_table_of_their_own_where_the_readme_has_a_place(
    folder: Path, tmp_path: Path
) -> None:
    other = folder.with_name("mine")
    other.mkdir()
    (other / "config.json").write_text(json.dumps({**CONFIG, "score": "none"}))
    task = {"name": "reverse", "lengths": [1, 20], "symbols": 10, "exact": {"share": 0.4351}}
    model = {"name": "mine", "fingerprint": "abc", "parameters": 113_664, "bytes": 230_808}
    (other / "scores.json").write_text(json.dumps({"format": 1, "model": model, "tests": {}, "task": task}))
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[0]}\n{MARKERS[1]}\nbetween\n{TASK_MARKERS[0]}\n{TASK_MARKERS[1]}\n")
    update_table(readme, [folder, other])
    models, tasks = readme.read_text(encoding="utf-8").split("between")
    assert models == f"{MARKERS[0]}\n{model_table([folder])}\n{MARKERS[1]}\n"
    assert tasks.splitlines()[2:5] == [
        "| model | task | score | cell | parameters | size | longest trained on | exact |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
        "| [mine](pretrained/mine/README.md) | reverse | none | lstm | 113,664 | 231 kB | 20 | 43.5% |",
    ]
    readme.write_text(f"{MARKERS[0]}\n{MARKERS[1]}\n")
    update_table(readme, [folder, other])
    assert "mine" not in readme.read_text(encoding="utf-8")


def test_a_readme_without_markers_is_refused(folder: Path, tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[1]} {MARKERS[0]}")
    with pytest.raises(ValueError, match="it has no line"):
        update_table(readme, [folder])


@pytest.mark.parametrize(
    ("content", "told"), [('{"format": 9}', "format 9 cannot be read"), ("[]", "not a file"), ("{", "not a file")]
)
def test_scores_of_another_format_are_refused_by_name(folder: Path, content: str, told: str) -> None:
    (folder / "scores.json").write_text(content)
    with pytest.raises(ValueError, match=f"scores.json: .*{told}"):
        read_scores(folder)


def test_a_file_is_known_by_its_contents_whatever_its_name_and_packing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"one\n")
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"one\n"))
    assert recorded(tmp_path / "a.txt").sha256 == recorded(tmp_path / "b.gz").sha256
    hashes = [hash_ for hash_, source in KNOWN.items() if source is MULTI30K]
    told = notices([Recorded("x.en", hashes[0]), Recorded("x.fr", hashes[1]), Recorded("y", "0" * 64)])
    assert len(told) == 2
    assert "Flickr30k" in told[0]
    assert told[0].endswith("(`x.en`, `x.fr`)")
    assert "not known" in told[1]


def test_a_readme_keeps_its_tables_where_no_model_was_measured(tmp_path: Path) -> None:
    readme = tmp_path / "README.md"
    readme.write_text(f"{MARKERS[0]}\n| a |\n{MARKERS[1]}\n")
    status, _, told = call("card", "--readme", str(readme), "--pretrained", str(tmp_path))
    assert status == 1
    assert "no model there has a scores.json" in told
    assert "| a |" in readme.read_text()
