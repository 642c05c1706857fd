"""The parts of the screen Bring your own model."""
