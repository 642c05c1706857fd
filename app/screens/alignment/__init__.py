"""Is attention an alignment? `screen`, then stories and own_links."""
