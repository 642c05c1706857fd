"""The parts of the screen Sampling."""
