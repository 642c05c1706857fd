"""From Luong to the Transformer: `screen`, then text, ideas, projection, origin, comparison."""
