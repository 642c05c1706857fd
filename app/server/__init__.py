"""What stands between a stranger and the app: names the server answers to, limits on messages and uploads, shares.

Reading order: hosts, limits, page_style, visitor.
"""
