"""A recorded training: `screen`, then film."""
