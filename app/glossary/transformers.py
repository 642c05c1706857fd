"""What became of attention in the Transformer."""

from app.glossary.definition import Definition

PAPER = "Vaswani et al. (2017), Attention Is All You Need"

TRANSFORMERS = {
    "transformer": Definition(
        "Transformer",
        "A network without recurrence: attention alone carries what one word knows to another. Comparing, weighing and "
        "adding up are still what attention does in it.",
        source=PAPER,
        seen="transformer",
    ),
    "cross_attention": Definition(
        "Cross-attention",
        "Queries come from one sentence, keys and values from another. So does the decoder on the other screens look "
        "at the source, but it does not divide by √d. The shape is that of the weights A; the result has a row for "
        "each target token.",
        r"\begin{aligned} A &= \mathrm{softmax}\Big( \frac{Q_{\text{target}}\, K_{\text{source}}^\top}{\sqrt{d}} \Big)"
        r"\\ &\text{result } A\, V_{\text{source}} \end{aligned}",
        "T S",
        seen="transformer",
        also="encoder-decoder attention",
    ),
    "self_attention": Definition(
        "Self-attention",
        "The words of one sentence look at each other: queries, keys and values all come from it, so that the weights "
        "A have a row and a column for each of its tokens. The shape is theirs; the result has a row for each token.",
        r"A = \mathrm{softmax}\Big( \frac{Q K^\top}{\sqrt{d}} \Big) \qquad \text{result } A\, V",
        "S S",
        PAPER,
        "transformer",
    ),
    "projection": Definition(
        "Projection",
        "A matrix that makes a query, a key or a value of a word's vector. With three of them a word may ask for one "
        "thing, be found by another and hand over a third.",
        r"Q = X W_Q \qquad K = X W_K \qquad V = X W_V",
        source=PAPER,
        seen="transformer",
    ),
    "scaling": Definition(
        "Scaling",
        "Scores are divided by the square root of the key's size d. Sums of many products grow with d, and without the "
        "division the softmax saturates sooner.",
        r"\frac{q \cdot k}{\sqrt{d}}",
        "T S",
        PAPER,
        "transformer",
    ),
    "scaled_dot_product": Definition(
        "Scaled dot-product attention",
        "The Transformer's attention: dot products of queries and keys, divided by the square root of the key's size, "
        "then softmax and weighted sum. It is the dot score with scaling.",
        r"\mathrm{softmax}\Big( \frac{Q K^\top}{\sqrt{d}} \Big)\, V",
        source=PAPER,
        seen="transformer",
    ),
    "positional_encoding": Definition(
        "Positional encoding",
        "A vector for each position, added to the embedding of the word that stands there. Without it self-attention "
        "would not know the order of the words; a recurrent network knows it from reading them in turn.",
        r"x_i = \mathrm{embedding}(w_i) + p_i",
        source=PAPER,
        seen="transformer",
        also="position embedding",
    ),
    "residual": Definition(
        "Residual connection",
        "What enters a layer is added to what comes out of it, so that the layer only has to learn a change and "
        "gradients have a direct way back. A Transformer has one around every attention; the models here have none.",
        r"y = x + f(x)",
        source="He et al. (2016)",
        also="skip connection",
    ),
    "causal": Definition(
        "Causal mask",
        "Keeps a word from looking at those after it, which a decoder has not written yet: all cells above the "
        "diagonal weigh 0.",
        r"\alpha_{t,i} = 0 \quad \text{for } i > t",
        "T T",
        seen="transformer",
        also="look-ahead mask",
    ),
    "head": Definition(
        "Head",
        "One of several attentions side by side, each with projections and weights of its own. What they find is "
        "concatenated and passes one more matrix.",
        r"[\,\mathrm{head}_1 ; \ldots ; \mathrm{head}_n\,]\, W_O",
        source=PAPER,
        seen="transformer",
        also="multi-head attention",
    ),
}
