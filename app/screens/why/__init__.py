"""Why the model did not write a visitor's translation, and which weights would have made it: `screen`, then text."""
