"""The parts of the screen The attention that would say it."""
