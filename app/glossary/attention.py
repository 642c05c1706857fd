"""Attention: compare, weigh, sum."""

from app.glossary.definition import Definition

LUONG, BAHDANAU = "Luong, Pham and Manning (2015)", "Bahdanau, Cho and Bengio (2015)"

ATTENTION = {
    "attention": Definition(
        "Attention",
        "How a decoder step looks at the whole source sentence. It compares its state with every annotation, turns the "
        "scores into weights that add up to 1, and adds up the annotations by their weights.",
        r"c_t = \sum_i \mathrm{softmax}_i\big( \mathrm{score}(s_t, h_i) \big)\, h_i",
        source=f"{BAHDANAU}; {LUONG}",
        seen="translate",
    ),
    "score": Definition(
        "Score",
        "How well a source token answers the decoder's state: one number for each source token at each step. It "
        "enters the softmax. In Luong's wiring the state of this step asks, in Bahdanau's the one before it.",
        r"e_{t,i} = \mathrm{score}(s_t, h_i)",
        "T S",
        f"{LUONG}, section 3.1; {BAHDANAU}, A.1.2",
        "translate",
        "energy, alignment score",
    ),
    "dot": Definition(
        "Dot score",
        "The dot product of state and annotation. It has nothing to learn, and both must be of the same size.",
        r"e_{t,i} = s_t \cdot h_i",
        "T S",
        f"{LUONG}, section 3.1",
        "compare",
        "multiplicative",
    ),
    "general": Definition(
        "General score",
        "A learned matrix takes the annotation into the space of the state, then comes the dot product. The two may "
        "differ in size.",
        r"e_{t,i} = s_t^\top W_a h_i",
        "T S",
        f"{LUONG}, section 3.1",
        "compare",
        "multiplicative, bilinear",
    ),
    "concat": Definition(
        "Concat score",
        "A small network compares the two: each is multiplied by its own matrix, the sum passes tanh, and the vector v "
        "weighs what comes out. Luong's one matrix for [s ; h] is Bahdanau's W and U side by side.",
        r"\begin{aligned} e_{t,i} &= v^\top \tanh(W s_t + U h_i) \\ &= v^\top \tanh(W_a [s_t ; h_i]) \end{aligned}",
        "T S",
        f"{BAHDANAU}, A.1.2; {LUONG}, section 3.1",
        "compare",
        "additive, Bahdanau's score",
    ),
    "weight": Definition(
        "Weight",
        "The share of attention that a step gives to a source token: what leaves the softmax. The weights of a step "
        "add up to 1. Between words, the weights of a word's tokens are added over the source and averaged over the "
        "target.",
        r"\alpha_{t,i} = \frac{\exp e_{t,i}}{\sum_k \exp e_{t,k}}",
        "T S",
        f"{LUONG}, equation 7",
        "translate",
        "attention weight, attention probability",
    ),
    "context": Definition(
        "Context",
        "What a step has found in the source: the sum of the annotations, each times its weight. A component of it "
        "lies between the least and the greatest that the annotations have in that place.",
        r"c_t = \sum_i \alpha_{t,i}\, h_i",
        "T E",
        f"{BAHDANAU}; {LUONG}",
        "translate",
        "context vector",
    ),
    "attentional": Definition(
        "Attentional vector",
        "Context and state joined into one vector, from which the output layer makes the logits.",
        r"\tilde h_t = \tanh(W_c [c_t ; s_t])",
        "T A",
        f"{LUONG}, equation 5",
        "translate",
        "attentional hidden state",
    ),
    "query": Definition(
        "Query",
        "What asks: the vector that is compared with every key. Here it is the decoder's state; for the concat score "
        "it is multiplied by W first.",
        r"q_t = s_t \quad\text{or}\quad q_t = W s_t",
        "T Q",
        seen="worked_examples",
    ),
    "key": Definition(
        "Key",
        "What a source token answers a query with, computed once a sentence: the annotation itself for the dot score, "
        "or what a learned matrix makes of it.",
        r"k_i = h_i \quad\text{or}\quad k_i = W_a h_i \quad\text{or}\quad k_i = U h_i",
        "S Q",
        seen="translate",
    ),
    "value": Definition(
        "Value",
        "What is added up by the weights. In these models it is the annotation itself; in a Transformer a matrix of "
        "its own makes it.",
        r"v_i = h_i",
        "S E",
        seen="transformer",
    ),
    "mask": Definition(
        "Mask",
        "Says which positions may be looked at. All others weigh exactly 0, and the softmax is taken as if they were "
        "not there.",
        r"\alpha_{t,i} = 0 \quad \text{where masked}",
        "T S",
        seen="transformer",
    ),
    "local": Definition(
        "Local attention",
        "A step looks only at a window of source tokens around a place that it expects or predicts. The models here "
        "have global attention, which looks at all of them.",
        source=f"{LUONG}, section 3.2",
        also="local-m, local-p",
    ),
    "hard": Definition(
        "Hard attention",
        "A step looks at exactly one place, drawn from the weights, instead of at a mixture of all. It has no gradient "
        "for where it looked and is trained by sampling. All attention here is soft.",
        source="Xu et al. (2015)",
    ),
    "luong": Definition(
        "Luong's wiring",
        "First the decoder moves to its new state, then this current state asks. The context joins the state "
        "afterwards, in the attentional vector.",
        r"s_t = \mathrm{RNN}(y_{t-1}, s_{t-1}) \;\to\; c_t \;\to\; \tilde h_t",
        source=f"{LUONG}, section 3",
        seen="compare",
    ),
    "bahdanau": Definition(
        "Bahdanau's wiring",
        "First the previous state asks, then the decoder moves on, reading the context beside the token it is fed.",
        r"c_t \;\to\; s_t = \mathrm{RNN}([y_{t-1} ; c_t], s_{t-1})",
        source=f"{BAHDANAU}, section 3.1",
        seen="compare",
    ),
    "input_feeding": Definition(
        "Input feeding",
        "The attentional vector of one step is part of the input of the next, so that the decoder knows what it looked "
        "at before.",
        r"s_t = \mathrm{RNN}([y_{t-1} ; \tilde h_{t-1}], s_{t-1})",
        source=f"{LUONG}, section 3.3",
    ),
}
