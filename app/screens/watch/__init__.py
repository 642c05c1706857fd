"""Watch it learn: `screen`, then presets, inputs, run, payload, run_names, text, results, recorded_run, exact_match."""
