"""The bound of all result caches together: 360 MB unless REGARD_CACHE names another.

The server checks it when it starts, before it loads the caches, which import PyTorch.
"""

import math
import os

SETTING, USUAL = "REGARD_CACHE", "360"  # megabytes


def cache_megabytes(setting: str | None = None) -> float:
    """Return the bound in megabytes, from REGARD_CACHE unless given. Exits with one line that names the value if it is
    not a finite number above 0."""
    text = (os.environ.get(SETTING, "") if setting is None else setting).strip() or USUAL
    try:
        megabytes = float(text)
    except ValueError:
        megabytes = math.nan
    if not 0 < megabytes < math.inf:
        raise SystemExit(
            f"{SETTING}: {text!r} is not a number of megabytes; write a finite number above 0 without a unit, such as "
            f"{USUAL}"
        )
    return megabytes
