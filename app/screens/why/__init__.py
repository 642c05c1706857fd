"""Why the model did not write a visitor's translation: `screen`, then search (for weights) and text."""
