"""The grid on which a visitor draws links: a row per target word, a column per source word.

A click, a tap or Enter cycles a cell from no link to a sure one, a possible one and back. The browser draws it at once
and sends all marks, in the notation of `regard.model.word_alignment.alignment_error_rate`, so that no quick click is
lost.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from regard.app.components.shared.component import SentLinks, sent, served

if TYPE_CHECKING:  # its module needs torch, the value does not
    from regard.model.word_alignment.from_attention import Compared

NAME = "regard_link_grid"
KEY = "grid"
mounted = served("link_grid", "grid.js", ("colours", "grid"))


def grid(
    compared: "Compared", marks: str, *, languages: tuple[str, str], seen: bool, on_draw: Callable[[], None]
) -> None:
    """Mount the grid with these marks; `seen` shows the model's weights and links beneath them."""
    data = {
        "source": compared.source,
        "target": compared.target,
        "languages": languages,
        "marks": marks,
        "answered": _drawn().number,
        "weights": compared.weights.tolist() if seen else [],
        "proposed": sorted(compared.proposed) if seen else [],
    }
    mounted()(key=KEY, data=data, on_drawn_change=on_draw)


def drawn() -> str:
    """Return the latest marks as the browser wrote them: untrusted text."""
    return _drawn().text


def _drawn() -> SentLinks:
    return sent(NAME, KEY, "drawn") or SentLinks(text="", number=0)
