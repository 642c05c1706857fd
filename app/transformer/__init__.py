"""The parts of the screen From Luong to the Transformer."""
