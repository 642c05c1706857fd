"""Memory of a model: states that it met in training, which tokens came next there, and how often words stood there.

It is made once for a model and kept beside its weights (`regard memory`). `datastore_file.load` reads it, and
`Datastore.nearest` finds the nearest neighbours of a state; `occurrences.load` reads the counts.

Reading order: datastore, datastore_file, making, measurement, interpolation, occurrences.
"""
