"""Protection of the app from strangers: names the server answers to, limits on messages and uploads, shares;
and how it serves many: files that are kept, replicas behind a proxy, draining.

Reading order: hosts, visitor, visits, turns, room, messages, uploads, page_style, scripts, hashed_files, draining,
ports, replicas.
"""
