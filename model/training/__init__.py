"""Training on parallel text, in one process or several, with what is saved and recorded on the way.

Reading order: trainer, warm_start, optimizer_state, checkpointing, snapshots, distributed, resources, estimate.
"""
