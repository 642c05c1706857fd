"""Published results of other work with their sources: context for the measurements here, which never reproduce them."""

from typing import NamedTuple

from regard.model.files import toml_beside


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


EXPLANATION = tuple(Finding(**entry) for entry in toml_beside(__file__, "published_findings.toml")["finding"])


LUONG_TABLE_6 = "Luong, Pham and Manning (2015), Table 6: English to German, 508 sentences"
LUONG_ERROR_RATES = {  # by system, on hand-made links
    "global attention, location score": 0.39,
    "local attention, monotonic (local-m)": 0.34,
    "local attention, predictive (local-p)": 0.36,
    "ensemble": 0.34,
    "Berkeley aligner, no neural network": 0.32,
}
