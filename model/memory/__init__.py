"""Memory of a model: states met in training with the tokens that followed, and counts of the training text's words.

`regard memory` makes it once for a model and keeps it beside the weights. `datastore.load` reads it,
`Datastore.nearest` finds the nearest neighbours of a state, and `datastore.write` translates by the mixture of both;
`occurrences.load` reads the counts. Reading order: datastore, making, occurrences.
"""
