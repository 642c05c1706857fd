"""A recorded training: `screen`."""
