"""How a network comes by its parameters."""

from app.glossary.definition import Definition

TRAINING = {
    "loss": Definition(
        "Loss",
        "What training makes small: the mean negative log-probability of a reference token, in nats. The validation "
        "loss is that of sentences the model never learned from. The training loss is higher because it is made "
        "harder: numbers are dropped at random, and a little of the probability is asked for other tokens (label "
        "smoothing).",
        r"-\tfrac1N \sum \log p(y_t)",
        seen="recorded_training",
        also="cross-entropy",
    ),
    "update": Definition(
        "Update",
        "One change of all the parameters, after a look at a batch of sentence pairs.",
        seen="recorded_training",
        also="training step",
    ),
    "gradient_of_loss": Definition(
        "Gradient",
        "Says for every parameter how fast the loss would rise if that parameter grew a little. An update moves each "
        "one the other way.",
        r"\frac{\partial\, \text{loss}}{\partial\, \theta}",
        seen="recorded_training",
    ),
    "backpropagation": Definition(
        "Backpropagation",
        "How the gradient is computed: from the loss back through every operation by the chain rule, each multiplying "
        "what it is handed by its own derivative. In a recurrent network it goes back through all steps.",
        r"\frac{\partial\, \text{loss}}{\partial x} = \frac{\partial\, \text{loss}}{\partial y}"
        r"\, \frac{\partial y}{\partial x}",
        source="Rumelhart, Hinton and Williams (1986)",
        seen="recorded_training",
    ),
    "learning_rate": Definition(
        "Learning rate",
        "How far an update moves the parameters along the gradient. Too small and learning takes long; too large and "
        "the loss jumps about instead of falling.",
        r"\theta \leftarrow \theta - \eta \, \frac{\partial\, \text{loss}}{\partial\, \theta}",
        seen="watch",
        also="step size",
    ),
    "dropout": Definition(
        "Dropout",
        "In training, numbers chosen at random are set to 0 at every update and the others made larger to match, so "
        "that the network does not rely on any one of them. When it translates, nothing is dropped.",
        source="Srivastava et al. (2014)",
        seen="recorded_training",
    ),
    "teacher_forcing": Definition(
        "Teacher forcing",
        "In training the decoder is fed the words of the reference, not its own, so that one early mistake does not "
        "spoil all that follows.",
        r"\log p_t(y_t) \text{ after } y_1, \ldots, y_{t-1} \text{ of the reference}",
        seen="recorded_training",
    ),
    "exposure_bias": Definition(
        "Exposure bias",
        "A network that was only ever fed the truth never met its own mistakes, and may not recover from one when it "
        "writes alone.",
        source="Ranzato, Chopra, Auli and Zaremba (2016)",
        seen="watch",
    ),
    "exact_match": Definition(
        "Exact match",
        "The share of sequences that come out right from the first token to the last, with none too many. One wrong "
        "token is as bad as ten.",
        seen="watch",
    ),
    "reference": Definition(
        "Reference",
        "A translation that a person wrote. Training learns from references, and BLEU compares with them.",
        seen="recorded_training",
    ),
    "held_out": Definition(
        "Held out",
        "Sentence pairs that were kept away from training, so that a model can be tested on what it has not seen.",
        seen="bottleneck",
        also="test set, validation set",
    ),
}
