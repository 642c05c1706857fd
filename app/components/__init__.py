"""Components drawn by our own JavaScript; each folder has the Python that feeds and mounts it.

Reading order: shared, network, stepper, phase_card, beam_tree, training_monitor, matrices, link_grid,
working, figure_export, pulse.
"""
