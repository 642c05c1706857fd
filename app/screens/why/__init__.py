"""Why the model did not write a visitor's translation: `screen`, then text."""
