"""Records of a model that was trained and measured, as the tests of cards need them."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from regard.model.cards.card import KNOWN, SOURCES
from regard.model.config import Config

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


def recorded_model(tmp_path: Path) -> Path:
    """Write the folder of a model with its records, which nobody trained."""
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
