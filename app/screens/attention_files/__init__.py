"""Import attention files: `screen`, then inputs, own_model, text; formats.md is what it tells of formats."""
