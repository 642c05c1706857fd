"""Doubt in a model card: the reliability of the chance that a translation is acceptable, and of flags."""

from collections.abc import Mapping
from typing import Any

from regard.model.cards.markdown import number, paragraphs, sentence, table
from regard.model.evaluation import scores_record

PARTS = {"held_out": "held-out text", "lists": "lists of sentences"}


def doubt(scores: Mapping[str, Any]) -> str:
    """Return the measures of the chance, its reliability diagram and the flags."""
    measured, how = scores_record.part(scores, "doubt"), scores_record.part(scores, "how")
    if not measured:
        return ""
    rows = [
        [called, f"{of['sentences']:,}", f"{of['right']:.1%}"]
        + [number(of[way][rate], 3) for rate in ("auc", "calibration_error") for way in ("chance", "mean_alone")]
        for name, called in PARTS.items()
        if (of := measured.get(name))
    ]
    heads = ["measured on", "sentences", "acceptable"]
    heads += ["area under ROC", "of the mean alone", "calibration error", "of the mean alone"]
    diagram = [
        [called, f"{row['chance']:.1%}", f"{row['right']:.1%}", f"{row['sentences']:,}"]
        for name, called in PARTS.items()
        for row in measured.get(name, {"chance": {"bins": []}})["chance"]["bins"]
    ]
    return paragraphs(
        table(heads, rows),
        f"{sentence(how['doubt'])} Fitted on {measured['fitted_on']:,} translations.",
        "Reliability: of the translations that get such a chance, the share that is acceptable.",
        table(["measured on", "mean chance", "acceptable", "sentences"], diagram),
        _flags(measured["flags"], how["flags"]),
    )


def _flags(measured: Mapping[str, Any], how: str) -> str:
    rows = [
        [name.replace("_", " "), f"{of['precision']:.1%}", f"{of['recall']:.1%}", f"{of['named']:.1%}"]
        for name, of in measured.items()
        if isinstance(of, Mapping)
    ]
    heads = ["flag", "precision", "recall", "at the very word"]
    return f"{table(heads, rows)}\n\nFlags of coverage {how}."
