"""A text: `screen`, then parts."""
