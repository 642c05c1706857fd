"""Common errors and claims of the documents, each beside what is true and what was measured for the models here.

The sentences are in `common_errors.toml`; their numbers are computed from a trained model or read from its
`scores.json`, so that no sentence can go out of date. The models of a claim differ only in what it compares and in
anything else that the verdict names.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from regard.app.components.matrices.sums import difference_bound
from regard.app.figures.measures import named
from regard.app.models.analyses import at_once_difference, forgetting, overfitting
from regard.app.models.models import pretrained, scores, title
from regard.app.models.registry import model_names
from regard.app.models.traces import trace
from regard.app.navigation import TITLES
from regard.app.theme import component, percent
from regard.app.ui.widgets import table
from regard.app.wording import listed, set_apart_by
from regard.app.worked_example.paper import prose
from regard.model.alignment import token_label
from regard.model.analysis.claims import gradient_paths, mean_interval, moved_by_others, multiplications
from regard.model.checkpoint import DEFAULT
from regard.model.evaluation.scores_record import Scores, agreement, greedy, part
from regard.model.examples.documents import DOCUMENTS, Document
from regard.model.examples.tutorials import THREE_SCORES
from regard.model.files import toml_beside
from regard.model.synthetic.small_trainings import Gap

ADDITIVE, MULTIPLICATIVE, DOT, NONE = (f"en-fr-{name}" for name in ("bahdanau", "general", "dot", "none"))
REVERSAL, TRAINED = "reverse-gru", 20
PATTERNLESS = 5  # numbers that the reversal network without attention reverses well
LOVE = "I love you."
BOY = "The boy who is wearing a blue shirt is playing football."  # a document's example
LENGTHS = (100, 1_000, 10_000)  # tokens, at which the work is counted
SUPPORTED = 0.9  # share of different tokens from which a sentence supports “a different word each”


def direct_path() -> Mapping[str, Any]:
    made = trace(DEFAULT, LOVE, "")
    steps = range(len(made.target))
    each = zip(*(gradient_paths(pretrained(DEFAULT), made, step) for step in steps), strict=True)
    context, through_scores, recurrence = (f"{np.mean([np.linalg.norm(way) for way in ways]):.3f}" for ways in each)
    return {
        "text": made.text,
        "steps": len(steps),
        "context": context,
        "scores": through_scores,
        "recurrence": recurrence,
        "least": f"{np.format_float_positional(100 * made.weights.min(), 2, fractional=False)}%",
        "most": percent(float(made.weights.max())),
    }


def annotation_is_no_word() -> Mapping[str, Any]:
    moved = moved_by_others(pretrained(MULTIPLICATIVE), trace(MULTIPLICATIVE, BOY, ""))
    return {"moved": percent(float(np.nanmean(moved)))} | kept("permuted")


def kept(exchange: str) -> dict[str, str]:
    """Return the shares of words that still come out after an exchange of the weights."""
    measured = part(scores(MULTIPLICATIVE), "attention")["counterfactuals"][exchange]
    return {kind: percent(measured[kind]["kept"]) for kind in ("function", "content")}


def invented_numbers() -> Mapping[str, Any]:
    made = trace(MULTIPLICATIVE, LOVE, "")
    looks = [
        f"“{token_label(token)}” at “{token_label(made.source[int(row.argmax())])}” ({percent(float(row.max()))})"
        for token, row in zip(made.target, made.weights, strict=True)
    ]
    return {"looks": listed(looks)}


def any_length() -> Mapping[str, Any]:
    lengths = {each["length"]: each["share"] for each in scores(REVERSAL)["task"]["by_length"]}
    beyond = (TRAINED, TRAINED + 2, max(lengths))
    shares = ", ".join(f"{percent(lengths[length])} of those of {length}" for length in beyond)
    return {"trained": TRAINED, "shares": shares}


def order_of_importance() -> Mapping[str, Any]:
    tau = part(scores(MULTIPLICATIVE), "attention")["tau"]["leave_one_out"]
    return {"steps": f"{tau['steps']:,}", "tau": component(tau["mean"])}


def shared_words() -> Mapping[str, Any]:
    made = trace(MULTIPLICATIVE, BOY, "")
    looked = Counter(made.weights.argmax(1).tolist())
    ((place, count),) = looked.most_common(1)
    token = token_label(made.source[place])
    steps, tokens = looked.total(), len(looked)
    told = {"text": made.text, "steps": steps, "verdict": different(tokens, steps)}
    return told | {"token": token, "count": count}


def different(tokens: int, steps: int) -> str:
    """Say whether this many different tokens at this many steps support that each step has its own."""
    if tokens == steps:
        return f"{tokens} different tokens, which supports it."
    if tokens / steps >= SUPPORTED:
        return f"{tokens} different tokens, which supports it, all but {steps - tokens}."
    return f"{tokens} different tokens, which does not support it."


def early_words() -> Mapping[str, Any]:
    found = forgetting(NONE).one_way
    thirds = [
        f"{percent(mean)} [{percent(low)}, {percent(high)}]" for mean, low, high in mean_interval(found).T.tolist()
    ]
    return {"thirds": listed(thirds), "sentences": len(found)}


def bilinear() -> Mapping[str, Any]:
    own = THREE_SCORES.matrices()
    before, after = THREE_SCORES.run(own), THREE_SCORES.run(own | {name: 2 * own[name] for name in ("s", "H")})
    return {"factor": component(float((after["general_scores"] / before["general_scores"]).mean()))}


def only_translation() -> Mapping[str, Any]:
    attending, without = (component(agreement(scores(name))["output"]["aer"]) for name in (MULTIPLICATIVE, NONE))
    return {"attending": attending, "without": without}


def cost() -> Mapping[str, Any]:
    made, model = trace(MULTIPLICATIVE, BOY, ""), pretrained(MULTIPLICATIVE)

    def share(target: int, source: int) -> float:
        attention, rest = multiplications(model, target, source, made.annotations.shape[1])
        return attention / (attention + rest)

    shares = [
        f"{percent(share(target, source))} for {source:,} source tokens and {target:,} steps"
        for target, source in (made.weights.shape, *((length, length) for length in LENGTHS))
    ]
    half = bisect_left(range(LENGTHS[-1]), 0.5, key=lambda length: share(length, length))
    return {"shares": listed(shares), "half": f"{half:,}"}


def parameters() -> Mapping[str, Any]:
    every = scores(MULTIPLICATIVE)["model"]["parameters"]
    score = every - scores(DOT)["model"]["parameters"]
    return {"score": f"{score:,}", "parameters": f"{every:,}", "share": percent(score / every)}


def words_by_rule() -> Mapping[str, Any]:
    alignment = trace(MULTIPLICATIVE, LOVE, "").alignment
    spoken = alignment.target.lettered
    return {"asked": len(alignment.source.lettered), "spoken": len(spoken), "words": ", ".join(spoken)}


def by_length(model: str) -> Mapping[str, Any]:
    """Return BLEU of the two longest groups of the first test, and whether their intervals show a fall."""
    measured = scores(model)
    test = next(iter(part(measured, "tests")))
    *_, before, longest = greedy(measured, test)["by_length"]
    written = [
        f"{each['bleu']:.1f} [{each['interval'][0]:.1f}, {each['interval'][1]:.1f}] at "
        f"{' to '.join(map(str, each['words']))} words"
        for each in (before, longest)
    ]
    falls = before["interval"][0] > longest["interval"][1]
    verdict = "it falls" if falls else "they overlap, so this shows neither a fall nor that accuracy is ensured"
    return {"bleu": f"BLEU on {named(test)} is {listed(written)}, with 95% intervals: {verdict}."}


def parallel() -> Mapping[str, Any]:
    return {"difference": difference_bound(at_once_difference(MULTIPLICATIVE, BOY))}


def patternless() -> Mapping[str, Any]:
    shares = {each["length"]: each["share"] for each in scores(f"{REVERSAL}-none")["task"]["by_length"]}
    return {"share": percent(shares[PATTERNLESS]), "length": PATTERNLESS}


def against(part_of: str, *others: str) -> Mapping[str, Any]:
    """Compare BLEU with that of other models, on whole tests or a part such as the longest sentences of each."""
    one, two = scores(MULTIPLICATIVE), [scores(other) for other in others]
    return {"bleu": "; ".join(bleu(one, each, part_of) for each in two), "verdict": better(one, two[0], part_of)}


def compared(one: Scores, other: Scores, part_of: str = "") -> dict[str, Scores]:
    """Return the differences in BLEU by test that the first model's scores have against the second."""
    tests = one["against"][other["model"]["name"]]["tests"]
    return {test: found[part_of] if part_of else found for test, found in tests.items()}


def bleu(one: Scores, other: Scores, part_of: str = "") -> str:
    """State the difference on every test, with its interval and the number of sentences."""
    told = [
        f"{named(test)} {component(found['difference'])} [{', '.join(map(component, found['interval']))}], "
        f"{found['pairs']:,} pairs"
        for test, found in compared(one, other, part_of).items()
    ]
    return f"BLEU of {_quoted(one)} minus that of {_quoted(other)}: {'; '.join(told)}"


def better(one: Scores, other: Scores, part_of: str = "") -> str:
    """Say on which tests the interval of the difference excludes 0, and which model is better there; name what the two
    differ in, if it is more than one thing."""
    found = compared(one, other, part_of).items()
    ahead = {
        _quoted(one): [named(test) for test, each in found if each["interval"][0] > 0],
        _quoted(other): [named(test) for test, each in found if each["interval"][1] < 0],
    }
    ways = [f"{name} is better on {listed(tests)}" for name, tests in ahead.items() if tests]
    verdict = "; ".join(ways) or "No difference is shown"
    if ways and sum(map(len, ahead.values())) < len(found):
        verdict += "; elsewhere no difference is shown"
    return f"{verdict}.{_apart(one, other)}"


def _quoted(known: Scores) -> str:
    return f"“{title(known['model']['name'])}”"


def _apart(one: Scores, other: Scores) -> str:
    differences = set_apart_by([pretrained(known["model"]["name"]).network.config for known in (one, other)])
    return f" They differ in {listed(differences)}, and either may be the cause." if len(differences) > 1 else ""


def slower() -> Mapping[str, Any]:
    one, other = scores(ADDITIVE), scores(MULTIPLICATIVE)
    first, second = (part(known, "speed")["milliseconds_a_sentence"] for known in (one, other))
    return {
        "first": f"{first:.0f}",
        "second": f"{second:.0f}",
        "factor": f"{first / second:.2f}",
        "sentences": part(one, "speed")["sentences"],
        "apart": _apart(one, other),
    }


def overfitted() -> None:
    """Train six small networks, if the reader asks for it, and compare their losses."""
    pressed = st.button("Train six networks (about half a minute)", icon=":material/play_circle:", key="overfitting")
    if pressed or st.session_state.get("overfitted"):
        st.session_state.overfitted = True
        found = overfitting(REVERSAL)
        rows = [
            {
                "Attention": each.attention,
                "Hidden size": str(each.width),
                "Parameters": f"{each.parameters:,}",
                "Training loss": component(each.training),
                "Held-out loss": component(each.held_out),
                "Gap": component(each.held_out - each.training),
            }
            for each in found
        ]
        table(rows, "Losses of small networks on sequences they trained on and on others, in nats per token")
        st.markdown(gap_verdict(found))


def gap_verdict(found: Sequence[Gap]) -> str:
    """Say whether the gap grows with the size, and which of the two largest networks has the greater."""
    kinds = ("none", "general")
    gaps = {kind: [one.held_out - one.training for one in found if one.attention == kind] for kind in kinds}
    grows = [kind for kind, values in gaps.items() if values == sorted(values)]
    size = {
        (): "does not grow with each step in size",
        ("none",): "grows with the size without attention only",
        ("general",): "grows with the size with attention only",
    }.get(tuple(grows), "grows with the size, with and without attention")
    plain, attending = (values[-1] for values in gaps.values())
    return (
        f"The gap {size}. Of the two largest, with nearly as many parameters, the one with attention has the "
        f"{'greater' if attending > plain else 'smaller'} gap: {component(attending)} beside {component(plain)}. One "
        "run each."
    )


MEASURES: dict[str, Callable[..., Mapping[str, Any]]] = {
    each.__name__: each
    for each in (
        direct_path, annotation_is_no_word, invented_numbers, any_length, order_of_importance, kept, shared_words,
        early_words, bilinear, only_translation, parallel, cost, parameters, words_by_rule, by_length, patternless,
        against, slower,
    )
}  # fmt: skip
ERRORS: dict[str, list[dict[str, Any]]] = toml_beside(__file__, "common_errors.toml")  # by document
SHEET = Document(
    name="common-errors",
    title="Common errors, measured",
    text="Statements about attention in the documents that are wrong or imprecise. Each comes with numbers "
    "computed from models of this app, which are named below it; each link leads to the screen that shows them. "
    "The models share text, tokenizer, sizes and number of updates, one run each: what follows is true for them; it is "
    "not a law. A difference in BLEU has its 95% interval by paired bootstrap on the same sentences; one that includes "
    "0 decides nothing.",
)
TITLED = {document.name: document.title for document in DOCUMENTS}


def holds(error: Mapping[str, Any]) -> str:
    """Return what is true, with the numbers measured."""
    name, *arguments = error.get("measure", [""])
    return error["holds"].strip().format(**(MEASURES[name](*arguments) if name else {}))


def sheet() -> None:
    """Draw all errors by document; a message instead where the models they are measured on are missing."""
    needed = {model for errors in ERRORS.values() for error in errors for model in error.get("models", ())}
    if not needed <= set(model_names()):
        st.info("The models that these sentences are measured on are missing.")
        return
    for document, errors in ERRORS.items():
        st.subheader(TITLED[document])
        for number, error in enumerate(errors):
            with st.container(border=True, key=f"error-{document}-{number}"):
                _draw(error)


def _draw(error: Mapping[str, Any]) -> None:
    left, right = st.columns([2, 5], vertical_alignment="center")
    left.markdown(f"“{prose(error['said'])}”")
    with right:
        st.markdown(prose(holds(error)))
        if error.get("measure") == ["parameters"]:
            overfitted()
        if models := error.get("models"):
            st.caption(f"Measured with {listed([f'`{name}`, “{title(name)}”' for name in models])}.")
        link = dict(error["see"])
        screen = link.pop("screen")
        st.page_link(f"screens/{screen}/screen.py", label=f"See it in {TITLES[screen]}", query_params=link)
