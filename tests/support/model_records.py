"""Records of a model that was trained and measured, as the tests of cards need them."""

from dataclasses import asdict
from typing import Any

from regard.model.cards.card import KNOWN, SOURCES
from regard.model.config import Config

TATOEBA_HASH = next(hash_ for hash_, source in KNOWN.items() if source is SOURCES["tatoeba"])
CONFIG = asdict(Config(vocabulary=340))
MEASURED = (
    "interval", "mass", "ibm1", "counterfactuals", "tau", "entropy", "uncovered", "confidence", "speed", "by_width",
    "typed_first", "famous", "made_numbers", "doubt", "flags",
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
    wrong = {"typed": "Hello world", "read": "Hello world", "greedy": "Bonjour la lune"}
    found["famous"] = found["typed_first"] | {"not_accepted": [wrong]}
    numbers = {"all": {"sentences": 5, "exact": 4}}
    found["made_numbers"] = {"rates": numbers, "not_exact": [{"sentence": "ninety", "greedy": "neuf"}]}
    chance = {"auc": 0.8046, "calibration_error": 0.0198, "bins": [{"sentences": 9, "chance": 0.7, "right": 0.6667}]}
    part = {"sentences": 9, "right": 0.6667, "chance": chance, "mean_alone": chance | {"auc": None}}
    flag = {"deleted": 100, "precision": 0.5714, "recall": 0.72, "named": 0.5, "untouched_flagged": 54}
    found["doubt"] = {"fitted_on": 1472, "held_out": part, "flags": {"sentences": 200, "left_out": flag}}
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
