"""What can be read off the weights of a whole translation."""

from app.glossary.attention import LUONG
from app.glossary.definition import Definition

HEATMAP = {
    "heatmap": Definition(
        "Heatmap",
        "All weights of a translation at once: a row for each target word, a column for each source word, and in each "
        "cell how much of the row's attention goes there.",
        r"\alpha_{t,i}",
        "T S",
        seen="translate",
        also="attention matrix, attention map",
    ),
    "fed_in": Definition(
        "Fed in and produced",
        "A decoder step is fed the token before and produces the next one: `<s>` and then *Je*, *Je* and then *t'*. "
        "What is produced at a step is fed in at the one after it.",
        seen="translate",
    ),
    "rows": Definition(
        "Row of produced or fed-in word",
        "A decoder step reads one word and produces the next, and its row of weights can be read as belonging to "
        "either. Luong et al. (2015, footnote 14) take it for that of the word fed in where the score compares "
        "contents, and report no comparison; both are measured here.",
        source=f"{LUONG}, footnote 14",
        seen="alignment",
    ),
    "sink": Definition(
        "Attention sink",
        "A position that collects weight although it says little about the word produced. Weights have to add up to 1, "
        "so a step that needs nothing still has to look somewhere; here `</s>` is the place to watch.",
        seen="translate",
    ),
    "entropy": Definition(
        "Entropy",
        "How spread out the weights of a step are, in nats: 0 where one token has all, log of the number of tokens "
        "where all have the same.",
        r"-\sum_i \alpha_{t,i} \log \alpha_{t,i}",
        "T",
        seen="recorded_training",
    ),
    "coverage": Definition(
        "Coverage",
        "All the weight that a source token was given over the whole translation. Near 1 it was looked at about once;"
        " near 0 it may have been left out.",
        r"\sum_t \alpha_{t,i}",
        "S",
        seen="translate",
    ),
}
