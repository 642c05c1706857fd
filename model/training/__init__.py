"""Training on parallel text, in one process or several, with its checkpoints and records.

Reading order: trainer, checkpointing, snapshots, distributed.
"""
