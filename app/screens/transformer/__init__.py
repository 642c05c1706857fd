"""From RNN attention to the Transformer: `screen`, then text, ideas, projection, origin, comparison."""
