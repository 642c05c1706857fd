"""Import attention: `screen`, then inputs, own_model, text; formats.md describes the formats."""
