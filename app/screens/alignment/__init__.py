"""Is attention an alignment? `screen`, then stories, own_links, pair, error_rate, heads."""
