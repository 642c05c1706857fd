"""The parts of the screen Bottleneck."""
