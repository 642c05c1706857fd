"""Import attention: `screen`, then inputs and text; formats.md describes the formats."""
