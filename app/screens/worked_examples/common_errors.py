"""Common errors and claims of the documents, each beside what is true and what was measured for the models here.

Measurements are computed from a trained model or read from its `scores.json`, so that no sentence can go out of date.
The models of a claim differ only in what it compares and in anything else that the verdict names.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from regard.app.figures.measures import named
from regard.app.models.models import pretrained, scores, title
from regard.app.models.registry import model_names
from regard.app.navigation import TITLES
from regard.app.screens.worked_examples.corrections import (
    ADDITIVE,
    BOY,
    CONCAT,
    DOT,
    LOVE,
    MULTIPLICATIVE,
    NONE,
    PLAIN_REVERSAL,
    REVERSAL,
    SHOWN,
    annotation_is_no_word,
    any_length,
    bilinear,
    cost,
    degraded,
    direct_path,
    early_words,
    heaviest_removed,
    invented_numbers,
    long_sentences,
    no_arrows,
    notation,
    only_translation,
    order_of_importance,
    parallel,
    pattern_is_no_proof,
    shared_words,
    three_scores,
    words_by_rule,
)
from regard.app.screens.worked_examples.trainings import converged, faster_training, not_overfitting, overfitted
from regard.app.theme import component
from regard.app.ui.widgets import table
from regard.app.wording import listed, set_apart_by
from regard.app.worked_example.paper import prose
from regard.model.checkpoint import DEFAULT
from regard.model.evaluation.scores_record import Scores, part
from regard.model.examples.documents import DOCUMENTS, Document

CALLED = {
    ADDITIVE: "Bahdanau",
    CONCAT: "Luong, concat",
    MULTIPLICATIVE: "Luong, general",
    DOT: "Luong, dot",
    NONE: "no attention",
}
INTRO = (
    "Several documents say which attention is better, faster or larger. The models here share text, tokenizer, sizes "
    "and number of updates, one run each: what follows is true for them; it is not a law. A difference in BLEU is "
    "given with its 95% interval by paired bootstrap: the same sentences are sampled for both models, 1,000 times. An "
    "interval that includes 0 decides nothing; of twenty such intervals of models that do not differ, about one "
    "excludes 0. What another training run would change is not in it."
)
LONGEST = "longest"


class Claim(NamedTuple):
    """`models` are compared; `measure` states the measurements and `judge` the verdict, from their scores in order."""

    said: str
    models: tuple[str, ...]
    measure: Callable[..., str]
    judge: Callable[..., str]


def claims() -> None:
    """Draw the table *What people say, what we measured*; nothing where models or their scores are missing."""
    measures = {name: scores(name) for name in CALLED if name in model_names()}
    rows = [row(claim, measures) for claim in CLAIMS if all(measures.get(name) for name in claim.models)]
    if rows:
        st.header("What people say, what we measured")
        st.markdown(INTRO)
        table(rows, "Claims, and the measurements of the models beside each")


def row(claim: Claim, measures: Mapping[str, Scores]) -> dict[str, str]:
    known = [measures[name] for name in claim.models]
    return {"What people say": claim.said, "Measured here": claim.measure(*known), "So": claim.judge(*known)}


def each(measure: Callable[[Scores], str]) -> Callable[..., str]:
    """Return a measurement that states one number of each model."""
    return lambda *known: "; ".join(f"{CALLED[one['model']['name']]}: {measure(one)}" for one in known)


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
    return f"BLEU of {_name(one)} minus that of {_name(other)}: {'; '.join(told)}"


def better(one: Scores, other: Scores, part_of: str = "") -> str:
    """Say on which tests the interval of the difference excludes 0, and which model is better there."""
    found = compared(one, other, part_of).items()
    ahead = {
        _name(one): [named(test) for test, each in found if each["interval"][0] > 0],
        _name(other): [named(test) for test, each in found if each["interval"][1] < 0],
    }
    ways = [f"{name} is better on {listed(tests)}" for name, tests in ahead.items() if tests]
    if not ways:
        return f"Every interval includes 0: no difference is shown.{_apart(one, other)}"
    rest = len(found) - sum(map(len, ahead.values()))
    others = f" {_OTHERS[rest > 1]} 0: no difference is shown there." if rest else ""
    return f"{'; '.join(ways)}.{others}{_apart(one, other)}"


_OTHERS = ("The other interval includes", "The other intervals include")


def _name(known: Scores) -> str:
    return CALLED[known["model"]["name"]]


def _apart(one: Scores, other: Scores) -> str:
    """Name what the two differ in, if it is more than one thing."""
    differences = set_apart_by([pretrained(known["model"]["name"]).network.config for known in (one, other)])
    return f" They differ in {listed(differences)}, and either may be the cause." if len(differences) > 1 else ""


def of_the_longest(judge: Callable[..., str]) -> Callable[..., str]:
    return lambda one, other: judge(one, other, LONGEST)


def milliseconds(measured: Scores) -> str:
    return f"{part(measured, 'speed')['milliseconds_a_sentence']:.0f} ms per sentence"


def parameters(measured: Scores) -> str:
    return f"{measured['model']['parameters']:,}"


def slower(one: Scores, other: Scores) -> str:
    first, second = (part(known, "speed")["milliseconds_a_sentence"] for known in (one, other))
    return (
        f"{'It takes' if first > second else 'It does not: it takes'} {first / second:.2f} times as long, by the "
        f"median of {part(one, 'speed')['sentences']} sentences on one thread.{_apart(one, other)}"
    )


def larger_score(additive: Scores, concat: Scores, general: Scores) -> str:
    """Separate what the additive score adds from what Bahdanau's wiring adds."""
    wired, scored, plain = (known["model"]["parameters"] for known in (additive, concat, general))
    return (
        f"The score itself has {_more(scored - plain)} (concat against general, wired alike). Bahdanau's wiring has "
        f"{_more(wired - scored)}, because its cell reads the context too; that is not the score."
    )


def attention_parameters(general: Scores, dot: Scores, none: Scores) -> str:
    """Separate what a score adds from the bridge that only the model without attention has."""
    learned, plain, without = (known["model"]["parameters"] for known in (general, dot, none))
    return (
        f"The dot score has no parameters; general has {learned - plain:,}. Without attention the network has "
        f"{_more(without - plain)} than with dot: the bridge that makes its initial state."
    )


def _more(difference: int) -> str:
    return f"{abs(difference):,} {'more' if difference >= 0 else 'fewer'}"


LONG_CLAIM = "The additive score is better for long sequences. (Here: the longest sentences of each test.)"
CLAIMS = (
    Claim("Bahdanau's accuracy is often better, Luong's slightly lower.", (MULTIPLICATIVE, ADDITIVE), bleu, better),
    Claim(LONG_CLAIM, (MULTIPLICATIVE, CONCAT), of_the_longest(bleu), of_the_longest(better)),
    Claim(LONG_CLAIM, (MULTIPLICATIVE, ADDITIVE), of_the_longest(bleu), of_the_longest(better)),
    Claim("Bahdanau's is slower, Luong's faster.", (ADDITIVE, MULTIPLICATIVE), each(milliseconds), slower),
    Claim("Attention requires more parameters.", (MULTIPLICATIVE, DOT, NONE), each(parameters), attention_parameters),
    Claim(
        "The additive score has more parameters.", (ADDITIVE, CONCAT, MULTIPLICATIVE), each(parameters), larger_score
    ),
    Claim(
        "Attention handles long sentences better. (Here: the longest of each test.)",
        (MULTIPLICATIVE, NONE),
        of_the_longest(bleu),
        of_the_longest(better),
    ),
)


SHEET = Document(
    name="common-errors",
    title="Common errors, measured",
    text="Statements about attention in the documents that are wrong or imprecise. The numbers on the right "
    "are computed from models of this app, which are named below each; each link leads to the screen that shows them.",
)
NEEDED = (DEFAULT, MULTIPLICATIVE, CONCAT, DOT, NONE, REVERSAL, PLAIN_REVERSAL)
NOWHERE: Mapping[str, str] = MappingProxyType({})
MOVING = MappingProxyType({"chapter": "2", "sentence": BOY})
LIMITS = MappingProxyType({"chapter": "9"})
LEARNING = MappingProxyType({"chapter": "10"})
LOVE_LINK = MappingProxyType({"sentence": LOVE})
BOY_LINK = MappingProxyType({"sentence": BOY})  # the document's own example


def nothing() -> None:
    """Draw nothing: the correction trains no network."""


class CommonError(NamedTuple):
    """A claim of a document, the correction, and the screen that shows it, opened with the first of the models."""

    said: str
    holds: Callable[[], str]
    screen: str
    link: Mapping[str, str] = NOWHERE  # further parameters of that screen
    models: tuple[str, ...] = (SHOWN,)  # that the correction measures
    train: Callable[[], None] = nothing  # draws a button that trains small networks, and what they show

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the link; screens whose models are fixed take no model."""
        takes = self.models and self.screen not in ("watch", "transformer", "glossary", "worked_examples")
        return ({"model": self.models[0]} if takes else {}) | dict(self.link)


ERRORS = {  # by the document's name
    "i-love-you": (
        CommonError(
            "Provides direct path for gradients from decoder to encoder",
            direct_path,
            "translate",
            LOVE_LINK,
            (DEFAULT, MULTIPLICATIVE),
        ),
        CommonError("Attention weights visualize what the model looks at", annotation_is_no_word, "learn", MOVING),
        CommonError(
            "the model correctly focuses most attention (37.6%) on the word ‘love’",
            invented_numbers,
            "translate",
            LOVE_LINK,
        ),
        CommonError("Works with any input/output sequence length", any_length, "watch", models=(REVERSAL,)),
    ),
    "from-scratch": (
        CommonError("Assign importance scores (attention weights)", order_of_importance, "learn", LIMITS),
        CommonError("Unimportant ones → near zero", heaviest_removed, "explanation"),
        CommonError("each output word should focus on a different input word", shared_words, "translate", BOY_LINK),
        CommonError("Early words are forgotten", early_words, "bottleneck", models=(NONE,)),
        CommonError("Luong … Uses … Linear", bilinear, "worked_examples", {"example": "three-scores"}, ()),
        CommonError(
            "Improves alignment (translation, summarization)", only_translation, "alignment", models=(SHOWN, NONE)
        ),
    ),
    "module": (
        CommonError("Not inherently parallelizable like Transformers", parallel, "transformer"),
        CommonError("Computationally expensive for long sequences", cost, "compare", BOY_LINK),
        CommonError(
            "Requires more parameters (risk of overfitting)",
            not_overfitting,
            "bottleneck",
            models=(SHOWN, DOT),
            train=overfitted,
        ),
        CommonError("a_t = attention weight for encoder step t", notation, "glossary", models=()),
    ),
    "query": (
        CommonError(
            "map a fixed-length input sequence to a fixed-length output sequence",
            words_by_rule,
            "translate",
            LOVE_LINK,
        ),
        CommonError("For long sentences, performance degraded", degraded, "bottleneck", models=(NONE,)),
        CommonError("the diagram: X1 → Enc1 → h1, X2 → Enc2 → h2", no_arrows, "translate", BOY_LINK),
        CommonError("to speed up convergence", faster_training, "learn", LEARNING, (), converged),
        CommonError("ensuring accuracy even for long speeches", long_sentences, "bottleneck"),
        CommonError(
            "introducing “Dot-Product Attention” (Multiplicative)", three_scores, "compare", models=(SHOWN, DOT, CONCAT)
        ),
        CommonError(
            "The diagonal pattern indicates that the model has learned to reverse the sequence correctly",
            pattern_is_no_proof,
            "watch",
            models=(REVERSAL, PLAIN_REVERSAL),
        ),
    ),
}
TITLED = {document.name: document.title for document in DOCUMENTS}


def sheet() -> None:
    """Draw all errors by document; a message instead where the models they are measured on are missing."""
    if not set(NEEDED) <= set(model_names()):
        st.info("The models that these sentences are measured on are missing.")
        return
    for document, errors in ERRORS.items():
        st.subheader(TITLED[document])
        for number, error in enumerate(errors):
            with st.container(border=True, key=f"error-{document}-{number}"):
                _draw(error)


def _draw(error: CommonError) -> None:
    left, right = st.columns([2, 5], vertical_alignment="center")
    left.markdown(f"“{prose(error.said)}”")
    with right:
        st.markdown(prose(error.holds()))
        error.train()
        if error.models:
            st.caption(f"Measured with {listed([f'`{name}`, “{title(name)}”' for name in error.models])}.")
        label = f"See it in {TITLES[error.screen]}"
        st.page_link(f"screens/{error.screen}/screen.py", label=label, query_params=error.parameters)
