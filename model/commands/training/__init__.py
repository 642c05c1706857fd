"""The parts of `python -m model train`: what is asked, what is prepared, the updates, what is left behind."""
