"""Import attention files: `screen`, then inputs, example, own_model, text; formats.md is what it tells of formats."""
