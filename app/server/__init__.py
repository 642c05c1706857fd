"""Protection of the app from strangers: host names, limits on messages and uploads, fair shares; and serving many
visitors: cached files, replicas behind a proxy, draining.

Reading order: hosts, visitor, visits, turns, frames, messages, room, uploads, page_style, hashed_files, draining,
metrics, ports, orphans, replicas.
"""
