"""Training on parallel text, in one process or several, with its checkpoints and records.

Reading order: trainer, warm_start, optimizer_state, checkpointing, averaging, snapshots, distributed, resources,
estimate.
"""
