"""The parts of the screen Bottleneck; a folder of that name would hide a library of that name from pandas."""
