"""One step of a worked example as its matrices, with the sum behind every entry: sums, then mount."""
