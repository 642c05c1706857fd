"""A few sentence pairs, and the smallest config that learns from them."""

from regard.model.config import Config

PAIRS = (
    ("I love you.", "Je t'aime."),
    ("I don't love the red car.", "Je n'aime pas la voiture rouge."),
    ("The cat sat on the mat.", "Le chat était assis sur le tapis."),
    ("The boy who is wearing a blue shirt is playing.", "Le garçon qui porte un T-shirt bleu joue."),
    ("Do you see the old house?", "Vois-tu la vieille maison ?"),
    ("She has read a book today.", "Elle a lu un livre aujourd'hui."),
    ("We are not children.", "Nous ne sommes pas des enfants."),
    ("Where is the train station?", "Où est la gare ?"),
)
TINY = Config(vocabulary=1, embedding=16, encoder_state=12, state=24, dropout=0.0)
