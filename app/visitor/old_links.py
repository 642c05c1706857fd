"""Old links: translates renamed parameters and models into today's names, and a model's name into its title.

A name that meant different things on different screens now has one meaning, so that a link's parameter is valid or
invalid on every screen alike.
"""

import re
from collections.abc import Mapping, Sequence

from regard.app.models.models import title, titles
from regard.app.wording import STANDARD

_BY_SCORE = re.compile(r"(dot|general|concat)(?=$|, | · | \()")  # how the titles of Luong models began until 0.6
_WITH_FEEDING = ("general, input feeding", "Luong, general score, input feeding")
_TITLES = {"compare": ("models", "first", "second"), "bottleneck": ("attending",), "recorded_training": ("learner",)}
_COUNTS = {"recorded_training": "update", "watch": "most"}  # numbers without a comma until 0.7
_COUNT = re.compile("[1-9][0-9]{3,6}")
_NAMES = {"alignment": {"rows": "read_from", "order": "pairs_order", "part": "measured_on"}}
_READINGS = {"produced": "weights, output word", "fed in": "weights, input word", "with jumps": "posterior with jumps"}


def renewed(screen: str, link: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """Return all parameters of a screen's link under today's names, each with its values."""
    names, of_models = _NAMES.get(screen, {}), _TITLES.get(screen, ())
    found = {}
    for name, values in link.items():
        if name in names:
            found[names[name]] = [_READINGS.get(value, value) for value in values]
        elif name in of_models:
            found[name] = [_called(title(value)) for value in values]
        elif name == _COUNTS.get(screen):
            found[name] = [f"{int(value):,}" if _COUNT.fullmatch(value) else value for value in values]
        else:
            found[name] = list(values)
    return found


def _called(title: str) -> str:
    """Return a model's title as it is today; that of one's own model has had its folder's name since 0.8."""
    if title in _WITH_FEEDING:
        return STANDARD
    called = _BY_SCORE.sub(r"Luong, \1 score", title, count=1) if _BY_SCORE.match(title) else title
    known = titles().values()
    return next((each for each in known if called not in known and each.startswith(f"{called} (")), called)
