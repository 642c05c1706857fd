"""The Content-Security-Policy of a page: only its own script and style run, identified by their hash."""

import base64
import hashlib


def policy(script: str, style: str, connect: str = "") -> str:
    """Return a policy that allows only this script and requests to `connect`, such as its own folder ('self')."""
    rules = {
        "default-src": "'none'",
        "script-src": _hash(script),
        "style-src": _hash(style),
        "img-src": "data:",  # the page's empty icon, or a browser would request one
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",  # prevents text from becoming markup
    } | ({"connect-src": connect} if connect else {})
    return "; ".join(f"{name} {sources}" for name, sources in rules.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
