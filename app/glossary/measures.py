"""What is measured of translations and of links between words."""

from app.glossary.definition import Definition

OCH_NEY = "Och and Ney (2003)"

MEASURES = {
    "bleu": Definition(
        "BLEU",
        "How many runs of one to four words a translation shares with a person's reference, from 0 to 100. A good "
        "translation in other words counts as wrong, so it compares systems on the same test and says little about "
        "one sentence.",
        r"\mathrm{BP} \cdot \exp\Big(\tfrac14 \sum_{n=1}^4 \log p_n\Big)",
        source="Papineni et al. (2002), computed by sacrebleu",
        seen="bottleneck",
    ),
    "chrf": Definition(
        "chrF",
        "How many runs of one to six characters a translation shares with the reference, precision and recall taken "
        "together, from 0 to 100. A wrong ending costs less than in BLEU, which counts whole words.",
        r"(1 + \beta^2) \, \frac{\mathrm{chrP} \cdot \mathrm{chrR}}{\beta^2 \, \mathrm{chrP} + \mathrm{chrR}}"
        r" \quad \text{with } \beta = 2",
        source="Popović (2015), computed by sacrebleu",
        seen="bottleneck",
    ),
    "perplexity": Definition(
        "Perplexity",
        "e to the power of the mean loss per token: among how many equally likely tokens a model would have to choose "
        "to be as unsure as it is of the reference. 1 is certainty.",
        r"\exp\Big( -\tfrac1N \sum \log p(y_t) \Big)",
        seen="recorded_training",
    ),
    "interval": Definition(
        "95 % interval",
        "The test sentences are drawn again many times, with repetition, and the score computed each time; 95 % of "
        "those scores lie inside. It tells how far another sample of like sentences might move the score, not how far"
        " another training run would.",
        source="Bootstrap resampling, computed by sacrebleu",
        seen="bottleneck",
    ),
    "likeness": Definition(
        "Words in common",
        "Of the words of both translations, the share that both have in the same order. It says how far two "
        "translations differ, not which is better.",
        r"\frac{2 M}{N} \text{ for } M \text{ common words among } N",
        source="Ratcliff and Obershelp, as in Python's difflib",
        seen="bottleneck",
    ),
    "time": Definition(
        "Time",
        "What it took to translate this sentence on this server, recording every number, when it was first asked for."
        " It differs from run to run.",
        seen="compare",
    ),
    "alignment": Definition(
        "Word alignment",
        "Which word of the source stands for which word of the target, as links between them. A word may have several "
        "links or none.",
        seen="alignment",
    ),
    "links": Definition(
        "Sure and possible links",
        "People who align a text mark links that nobody would doubt as sure, S, and those that can be defended as "
        "possible, P. Every sure link is a possible one too.",
        r"S \subseteq P",
        source=OCH_NEY,
        seen="alignment",
    ),
    "aer": Definition(
        "Alignment error rate (AER)",
        "How far proposed links A are from those that people drew: 0 where they agree, 1 where nothing does. Sure "
        "links S have to be found, possible ones P may be. A target word proposes the source word it looks at most; a"
        " word that looks most at the end of the sentence proposes none.",
        r"1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}",
        source=f"{OCH_NEY}, section 5",
        seen="alignment",
    ),
    "precision": Definition(
        "Precision",
        "The share of the proposed links that are at least possible.",
        r"|A \cap P| \,/\, |A|",
        source=OCH_NEY,
        seen="alignment",
    ),
    "recall": Definition(
        "Recall",
        "The share of the sure links that were proposed.",
        r"|A \cap S| \,/\, |S|",
        source=OCH_NEY,
        seen="alignment",
    ),
    "mass": Definition(
        "Attention on linked words",
        "Of the weight that a target word with a link gives to the source, the share on the words it is linked to. "
        "With possible links, words that have no sure one count too, so the share may fall.",
        source="After Ghader and Monz (2017)",
        seen="alignment",
    ),
    "diagonal": Definition(
        "Diagonal",
        "The trivial guess: each target word is linked to the source word at the same relative place. What does not "
        "beat it has learned nothing about words.",
        seen="alignment",
    ),
    "ibm1": Definition(
        "IBM Model 1",
        "The simplest statistical word aligner: how often words occur in each other's translations, learned by "
        "expectation maximisation, without word order. It was trained on the same text as the models.",
        r"p(f \mid e) \propto \prod_j \sum_i t(f_j \mid e_i)",
        source="Brown et al. (1993), computed by NLTK",
        seen="alignment",
    ),
}
