"""Measurement of the self-contained page, with its weights as shipped and rounded to 8 bits."""

from typing import Any

from regard.model.checkpoint import WEIGHTS, AnyModel
from regard.model.commands.evaluate_test import HELD_OUT, TestSet, bar, origin, short_pairs, some
from regard.model.evaluation.translation_quality import grade

PAGE = "page"
HOW_PAGE = {
    PAGE: "greedy translations by the JavaScript of the page that `export` writes, in Node, of the held-out test; "
    "shipped: the weights as they are, rounded: every matrix in 8 bits with a scale for each row, as by --int8"
}


def page_scores(model: AnyModel, test: TestSet, most: int | None) -> dict[str, Any]:
    """Return the page's entry of `scores.json`; `most` limits the pairs unless None."""
    from regard.app.export.translator.node_engine import translated  # needed only for measuring a page
    from regard.app.export.translator.parameters import rounded, shipped

    short = short_pairs(model, HELD_OUT, test)
    pairs = some(short, most)
    sources = list(dict.fromkeys(pair.source for pair in pairs))
    found = {}
    for name, read in (("shipped", shipped), ("rounded", rounded)):
        lines = bar(translated(model, read(model.folder / WEIGHTS), sources), f"page, {name}", len(sources))
        written = dict(zip(sources, lines, strict=True))
        translations = [written[pair.source] for pair in pairs]
        found[name] = grade(translations, [pair.target for pair in pairs], model.tokenizer.languages[1])
    return {"test": HELD_OUT, **origin(test, short), "pairs": len(pairs), "sources": len(sources), **found}
