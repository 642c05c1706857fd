"""The server in front of Streamlit: a hostile visitor may break a page of his own, and neither slow, see nor break
another's; and serving many visitors: files compressed once, replicas behind a proxy, draining.

Reading order: visits, connections, messages, uploads, error_boundary, pages, draining, processes, replicas.
"""
