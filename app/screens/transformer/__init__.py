"""From RNN attention to the Transformer: `screen`, then text, sequence, trained, ideas, positions, comparison."""
