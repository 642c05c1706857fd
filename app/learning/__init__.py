"""The parts of the screen Learning to look."""
