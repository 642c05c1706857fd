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
        "Probability a token",
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
    "beam": Definition(
        "Beam search",
        "Several translations grow side by side, and at each step only the likeliest few are kept. A beam of width 1 "
        "is greedy decoding. Long and short translations are compared by log-probability over a length penalty.",
        r"\frac{\log p(y)}{\mathrm{lp}(y)} \qquad \mathrm{lp}(y) = \frac{(5 + |y|)^a}{(5 + 1)^a}",
        source="Wu et al. (2016), equation 14",
        seen="bottleneck",
    ),
    "forced": Definition(
        "Forced decoding",
        "The decoder is fed a translation that somebody else wrote, whatever it would have written itself. Every "
        "number is then that of the given text, and its log-probability says how likely the model finds it.",
        seen="translate",
        also="scoring a given translation",
    ),
}
