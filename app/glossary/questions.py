"""How one asks what attention is worth."""

from app.glossary.definition import Definition

QUESTIONS = {
    "counterfactual": Definition(
        "Counterfactual attention",
        "The weights of this one step are replaced by others, everything else stays as it was, and the rest of the "
        "step is computed again. Where the same word comes out, the weights were not needed for it.",
        source="Moradi, Kambhatla and Sarkar (2019); Jain and Wallace (2019)",
        seen="explanation",
    ),
    "exchanges": Definition(
        "The five exchanges",
        "*Uniform*: every token gets the same weight. *Permuted*: the same weights in another order, drawn by chance "
        "so that the greatest moves. *Only the maximum*: all on the token with the greatest weight. *All but the "
        "maximum*: nothing on that token, and the others grow to fill its place. *Last position*: all on the end of "
        "the sentence.",
        source="After Moradi, Kambhatla and Sarkar (2019)",
        seen="explanation",
    ),
    "word_kinds": Definition(
        "Function and content words",
        "Function words carry grammar: articles, pronouns, prepositions, conjunctions, negation and auxiliaries. All "
        "others are content words. They are told apart by a closed list, so a word that can be both counts as what it "
        "mostly is. A word of several tokens is judged by its first; punctuation is "
        "neither, but counts among all the words that stay.",
        seen="explanation",
    ),
    "gradient": Definition(
        "Gradient × input",
        "How strongly the log-probability of the word produced would move if a source token's embedding grew or "
        "shrank: the gradient times the embedding, without its sign, as a share of the step's sum.",
        r"g_i = \Big| \sum_d x_{i,d}\, \frac{\partial \log p_t(y_t)}{\partial x_{i,d}} \Big|",
        "T S",
        "Jain and Wallace (2019)",
        "explanation",
    ),
    "leave_one_out": Definition(
        "Leaving one out",
        "The sentence is read again without one source token, and the distribution over the next token compared with "
        "the one before: half the sum of all differences, from 0 (nothing changed) to 1 (nothing stayed).",
        r"\tfrac12 \sum_y \big| p_t(y) - p_t^{(-i)}(y) \big|",
        "T S",
        "Jain and Wallace (2019)",
        "explanation",
    ),
    "tau": Definition(
        "Kendall's τ",
        "How far two orders agree: the pairs of source tokens that both put in the same order less those they put in "
        "opposite ones, as a share. 1 is the same order, 0 is chance, −1 is the reverse. This is τ-b, which leaves out "
        "of the count the pairs that are tied in the one (n) or in the other (m) of all N.",
        r"\tau_b = \frac{\text{concordant} - \text{discordant}}{\sqrt{(N - n)(N - m)}}",
        source="Kendall (1945), computed by SciPy",
        seen="explanation",
        also="τ-b",
    ),
    "searched_attention": Definition(
        "Searched attention",
        "Weights that a person or a program looks for, instead of those that the model computes: here by going down "
        "the gradient until one step finds a wanted token y likeliest. λ counts how far they may be from the model's "
        "own weights a.",
        r"\min_\alpha \; -\log p_t(y \mid \alpha) + \lambda \sum_i \alpha_i \log \frac{\alpha_i}{a_i}",
        source="After Jain and Wallace (2019)",
        seen="attention_search",
    ),
    "divergence": Definition(
        "Kullback-Leibler divergence",
        "How far weights α are from the model's own weights a, in nats: 0 where they are the same, large where α puts "
        "weight on what a leaves aside.",
        r"\mathrm{KL}(\alpha \,\|\, a) = \sum_i \alpha_i \log \frac{\alpha_i}{a_i}",
        source="Kullback and Leibler (1951)",
        seen="attention_search",
        also="KL, relative entropy",
    ),
    "total_variation": Definition(
        "Attention moved",
        "The share of a step's weight that lies on other source tokens than before: half the sum of all differences, "
        "from 0 % (the same weights) to 100 % (nothing stayed).",
        r"\tfrac12 \sum_i | \alpha_i - a_i |",
        seen="attention_search",
        also="total variation distance",
    ),
}
