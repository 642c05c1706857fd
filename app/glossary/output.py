"""From the attentional vector to the next token, and from tokens to a translation."""

from app.glossary.definition import Definition

OUTPUT = {
    "logit": Definition(
        "Logit",
        "One number for each token of the vocabulary, before the softmax: how well it would come next. The matrix of "
        "the output layer is that of the decoder's embeddings.",
        r"\ell_t = W_o \tilde h_t",
        "T V",
        seen="translate",
    ),
    "probability": Definition(
        "Probability",
        "How likely the model finds a token as the next one. The probabilities of all tokens of the vocabulary add up "
        "to 1.",
        r"p_t(y) = \frac{\exp \ell_t(y)}{\sum_{y'} \exp \ell_t(y')}",
        "T V",
        seen="translate",
    ),
    "log_normaliser": Definition(
        "Log-normaliser",
        "The logarithm of the sum that a softmax divides by. A logit less the log-normaliser of its step is the "
        "logarithm of its probability.",
        r"\log Z_t = \log \sum_y \exp \ell_t(y)",
        "T",
        seen="translate",
    ),
    "log_probability": Definition(
        "Log-probability",
        "The natural logarithm of the probability that the model gives to a whole translation, token by token. It is 0 "
        "for a certainty, and falls with every token.",
        r"\log p = \sum_t \log p_t(y_t)",
        seen="translate",
    ),
    "mean_probability": Definition(
        "Probability per token",
        "How sure a model is of its own translation: the geometric mean of the probabilities of its tokens. A model can"
        " be sure of a wrong translation.",
        r"\exp\Big( \tfrac1T \sum_t \log p_t(y_t) \Big)",
        seen="translate",
    ),
    "greedy": Definition(
        "Greedy decoding",
        "At each step the likeliest token is taken and never taken back. It is what the screens show.",
        r"y_t = \arg\max_y p_t(y)",
        seen="translate",
    ),
    "sampling": Definition(
        "Sampling",
        "Each token is drawn by chance from the distribution that the model gives, once it is reshaped and cut. A "
        "random number from 0 to 1 decides: the tokens lie side by side on that line, the likeliest first, each as "
        "wide as its probability, and the one it falls on is taken.",
        r"y_t \sim p_t",
        seen="sampling",
        also="ancestral sampling, stochastic decoding",
    ),
    "top_k": Definition(
        "Top-k",
        "Before a token is drawn, all but the k likeliest are cut, and what is left is divided by its sum. With k = 1 "
        "that is greedy decoding.",
        source="Fan, Lewis and Dauphin (2018)",
        seen="sampling",
    ),
    "nucleus": Definition(
        "Nucleus",
        "The fewest tokens, the likeliest first, that together have at least the probability p. All others are cut "
        "before a token is drawn. It is small where the model is sure and large where it is not.",
        r"\min |N| \quad \text{with} \quad \sum_{y \in N} p_t(y) \ge p",
        source="Holtzman et al. (2020)",
        seen="sampling",
        also="top-p",
    ),
    "beam": Definition(
        "Beam search",
        "Several translations grow side by side, and at each step only the likeliest few are kept. A beam of width 1 "
        "is greedy decoding. Translations that have ended are compared by their log-probability over a length penalty, "
        "plus a coverage penalty where one is asked for.",
        r"s(y) = \frac{\log p(y)}{\mathrm{lp}(y)} + \beta \, \mathrm{cp}(y)",
        source="Wu et al. (2016), equation 14",
        seen="beam",
    ),
    "length_penalty": Definition(
        "Length penalty",
        "What the log-probability of a translation is divided by before long and short ones are compared: every token "
        "makes a log-probability smaller, so that without it short translations win. α says how much it counts.",
        r"\mathrm{lp}(y) = \frac{(5 + |y|)^\alpha}{(5 + 1)^\alpha}",
        source="Wu et al. (2016), equation 14",
        seen="beam",
        also="length normalisation",
    ),
    "coverage_penalty": Definition(
        "Coverage penalty",
        "Counts against a translation that has left a part of the source unread: the weights that each source token "
        "was given are added up over all steps, and one that got less than 1 costs the logarithm of that. β says how "
        "much it counts.",
        r"\mathrm{cp}(y) = \sum_i \log \min\Big( \sum_t \alpha_{ti}, 1 \Big)",
        source="Wu et al. (2016), equation 14",
        seen="beam",
    ),
    "forced": Definition(
        "Forced decoding",
        "The decoder is fed a translation that somebody else wrote, whatever it would have written itself. Every "
        "number is then that of the given text, and its log-probability says how likely the model finds it.",
        seen="translate",
        also="scoring a given translation",
    ),
}
