"""Fitting one model's doubt, and measuring it: `doubt.json`, and its entry of `scores.json`."""

from functools import cache, reduce
from pathlib import Path
from typing import Any

from regard.model.checkpoint import AnyModel
from regard.model.commands.evaluate_test import bar, some
from regard.model.commands.how_measured import how_measured
from regard.model.data.corpus import Split, read_table, split
from regard.model.doubt.chance import DOUBT, save
from regard.model.evaluation.doubt_calibration import ENOUGH, Judged, fitted, judged_list, judged_pairs, measured
from regard.model.evaluation.made_omissions import SENTENCES, flag_scores, made_omissions
from regard.model.evaluation.typed_first import FILES, TYPED_LANGUAGES, read_typed
from regard.model.input_error import InputError

CALIBRATION = "doubt"
FEWEST = 20  # translations to fit on
TARGETS = 30_000  # pairs of the training part in which repeated words are counted
HOW_DOUBT = how_measured("doubt", file=DOUBT, enough=ENOUGH, sentences=SENTENCES)


def calibrate(model: AnyModel, table: Path, most: int | None, place: Path | None) -> dict[str, Any]:
    """Write `doubt.json` to a place, unless that is None, and return its entry of `scores.json`. `most` limits the
    pairs of each part unless None."""
    text = _split(table)
    validation, test = (judged_pairs(model, some(part, most), bar) for part in (text.validation, text.test))
    seen, lists = validation, None
    if model.tokenizer.languages == TYPED_LANGUAGES:
        both = [judged_list(model, some(read_typed(path), most)) for path in FILES.values()]
        seen = reduce(Judged.joined, [validation, *(one.every_second(0) for one in both)])
        lists = reduce(Judged.joined, [one.every_second(1) for one in both])
    if len(seen.right) < FEWEST or seen.right.all() or not seen.right.any():
        raise InputError(
            f"{len(seen.right)} translations, {seen.right.sum()} of them acceptable, are too few to calibrate "
            f"{model.name} on; it takes {FEWEST}, of both kinds"
        )
    doubt = fitted(model, seen, validation, [pair.target for pair in some(text.train, TARGETS)])
    scores = {"fitted_on": len(seen.right), "held_out": measured(doubt, test)}
    scores |= {"lists": measured(doubt, lists)} if lists else {}
    scores["flags"] = flag_scores(model, doubt, made_omissions(model, text.test, most or SENTENCES))
    if place:
        save(doubt, place)
    return scores


@cache
def _split(table: Path) -> Split:
    return split(read_table(table))
