"""Memory of a model: states met in training with the tokens that followed, and counts of the training text's words.

`regard memory` makes it once for a model and keeps it beside the weights. `datastore_file.load` reads it, and
`Datastore.nearest` finds the nearest neighbours of a state; `occurrences.load` reads the counts.

Reading order: datastore, datastore_file, making, measurement, interpolation, occurrences.
"""
