"""Published results of other work with their sources: context for the measurements here, which never reproduce them."""

from typing import NamedTuple


class Translation(NamedTuple):
    """BLEU of a system on the whole test, and on the sentences without unknown words."""

    system: str
    about: str
    bleu: float
    bleu_known: float


BAHDANAU = "Bahdanau, Cho and Bengio (2015), Neural machine translation by jointly learning to align and translate"
BAHDANAU_TABLE_1 = (
    Translation("RNNencdec-30", "without attention, trained on up to 30 words", 13.93, 24.19),
    Translation("RNNsearch-30", "with attention, trained on up to 30 words", 21.50, 31.44),
    Translation("RNNencdec-50", "without attention, trained on up to 50 words", 17.82, 26.71),
    Translation("RNNsearch-50", "with attention, trained on up to 50 words", 26.75, 34.16),
    Translation("RNNsearch-50*", "the same, trained longer", 28.45, 36.15),
    Translation("Moses", "no neural network: translates by phrases", 33.30, 35.63),
)


class Finding(NamedTuple):
    """A question that others asked about attention, and their answer; `key` names what is measured here."""

    key: str
    question: str
    text: str
    source: str


EXPLANATION = (
    Finding(
        "kept",
        "Does the word stay when the weights are replaced?",
        "In a recurrent translator from German to English, 68% of function words stay and 21% of content words. These "
        "are the figures of the abstract, for their counterfactual attentions together; it names no single exchange.",
        "Moradi, Kambhatla and Sarkar (2019), abstract",
    ),
    Finding(
        "tau",
        "Do attention and gradients rank the words alike?",
        "Weakly, in most classifiers that read with a BiLSTM; no translation was tested. Mean τ over the instances of "
        "a test set, from the files of results that the authors published beside the paper, with the additive "
        "score, and with the dot score where we know it: SST .35 and .07, IMDB .44 and .12, 20News .13 and .13, "
        "AGNews .39 and .30, SNLI .31 and .12, bAbI-2 −.02 and .17; additive alone: tweets .47, bAbI-1 .25, "
        "bAbI-3 .24.",
        "Jain and Wallace (2019), the authors' result files, not a table of the paper",
    ),
    Finding(
        "mass",
        "Does the weight lie on the words that people link?",
        "From German to English, 54% of the weight lies on linked words: 68% for nouns, 49% for verbs.",
        "Ghader and Monz (2017), as other work quotes it",
    ),
    Finding(
        "aer",
        "Is attention a word alignment?",
        "It “may in fact dramatically diverge” from one. The system that diverges most is their outlier, German to "
        "English; as they report it, its attention lies one word beside the links.",
        "Koehn and Knowles (2017)",
    ),
    Finding(
        "meaning",
        "Is attention an explanation?",
        "Whether it is one depends on what is meant by an explanation.",
        "Wiegreffe and Pinter (2019), abstract",
    ),
)


LUONG_TABLE_6 = "Luong, Pham and Manning (2015), Table 6: English to German, 508 sentences"
LUONG_ERROR_RATES = {  # by system, on hand-made links
    "global attention, location score": 0.39,
    "local attention, monotonic (local-m)": 0.34,
    "local attention, predictive (local-p)": 0.36,
    "ensemble": 0.34,
    "Berkeley aligner, no neural network": 0.32,
}
