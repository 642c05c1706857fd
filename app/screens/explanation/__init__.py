"""Is attention an explanation? `screen`, then scores."""
