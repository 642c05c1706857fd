"""Is attention an alignment? `screen`, then links."""
