"""Learning to look: `screen`, then film."""
