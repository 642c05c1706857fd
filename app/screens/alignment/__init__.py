"""Is attention an alignment? `screen`, then stories, own_links, error_rate."""
