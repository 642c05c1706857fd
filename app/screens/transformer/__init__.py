"""From RNN attention to the Transformer: `screen`, then ideas."""
