"""What a number on screen means: its definition, formula and source, one click away from where it stands."""

from typing import NamedTuple

import streamlit as st


class Definition(NamedTuple):
    term: str
    text: str  # Markdown
    formula: str = ""  # LaTeX
    source: str = ""


DEFINITIONS: dict[str, Definition] = {
    "score": Definition(
        "Score",
        "How well a source token answers the decoder's state: one number for each source token at each step. It "
        "enters the softmax. In Luong's wiring the state of this step asks, in Bahdanau's the one before it.",
        r"e_{t,i} = \mathrm{score}(s_t, h_i)",
        "Luong, Pham and Manning (2015), section 3.1; Bahdanau, Cho and Bengio (2015), A.1.2",
    ),
    "weight": Definition(
        "Weight",
        "The share of attention that a step gives to a source token: what leaves the softmax. The weights of a step "
        "add up to 1. Between words, the weights of a word's tokens are added over the source and averaged over the "
        "target.",
        r"\alpha_{t,i} = \frac{\exp e_{t,i}}{\sum_k \exp e_{t,k}}",
        "Luong, Pham and Manning (2015), equation 7",
    ),
    "log_probability": Definition(
        "Log-probability",
        "The natural logarithm of the probability that the model gives to a whole translation, token by token. It is 0 "
        "for a certainty, and falls with every token.",
        r"\log p = \sum_t \log p_t(y_t)",
    ),
    "bleu": Definition(
        "BLEU",
        "How many runs of one to four words a translation shares with a person's reference, from 0 to 100. A good "
        "translation in other words counts as wrong, so it compares systems on the same test and says little about "
        "one sentence.",
        r"\mathrm{BP} \cdot \exp\Big(\tfrac14 \sum_{n=1}^4 \log p_n\Big)",
        "Papineni et al. (2002), computed by sacrebleu",
    ),
    "interval": Definition(
        "95 % interval",
        "The test sentences are drawn again many times, with repetition, and the score computed each time; 95 % of "
        "those scores lie inside. It tells how far another sample of like sentences might move the score, not how far"
        " another training run would.",
        source="Bootstrap resampling, computed by sacrebleu",
    ),
    "aer": Definition(
        "Alignment error rate (AER)",
        "How far proposed links A are from those that people drew: 0 where they agree, 1 where nothing does. Sure "
        "links S have to be found, possible ones P may be. A target word proposes the source word it looks at most; a"
        " word that looks most at the end of the sentence proposes none.",
        r"1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}",
        "Och and Ney (2003), section 5",
    ),
    "precision": Definition(
        "Precision",
        "The share of the proposed links that are at least possible.",
        r"|A \cap P| \,/\, |A|",
        "Och and Ney (2003)",
    ),
    "recall": Definition(
        "Recall", "The share of the sure links that were proposed.", r"|A \cap S| \,/\, |S|", "Och and Ney (2003)"
    ),
    "mass": Definition(
        "Attention on linked words",
        "Of the weight that a target word with a link gives to the source, the share on the words it is linked to. "
        "With possible links, words that have no sure one count too, so the share may fall.",
        source="After Ghader and Monz (2017)",
    ),
    "rows": Definition(
        "Row of produced or fed-in word",
        "A decoder step reads one word and produces the next, and its row of weights can be read as belonging to "
        "either. Luong et al. (2015, footnote 14) found it better read as that of the word fed in; both are measured "
        "here.",
        source="Luong, Pham and Manning (2015), footnote 14",
    ),
    "diagonal": Definition(
        "Diagonal",
        "The trivial guess: each target word is linked to the source word at the same relative place. What does not "
        "beat it has learned nothing about words.",
    ),
    "ibm1": Definition(
        "IBM Model 1",
        "The simplest statistical word aligner: how often words occur in each other's translations, learned by "
        "expectation maximisation, without word order. It was trained on the same text as the models.",
        r"p(f \mid e) \propto \prod_j \sum_i t(f_j \mid e_i)",
        "Brown et al. (1993), computed by NLTK",
    ),
    "counterfactual": Definition(
        "Counterfactual attention",
        "The weights of this one step are replaced by others, everything else stays as it was, and the rest of the "
        "step is computed again. Where the same word comes out, the weights were not needed for it.",
        source="Moradi, Kambhatla and Sarkar (2019); Jain and Wallace (2019)",
    ),
    "exchanges": Definition(
        "The five exchanges",
        "*Uniform*: every token gets the same weight. *Permuted*: the same weights in another order, drawn by chance "
        "so that the greatest moves. *Only the maximum*: all on the token with the greatest weight. *All but the "
        "maximum*: nothing on that token, and the others grow to fill its place. *Last position*: all on the end of "
        "the sentence.",
        source="After Moradi, Kambhatla and Sarkar (2019)",
    ),
    "word_kinds": Definition(
        "Function and content words",
        "Function words carry grammar: articles, pronouns, prepositions, conjunctions, negation and auxiliaries. All "
        "others are content words. They are told apart by a closed list, so a word that can be both counts as what it "
        "mostly is. A word of several tokens is judged by its first; punctuation is "
        "neither, but counts among all the words that stay.",
    ),
    "gradient": Definition(
        "Gradient × input",
        "How strongly the log-probability of the word produced would move if a source token's embedding grew or "
        "shrank: the gradient times the embedding, without its sign, as a share of the step's sum.",
        r"g_i = \Big| \sum_d x_{i,d}\, \frac{\partial \log p_t(y_t)}{\partial x_{i,d}} \Big|",
        "Jain and Wallace (2019)",
    ),
    "leave_one_out": Definition(
        "Leaving one out",
        "The sentence is read again without one source token, and the distribution over the next token compared with "
        "the one before: half the sum of all differences, from 0 (nothing changed) to 1 (nothing stayed).",
        r"\tfrac12 \sum_y \big| p_t(y) - p_t^{(-i)}(y) \big|",
        "Jain and Wallace (2019)",
    ),
    "tau": Definition(
        "Kendall's τ",
        "How far two orders agree: of all pairs of source tokens, the share put in the same order less the share put "
        "in the opposite one. 1 is the same order, 0 is chance, −1 is the reverse.",
        r"\tau = \frac{\text{concordant} - \text{discordant}}{\text{pairs}}",
        "Kendall (1938), computed by SciPy with correction for ties",
    ),
    "entropy": Definition(
        "Entropy",
        "How spread out the weights of a step are, in nats: 0 where one token has all, log of the number of tokens "
        "where all have the same.",
        r"-\sum_i \alpha_{t,i} \log \alpha_{t,i}",
    ),
    "coverage": Definition(
        "Coverage",
        "All the weight that a source token was given over the whole translation. Near 1 it was looked at about once;"
        " near 0 it may have been left out.",
        r"\sum_t \alpha_{t,i}",
    ),
    "loss": Definition(
        "Loss",
        "What training makes small: the mean negative log-probability of a reference token, in nats. The validation "
        "loss is that of sentences the model never learned from. The training loss is higher because it is made "
        "harder: numbers are dropped at random, and a little of the probability is asked for other tokens (label "
        "smoothing).",
        r"-\tfrac1N \sum \log p(y_t)",
    ),
    "update": Definition(
        "Update",
        "One change of all the parameters, after a look at a batch of sentence pairs.",
    ),
    "bottleneck": Definition(
        "The bottleneck",
        "Without attention the decoder is given one context for all its steps: the mean of the annotations of the "
        "first and the last token, where the encoder's two directions end. It has as many components for a long "
        "sentence as for a short one. The first state of the shipped model's decoder is made from the same two "
        "annotations, and nothing else of the sentence is left.",
        r"c_t = \tfrac12 (h_1 + h_S) \quad \text{at every step } t",
        "Cho et al. (2014); Bahdanau, Cho and Bengio (2015)",
    ),
    "mean_probability": Definition(
        "Probability a token",
        "How sure a model is of its own translation: the geometric mean of the probabilities of its tokens. A model can"
        " be sure of a wrong translation.",
        r"\exp\Big( \tfrac1T \sum_t \log p_t(y_t) \Big)",
    ),
    "likeness": Definition(
        "Words in common",
        "Of the words of both translations, the share that both have in the same order. It says how far two "
        "translations differ, not which is better.",
        r"\frac{2 M}{N} \text{ for } M \text{ common words among } N",
        "Ratcliff and Obershelp, as in Python's difflib",
    ),
    "parameters": Definition(
        "Parameters", "The numbers of the network that training sets: all its matrices and biases."
    ),
    "time": Definition(
        "Time",
        "What it took to translate this sentence on this server, recording every number, when it was first asked for."
        " It differs from run to run.",
    ),
}


def definitions(*names: str) -> None:
    """A row of terms, each of which opens its definition."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"define-{'-'.join(names)}"):
        st.html('<p class="about">What is</p>', width="content")
        for name in names:
            known = DEFINITIONS[name]
            with st.popover(known.term, type="tertiary", width="content"):
                st.markdown(known.text)
                if known.formula:
                    st.latex(known.formula)
                if known.source:
                    st.caption(known.source)
