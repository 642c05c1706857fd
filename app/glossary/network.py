"""The recurrent network: what reads, what writes, and what they carry along."""

from app.glossary.definition import Definition

NETWORK = {
    "seq2seq": Definition(
        "Sequence-to-sequence model",
        "A network that reads one sequence and writes another, whose length it decides itself. An encoder reads, a "
        "decoder writes.",
        source="Sutskever, Vinyals and Le (2014); Cho et al. (2014)",
        seen="translate",
        also="seq2seq, encoder-decoder",
    ),
    "recurrent": Definition(
        "Recurrent network",
        "A network that takes one item after another and carries a state along: each new state is made of the state "
        "before and the item that is read, always with the same parameters.",
        r"s_t = \mathrm{RNN}(y_{t-1}, s_{t-1})",
        seen="translate",
        also="RNN",
    ),
    "layer": Definition(
        "Layer",
        "One stage of a network: a vector goes in, is multiplied by a matrix that was learned, and often passes tanh "
        "or softmax before it comes out. The output layer makes logits.",
        seen="worked_examples",
    ),
    "parameters": Definition(
        "Parameters",
        "The numbers of the network that training sets: all its matrices and biases. The weights of attention are not "
        "among them: those are computed anew at every step.",
        seen="compare",
        also="weights of the network",
    ),
    "encoder": Definition(
        "Encoder",
        "Reads the source sentence twice, from the left and from the right, and makes an annotation for each of its "
        "tokens.",
        source="Bahdanau, Cho and Bengio (2015), section 3.2, with gated units; Luong's is stacked and reads one way",
        seen="translate",
        also="bidirectional RNN",
    ),
    "annotation": Definition(
        "Annotation",
        "What the encoder knows of a source token where it stands: what it held on arriving there from the left, "
        "followed by what it held on arriving from the right.",
        r"h_i = [\overrightarrow{h}_i ; \overleftarrow{h}_i]",
        "S E",
        "Bahdanau, Cho and Bengio (2015), section 3.2",
        "translate",
        "encoder output, encoder hidden state",
    ),
    "decoder": Definition(
        "Decoder",
        "Writes the translation token by token. Each step is fed the token before, brings the state up to date, looks "
        "at the annotations and gives every token of the vocabulary a probability.",
        source="Luong, Pham and Manning (2015), section 3; Bahdanau, Cho and Bengio (2015), section 3.1",
        seen="translate",
    ),
    "state": Definition(
        "State",
        "What the decoder carries from step to step: all it remembers of what it has written and where it is. It asks "
        "the annotations.",
        r"s_t = \mathrm{RNN}(y_{t-1}, s_{t-1})",
        "T H",
        seen="translate",
        also="hidden state of the decoder",
    ),
    "initial_state": Definition(
        "Initial state",
        "The decoder's state before its first step. It is zero in models that were trained so, whose decoder has to "
        "look to learn anything of the sentence; in others it is made from where the encoder's two directions ended.",
        r"\begin{aligned} s_0 &= 0 \quad\text{or} \\"
        r" s_0 &= \tanh\!\big( W_b [\overrightarrow{h}_S ; \overleftarrow{h}_1] + b_b \big) \end{aligned}",
        "H",
        seen="translate",
    ),
    "lstm": Definition(
        "LSTM",
        "A recurrent cell with a cell state beside its state. Of the cell state a forget gate keeps a part and an "
        "input gate lets something new in; an output gate says how much of it becomes the state.",
        r"\begin{aligned} m_t &= f_t \odot m_{t-1} + i_t \odot g_t \\ s_t &= o_t \odot \tanh m_t \end{aligned}",
        source="Hochreiter and Schmidhuber (1997), with forget gates",
        seen="translate",
        also="long short-term memory",
    ),
    "gru": Definition(
        "GRU",
        "A recurrent cell with two gates and no cell state. The reset gate says how much of the state before enters "
        "the candidate, the update gate how much of it stays.",
        r"\begin{aligned} n_t &= \tanh\!\big( W y_{t-1} + b + r_t \odot (U s_{t-1} + d) \big) \\"
        r" s_t &= (1 - z_t) \odot n_t + z_t \odot s_{t-1} \end{aligned}",
        source="Cho et al. (2014), as PyTorch computes it",
        seen="compare",
        also="gated recurrent unit",
    ),
    "gate": Definition(
        "Gate",
        "A number between 0 and 1 for each component, that says how much of it passes: 0 is closed, 1 is open. Kept "
        "beside the gates is the candidate, what might enter, which lies between −1 and 1.",
        r"\sigma(W x + b + U s + d)",
        "T G H",
        seen="translate",
    ),
    "cell_state": Definition(
        "Cell state",
        "The memory of an LSTM beside its state. It is changed only by keeping a part and adding something, so it can "
        "hold on to things for many steps. It is written m here, because c is the context.",
        r"m_t = f_t \odot m_{t-1} + i_t \odot g_t",
        "T C",
        seen="translate",
    ),
    "bottleneck": Definition(
        "The bottleneck",
        "Without attention the decoder knows the source by one vector, which has as many components for a long "
        "sentence as for a short one. In the first systems that was the encoder's last state. The models here also get "
        "one context for all steps, which is our own choice: the mean of the annotations of the first and the last "
        "token, where the encoder's two directions end. Nothing else of the sentence is left.",
        r"c_t = \tfrac12 (h_1 + h_S) \quad \text{at every step } t",
        source="Cho et al. (2014); Bahdanau, Cho and Bengio (2015)",
        seen="bottleneck",
        also="no attention",
    ),
}
