"""The little mathematics that attention needs."""

from app.glossary.definition import Definition

MATHS = {
    "vector": Definition(
        "Vector",
        "A list of numbers, its components. Embeddings, annotations, states and contexts are vectors; what a single "
        "component of theirs stands for was left to training, and usually cannot be named.",
        seen="translate",
    ),
    "matrix": Definition(
        "Matrix",
        "A table of numbers. It turns one vector into another: each component of the new vector is the dot product of "
        "a row of the matrix with the old one.",
        r"(W x)_i = \sum_j W_{i,j}\, x_j",
        seen="worked_examples",
    ),
    "shape": Definition(
        "Shape",
        "How many numbers a matrix or vector has, rows first: 3 × 4 is three rows of four numbers. Letters stand for "
        "sizes that differ from sentence to sentence or from model to model.",
        seen="worked_examples",
        also="size, dimensions",
    ),
    "dot_product": Definition(
        "Dot product",
        "Two vectors of the same size, multiplied component by component, and the products added up. It is large where "
        "both have large components of the same sign in the same places.",
        r"a \cdot b = \sum_j a_j\, b_j",
        seen="worked_examples",
        also="inner product",
    ),
    "concatenation": Definition(
        "Concatenation",
        "Two vectors written one after the other, as one longer vector.",
        r"[c ; s] = (c_1, \ldots, c_E, s_1, \ldots, s_H)",
        seen="worked_examples",
    ),
    "convex_hull": Definition(
        "Convex hull",
        "All points that can be mixed from some vectors with shares that are never negative and add up to 1: between "
        "two points a line, between three a triangle. A context lies in the convex hull of the annotations.",
        r"\Big\{ \sum_i \alpha_i h_i : \alpha_i \ge 0,\; \sum_i \alpha_i = 1 \Big\}",
        seen="learn",
    ),
    "tanh": Definition(
        "Tanh",
        "Brings any number between −1 and 1 and keeps its sign; small numbers stay nearly what they are.",
        r"\tanh x = \frac{\mathrm{e}^x - \mathrm{e}^{-x}}{\mathrm{e}^x + \mathrm{e}^{-x}}",
        seen="worked_examples",
        also="hyperbolic tangent",
    ),
    "sigmoid": Definition(
        "Sigmoid",
        "Brings any number between 0 and 1, as a gate needs it.",
        r"\sigma(x) = \frac{1}{1 + \mathrm{e}^{-x}}",
        seen="translate",
        also="logistic function",
    ),
    "softmax": Definition(
        "Softmax",
        "Makes shares of any numbers: e to the power of each, divided by the sum of all these powers. All shares are "
        "above 0 and together they are 1. A number added to all of them changes nothing, so the greatest may be taken "
        "off first to keep the powers small.",
        r"\mathrm{softmax}(x)_i = \frac{\mathrm{e}^{x_i}}{\sum_k \mathrm{e}^{x_k}}",
        seen="worked_examples",
    ),
    "saturation": Definition(
        "Saturation",
        "Where one number is far above the others, the softmax gives it nearly everything, and changing the others a "
        "little changes nothing: there is little left to learn from.",
        seen="worked_examples",
    ),
    "temperature": Definition(
        "Temperature",
        "A number that divides the scores before the softmax. Above 1 it evens the weights out, below 1 it sharpens "
        "them. Where tokens are drawn by chance it divides the logits, and does the same to their probabilities.",
        r"\alpha = \mathrm{softmax}(e / \tau)",
    ),
    "nat": Definition(
        "Nat",
        "The unit of a natural logarithm, as a bit is that of a logarithm to base 2. One nat is 1.44 bits.",
        r"1\ \text{nat} = \frac{1}{\log 2}\ \text{bits}",
        seen="recorded_training",
    ),
}
