"""Watch it learn: `screen`, then inputs, run, payload."""
