"""Common errors and claims of the documents, each beside what is true and what was measured for the models here.

Measurements are computed from a trained model or read from its `scores.json`, so that no sentence can go out of date.
The models of a claim differ only in what it compares and in anything else that the verdict names.
"""

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import streamlit as st

from regard.app.figures.measures import named
from regard.app.models.analyses import at_once_difference, influence_by_third, on_line
from regard.app.models.models import pretrained, scores, title
from regard.app.models.registry import model_names
from regard.app.models.traces import trace
from regard.app.navigation import TITLES
from regard.app.theme import component, percent
from regard.app.ui.conclusions import exposure_conclusion
from regard.app.ui.widgets import table
from regard.app.wording import listed, set_apart_by
from regard.app.worked_example.paper import prose
from regard.model.alignment import token_label
from regard.model.analysis.claims import multiplications
from regard.model.evaluation.scores_record import Scores, agreement, counterfactuals, greedy, part, taus, tests
from regard.model.examples.documents import DOCUMENTS, Document
from regard.model.synthetic.exposure_bias import recorded

ADDITIVE, CONCAT, MULTIPLICATIVE, DOT, NONE = (
    f"en-fr-{name}" for name in ("bahdanau", "concat", "general", "dot", "none")
)
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


SHOWN = MULTIPLICATIVE  # Luong's general score without input feeding, as most of the documents have it
REVERSAL, TRAINED, SYMBOLS = "reverse-gru", 20, 10
LOVE = "I love you."
BOY = "The boy who is wearing a blue shirt is playing football."  # a document's example
LENGTHS = (100, 1_000, 10_000)  # tokens, at which the work is counted
LONG = (
    BOY,
    "A man in a red shirt is standing next to a small dog in front of an old house.",
    "She bought a red car because her old one was too slow for the long road.",
    "I love you in the park while a girl is reading a book because it is a beautiful day.",
)


def gradient_shares() -> str:
    made = trace(SHOWN, LOVE, "")
    step = int(made.weights.max(1).argmax())
    row = made.weights[step]
    most, least = int(row.argmax()), int(row.argmin())
    return (
        "Through c = Σ α h an annotation gets the gradient times its weight. Where “I love you.” becomes "
        f"“{made.text}”, step {step + 1} gives “{token_label(made.source[most])}” {percent(float(row[most]))} of it "
        f"and “{token_label(made.source[least])}” {small(float(row[least]))}: direct for one token, shut for another."
    )


def small(share: float) -> str:
    """Return a share in percent with two significant digits, however small it is."""
    return f"{significant(100 * share)}%"


def significant(number: float) -> str:
    """Return a number from 0 with two significant digits, however small it is."""
    return f"{number:.{max(1, 1 - math.floor(math.log10(number)))}f}" if number else "0"


def order_of_importance() -> str:
    tau = taus(scores(SHOWN))["leave_one_out"]
    return (
        "A weight is a share of the context, not a measure of importance. Over "
        f"{tau['steps']:,} steps the order of the weights and that of leaving each token out agree with a mean τ of "
        f"{component(tau['mean'])}, where 1 is the same order and 0 chance."
    )


def heaviest_removed() -> str:
    kept = counterfactuals(scores(SHOWN))["all but the maximum"]
    return (
        "The softmax gives nothing exactly zero, and a heavy weight may not be needed. With the heaviest token's "
        f"weight set to 0, {percent(kept['function']['kept'])} of the function words and "
        f"{percent(kept['content']['kept'])} of the content words still come out."
    )


def shared_words() -> str:
    made = trace(SHOWN, BOY, "")
    looked = made.weights.argmax(1).tolist()
    place, count = Counter(looked).most_common(1)[0]
    writing = [token_label(token) for token, at in zip(made.target, looked, strict=True) if at == place]
    return (
        f"On this very sentence the model writes “{made.text}”. Its {len(looked)} steps look most at "
        f"{len(set(looked))} different tokens; “{token_label(made.source[place])}” gets the most weight at {count} of "
        f"the steps, for {listed([f'“{token}”' for token in writing])}."
    )


def early_words() -> str:
    first, middle, last = map(percent, influence_by_third(NONE, LONG))
    return (
        "An encoder that reads both ways ends one of its readings at the first word. In the model without attention "
        f"here, leaving out a token changes a step by {first} on average if it stands in the first third of "
        f"{len(LONG)} long sentences, {middle} in the middle and {last} in the last third."
    )


def only_translation() -> str:
    attending, without = (agreement(scores(name))["output"]["aer"] for name in (SHOWN, NONE))
    return (
        "Links between words exist in translation; a summary has none to agree with. In translation the error rate "
        f"against people's links is {component(attending)} with attention and {component(without)} without."
    )


def look_is_no_link() -> str:
    overall = agreement(scores(SHOWN))
    return (
        "Where a model looks can be measured against the links that people drew: over "
        f"{overall['pairs']} sentence pairs the weights have an alignment error rate of "
        f"{component(overall['output']['aer'])}. Whether they explain the output is another question."
    )


def parallel() -> str:
    return (
        "It is the recurrence that has to wait, not attention, which is one matrix product. In training, Luong's "
        "wiring without input feeding looks for all steps at once; the largest difference from one step at a time "
        f"is {significant(at_once_difference(SHOWN, BOY))}."
    )


def cost() -> str:
    made, model = trace(SHOWN, BOY, ""), pretrained(SHOWN)
    steps, positions = made.weights.shape
    size = made.annotations.shape[1]

    def share(target: int, source: int) -> float:
        attention, rest = multiplications(model, target, source, size)
        return attention / (attention + rest)

    longer = ", ".join(f"for {length:,} of each {percent(share(length, length))}" for length in LENGTHS)
    half = bisect_left(range(LENGTHS[-1]), 0.5, key=lambda length: share(length, length))
    return (
        "The cost of attention grows with source times target length, that of the rest of the decoder with the target "
        f"alone. For {positions} source tokens and {steps} steps attention takes {percent(share(steps, positions))} of "
        f"the decoder's multiplications, {longer}. It passes half at {half:,}."
    )


def not_overfitting() -> str:
    attending, without = (scores(name) for name in (SHOWN, NONE))
    test = next(iter(tests(attending)))
    one, other = (greedy(each, test)["bleu"]["score"] for each in (attending, without))
    parameters = attending["model"]["parameters"]
    score = parameters - scores(DOT)["model"]["parameters"]
    return (
        f"The general score has {score:,} of {parameters:,} parameters ({percent(score / parameters)}), the dot score "
        f"none. On {named(test)}, which neither model saw, BLEU is {one:.1f} with attention and {other:.1f} without."
    )


def long_sentences() -> str:
    attending = scores(SHOWN)
    test = next(iter(tests(attending)))
    *_, before, longest = greedy(attending, test)["by_length"]
    written = [
        f"{each['bleu']:.1f} [{each['interval'][0]:.1f}, {each['interval'][1]:.1f}] at "
        f"{' to '.join(map(str, each['words']))} words"
        for each in (before, longest)
    ]
    lower = before["interval"][0] > longest["interval"][1]
    return f"On {named(test)} BLEU is {listed(written)}, with 95% intervals: {FALLS if lower else NO_FALL}"


FALLS = "attention does not ensure accuracy."
NO_FALL = "they overlap, so this shows neither a fall nor that accuracy is ensured."


def own_mistakes() -> str:
    told = exposure_conclusion(recorded())
    return f"It may also have a price: in training the model never meets its own mistakes. Measured on sorting: {told}"


def three_scores() -> str:
    test = next(iter(tests(scores(SHOWN))))
    told = ", ".join(
        f"{kind} {greedy(scores(name), test)['bleu']['score']:.1f}"
        for kind, name in (("dot", DOT), ("general", MULTIPLICATIVE), ("concat", CONCAT))
    )
    return (
        "Luong, Pham and Manning compare several scores, dot, general and concat among them. The same network with "
        f"each: BLEU {told} on {named(test)}."
    )


def anti_diagonal() -> str:
    return (
        "Reversal makes the anti-diagonal, from the upper right to the lower left; the diagonal would be copying. The "
        f"network here is on the anti-diagonal at {percent(on_line(REVERSAL, TRAINED, SYMBOLS))} of its "
        "steps."
    )


def words_by_rule() -> str:
    alignment = trace(SHOWN, LOVE, "").alignment
    asked, spoken = alignment.source.lettered, alignment.target.lettered
    return (
        "Neither length is fixed. By the rule of this app, which counts “t'” as a word, the example has "
        f"{len(asked)} words on one side and {len(spoken)} on the other: {', '.join(spoken)}."
    )


SHEET = Document(
    name="common-errors",
    title="Common errors, measured",
    text="Statements about attention in the documents that are wrong or imprecise. The numbers on the right "
    "are computed from models of this app, which are named below each; each link leads to the screen that shows them.",
)
NEEDED = (MULTIPLICATIVE, CONCAT, DOT, NONE, REVERSAL)
NOWHERE: Mapping[str, str] = MappingProxyType({})
LIMITS = MappingProxyType({"chapter": "9"})
LEARNING = MappingProxyType({"chapter": "10"})
LOVE_LINK = MappingProxyType({"sentence": LOVE})
BOY_LINK = MappingProxyType({"sentence": BOY})  # the document's own example


class CommonError(NamedTuple):
    """A claim of a document, the correction, and the screen that shows it, opened with the first of the models."""

    said: str
    holds: Callable[[], str]
    screen: str
    link: Mapping[str, str] = NOWHERE  # further parameters of that screen
    models: tuple[str, ...] = (SHOWN,)  # that the correction measures

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the link; screens whose models are fixed take no model."""
        takes = self.models and self.screen not in ("watch", "transformer", "glossary")
        return ({"model": self.models[0]} if takes else {}) | dict(self.link)


def notation() -> str:
    return (
        "Its h_t and a_t count encoder steps, its s_t counts decoder steps, and its formulas then write i and j for "
        "the two. In the attention formulas of this app t is a decoder step and i a source position."
    )


ERRORS = {  # by the document's name
    "i-love-you": (
        CommonError(
            "Provides direct path for gradients from decoder to encoder", gradient_shares, "translate", LOVE_LINK
        ),
        CommonError("Attention weights visualize what the model looks at", look_is_no_link, "alignment"),
    ),
    "from-scratch": (
        CommonError("Assign importance scores (attention weights)", order_of_importance, "learn", LIMITS),
        CommonError("Unimportant ones → near zero", heaviest_removed, "explanation"),
        CommonError("each output word should focus on a different input word", shared_words, "translate", BOY_LINK),
        CommonError("Early words are forgotten", early_words, "bottleneck", models=(NONE,)),
        CommonError(
            "Improves alignment (translation, summarization)", only_translation, "alignment", models=(SHOWN, NONE)
        ),
    ),
    "module": (
        CommonError("Not inherently parallelizable like Transformers", parallel, "transformer"),
        CommonError("Computationally expensive for long sequences", cost, "compare", BOY_LINK),
        CommonError(
            "Requires more parameters (risk of overfitting)", not_overfitting, "bottleneck", models=(SHOWN, NONE)
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
        CommonError("to speed up convergence", own_mistakes, "learn", LEARNING, ()),
        CommonError("ensuring accuracy even for long speeches", long_sentences, "bottleneck"),
        CommonError(
            "introducing “Dot-Product Attention” (Multiplicative)", three_scores, "compare", models=(SHOWN, DOT, CONCAT)
        ),
        CommonError(
            "The diagonal pattern indicates that the model has learned to reverse",
            anti_diagonal,
            "watch",
            models=(REVERSAL,),
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
        if error.models:
            st.caption(f"Measured with {listed([f'`{name}`, “{title(name)}”' for name in error.models])}.")
        label = f"See it in {TITLES[error.screen]}"
        st.page_link(f"screens/{error.screen}/screen.py", label=label, query_params=error.parameters)
