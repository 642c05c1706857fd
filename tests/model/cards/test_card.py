import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from regard.model.cards.card import KNOWN, SOURCES, card, notices
from regard.model.cards.record_files import read_scores
from regard.model.config import Config
from regard.model.data.corpus import Recorded, recorded
from regard.model.input_error import InputError

TATOEBA_HASH = next(hash_ for hash_, source in KNOWN.items() if source is SOURCES["tatoeba"])
CONFIG = asdict(Config(vocabulary=340))


def search(bleu: float) -> dict[str, Any]:
    by_length = [{"words": [1, 5], "pairs": 7, "bleu": bleu}]
    bleu_score = {"score": bleu, "signature": "nrefs:1|tok:13a"}
    return {"bleu": bleu_score, "chrf": {"score": 60.0, "signature": "nc:6"}, "by_length": by_length, "seconds": 3.2}


def rates(aer: float) -> dict[str, float]:
    return {"aer": aer, "precision": 0.6, "recall": 0.5}


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
    """A model's folder with its records, which nobody trained."""
    folder = tmp_path / "one"
    folder.mkdir()
    (folder / "config.json").write_text(json.dumps(CONFIG))
    (folder / "scores.json").write_text(json.dumps(scores()))
    (folder / "training.json").write_text(
        json.dumps(
            {
                "format": 1,
                "command": "regard train --table fra.txt.gz",
                "files": [{"name": "fra.txt.gz", "sha256": TATOEBA_HASH}],
                "pairs": {"for training": 162000, "held out": 2320},
                "source_tokens": {"median": 9},
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
        "regard train --table fra.txt.gz",
        "162,000 for training",
        "It has learned from 162,000 sentence pairs, half of them of up to 9 source tokens. Sentences",
        "1,000 updates, 2,000,000 tokens, 2.0 hours; validation perplexity 3.00",
        "| held-out | greedy | 2,320 | 41.2 | 60.0 | 3.46 | 3 |",
        "| held-out | beam 5 | 2,320 | 43.0 |",
        "| held-out | greedy | 1–5 | 7 | 41.2 |",
        "| overall | 175 | word produced | 0.432 | 0.600 | 0.500 |",
        "17.4% of the pairs",
        "has 1.2% of the weight of first words and 4.6%",
        "7.2 M",
        "14.5 MB",
        "CC BY 2.0 FR",
        "tatoeba.org",
        "Do not rely on its translations",
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


def test_a_card_tells_whether_the_model_has_attention(folder: Path) -> None:
    assert "decoder with attention" in card(folder)
    assert "where the decoder looked" in card(folder)
    (folder / "config.json").write_text(json.dumps({**CONFIG, "score": "none"}))
    assert "decoder without attention" in card(folder)
    assert "It has no attention" in card(folder)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"update,epoch\n1", ", line 2: cut short; a line has seconds, tokens, update, validation_loss"),
        (b"update,tokens,seconds,validation_loss\n1,2,3", ", line 2: cut short"),
        (b"\xff\xfe", ": not a table in UTF-8"),
    ],
)
def test_a_broken_history_is_refused_by_name(folder: Path, content: bytes, told: str) -> None:
    (folder / "history.csv").write_bytes(content)
    with pytest.raises(InputError, match=f"history.csv{told}"):
        card(folder)


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
    hashes = [hash_ for hash_, source in KNOWN.items() if source is SOURCES["multi30k"]]
    told = notices([Recorded("x.en", hashes[0]), Recorded("x.fr", hashes[1]), Recorded("y", "0" * 64)])
    assert len(told) == 2
    assert "Flickr30k" in told[0]
    assert told[0].endswith("(`x.en`, `x.fr`)")
    assert "not known" in told[1]
