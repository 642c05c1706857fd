"""Watch it learn: `screen`, then inputs, run_text, payload, shipped, run."""
