"""Compare: `screen`."""
